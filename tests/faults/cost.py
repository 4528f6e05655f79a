#!/usr/bin/env python3
"""What worker processes cost: the exporter on the simulated machine, with workers and without, by turns in one run.

Prints, for each number of values, the CPU time of the exporter and its workers for each second, how long a sample takes, and
how much memory each process has for itself. The ratios are of one run on one machine; the times are that machine's. Call it
with `scripts/faults --cost`.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

from machines import LISTENING, descendants  # first: it makes e2e_support known
from e2e_support import wait_until
from pages import Scrape


def cpu_seconds(pid):
    """Returns the time that the threads of a process were on a processor: exact, unlike the ticks in /proc/PID/stat."""
    tasks = pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


def private_mib(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1024
    raise AssertionError(f"process {pid} has no RssAnon")


def measure(executable, values, workers, seconds):
    """Returns CPU ms a second, median ms of a sample, and private MiB of the exporter and of each worker."""
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "config.yaml")
        config.write_text(json.dumps({
            "interval": "1s", "path": "registry", "listen": {"address": "127.0.0.1", "port": 0},
            "workers": {"enabled": workers}, "countersets": ["Bulk"]}))
        log = pathlib.Path(folder, "log")
        with open(log, "w") as output:
            process = subprocess.Popen([executable, "run", "--config", config], stdout=output, stderr=output,
                                       env={**os.environ, "WINPERF_SIMULATOR": f"bulk {values}"})
        try:
            return observe(process, log, seconds)
        finally:
            process.kill()
            process.wait()


def observe(process, log, seconds):
    match = wait_until(lambda: re.search(LISTENING, log.read_text()), "the exporter listens")
    duration = 'winperf_exporter_counterset_duration_seconds{counterset="Bulk"}'
    attempts = 'winperf_exporter_counterset_attempts_total{counterset="Bulk"}'
    # The first samples find out how large the buffer has to be.
    wait_until(lambda: Scrape(match[1]).values.get(attempts, 0) >= 2, "it has sampled twice")
    processes = [process.pid, *descendants(process.pid)]
    before, began = sum(map(cpu_seconds, processes)), time.monotonic()
    durations = []
    while time.monotonic() < began + seconds:
        time.sleep(1)
        durations.append(Scrape(match[1]).values[duration] * 1000)
    used = (sum(map(cpu_seconds, processes)) - before) / (time.monotonic() - began) * 1000
    return used, statistics.median(durations), *map(private_mib, processes)


def main():
    parser = argparse.ArgumentParser(prog="scripts/faults --cost", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=15, help="of each turn (default: %(default)s)")
    parser.add_argument("--turns", type=int, default=3, help="of each kind (default: %(default)s)")
    parser.add_argument("--values", type=int, nargs="+", default=[9_400, 20_000], help="(default: 9400 20000)")
    parser.add_argument("executable", type=pathlib.Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    for values in options.values:
        results = {True: [], False: []}
        for turn in range(options.turns):
            for workers in (False, True):
                print(f"{values} values, turn {turn + 1} of {options.turns}, workers {workers}", file=sys.stderr)
                results[workers].append(measure(options.executable, values, workers, options.seconds))
        (plain_cpu, plain_ms, *_), (cpu, ms, exporter, *memory) = (
            [statistics.median(column) for column in zip(*results[kind])] for kind in (False, True))
        print(f"{values} values: CPU {plain_cpu:.1f} ms/s without, {cpu:.1f} with workers ({cpu / plain_cpu - 1:+.1%});"
              f" a sample {plain_ms:.2f} ms without, {ms:.2f} with ({ms / plain_ms - 1:+.1%});"
              f" private memory: exporter {exporter:.1f} MiB, workers {', '.join(f'{one:.1f}' for one in memory)} MiB")


if __name__ == "__main__":
    main()
