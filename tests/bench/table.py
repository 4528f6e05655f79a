#!/usr/bin/env python3
"""What each step takes, as one table: table.py EXECUTABLE [REGEX]

Runs the benchmark and prints it as Markdown, by shape, with the time of each step beside that of a naive reader of the same bytes.
The machine's noise is in all of the times; allocations are exact.
"""

import json
import os
import subprocess
import sys

SECONDS = 0.1  # of each step, without what precedes it
NAIVE = "naive reader"


def measure(executable, regex):
    told = subprocess.run([executable, "--benchmark_format=json", f"--benchmark_min_time={SECONDS}", f"--benchmark_filter={regex}"],
                          check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(told.stdout)["benchmarks"]


def main():
    executable, regex = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "."
    results = [one | dict(zip(("step", "shape"), one["name"].removesuffix("/manual_time").rsplit("/", 1)))
               for one in measure(executable, regex)]
    naive = {one["shape"]: one["ns_each"] for one in results if one["step"] == NAIVE}
    print("| step | shape | number | of it, ns | naive readers | bytes | allocations | allocated, KB |\n|---|---|---|---|---|---|---|---|")
    skipped = set()
    for one in results:
        if one.get("error_occurred"):
            skipped.add((one["step"], one["shape"]))
            continue
        times = f"{one['ns_each'] / naive[one['shape']]:.1f}" if one["shape"] in naive and one["label"] in ("value", "series") else ""
        print(f"| {one['step']} | {one['shape']} | {one['count']:,.0f} {one['label']} | {one['ns_each']:,.1f} | {times} | "
              f"{one['bytes']:,.0f} | {one['allocations']:,.0f} | {one['allocated'] / 1000:,.0f} |")
    if not os.environ.get("WINPERF_CAPTURES"):
        print("NO RECORDED DATA: set WINPERF_CAPTURES to the directory of the captures", file=sys.stderr)
        skipped = {case for case in skipped if case[1] != "capture"}
    for step, shape in sorted(skipped):
        print(f"{step}, {shape}: FAILED", file=sys.stderr)
    return 1 if skipped or not results else 0


if __name__ == "__main__":
    sys.exit(main())
