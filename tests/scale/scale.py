#!/usr/bin/env python3
"""An exporter with many targets on the simulated network, and a Prometheus that is told nothing but where to ask for them:
whether all that answer are seen, what those that don't cost the others, and what all of it takes.

Call it through scripts/scale."""

import argparse
import contextlib
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import network
from processes import Usage
from servers import DEADLINE_SECONDS, Prometheus, wait_until
from simulated_server import Page

# Moves in every interval, on all machines.
COUNTER = "winperf_system_context_switches_total"
INTERVALS = 5  # within which it has to, whatever else the machine has to do
ROUNDS = 5  # of every target that answers, in a sample
LANES_OF_THEIR_OWN = 8  # for targets that have cost a process
WORKERS_FOR_THIS_MACHINE = 2


def in_words(what, names):
    return f"{what}: {', '.join(sorted(names)[:10])}{', ...' if len(names) > 10 else ''} ({len(names)})"


class Exporter:
    def __init__(self, executable, folder, configuration):
        config = folder / "exporter.yaml"
        config.write_text(json.dumps(configuration))
        self.log = folder / "exporter.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen([executable, "run", "--config", config, "--listen", "127.0.0.1:0"], text=True,
                                            stdout=subprocess.PIPE, stderr=log)
        self.pid = self.process.pid
        self.url = self.process.stdout.readline().split()[-1].rstrip("/")

    def get(self, path, **headers):
        with urllib.request.urlopen(urllib.request.Request(self.url + path, headers=headers), timeout=DEADLINE_SECONDS) as answer:
            return answer.read()

    def by_target(self, name):
        """A metric about targets, by the target."""
        series = Page(self.get("/metrics").decode()).series.get(f"winperf_exporter_target_{name}", [])
        return {labels["target"]: value for labels, value in series}

    def close(self):
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(DEADLINE_SECONDS)
        self.process.stdout.close()
        if code != 0:
            raise AssertionError(f"exit code {code}: {self.log.read_text()}")


class Trial:
    def __init__(self, stack, executable, arguments):
        self.arguments = arguments
        self.machines = network.hosts(arguments.targets)
        self.answering = network.names_of(self.machines, network.ANSWERING)
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        self.exporter = Exporter(executable, folder, network.configuration(self.machines, arguments.interval, arguments.workers))
        stack.callback(self.exporter.close)
        discovery = {"url": f"{self.exporter.url}/api/v1/targets", "refresh_interval": "5s"}
        self.prometheus = Prometheus(folder, {"windows": {"http_sd_configs": [discovery]}}, arguments.interval)
        stack.callback(self.prometheus.close)
        self.peak = Usage(self.exporter.pid)

    def instances(self, query):
        """The instances that PromQL finds."""
        try:
            return {entry["metric"]["instance"] for entry in self.prometheus.get("query", query=query)["result"]}
        except OSError:
            return set()

    def moving(self):
        """The targets with values that have changed lately."""
        return self.instances(f"changes({COUNTER}[{INTERVALS * self.arguments.interval}s]) > 0")

    def look(self):
        usage = Usage(self.exporter.pid)
        self.peak.children = max(self.peak.children, usage.children)
        self.peak.threads = max(self.peak.threads, usage.threads)
        self.peak.rss = max(self.peak.rss, usage.rss)
        self.peak.children_rss = max(self.peak.children_rss, usage.children_rss)

    def wait_for_all(self):
        # All their series are new to Prometheus, which takes it longer than anything later.
        deadline = time.monotonic() + max(DEADLINE_SECONDS, 30 * self.arguments.interval)
        while missing := self.answering - self.moving():
            self.look()
            if time.monotonic() > deadline:
                raise AssertionError(in_words("without fresh values", missing))
            time.sleep(1)

    def wait_for_rounds(self):
        """Until each target that answers has been asked so often, and each that does harm has been noticed."""
        harmful = network.names_of(self.machines, network.HARMFUL)

        def done():
            self.look()
            attempts, failures = self.exporter.by_target("attempts_total"), self.exporter.by_target("failures_total")
            return min(attempts[name] for name in self.answering) >= ROUNDS and all(failures[name] for name in harmful)
        wait_until(done, f"{ROUNDS} rounds")

    def watch(self, seconds):
        """Once in each interval, how many targets that answer are older than two intervals; and of how many."""
        late = observed = 0
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            time.sleep(self.arguments.interval)
            self.look()
            ages = self.exporter.by_target("sample_age_seconds")
            observed += len(self.answering)
            late += sum(ages.get(name, float("inf")) > 2 * self.arguments.interval for name in self.answering)
        return late, observed

    def check(self):
        """What is wrong, as sentences."""
        everything = network.names_of(self.machines, self.machines)
        up = self.instances("up == 1")
        attempts, failures = self.exporter.by_target("attempts_total"), self.exporter.by_target("failures_total")
        own_lanes = {name for name, value in self.exporter.by_target("own_lane").items() if value == 1}
        silent = network.names_of(self.machines, network.SILENT)
        hanging = network.names_of(self.machines, ("hang",))
        checks = {
            "not discovered": everything - self.instances("up"),
            "discovered, but no target": self.instances("up") - everything,
            "not up": self.answering - up,
            "with values that nobody has sent": silent & self.instances(COUNTER),
            "failed": {name for name in self.answering if failures[name]},
            "without a failure": {name for name in silent if not failures[name]},
            "asked less often than one that hangs":
                {name for name in self.answering if attempts[name] < max(attempts[other] for other in hanging)},
            "hang and aren't alone": hanging - own_lanes,
            "in lanes of their own without a reason":
                own_lanes - network.names_of(self.machines, network.HARMFUL),
        }
        wrong = [in_words(what, names) for what, names in checks.items() if names]
        processes = self.arguments.workers + LANES_OF_THEIR_OWN + WORKERS_FOR_THIS_MACHINE
        if self.peak.children > processes:
            wrong.append(f"{self.peak.children} worker processes, more than {processes}")
        return wrong


