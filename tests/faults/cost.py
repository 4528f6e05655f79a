#!/usr/bin/env python3
"""What worker processes cost: the exporter on the simulated machine, with workers and without, by turns in one run.

Prints, for each number of values, the CPU time of the exporter and its workers for each second, how long a sample takes, and
how much memory each process has for itself. The ratios are of one run on one machine; the times are that machine's. Call it
with `scripts/faults --cost`.
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import signal
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


class Simulated(contextlib.AbstractContextManager):
    """An exporter on the simulated machine that a script describes, from its start to its end."""

    def __init__(self, executable, settings, script, **environment):
        self.folder = tempfile.TemporaryDirectory()
        config, self.log = (pathlib.Path(self.folder.name, name) for name in ("config.yaml", "log"))
        config.write_text(json.dumps({"listen": {"address": "127.0.0.1", "port": 0}, **settings}))
        self.began = time.monotonic()
        with open(self.log, "w") as output:
            self.process = subprocess.Popen([executable, "run", "--config", config], stdout=output, stderr=output,
                                            env={**os.environ, "WINPERF_SIMULATOR": script, **environment})
        try:
            self.address = self.wait_for_address()
        except BaseException:
            self.process.kill()
            raise

    def wait_for_address(self):
        while not (found := re.search(LISTENING, self.log.read_text())):
            assert time.monotonic() < self.began + 60, "the exporter doesn't listen"
            time.sleep(0.002)
        return found[1]

    def __exit__(self, *unused):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.folder.cleanup()


def measure(executable, values, workers, seconds):
    """Returns CPU ms a second, median ms of a sample, and private MiB of the exporter and of each worker."""
    settings = {"interval": "1s", "path": "registry", "workers": {"enabled": workers}, "countersets": ["Bulk"]}
    with Simulated(executable, settings, f"bulk {values}") as exporter:
        return observe(exporter, seconds)


def observe(exporter, seconds):
    duration = 'winperf_exporter_counterset_duration_seconds{counterset="Bulk"}'
    attempts = 'winperf_exporter_counterset_attempts_total{counterset="Bulk"}'
    # The first samples find out how large the buffer has to be.
    wait_until(lambda: Scrape(exporter.address).values.get(attempts, 0) >= 2, "it has sampled twice")
    processes = [exporter.process.pid, *descendants(exporter.process.pid)]
    before, began = sum(map(cpu_seconds, processes)), time.monotonic()
    durations = []
    while time.monotonic() < began + seconds:
        time.sleep(1)
        durations.append(Scrape(exporter.address).values[duration] * 1000)
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
