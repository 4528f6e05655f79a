#!/usr/bin/env python3
"""The instructions of scrapes of parts of a page beside those of the whole, counted by Valgrind: scrape_work.py EXECUTABLE

Prints a table for docs/performance.md. Ends with 1 if a part costs more than twice its share of the page. What is about the whole
program is on each page, so a share is counted without what a page costs that has nothing else. A metric that is asked for by its
name has to be found and cut out of the page, which a counterset as a whole hasn't: that may cost a little for each of them.
"""

import re
import subprocess
import sys
import tempfile

EXECUTABLE = sys.argv[1]
PARTS = ["1", "5", "30", "55", "-55", "108", "names=20", "names=180"]
MOST = 2
MOST_FOR_A_NAME = 4_000  # instructions


def bytes_of(what):
    """Of the text."""
    told = subprocess.run([EXECUTABLE, "text", what], check=True, capture_output=True, text=True, timeout=60)
    return int(re.search(r"(\d+) bytes", told.stdout)[1])


def scrape(form, what, *first):
    """Instructions, bytes of the answer, and countersets of the server."""
    with tempfile.NamedTemporaryFile() as output:
        told = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={output.name}", "--collect-atstart=no",
             "--toggle-collect=measured_scrape", EXECUTABLE, form, what, *first],
            check=True, capture_output=True, text=True, timeout=600)
    countersets, size = map(int, re.match(r"(\d+) countersets, (\d+) bytes", told.stdout).groups())
    return int(re.search(r"Collected : (\d+)", told.stderr)[1]), size, countersets


def name_of(what):
    if what.startswith("names="):
        return f"{what[6:]} metrics by name"
    count = what.removeprefix("-")
    return f"{count} counterset{'s' if count != '1' else ''}" + (", the same in the opposite order" if what.startswith("-") else "")


def compare(form, *first):
    """The rows of one table, and whether no part is too dear."""
    all_bytes = bytes_of("all")
    all_work, size, countersets = scrape(form, "all", *first)
    least = scrape(form, "0", *first)[0]
    print(f"\n| {form}{', compressed for the first time' if first else ''} | instructions | bytes | share of the page | of its work |")
    print("|---|---|---|---|---|")
    print(f"| all {countersets} countersets | {all_work / 1e6:.2f} M | {size:,} | | |")
    good = True
    for what in PARTS:
        work, size, _ = scrape(form, what, *first)
        share = bytes_of(what) / all_bytes
        of_work = (work - least) / (all_work - least)
        print(f"| {name_of(what)} | {work / 1e6:.2f} M | {size:,} | {share:.1%} | {of_work:.1%} |")
        names = int(what.removeprefix("names=")) if what.startswith("names=") else 0
        good = good and work - least <= MOST * share * (all_work - least) + MOST_FOR_A_NAME * names
    return good


if __name__ == "__main__":
    results = [compare("text"), compare("gzip"), compare("gzip", "first")]
    sys.exit(0 if all(results) else 1)