def row(name, value):
    print(f"| {name} | {value} |")


def report(trial, before, after, prometheus_cpu, seconds, late):
    targets = trial.arguments.targets
    page = trial.exporter.get("/probe?target=srv-001")
    compressed = trial.exporter.get("/probe?target=srv-001", **{"Accept-Encoding": "gzip"})
    per_target = 1e3 / seconds / targets
    print(f"\n{targets} targets every {trial.arguments.interval} s for {seconds:.0f} s:"
          f" {', '.join(f'{len(names)} {kind}' for kind, names in trial.machines.items())}\n\n| | |\n|---|---|")
    row("targets that answer", len(trial.answering))
    row("of those, up in Prometheus with fresh values", len(trial.answering & trial.moving() & trial.instances("up == 1")))
    row("observations of their age; older than two intervals", f"{late[1]}; {late[0]}")
    row("exporter: memory, threads", f"{trial.peak.rss:.0f} MB, {trial.peak.threads}")
    row("its workers: processes, memory together", f"{trial.peak.children}, {trial.peak.children_rss:.0f} MB")
    row("Prometheus: memory, series", f"{Usage(trial.prometheus.process.pid).rss:.0f} MB, "
        f"{trial.prometheus.get('status/tsdb')['headStats']['numSeries']}")
    row("CPU of the exporter, ms per target and second", f"{(after.cpu - before.cpu) * per_target:.3f}")
    row("of its workers, with the simulated machines in them", f"{(after.children_cpu - before.children_cpu) * per_target:.3f}")
    row("of Prometheus", f"{prometheus_cpu * per_target:.3f}")
    row("a target's page: series, bytes, compressed",
        f"{sum(not line.startswith(b'#') for line in page.splitlines())}, {len(page)}, {len(compressed)}")


def parsed():
    parser = argparse.ArgumentParser()
    parser.add_argument("--targets", type=int, default=500)
    parser.add_argument("--interval", type=int, default=15, help="seconds")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("executable")
    arguments = parser.parse_args()
    if arguments.sample:
        arguments.targets, arguments.interval, arguments.workers = 40, 2, 4
    return arguments


def main():
    arguments = parsed()
    if not shutil.which("prometheus"):
        sys.exit("NO PROMETHEUS: prometheus is not in PATH; scripts/test provides it")
    with contextlib.ExitStack() as stack:
        trial = Trial(stack, arguments.executable, arguments)
        trial.wait_for_all()
        late = (0, 0)
        if arguments.sample:
            trial.wait_for_rounds()
        else:
            before, began = Usage(trial.exporter.pid), time.monotonic()
            prometheus_before = Usage(trial.prometheus.process.pid).cpu
            late = trial.watch(60 * arguments.minutes)
            seconds = time.monotonic() - began
            report(trial, before, Usage(trial.exporter.pid), Usage(trial.prometheus.process.pid).cpu - prometheus_before, seconds, late)
        trial.wait_for_all()
        wrong = trial.check()
        if late[0]:
            wrong.append(f"{late[0]} of {late[1]} observations are older than two intervals")
    print("\n".join(wrong) or "everything is as it should be")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
