#!/usr/bin/env python3
"""Each shipped alert fires on pages of an exporter that has its trouble, and on none of one that hasn't. Both are pages that the
program served on the simulated server, so that no alert waits for what the program never says.

    alerts_on_pages_test.py EXECUTABLE

It takes two minutes and wants a machine that has nothing else to do, and a build without a sanitizer: a server that comes too late
with its samples isn't well. So scripts/alerts runs it, not ctest.

Pages are taken a few seconds apart. promtool sees what they would have become in five hours: a counter goes on at its rate, a
gauge has its values in turn. Those of two alerts are about a trend: what they ask for moves from the well server's number to
the troubled one's.

Without promtool the test says so.
"""

import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from servers import free_port, wait_until
from simulated_server import TOPICS, SimulatedServer
from tls_trial import openssl

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
NO_PROMTOOL = "" if shutil.which("promtool") else "NO PROMTOOL: promtool is not in PATH; scripts/test provides it"
MINUTES = 300
PAGES = 6
WELL_SECONDS = 5
TRENDS = {"WinperfVolumeFullSoon", "WinperfHandleLeak"}
EARLY = {"WinperfRebooted": 5}  # the minute to look at; of others it is the last one
IN_TROUBLE_ALONE = {"winperf_exporter_provider_state"}  # what a well server has no series of
OF_PROMETHEUS = {"WinperfExporterDown"}  # about Prometheus' own series `up`
CLOCKS = ("winperf_os_time_seconds", "winperf_os_boot_time_seconds")
OWN = "winperf_exporter_"
EARLY_SCRAPES = 150
SLOW_TARGETS = 60
NONE = (0.0).__eq__
# Which exporter has the trouble of an alert; by default the crashing one for the exporter's own, else the troubled server.
WHERE = {"WinperfQueriesTimeOut": "hanging", "WinperfSamplesLate": "hanging", "WinperfDiscoveryFailing": "blind",
         "WinperfFactsFailing": "troubled", "WinperfFactsTimeOut": "troubled"}
RULES = {rule["alert"]: rule for group in yaml.safe_load((ROOT / "packaging/prometheus/alert_rules.yml").read_text())["groups"]
         for rule in group["rules"]}
EXPRESSIONS = {alert: rule["expr"] for alert, rule in RULES.items()}


def names_in(expression):
    return sorted(set(re.findall(r"\bwinperf_\w+", expression)))


def series_of(name, labels, instance):
    texts = [f"{key}={json.dumps(text, ensure_ascii=False)}" for key, text in ({"job": "windows", "instance": instance} | labels).items()]
    return f"{name}{{{','.join(texts)}}}"


def steps(first, step):
    return f"{first}{step:+}x{MINUTES}"


