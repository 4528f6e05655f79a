#!/usr/bin/env python3
"""What the processes of a running exporter do: an idle one wakes only for a cause, a tick is one call of each worker, and facts have
a process only while they are read, which costs counters nothing.

    processes_test.py EXECUTABLE [unittest arguments]
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from servers import DEADLINE_SECONDS, wait_until

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
TICKS = 20
CALM_SECONDS = 5  # Reloader::kCalmInterval
# Waits for a mutex, for a page of memory, and for what had begun before the counting: more on a busy machine. What wakes once in two
# ticks is still found.
BY_CHANCE = TICKS // 2


def waits(process):
    """How often the threads of a process have waited."""
    tasks = pathlib.Path(f"/proc/{process}/task")
    return sum(int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text()).group(1))
               for task in tasks.iterdir())


class Running(unittest.TestCase):
    def start(self, **config):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        file = folder / "exporter.yaml"
        file.write_text(json.dumps({"interval": "1s", "countersets": ["Memory", "System", "Process"], **config}))
        self.log = folder / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [EXECUTABLE, "run", "--config", file, "--listen", "127.0.0.1:0"], text=True, stdout=subprocess.PIPE,
                stderr=log, env={**os.environ, "WINPERF_SIMULATOR": "server"})
        self.addCleanup(self.end)
        self.url = self.process.stdout.readline().split()[-1].rstrip("/")

    def end(self):
        self.process.kill()
        self.process.communicate()

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=DEADLINE_SECONDS) as answer:
            return answer.read().decode()

    def own(self, name):
        """The values of a metric about workers, by worker."""
        return {worker: float(value) for worker, value in
                re.findall(rf'^winperf_exporter_{name}\{{worker="(\w+)"\}} (\S+)$', self.get("/metrics"), re.M)}

    def total(self, name):
        return sum(float(value) for value in re.findall(rf"^winperf_exporter_{re.escape(name)}\S* (\S+)$", self.get("/metrics"), re.M))

    def ticks(self):
        """How many samples there were; 0 before the first."""
        try:
            return json.loads(self.get("/api/v1/sample?counterset=Memory"))["sequence"]
        except urllib.error.HTTPError:
            return 0

    def children(self):
        return [child for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir()
                for child in (task / "children").read_text().split()]

    def process_of(self, worker):
        """Its number, or nothing."""
        return next((child for child in self.children() if f"worker\0{worker}\0" in
                     pathlib.Path(f"/proc/{child}/cmdline").read_text()), None)


class Idle(Running):
    def settle(self):
        """Waits until discovery has ended, and its workers with it."""
        self.start(facts=[])
        wait_until(lambda: self.ticks() > 5 and len(self.children()) == sum(self.own("worker_running").values()), self.log)

    def test_threads_wake_for_what_is_due(self):
        self.settle()
        calls = self.own("worker_queries_total")
        workers = {worker: process for worker in calls if (process := self.process_of(worker))}
        began, before = time.monotonic(), {who: waits(who) for who in (self.process.pid, *workers.values())}
        # A scrape would wake the exporter, so the calls of a worker are seen from its own wake-ups.
        registry = workers["registry"]
        wait_until(lambda: waits(registry) >= before[registry] + TICKS, self.log)
        woken = {who: waits(who) - before[who] for who in before}
        seconds = time.monotonic() - began
        done = {worker: count - calls[worker] for worker, count in self.own("worker_queries_total").items()}
        for worker, process in workers.items():
            self.assertLessEqual(woken[process], done[worker] + BY_CHANCE, f"each call wakes {worker} once")
        # A tick wakes the sampling thread, and so does each answer. Files are checked now and then.
        causes = TICKS + sum(done.values()) + seconds / CALM_SECONDS
        self.assertLessEqual(woken[self.process.pid], causes + BY_CHANCE, (done, seconds))

    def test_a_tick_is_one_call_of_each_worker(self):
        """However many countersets are due."""
        self.settle()
        calls, first = self.own("worker_queries_total"), self.ticks()
        wait_until(lambda: self.ticks() >= first + TICKS, self.log)
        done, last = self.own("worker_queries_total"), self.ticks()
        for worker, count in done.items():
            self.assertLessEqual(count - calls[worker], last - first + 1, worker)


class Facts(Running):
    def test_their_worker_ends_until_the_next_reading(self):
        self.start(facts=["os"])
        wait_until(lambda: "\nwinperf_os_info{" in self.get("/metrics"), self.log)
        wait_until(lambda: self.process_of("facts") is None, self.log)
        wait_until(lambda: self.own("worker_running")["facts"] == 0, self.log)
        self.assertEqual(self.total('worker_restarts_total{worker="facts"'), 0, "an end on request is no loss")
        self.assertGreater(self.own("worker_cpu_seconds_total")["facts"], 0, "what they cost is still known")

    def test_a_topic_that_hangs_costs_counters_no_sample(self):
        self.start(facts=[{"name": "os", "interval": "1s"}], limits={"query_timeout": "10m"},
                   workers={"shortest_timeout": "10m"})
        wait_until(lambda: "\nwinperf_os_info{" in self.get("/metrics"), self.log)
        worker = self.process_of("facts")
        os.kill(int(worker), signal.SIGSTOP)
        failed, first = self.total("counterset_failures_total"), self.ticks()
        wait_until(lambda: self.ticks() >= first + 5, self.log)
        self.assertEqual(self.process_of("facts"), worker, "it still hangs")
        self.assertEqual(self.total("counterset_failures_total"), failed)


if __name__ == "__main__":
    unittest.main()
