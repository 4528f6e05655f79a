#!/usr/bin/env python3
"""Tests reading through PerfLib with the Windows executable under Wine. The simulator's DLL provides PerfLib's functions, a
real provider DLL provides V1 objects through Wine's registry, and a real Prometheus scrapes both."""

import json
import signal
import subprocess
import unittest

from e2e_support import (WinePrefix, get, query_prometheus, required, start_prometheus, tool, wait_until,
                         windows_path)

PROCESSORS = "{b4fc721a-0378-476f-89ba-a5a79f810b36}"
CONFIG = """{
  interval: "1s",
  metrics: {total_instances: true},
  countersets: ["Processor Information", "System", "Every Type"],
}
"""


class Perflib(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.executable = windows_path(required("WINPERF_SIMULATED"))
        cls.shipped = windows_path(required("WINPERF_EXPORTER"))
        cls.promtool = tool("promtool")
        cls.prefix = cls.enterClassContext(WinePrefix())
        registration = cls.prefix.register()
        if registration.code != 0:
            raise AssertionError(f"registration failed: {registration.errors}")
        config = cls.prefix.folder / "exporter.yaml"
        config.write_text(CONFIG)
        cls.config = windows_path(config)
        cls.exporter = cls.prefix.start(cls.executable, "run", "--config", cls.config, "--listen", "127.0.0.1:0")
        cls.url = cls.exporter.wait_for_line(r"listening on (http://127\.0\.0\.1:\d+)")[1]
        wait_until(lambda: get(cls.url + "/-/ready")[0] == 200, f"{cls.url}/-/ready answers 200")

    def test_list_shows_v1_and_v2_with_their_paths(self):
        result = self.prefix.run(self.executable, "list")
        self.assertEqual(result.code, 0, result.errors)
        self.assertIn(f"Processor Information  [{PROCESSORS}]  perflib, 28 counters", result.output)
        self.assertRegex(result.output, r"(?m)^Memory  \[\d+\]  registry, ")

    def test_query_reads_v2_directly(self):
        result = self.prefix.run(self.executable, "query", "Processor Information", "--path", "perflib",
                                 "--format", "json")
        self.assertEqual(result.code, 0, result.errors)
        values = {(value["instance"], value["counter"]): value for value in json.loads(result.output)["values"]}
        self.assertEqual({value["path"] for value in values.values()}, {"perflib"})
        self.assertAlmostEqual(values[("_Total", "% Processor Time")]["cooked"], 50, delta=1)
        self.assertAlmostEqual(values[("0,_Total", "% Idle Time")]["cooked"], 100 / 6, delta=1)

    def test_capture_gives_both_paths_back(self):
        out = windows_path(self.prefix.folder / "capture.zip")
        result = self.prefix.run(self.executable, "capture", "--out", out, "--samples", "2", "--interval", "1s")
        self.assertEqual(result.code, 0, result.errors)
        self.assertIn("2 samples, 7 V2 countersets", result.output)
        result = self.prefix.run(self.executable, "query", "--source", f"replay:{out}", "--format", "json")
        self.assertEqual(result.code, 0, result.errors)
        first, second = ({(value["path"], value["object"], value["instance"], value["counter"]): value
                          for value in json.loads(line)["values"]} for line in result.output.splitlines())
        idle = second[("perflib", "Processor Information", "0,_Total", "% Idle Time")]
        self.assertAlmostEqual(idle["cooked"], 100 / 6, delta=1)
        v2 = [{key for key in sample if key[0] == "perflib"} for sample in (first, second)]
        self.assertEqual(v2[0], v2[1])
        self.assertGreater(second[("registry", "Memory", "", "Available Bytes")]["raw"], 0)

    def test_each_counterset_says_its_path(self):
        def sampled():
            status, body = get(self.url + "/api/v1/sample")
            document = json.loads(body) if status == 200 else {"countersets": []}
            return document if all(entry["path"] for entry in document["countersets"]) else None
        document = wait_until(sampled, "all countersets are sampled")
        self.assertEqual({entry["name"]: entry["path"] for entry in document["countersets"]},
                         {"Processor Information": "perflib", "System": "registry", "Every Type": "perflib"})
        self.assertTrue(all(entry["preferred_path_error"] is None for entry in document["countersets"]))

    def test_promtool_accepts_the_page(self):
        status, page = get(self.url + "/metrics")
        self.assertEqual(status, 200)
        result = subprocess.run([self.promtool, "check", "metrics"], input=page, text=True,
                                capture_output=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_prometheus_scrapes_v2_countersets(self):
        server = start_prometheus(self.prefix, self.url)
        paths = "winperf_exporter_counterset_path_info"
        found = wait_until(lambda: query_prometheus(server, paths), "Prometheus has scraped")
        self.assertEqual({labels["counterset"]: labels["path"] for labels, _ in found},
                         {"Processor Information": "perflib", "System": "registry", "Every Type": "perflib"})
        # Processor n of the simulated machine is idle 1/(n + 2) of the time.
        idle = 'rate(winperf_cpu_time_seconds_total{mode="idle"}[10s])'

        def rates_settled():
            # Until its window is full, a rate is too low.
            rates = {labels["core"]: value for labels, value in query_prometheus(server, idle)}
            near = (abs(rates.get(name, 0) - expected) < 0.03
                    for name, expected in (("_Total", 1 / 2), ("1,_Total", 1 / 3), ("0,_Total", 1 / 6)))
            return all(near)
        wait_until(rates_settled, f"Prometheus returns the simulated idle times for {idle}")

    def test_without_the_functions_the_registry_carries_on(self):
        result = self.prefix.run(self.shipped, "query", "System", "--format", "json")
        self.assertEqual(result.code, 0, result.errors)
        self.assertEqual({value["path"] for value in json.loads(result.output)["values"]}, {"registry"})
        result = self.prefix.run(self.shipped, "query", "System", "--path", "perflib")
        self.assertEqual(result.code, 1)
        self.assertIn("not supported", result.errors)
        result = self.prefix.run(self.shipped, "verify")
        self.assertEqual(result.code, 1)
        self.assertIn("has no PerfEnumerateCounterSet", result.errors)

    def test_stops_on_ctrl_c(self):
        exporter = self.prefix.start(self.executable, "run", "--config", self.config, "--listen", "127.0.0.1:0")
        url = exporter.wait_for_line(r"listening on (http://127\.0\.0\.1:\d+)")[1]
        wait_until(lambda: get(url + "/-/ready")[0] == 200, "ready")
        self.assertEqual(exporter.end(signal.SIGINT), 0, exporter.output())


if __name__ == "__main__":
    unittest.main()
