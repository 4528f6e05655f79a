#!/usr/bin/env python3
"""The instructions of one sample of everything, by the number of objects, counted by Valgrind: sampling_work.py EXECUTABLE

Prints a table for docs/performance.md. Ends with 1 unless an object costs about the same whatever others there are.
"""

import re
import subprocess
import sys
import tempfile

EXECUTABLE = sys.argv[1]
OBJECTS = [50, 100, 200, 400]
MOST = 1.2


def sample(objects):
    """Its instructions."""
    with tempfile.NamedTemporaryFile() as output:
        told = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={output.name}", "--collect-atstart=no",
             "--toggle-collect=measured_sample", EXECUTABLE, str(objects)],
            check=True, capture_output=True, text=True, timeout=600)
    return int(re.search(r"Collected : (\d+)", told.stderr)[1])


if __name__ == "__main__":
    work = {objects: sample(objects) for objects in OBJECTS}
    print("| objects | instructions of a sample | for each object |\n|---|---|---|")
    for count, instructions in work.items():
        print(f"| {count} | {instructions / 1e6:.2f} M | {instructions / count:,.0f} |")
    each = [instructions / count for count, instructions in work.items()]
    sys.exit(0 if max(each) <= MOST * min(each) else 1)
