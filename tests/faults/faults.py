#!/usr/bin/env python3
"""Tries what a performance provider can do to the exporter: for each fault, a provider really does it in a running exporter,
which is scraped meanwhile.

Call it through scripts/faults."""

import argparse
import json
import math
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

from machines import FAULTY_DEVICE, Native, Wine, describe, kill
from pages import REQUESTS, Scrape, Scraper, error_of, of_workers, per_counterset

HARM = ("av", "exit", "terminate", "abort", "cxx", "stack", "heap", "hang", "spin", "slow", "close_handles", "handles", "leak",
        "threads", "thread_left", "fpu", "locale", "cwd", "priority", "overrun16", "overrun64k")
# In Open and Close, and in PerfLib, a few kinds of harm stand for the others.
ELSEWHERE = ("av", "exit", "hang", "slow")
POINTS = ("open", "collect", "close", "perflib")
SCRAPE_INTERVAL = 0.2
WELL_AGE = 2.5  # of countersets that are sampled each second, on a busy machine
LONGEST_AGE = 5  # the interval, the longest deadline of machines.py, and a second for a busy machine
STOP_SECONDS = 2  # the documented limit, whatever a provider does
DEADLINE = 60


class Unexpected(Exception):
    """The trial itself failed."""


def say(text):
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def wait(condition, seconds, what=None):
    """Polls the condition. Returns the seconds that it took; afterwards None, or with `what`, raises."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > seconds:
            if what:
                raise Unexpected(f"after {seconds} s, {what}")
            return None
        time.sleep(0.05)
    return round(time.monotonic() - began, 1)


def matrix(is_wine):
    words = [f"{harm}_collect" for harm in HARM]
    words += [f"{harm}_{point}" for point in ("open", "close") for harm in ELSEWHERE]
    return words if is_wine else words + [f"{harm}_perflib" for harm in (*ELSEWHERE, "spin", "stack")]


def is_word(text):
    harm, _, point = text.rpartition("_")
    return harm in HARM and point in POINTS


# --- one fault ---


class Trial:
    """One fault in one exporter, and what was seen."""

    def __init__(self, machine, word, options):
        self.machine, self.word, self.options = machine, word, options
        # Wine opens and closes all providers in each query. The simulated machine, like Windows, opens one once, so that a fault
        # in Open has to be there from the start; and closes it with the key, so that one in Close has to stay until the end.
        self.is_early = word.endswith("_open") and isinstance(machine, Native)
        self.is_held = word.endswith("_close") and isinstance(machine, Native)
        self.everything = (*machine.honest, FAULTY_DEVICE)
        self.seen = {"fault": word, "honest_age_before": None, "honest_age_during": None, "processes_before": 0}

    def run(self):
        try:
            if self.is_early:
                self.machine.tell(self.word)
            if self.start():
                if not self.is_early:
                    self.before()
                    self.machine.tell(self.word)
                self.during()
            if self.is_alive():
                if not self.is_held:
                    self.machine.tell("")
                self.recovery()
                self.stop()
            self.find_left()
        finally:
            self.machine.stop_everything()
        return self.seen

    def start(self):
        """Whether the exporter listens. One that ends before that, with a fault in place, died of it."""
        try:
            self.url = self.machine.start()
            return True
        except AssertionError:
            if not self.is_early or self.is_alive():
                raise
            self.seen.update(lived=False, died_after=0, exit_code=self.machine.exporter.popen.returncode, scrapes=0,
                             scrape_errors=[], slowest_scrape=0, faulty_success=[], errors=[], processes_during=0)
            return False

    def is_alive(self):
        return self.machine.exporter.popen.poll() is None

    def well(self, countersets, since=-math.inf):
        """Whether they are well, each with a sample that was taken after a moment."""
        scrape = Scrape(self.url)
        return scrape.are_well(countersets, min(WELL_AGE, scrape.began - since))

    def before(self):
        def is_ready():
            if not self.is_alive():
                raise Unexpected(f"the exporter ended by itself: {self.machine.exporter.output()}")
            return self.well(self.everything)
        wait(is_ready, DEADLINE, "not all countersets are well before the fault")
        # One more round, so that the greatest age before the fault is that of a running exporter.
        scraper, began = Scraper(self.url, SCRAPE_INTERVAL), time.monotonic()
        wait(lambda: time.monotonic() - began > 1.5, DEADLINE)
        scrapes = scraper.stop()
        self.seen["honest_age_before"] = oldest(scrapes, self.machine.honest)
        self.seen["workers_before"] = of_workers(scrapes[-1].values)
        self.seen["processes_before"] = len(self.machine.workers())

    def during(self):
        scraper, began = Scraper(self.url, SCRAPE_INTERVAL), time.monotonic()
        errors, pids = [], set(self.machine.workers())
        died = None
        while time.monotonic() - began < self.options.seconds and died is None:
            if not self.is_alive():
                died = time.monotonic()
                break
            pids.update(self.machine.workers())
            error = error_of(self.url, FAULTY_DEVICE)
            if error and error not in errors and not error.startswith("(no answer"):
                errors.append(error)
            scraper.stopped.wait(SCRAPE_INTERVAL)
        scrapes = scraper.stop()
        if died is None and not self.is_alive():
            died = time.monotonic()
        # A scrape that began after the end says nothing more than that the exporter has ended.
        scrapes = [scrape for scrape in scrapes if died is None or scrape.began < died]
        answered = [scrape for scrape in scrapes if scrape.error is None]
        self.seen.update(
            lived=died is None, scrapes=len(scrapes),
            scrape_errors=[scrape.error for scrape in scrapes if scrape.error],
            slowest_scrape=round(max((scrape.seconds for scrape in scrapes), default=0), 2),
            honest_age_during=oldest(answered, self.machine.honest),
            faulty_age_during=oldest(answered, [FAULTY_DEVICE]),
            faulty_success=[per_counterset(scrape.values, "counterset_success").get(FAULTY_DEVICE) for scrape in answered],
            errors=errors, processes_during=len(pids),
            workers_during=of_workers(answered[-1].values) if answered else {})
        if died is not None:
            self.seen["died_after"] = round(died - began, 1)
            self.seen["exit_code"] = self.machine.exporter.popen.returncode

    def recovery(self):
        over = time.monotonic()
        for name, countersets in (("honest_recovery", self.machine.honest), ("faulty_recovery", [FAULTY_DEVICE])):
            left = self.options.recovery - (time.monotonic() - over)
            seconds = wait(lambda countersets=countersets: self.well(countersets, over), max(0, left))
            self.seen[name] = None if seconds is None else round(time.monotonic() - over, 1)
        self.seen["workers_after"] = of_workers(Scrape(self.url).values)

    def stop(self):
        popen = self.machine.exporter.popen
        began = time.monotonic()
        popen.send_signal(signal.SIGINT)
        try:
            code = popen.wait(15)
        except subprocess.TimeoutExpired:
            code = None
        self.seen["stop_code"], self.seen["stop_seconds"] = code, round(time.monotonic() - began, 2)

    def find_left(self):
        """A child may need a moment to end; what is still there after 2 s is left behind."""
        main = self.machine.exporter.popen
        if main.poll() is not None:
            wait(lambda: not self.machine.workers(), 2)
            self.seen["left"] = [describe(pid) for pid in self.machine.workers()]
        else:
            self.seen["left"] = ["the exporter itself"]


def oldest(scrapes, countersets):
    """Returns the greatest age on these pages; None without a page."""
    ages = [scrape.ages(countersets) for scrape in scrapes if scrape.error is None]
    return round(max(ages), 1) if ages else None


def disappointments(seen):
    """Returns what an exporter that survives every fault wouldn't have done."""
    if "trouble" in seen:
        return [seen["trouble"]]
    found = [f"left behind: {', '.join(seen['left'])}"] if seen["left"] else []
    if not seen["lived"]:
        return [f"the exporter died (exit code {seen['exit_code']})", *found]
    if seen["scrape_errors"]:
        found.append(f"scrapes that failed: {len(seen['scrape_errors'])} ({seen['scrape_errors'][0]})")
    nameless = [error for error in seen["errors"] if not error.lower().startswith('provider "faulty" ')]
    if nameless and not seen["fault"].startswith("overrun"):  # the simulated system disables that provider, as Windows does
        found.append(f"a reason without the provider's name: {nameless[0]}")
    if math.isfinite(seen["honest_age_during"] or 0) and (seen["honest_age_during"] or 0) > LONGEST_AGE:
        found.append(f"an honest counterset was {seen['honest_age_during']} s old")
    if seen["honest_recovery"] is None:
        found.append("the honest countersets did not recover")
    if seen["stop_code"] != 0:
        found.append("it did not stop" if seen["stop_code"] is None else f"it stopped with exit code {seen['stop_code']}")
    if seen["stop_seconds"] > STOP_SECONDS:
        found.append(f"the stop took {seen['stop_seconds']} s")
    return found


