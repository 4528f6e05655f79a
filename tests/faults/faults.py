#!/usr/bin/env python3
"""Tries what can happen to the exporter: for each fault, a provider really does it in a running exporter, or the disk, the
clock or the configuration has it. The exporter is scraped meanwhile.

Call it through scripts/faults."""

import argparse
import concurrent.futures
import json
import math
import multiprocessing
import pathlib
import sys

from catalogue import FAULTS, KNOWN, REPEATS, SAMPLE, SAMPLE_WINE
from killing import run_kill
from machines import Native, Wine
from report import print_table
from trial import Trial, Unexpected, disappointments, say


def matrix(options):
    """Returns the faults to try, in the order of the catalogue or of the command line."""
    here = {fault.word: fault for fault in FAULTS if (fault.wine if options.wine else fault.native)}
    if options.sample:
        return [here[word] for word in (SAMPLE_WINE if options.wine else SAMPLE)]
    if options.only:
        return [here[word] for word in options.only]
    return [fault for word, fault in here.items() if not (options.distinct and word in REPEATS)]


def attempt(machine, fault, options):
    try:
        seen = Trial(machine, fault, options).run()
    except (Unexpected, AssertionError) as error:
        seen = {"fault": fault.word, "trouble": " ".join(str(error).split()) or "AssertionError"}
    wrong = disappointments(seen, fault.on(options.wine), options)
    known = fault.word in KNOWN
    seen["disappointments"] = [] if known else wrong
    seen["known"] = wrong if known else []
    seen["verdict"] = "; ".join(wrong) if wrong else "not tried" if "not_here" in seen else "as hoped"
    if known:
        seen["verdict"] = f"known: {seen['verdict']}" if wrong else "as hoped, and no longer known"
    say(f"{fault.word}: {seen['verdict']}")
    return seen


def attempt_alone(files, fault, options):
    """In a process of its own, on a machine of its own."""
    with Native(*files) as machine:
        return attempt(machine, fault, options)


def share(starting):
    Trial.starting = starting


def try_all(files, options):
    faults = matrix(options)
    if options.wine:
        say("preparing a Wine prefix")
        with Wine(*files) as machine:
            return [attempt(machine, fault, options) for fault in faults]
    starting = multiprocessing.BoundedSemaphore(min(options.jobs, 2 * multiprocessing.cpu_count()))
    with concurrent.futures.ProcessPoolExecutor(options.jobs, initializer=share, initargs=(starting,)) as pool:
        return [future.result() for future in [pool.submit(attempt_alone, files, fault, options) for fault in faults]]


def run_matrix(files, options):
    results = try_all(files, options)
    print_table(results)
    return results, [f"{seen['fault']}: {text}" for seen in results for text in seen["disappointments"]]


def run_killing(files, options):
    with (Wine if options.wine else Native)(*files) as machine:
        return run_kill(machine, options)


def parse_arguments():
    parser = argparse.ArgumentParser(prog="scripts/faults", description=__doc__.split("\n\n")[0].replace("\n", " "))
    parser.add_argument("--only", metavar="WORDS", type=lambda text: text.replace(",", " ").split(),
                        help="these faults, separated by commas, such as av_collect,hang_open (default: all)")
    parser.add_argument("--sample", action="store_true", help="a few that differ from each other")
    parser.add_argument("--distinct", action="store_true", help="without those that to the exporter look like another one")
    parser.add_argument("--list", action="store_true", help="print the faults that are tried by default")
    parser.add_argument("--seconds", type=float, default=10, help="how long each fault lasts (default: %(default)s)")
    parser.add_argument("--recovery", type=float, default=30, metavar="SECONDS",
                        help="how long to wait for countersets after a fault (default: %(default)s)")
    parser.add_argument("--slack", type=float, default=0, metavar="SECONDS",
                        help="with a sanitizer: so much older may countersets be, any query late, and more memory kept (default: "
                             "%(default)s)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="so many at once; not under Wine (default: %(default)s)")
    parser.add_argument("--kill", type=int, metavar="N", help="instead, kill N workers at random moments, and then the exporter")
    parser.add_argument("--seed", type=int, default=1, help="of the random moments (default: %(default)s)")
    parser.add_argument("--expect", action="store_true", help="end with 1 unless the exporter survives everything")
    parser.add_argument("--wine", action="store_true", help="the Windows executable and real provider DLLs, under Wine")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="also write all that was seen, as JSON")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help=argparse.SUPPRESS)  # executable, sysperf.dll, faulty.dll
    options = parser.parse_args()
    if options.distinct and options.wine:
        parser.error("--distinct is about the simulated machine")
    known = {fault.word for fault in FAULTS if (fault.wine if options.wine else fault.native)}
    unknown = [word for word in options.only or () if word not in known]
    if unknown:
        parser.error(f"these are no faults here: {', '.join(unknown)}; --list prints those that are")
    return options


def plain(value):
    """Returns a value that JSON has: no infinity."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def main():
    options = parse_arguments()
    if options.list:
        print("\n".join(fault.word for fault in matrix(options)))
        return 0
    if len(options.files) != (3 if options.wine else 1):
        sys.exit("call this through scripts/faults")
    files = [file.resolve(strict=True) for file in options.files]
    try:
        seen, wrong = (run_killing if options.kill else run_matrix)(files, options)
    except (Unexpected, AssertionError) as error:
        sys.exit(f"faults: {error}")
    if options.out:
        machine = "Wine" if options.wine else "simulated machine"
        options.out.write_text(json.dumps(plain({"machine": machine, "seen": seen, "disappointments": wrong}), indent=1) + "\n")
    if wrong:
        print("\nNot as an exporter that survives everything:\n")
        print("\n".join(f"- {text}" for text in wrong))
    return 1 if wrong and options.expect else 0


if __name__ == "__main__":
    sys.exit(main())
