#!/usr/bin/env python3
"""Captures that the running program writes by itself, on the simulated server: they appear, replay, and follow a reload.

    captures_test.py EXECUTABLE [unittest arguments]
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import simulated_server
from servers import DEADLINE_SECONDS, wait_until

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
COUNTERSETS = ["Memory", "Processor Information", "Process"]
LOAD = r"\Processor Information(_Total)\% Processor Time"
SERIES = "winperf_exporter_recorder_captures_total"


class Captures(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.logs = self.folder / "logs"

    def start(self, **captures):
        self.server = simulated_server.SimulatedServer(EXECUTABLE, self.folder, **self.keys(captures))
        self.addCleanup(self.end)

    def keys(self, captures):
        return {"countersets": COUNTERSETS, "facts": [], "recorder": {"captures": captures}}

    def end(self):
        if self.server.process.poll() is None:
            self.server.close()

    def wait_for_file(self, reason):
        return wait_until(lambda: next(iter(self.files(reason)), None), f"a capture; {self.server.errors.read_text()}")

    def files(self, reason="*"):
        return sorted(self.logs.glob(f"*-{reason}.zip"))

    def captured(self, page):
        return {labels["reason"]: value for labels, value in page.series.get(SERIES, [])}

    def values_of(self, file, counter):
        query = subprocess.run([EXECUTABLE, "query", "--source", f"replay:{file}", "--format", "json"],
                               capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=DEADLINE_SECONDS,
                               env={**os.environ, "WINPERF_SIMULATOR": "server"})
        self.assertEqual((query.returncode, query.stderr), (0, ""))
        return [value["cooked"] for line in query.stdout.splitlines() for value in json.loads(line)["values"]
                if value["counter"] == counter and value["instance"] in ("_Total", "")]

    def test_a_bound_that_is_crossed(self):
        self.start(counters=[{"path": LOAD, "above": 0}, {"path": r"\Memory\Available Bytes", "below": 0}])
        file = self.wait_for_file("counter")
        self.assertRegex(file.name, r"^\S+-\d{8}T\d{6}Z-counter\.zip$")
        wait_until(lambda: self.captured(self.server.page()).get("counter"), "the metric")
        self.assertEqual(self.captured(self.server.page()), {"counter": 1, "counterset_fails": 0, "service_stops": 0})
        self.server.close()
        self.assertEqual(self.files(), [file], "the stop writes none, and the other bound is not crossed")
        self.assertIn(f"{LOAD} above 0: ", self.server.errors.read_text())
        self.assertIn(f"{file} has what was recorded in the last 15m, in {file.stat().st_size} bytes", self.server.errors.read_text())
        with zipfile.ZipFile(file) as archive:
            self.assertIsNone(archive.testzip())
            manifest = json.loads(archive.read("capture.json"))
        self.assertEqual(manifest["source"], "recorder")
        self.assertEqual({counterset["name"] for counterset in manifest["countersets"]}, set(COUNTERSETS))
        loads = self.values_of(file, "% Processor Time")
        self.assertTrue(any(load is not None and load > 0 for load in loads), loads)

    def test_a_counterset_that_fails(self):
        crowd = self.folder / "crowd"
        crowd.write_text("2")
        keys = {**self.keys({"counterset_fails": True}), "countersets": ["Crowd 0", "Crowd 1"]}
        self.server = simulated_server.SimulatedServer(EXECUTABLE, self.folder, "crowd 2", {"WINPERF_CROWD_FILE": str(crowd)}, **keys)
        self.addCleanup(self.end)
        wait_until(lambda: len(self.server.page().values("winperf_exporter_counterset_sample_bytes")) == 2, "both are sampled")
        self.assertEqual(self.files(), [])
        crowd.write_text("1")
        file = self.wait_for_file("counterset_fails")
        wait_until(lambda: f"Crowd 1 fails: {file} has what was recorded in the last 15m" in self.server.errors.read_text(), "it is in the log")
        with zipfile.ZipFile(file) as archive:
            recorded = json.loads(archive.read("capture.json"))["countersets"]
        self.assertEqual({counterset["name"] for counterset in recorded}, {"Crowd 0", "Crowd 1"})

    def test_a_stop(self):
        self.start(service_stops=True)
        wait_until(lambda: self.server.page().values("winperf_exporter_recorder_bytes"), "recorded samples")
        self.assertEqual(self.captured(self.server.page())["service_stops"], 0)
        self.assertFalse(self.logs.exists())
        self.server.close()
        [file] = self.files()
        self.assertIn("the service stops: ", self.server.errors.read_text())
        self.assertTrue(self.values_of(file, "Available Bytes"))
        self.assertEqual(list(self.logs.iterdir()), [file])

    def test_nothing_unless_it_is_configured(self):
        self.start()
        wait_until(lambda: self.server.page().values("winperf_exporter_recorder_bytes"), "recorded samples")
        self.assertEqual(self.captured(self.server.page()), {})
        self.server.close()
        self.assertFalse(self.logs.exists())

    def test_a_reload(self):
        self.start()
        config = self.folder / "simulated.yaml"
        keys = json.loads(config.read_text())
        keys["recorder"] = {"captures": {"counters": [{"path": r"\Process(*)\Working Set", "above": 1}], "folder": "mine"}}
        self.logs = self.folder / "mine"
        config.write_text(json.dumps(keys))
        self.server.process.send_signal(signal.SIGHUP)
        self.wait_for_file("counter")

    def test_memory_is_needed(self):
        config = self.folder / "config.yaml"
        config.write_text(json.dumps({"recorder": {"memory": "0B", "captures": {"service_stops": True}}}))
        check = subprocess.run([EXECUTABLE, "check-config", "--file-alone", config], capture_output=True, text=True,
                               timeout=DEADLINE_SECONDS)
        self.assertEqual(check.returncode, 2)
        self.assertIn('"recorder.captures" need samples, and "recorder.memory" is 0', check.stderr)


if __name__ == "__main__":
    unittest.main()