# --- the report ---


HEAD = ("fault", "exporter", "honest ages before / during, s", "scrapes answered, slowest", "succeeded", "its error",
        "recovered: honest, faulty", "stop: code, s", "processes before / seen", "left behind")


def row(seen):
    if "trouble" in seen:
        return [seen["fault"], f"NOT TRIED: {seen['trouble']}"] + ["-"] * (len(HEAD) - 2)
    answered = seen["scrapes"] - len(seen["scrape_errors"])
    success = [value for value in seen["faulty_success"] if value is not None]
    alive = seen["lived"]

    def after(seconds):
        return "no" if seconds is None else f"{seconds} s"
    ages = [seen[f"honest_age_{time}"] for time in ("before", "during")]
    return [
        seen["fault"], "lives" if alive else f"DIED after {seen['died_after']} s, exit {seen['exit_code']}",
        " / ".join("-" if age is None else str(age) for age in ages),
        f"{answered}/{seen['scrapes']}, {seen['slowest_scrape']} s",
        f"{sum(success):.0f}/{len(success)}", "; ".join(seen["errors"]) or "-",
        f"{after(seen['honest_recovery'])}, {after(seen['faulty_recovery'])}" if alive else "-",
        ("none" if seen["stop_code"] is None else f"{seen['stop_code']}") + f", {seen['stop_seconds']}" if alive else "-",
        f"{seen['processes_before']} / {seen['processes_during']}", "; ".join(seen["left"]) or "-"]