class Pages:
    """What one exporter served: pages with their times."""

    def __init__(self, server, is_well):
        self.server, self.is_well, self.taken = server, is_well, []

    def take(self):
        """A page with later samples than the last one. Who asks a well server does so as often as it samples."""
        def sampled(page):
            return min((value for labels, value in page.series.get(OWN + "counterset_last_sample_timestamp_seconds", ())
                        if labels["counterset"] in ("Process", "System")), default=time.monotonic())

        def later():
            time.sleep(WELL_SECONDS if self.is_well else 0)
            page = self.server.page()
            return page if not self.taken or sampled(page) > sampled(self.taken[-1][1]) else None
        page = wait_until(later, "a sample")
        self.taken.append((time.time(), page))

    def of(self, names):
        """{(name, labels): [(time, value)]}, and their types."""
        found, types = {}, {}
        for when, page in self.taken:
            for name in names:
                types.setdefault(name, page.types.get(name))
                for labels, value in page.series.get(name, ()):
                    found.setdefault((name, tuple(sorted(labels.items()))), []).append((when, value))
        return found, types

    def input_series(self, names, instance, clock_error=0):
        found, types = self.of(names)
        return [{"series": series_of(name, dict(labels), instance),
                 "values": self.values(name, types[name], values, clock_error)}
                for (name, labels), values in found.items()]

    def values(self, name, kind, values, clock_error):
        shown = self.taken if self.is_well else self.taken[1:]  # the first page is of before the trouble
        if kind != "counter":
            values = [(when, value) for when, value in values if when >= shown[0][0]] or values
        (began, first), (ended, last) = values[0], values[-1]
        if name.endswith("_timestamp_seconds") or name in CLOCKS:
            # promtool's clock begins at 0.
            return steps(first - began + clock_error, 60 if last > first else 0)
        if kind == "counter":
            rate = (last - first) / (ended - began) if ended > began else 0
            return steps(first, rate * 60)
        by_time = dict(values)
        each = [by_time.get(when) for when, _ in shown]
        texts = ["stale" if value is None else repr(value) for value in each]
        return " ".join((texts * (MINUTES // len(texts) + 1))[:MINUTES])


def trend(names, well, troubled, instance):
    """The series that both have move from one to the other."""
    (before, _), (after, _) = well.of(names), troubled.of(names)
    return [{"series": series_of(name, dict(labels), instance),
             "values": steps(before[name, labels][0][1], (after[name, labels][0][1] - before[name, labels][0][1]) / MINUTES)}
            for name, labels in before.keys() & after.keys()]


def fires(alert, wanted):
    expression = f'(count(ALERTS{{alertname="{alert}",alertstate="firing"}}) > bool 0) or vector(0)'
    return {"expr": expression, "eval_time": f"{EARLY.get(alert, MINUTES - 1)}m", "exp_samples": [{"labels": "{}", "value": int(wanted)}]}


class Exporter(Pages):
    """One with a text file, an address with TLS, targets and a log, all of which are in order or none."""

    def __init__(self, folder, scenario, *, is_well, **keys):
        folder.mkdir()
        self.folder, self.fault_file = folder, folder / "fault"
        (folder / "texts").mkdir()
        (folder / "texts/a.prom").write_text("a_metric 1\n" if is_well else "a_metric is no number\n")
        openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "a.key",
                "-out", "a.crt", "-subj", "/CN=a", "-days", "365" if is_well else "3")
        (folder / "web.yml").write_text(json.dumps({"tls_server_config": {"cert_file": "a.crt", "key_file": "a.key"}}))
        if not is_well:  # no log is written through a link
            (folder / "exporter.log").symlink_to(folder / "other.log")
        texts = {"name": "textfile", "folders": [str(folder / "texts")], "interval": "1s"}
        super().__init__(SimulatedServer(
            EXECUTABLE, folder, scenario, {"WINPERF_FAULT_FILE": str(self.fault_file)},
            listen=[{"address": "127.0.0.1", "port": free_port(), "web_config_file": "web.yml"},
                    {"address": "127.0.0.1", "port": 0}],
            log={"file": str(folder / "exporter.log")}, metrics={}, **{"facts": [*TOPICS, texts]} | keys), is_well)

    def reload_nonsense(self):
        (self.folder / "simulated.yaml").write_text("{countersets: 1}")
        self.server.process.send_signal(signal.SIGHUP)

    def wait_for(self, name, is_there, **labels):
        def seen():
            page = self.server.page()
            return any(is_there(value) for found, value in page.series.get(name, ()) if labels.items() <= found.items())
        wait_until(seen, f"{name} {labels}; {self.server.errors.read_text()}")


@unittest.skipIf(NO_PROMTOOL, NO_PROMTOOL)
class Alerts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.exporters = {}
        cls.addClassCleanup(cls.close)
        # Alone, because one that comes too late with its samples isn't well.
        cls.start("well", "server", is_well=True, interval=f"{WELL_SECONDS}s", targets=[{"host": "srv-1", "interval": "1s"}])
        cls.exporters["well"].server.whole_page()
        for _ in range(1 + PAGES):
            cls.exporters["well"].take()
        cls.start("troubled", "server troubled", is_well=False)
        own = {"countersets": ["Faulty *", "System"], "discovery_interval": "5s", "workers": {}}
        cls.start("crashing", "faulty; bulk 3000", is_well=False, **own | {
            "countersets": ["Faulty *", "System", "Bulk"], "limits": {"query_timeout": "1s", "max_series": 1000},
            # One lane for more slow targets than it can read in time.
            "remote": {"workers": 1},
            "targets": [{"host": ["gone-1", *(f"slow-{number}" for number in range(SLOW_TARGETS))], "interval": "1s"}]})
        cls.start("hanging", "faulty", is_well=False, **own | {"limits": {"query_timeout": "1s"}})
        # Its providers share one process, so that one that hangs takes the whole look along.
        cls.start("blind", "faulty", is_well=False, **own | {
            "countersets": ["Th*", "System"], "limits": {"query_timeout": "1s"}, "workers": {"isolation": "registry"}})
        for exporter in cls.in_trouble():
            exporter.wait_for("winperf_exporter_counterset_success", bool, counterset="System")
            exporter.take()
        cls.make_trouble()

    @classmethod
    def start(cls, name, scenario, **keys):
        cls.exporters[name] = Exporter(cls.folder / name, scenario, **keys)

    @classmethod
    def in_trouble(cls):
        return [exporter for exporter in cls.exporters.values() if not exporter.is_well]

    @classmethod
    def close(cls):
        for exporter in cls.exporters.values():
            exporter.server.close()

    @classmethod
    def make_trouble(cls):
        troubled, crashing, hanging = (cls.exporters[name] for name in ("troubled", "crashing", "hanging"))
        crashing.fault_file.write_text("exit_collect\n")
        for exporter in (hanging, cls.exporters["blind"]):
            exporter.fault_file.write_text("hang_collect\n")
        crashing.reload_nonsense()
        for _ in range(EARLY_SCRAPES):
            crashing.server.page()
        for exporter, name, is_there, labels in (
                (crashing, OWN + "config_last_reload_successful", NONE, {}),
                (crashing, OWN + "counterset_stale", bool, {}),
                (crashing, OWN + "counterset_no_room_series", bool, {}),
                (crashing, OWN + "provider_state", bool, {"state": "quarantine"}),
                (cls.exporters["blind"], OWN + "discovery_success", NONE, {}),
                (crashing, OWN + "target_up", NONE, {"target": "gone-1"}),
                (crashing, OWN + "target_late_seconds", lambda late: late > 30, {}),
                (hanging, OWN + "worker_restarts_total", lambda count: count > 2, {"reason": "timed_out"}),
                (hanging, OWN + "skipped_samples_total", lambda count: count > 3, {}),
                (troubled, OWN + "facts_success", NONE, {"topic": "license"}),
                (troubled, OWN + "facts_timeout", bool, {"topic": "quotas"}),
                (troubled, "winperf_textfile_error", bool, {})):
            exporter.wait_for(name, is_there, **labels)
        for _ in range(PAGES):
            for exporter in cls.in_trouble():
                exporter.take()

    def outcome(self, tests):
        """What promtool says against these: for each alert the series that it may see, and whether it fires."""
        files = []
        for alert, series, wanted in tests:
            rules, file = self.folder / f"{alert}.rules", self.folder / f"{alert}.yml"
            rules.write_text(json.dumps({"groups": [{"name": alert, "rules": [RULES[alert]]}]}))
            file.write_text(json.dumps({
                "rule_files": [str(rules)], "evaluation_interval": "1m",
                "tests": [{"interval": "1m", "input_series": series, "promql_expr_test": [fires(alert, wanted)]}]}))
            files.append(file)
        result = subprocess.run(["promtool", "test", "rules", *files], capture_output=True, text=True, timeout=900, check=False)
        return "" if result.returncode == 0 else result.stderr

    def test_none_fires_on_a_well_server(self):
        well = self.exporters["well"]
        tests = []
        for alert, expression in EXPRESSIONS.items():
            series = well.input_series(names_in(expression), "well") + [{"series": 'up{job="windows"}', "values": f"1x{MINUTES}"}]
            with self.subTest(alert):
                there = {entry["series"].partition("{")[0] for entry in series}
                self.assertEqual(set(names_in(expression)) - there - IN_TROUBLE_ALONE, set(), "the well server's page has none")
            tests.append((alert, series, False))
        self.assertEqual(self.outcome(tests), "")

    def test_each_fires_on_an_exporter_with_its_trouble(self):
        well = self.exporters["well"]
        tests = []
        for alert, expression in EXPRESSIONS.items():
            troubled = self.exporters[WHERE.get(alert, "crashing" if OWN in expression else "troubled")]
            names = names_in(expression)
            if alert in TRENDS:
                series = trend(names, well, troubled, "troubled")
            elif alert in OF_PROMETHEUS:
                series = [{"series": 'up{job="windows"}', "values": f"0x{MINUTES}"}]
            else:
                series = troubled.input_series(names, "troubled", 60 if alert == "WinperfClockOffset" else 0)
            tests.append((alert, series, True))
        self.assertEqual(self.outcome(tests), "")


if __name__ == "__main__":
    unittest.main()
