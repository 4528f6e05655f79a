#!/usr/bin/env python3
"""The instructions of each step from bytes to answers, counted by Valgrind, beside those that are recorded here.

instructions.py EXECUTABLE COMPILER [--few | --record]
instructions.py --page

Prints a table, and ends with 1 if a step takes more than 5 % more instructions or allocations than recorded: whoever makes it dearer
says why in the commit that raises the figure (--record). What another compiler makes is another number of instructions, so then the
table is all there is. --few counts what is worth a minute of each change. --record also writes the rows in docs/performance.md, and
--page ends with 1 if they aren't those of the record.

The C library isn't counted: it chooses its code by processor. libdeflate and the C++ library are.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

RECORD = pathlib.Path(__file__).with_name("instructions.txt")
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/performance.md"
ROWS = re.compile(r"(?<=\| step \| A \| C \| server \|\n\|---\|---\|---\|---\|\n).*?(?=\n\n)", re.DOTALL)
MOST = 1.05
ROUNDS = 3
SHAPES = ["A", "C", "server"]
FEW = [("v1", "C"), ("v1, 1 % new", "C"), ("v2", "C"), ("text", "C"), ("unchanged page", "server")]
OF_SHAPES = ["v1", "v1, 1 % new", "v1, 10 % new", "v1, all new", "v2", "v2, 1 % new", "v2, 10 % new", "v2, all new", "logged",
             "text", "text, 1 % new", "text, all new", "openmetrics", "json", "gzip", "new page", "unchanged page",
             "unchanged page, gzip"]
ALL = ([(step, shape) for step in OF_SHAPES for shape in ("A", "C")]
       + [("text, windows_exporter's names", "A")]
       + [(step, "server") for step in ("text", "json", "unchanged page", "unchanged page, gzip")])
# Without these, the C library takes the code for the processor's own instructions. It isn't counted, but calls back.
SAME_CODE = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX512F,-ERMS,-FSRM"}
C_LIBRARY = re.compile(r"/(libc|libm|ld-linux[^/]*)\.so[^/]*$")

Cost = collections.namedtuple("Cost", "unit instructions allocations")


def own_instructions(profile):
    """Those of all objects but the C library, in a file of callgrind."""
    names, total, is_counted, is_of_call = {}, 0, False, False
    for line in profile.splitlines():
        if named := re.match(r"ob=\((\d+)\)(?: (.*))?$", line):
            name = names.setdefault(named[1], named[2] or "")
            is_counted = not C_LIBRARY.search(name)
        elif named := re.match(r"cob=\((\d+)\) (.*)$", line):
            names.setdefault(named[1], named[2])
        elif line.startswith("calls="):
            is_of_call = True  # the next line has what the called function took
        elif re.match(r"[+*\d-]", line):
            if is_counted and not is_of_call:
                total += int(line.split()[1])
            is_of_call = False
    return total


def count(executable, step, shape):
    with tempfile.NamedTemporaryFile() as output:
        told = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={output.name}", "--collect-atstart=no",
             "--toggle-collect=measured_step", executable, step, shape, str(ROUNDS)],
            check=True, capture_output=True, text=True, timeout=900, env=SAME_CODE)
        instructions = own_instructions(pathlib.Path(output.name).read_text())
    number, unit, allocations = re.match(r"(\d+) (\w+), (\d+) allocations", told.stdout).groups()
    return Cost(unit, instructions / ROUNDS / int(number), int(allocations))


def processor():
    found = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return found[1] if found else platform.machine()


def read():
    """The compiler of the record, and the cost by step and shape."""
    compiler, costs = "", {}
    for line in RECORD.read_text().splitlines() if RECORD.exists() else []:
        if line.startswith("compiler"):
            compiler = line.split("|")[1].strip()
        elif not line.startswith("#") and line.count("|") == 4:
            step, shape, unit, instructions, allocations = (cell.strip() for cell in line.split("|"))
            costs[step, shape] = Cost(unit, float(instructions.replace(",", "")), int(allocations.replace(",", "")))
    return compiler, costs


def row(step, shape, cost):
    return f"{step:<31}| {shape:<7}| {cost.unit:<7}| {cost.instructions:>14,.1f} | {cost.allocations:>7,}"


def write(compiler, costs):
    lines = ["# What each step takes: instructions for one value, series or scrape, and allocations of a sample or answer.",
             "# Written by scripts/bench --instructions --record; instructions.py says what is counted.",
             f"compiler | {compiler}", f"processor | {processor()}",
             f"# {'step':<29}| {'shape':<7}| {'of a':<7}| {'instructions':>14} | allocations"]
    lines += [row(*case, costs[case]) for case in ALL if case in costs]
    RECORD.write_text("\n".join(lines) + "\n")


def page_rows(costs):
    """Those of the table for people: instructions, and allocations in parentheses."""
    rows = []
    for step in dict.fromkeys(step for step, _ in costs):
        cells = {shape: cost for (one, shape), cost in costs.items() if one == step}
        unit = next(iter(cells.values())).unit
        shown = [f"{cells[shape].instructions:,.0f} ({cells[shape].allocations:,})" if shape in cells else "" for shape in SHAPES]
        rows.append(f"| {step}, a {unit} | " + " | ".join(shown) + " |")
    return "\n".join(rows)


def page_with(costs):
    page = PAGE.read_text()
    assert ROWS.search(page), "docs/performance.md has no table of steps"
    return ROWS.sub(lambda _: page_rows(costs), page)


def dearer(now, before):
    """Whether it is more than may be."""
    return now.instructions > MOST * before.instructions or now.allocations > MOST * before.allocations


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("executable", nargs="?")
    parser.add_argument("compiler", nargs="?", help="its name and version")
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args()
    recorded_by, recorded = read()
    if options.page:
        return 0 if PAGE.read_text() == page_with(recorded) else 1
    cases = FEW if options.few else ALL
    costs, complaints = {}, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as counters:  # what else the machine does changes no count
        for case, cost in zip(cases, counters.map(lambda case: count(options.executable, *case), cases)):
            costs[case] = cost
            before = recorded.get(case)
            change = f"{cost.instructions / before.instructions - 1:+.1%}" if before else "new"
            print(f"{row(*case, cost)} | {change}", flush=True)
            if before and dearer(cost, before):
                complaints.append(f"{case[0]}, {case[1]}: {before.instructions:,.1f} instructions of a {cost.unit} and "
                                  f"{before.allocations:,} allocations before, {cost.instructions:,.1f} and {cost.allocations:,} now")
    if options.record:
        write(options.compiler, costs)
        PAGE.write_text(page_with(read()[1]))  # as they are recorded, which is rounded
        return 0
    if recorded_by != options.compiler:
        print(f"recorded with {recorded_by}, so that these of {options.compiler} aren't judged")
        return 0
    for complaint in complaints:
        print(f"dearer by more than 5 %: {complaint}")
    if complaints:
        print("if it has to be, run scripts/bench --instructions --record, and say why in the commit")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