def changed_metrics(seen):
    """Returns a line for each metric of the workers that differs from before the fault."""
    before, after = seen.get("workers_before", {}), {**seen.get("workers_during", {}), **seen.get("workers_after", {})}
    return [f"{seen['fault']}: {series} {before.get(series)} -> {value:g}" for series, value in sorted(after.items())
            if before.get(series) != value]


def print_table(results):
    print("| " + " | ".join(HEAD) + " |")
    print("|" + "---|" * len(HEAD))
    for seen in results:
        print("| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in row(seen)) + " |")
    lines = [line for seen in results for line in changed_metrics(seen)]
    if lines:
        print("\nMetrics of the workers that changed:\n")
        print("\n".join(f"- {line}" for line in lines))


def run_matrix(machine, options):
    results = []
    for number, word in enumerate(options.only or matrix(options.wine), 1):
        say(f"{word} ({number} of {len(options.only or matrix(options.wine))})")
        try:
            seen = Trial(machine, word, options).run()
        except (Unexpected, AssertionError) as error:
            seen = {"fault": word, "trouble": str(error).splitlines()[0]}
        seen["disappointments"] = disappointments(seen)
        say(f"{word}: " + ("; ".join(seen["disappointments"]) or "as hoped"))
        results.append(seen)
    print_table(results)
    return results, [f"{seen['fault']}: {text}" for seen in results for text in seen["disappointments"]]


# --- killed workers ---


def kill_workers(machine, url, options):
    """Kills workers at random moments, and returns how many were killed."""
    chance = random.Random(options.seed)
    killed = 0
    for _ in range(options.kill):
        moment = time.monotonic() + chance.uniform(0.05, 1.5)
        wait(lambda moment=moment: time.monotonic() >= moment, DEADLINE)
        if wait(machine.workers, 30) is None:
            break
        pids = machine.workers()
        if pids:
            kill(chance.choice(sorted(pids)))
            killed += 1
            say(f"killed {killed} of {options.kill}")
        if machine.exporter.popen.poll() is not None:
            break
    return killed


def decreases(scrapes):
    """Returns the pairs of values of the growing counter that decreased from page to page."""
    values = [scrape.values[REQUESTS] for scrape in scrapes if REQUESTS in scrape.values]
    return [(before, after) for before, after in zip(values, values[1:]) if after < before], len(values)


def orphans(machine):
    """Returns the exporter's processes whose parent isn't one of them. Under Wine, parents are unknown."""
    if not isinstance(machine, Native):
        return []
    parents = {pid: int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
               for pid in machine.workers() if pathlib.Path(f"/proc/{pid}").exists()}
    return [pid for pid, parent in parents.items() if parent == os.getpid()]


def run_kill(machine, options):
    countersets = (*machine.honest, FAULTY_DEVICE)
    try:
        url = machine.start()
        wait(lambda: Scrape(url).are_well(countersets, WELL_AGE), DEADLINE, "not all countersets are well at first")
        first = len(machine.workers())
        scraper = Scraper(url, 0.02)
        killed = kill_workers(machine, url, options)
        recovery = wait(lambda: Scrape(url).are_well(countersets, WELL_AGE), options.recovery)
        scrapes = scraper.stop()
        wrong, compared = decreases(scrapes)
        seen = {"workers": first, "killed": killed, "recovery": recovery, "scrapes": len(scrapes),
                "lived": machine.exporter.popen.poll() is None,
                "scrape_errors": [scrape.error for scrape in scrapes if scrape.error],
                "malformed": sum(scrape.is_malformed for scrape in scrapes),
                "slowest_scrape": round(max(scrape.seconds for scrape in scrapes), 2),
                "values_compared": compared, "values_decreased": wrong,
                "pages_without_value": sum(not scrape.error and REQUESTS not in scrape.values for scrape in scrapes),
                "workers_after": of_workers(Scrape(url).values),
                "orphans": [describe(pid) for pid in orphans(machine)]}
        say("killing the exporter itself")
        last = machine.workers()
        machine.exporter.popen.kill()
        machine.exporter.popen.wait()
        seen["children_of_killed_exporter"] = len(last)
        seen["children_gone_after"] = wait(lambda: not machine.workers(), 2)
        seen["survivors"] = [describe(pid) for pid in machine.workers()]
    finally:
        machine.stop_everything()
    wanted = {"the exporter died": not seen["lived"], "there was no worker to kill": killed == 0,
              f"only {killed} of {options.kill} workers were killed": 0 < killed < options.kill,
              f"scrapes that failed: {len(seen['scrape_errors'])}": seen["scrape_errors"], "pages were malformed": seen["malformed"],
              "a growing counter decreased": wrong, "no value was compared": compared < 2,
              "there were orphans": seen["orphans"], "processes survived the exporter": seen["survivors"],
              "the countersets did not recover": recovery is None}
    for name, value in seen.items():
        print(f"{name}: {value if name != 'scrape_errors' else value[:5]}")
    return seen, [f"kill: {text}" for text, is_so in wanted.items() if is_so]


# --- the command line ---


def parse_arguments():
    parser = argparse.ArgumentParser(prog="scripts/faults", description=__doc__.split("\n\n")[0].replace("\n", " "))
    parser.add_argument("--only", metavar="WORDS", type=lambda text: text.replace(",", " ").split(),
                        help="these faults, separated by commas, such as av_collect,hang_open (default: all)")
    parser.add_argument("--list", action="store_true", help="print the faults that are tried by default")
    parser.add_argument("--seconds", type=float, default=10, help="how long each fault lasts (default: %(default)s)")
    parser.add_argument("--recovery", type=float, default=30, metavar="SECONDS",
                        help="how long to wait for countersets after a fault (default: %(default)s)")
    parser.add_argument("--kill", type=int, metavar="N", help="instead, kill N workers at random moments, and then the exporter")
    parser.add_argument("--seed", type=int, default=1, help="of the random moments (default: %(default)s)")
    parser.add_argument("--expect", action="store_true", help="end with 1 unless the exporter survives everything")
    parser.add_argument("--wine", action="store_true", help="the Windows executable and real provider DLLs, under Wine")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="also write all that was seen, as JSON")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help=argparse.SUPPRESS)  # executable, sysperf.dll, faulty.dll
    options = parser.parse_args()
    unknown = [word for word in options.only or () if not is_word(word)]
    if unknown:
        parser.error(f"these are no faults: {', '.join(unknown)}; a fault is one of {', '.join(HARM)}, "
                     f"and then _{', _'.join(POINTS)}")
    if options.wine and any(word.endswith("_perflib") for word in options.only or ()):
        parser.error("PerfLib's faults are in the simulator only, not under Wine")
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
        print("\n".join(matrix(options.wine)))
        return 0
    if len(options.files) != (3 if options.wine else 1):
        sys.exit("call this through scripts/faults")
    files = [file.resolve(strict=True) for file in options.files]
    if options.wine:
        say("preparing a Wine prefix")
    with (Wine if options.wine else Native)(*files) as machine:
        run = run_kill if options.kill else run_matrix
        try:
            seen, wrong = run(machine, options)
        except (Unexpected, AssertionError) as error:
            sys.exit(f"faults: {error}")
    if options.out:
        options.out.write_text(json.dumps(plain({"machine": machine.name, "seen": seen, "disappointments": wrong}), indent=1) + "\n")
    if wrong:
        print("\nNot as an exporter that survives everything:\n")
        print("\n".join(f"- {text}" for text in wrong))
    return 1 if wrong and options.expect else 0


if __name__ == "__main__":
    sys.exit(main())
