#!/usr/bin/env python3
"""What an idle exporter costs under Wine, beside a bare loop that makes the same query: CPU time of all processes of the prefix,
Wine's own included, and their memory.

wine.py SECONDS

The environment has what the trials of tests/e2e have. Each runs in a prefix of its own with the test provider, samples four objects
each second, and is measured half a minute after it has started.
"""

import contextlib
import json
import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from e2e_support import WinePrefix, required, windows_path

OBJECTS = ["System", "Processor", "Memory", "Process"]
SETTLED_SECONDS = 30


def processes(prefix):
    """The folders in /proc of the prefix's processes."""
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"WINEPREFIX={prefix.path}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                yield entry


def cpu_seconds(prefix):
    """Of all threads of each process, by process."""
    found = {}
    for entry in processes(prefix):
        with contextlib.suppress(OSError):
            found[entry] = sum(int((thread / "schedstat").read_text().split()[0]) for thread in (entry / "task").iterdir()) / 1e9
    return found


def memory(prefix):
    """Resident and private bytes of our own processes, and how many there are."""
    resident = private = count = 0
    for entry in processes(prefix):
        with contextlib.suppress(OSError):
            if b"winperf_exporter" in (entry / "cmdline").read_bytes().split(b"\0")[0]:
                sizes = {name: 1024 * int(kib) for name, kib in re.findall(r"(?m)^(\w+): +(\d+) kB", (entry / "smaps_rollup").read_text())}
                resident += sizes["Rss"]
                private += sizes["Private_Clean"] + sizes["Private_Dirty"]
                count += 1
    return resident, private, count


def measured(start, seconds):
    """CPU milliseconds a second, and memory()."""
    with WinePrefix() as prefix:
        registration = prefix.register()
        assert registration.code == 0, registration.errors
        start(prefix)
        time.sleep(SETTLED_SECONDS)
        before, begin = cpu_seconds(prefix), time.monotonic()
        time.sleep(seconds)
        after, passed = cpu_seconds(prefix), time.monotonic() - begin
        # A process that has ended meanwhile is missing; one that has begun counts from its start.
        used = sum(time_used - before.get(entry, 0) for entry, time_used in after.items())
        return 1000 * used / passed, memory(prefix)


def bare(prefix):
    indexes = " ".join(str(index) for index, text in prefix.table().items() if text in OBJECTS)
    prefix.start(windows_path(required("WINPERF_REGREAD")), indexes, 10**6, 1000)


def exporter(**settings):
    def start(prefix):
        config = prefix.folder / "exporter.yaml"
        config.write_text(json.dumps({"interval": "1s", "listen": {"address": "127.0.0.1", "port": 0}, "countersets": OBJECTS, **settings}))
        prefix.start(windows_path(required("WINPERF_EXPORTER")), "run", "--config", windows_path(config)).wait_for_line("listening on http://")
    return start


def main():
    seconds = int(sys.argv[1])
    print("| idle under Wine | CPU ms/s, all processes | beside the bare loop | our processes | RSS MB | private MB |\n|---|---|---|---|---|---|")
    base = None
    for title, start in (("bare loop of one query", bare), ("exporter, `facts: []`", exporter(facts=[])), ("exporter, default facts", exporter())):
        cost, (resident, private, count) = measured(start, seconds)
        base = base or cost
        sizes = f"{count} | {resident / 1e6:.0f} | {private / 1e6:.0f}" if count else " | | "
        print(f"| {title} | {cost:.1f} | {cost / base:.2f} | {sizes} |", flush=True)


if __name__ == "__main__":
    main()
