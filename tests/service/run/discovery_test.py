#!/usr/bin/env python3
"""Patterns of the configuration in a running exporter, on the simulator's biggest machine: what they stand for is found, sampled,
and followed when it changes.

    discovery_test.py EXECUTABLE [unittest arguments]
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from thorough import thorough

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
DEADLINE_SECONDS = 120
CROWD = 1000  # objects; so many are there at first:
PRESENT = 600
SUCCESS = re.compile(r'winperf_exporter_counterset_success\{counterset="(.*)"\} (\d)')


class Patterns(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.crowd = self.folder / "crowd"

    def start(self, metadata, countersets, **settings):
        self.change_crowd(PRESENT)
        self.config = self.folder / "exporter.yaml"
        # With a sanitizer, a slow machine may need more than a second to sample them all, and a query more time than usual.
        self.settings = {"interval": "5s", "discovery_interval": "5s", "listen": {"address": "127.0.0.1", "port": 0},
                         "limits": {"query_timeout": "60s"}, "workers": {"shortest_timeout": "60s"},
                         "metrics": {"values": "raw"}, "countersets": countersets, **settings}
        self.config.write_text(json.dumps(self.settings))
        self.log = self.folder / "log"
        with open(self.log, "w", encoding="utf-8") as log:
            self.environment = {**os.environ, "WINPERF_SIMULATOR": f"crowd {CROWD}; metadata {metadata}", "WINPERF_CROWD_FILE": str(self.crowd)}
            self.process = subprocess.Popen(
                [EXECUTABLE, "run", "--config", self.config], stdout=log, stderr=subprocess.STDOUT, env=self.environment)
        self.addCleanup(self.end, self.process)
        self.wait("it listens", lambda: "listening on" in self.log.read_text())
        self.url = re.search(r"listening on (http://[\d.:]+\d)", self.log.read_text())[1]

    @staticmethod
    def end(process):
        process.kill()
        process.wait()

    def change_crowd(self, present):
        scratch = self.folder / "crowd.new"
        scratch.write_text(str(present))
        os.replace(scratch, self.crowd)

    def wait(self, what, condition):
        deadline = time.monotonic() + DEADLINE_SECONDS
        while not condition():
            self.assertIsNone(self.process.poll(), self.log.read_text())
            self.assertLess(time.monotonic(), deadline, f"{what}; the log says: {self.log.read_text()}")
            time.sleep(0.1)

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=DEADLINE_SECONDS) as response:
            return response.read().decode()

    def sampled(self):
        """Returns whether each counterset on the page is well, by its name."""
        return {name: value == "1" for name, value in SUCCESS.findall(self.get("/metrics"))}

    def own(self, name):
        return float(re.search(rf"(?m)^winperf_exporter_{name} (\S+)$", self.get("/metrics"))[1])

    def crowd_is_sampled(self, count):
        sampled = self.sampled()
        return all(sampled.get(f"Crowd {number}") for number in range(count)) and f"Crowd {count}" not in sampled

    def follow(self, metadata, query):
        self.start(metadata, [{"name": "*", "counters": {"include": ["Acts 0/sec", "System Calls/sec"]}}])
        self.wait("all are sampled", lambda: self.crowd_is_sampled(PRESENT))
        self.assertIn("System", self.sampled())
        self.assertIn("Processor Information", self.sampled(), "a V2 counterset")
        self.assertNotIn("Costly Thing", self.sampled())
        report = json.loads(self.get("/api/v1/discovery"))
        self.assertEqual((report["supports_metadata"], report["asked"], report["error"]), (metadata == "on", ["PerfLib", query], None))
        self.assertEqual({entry["name"] for entry in report["countersets"] if entry["sampled"]}, set(self.sampled()))
        self.assertEqual(self.own("discovery_metadata"), metadata == "on")
        self.assertEqual(self.own("discovery_known_countersets"), len(report["countersets"]))
        print(f"metadata {metadata}: a look took {report['duration_seconds']:.3f} s, {report['reply_bytes']} bytes", flush=True)

        self.change_crowd(PRESENT + 100)
        self.wait("those that came are sampled", lambda: self.crowd_is_sampled(PRESENT + 100))
        self.change_crowd(PRESENT - 100)
        self.wait("those that went are not", lambda: self.crowd_is_sampled(PRESENT - 100))
        log = self.log.read_text()
        self.assertRegex(log, rf"countersets through PerfLib and {query} in \d+ ms; \d+ to sample; new: Crowd 600, ")
        self.assertRegex(log, r"removed: Crowd 500, ")
        failures = re.findall(r'(?m)^winperf_exporter_counterset_failures_total\{counterset="Crowd [0-4]"\} (\d+)$', self.get("/metrics"))
        self.assertEqual(failures, ["0"] * 5, "what stayed went on")

    def test_everything_with_metadata(self):
        self.follow("on", "OLD_MetadataGlobal")

    @thorough
    def test_everything_without_metadata(self):
        self.follow("off", "OLD_Global")

    def test_a_pattern_that_is_written_later(self):
        self.start("on", ["System"])
        self.wait("it is sampled", lambda: self.sampled().get("System"))
        self.settings["countersets"] = ["System", "Crowd 1*", r"\Thing(first)\*"]
        self.config.write_text(json.dumps(self.settings))
        self.wait("what matches is sampled", lambda: self.sampled().get("Crowd 199"))
        self.assertNotIn("Crowd 2", self.sampled())
        self.assertTrue(self.sampled()["System"])
        self.settings["countersets"] = ["System"]
        self.config.write_text(json.dumps(self.settings))
        self.wait("it isn't any more", lambda: "Crowd 199" not in self.sampled())

    def report(self):
        return json.loads(self.get("/api/v1/discovery"))

    def test_names_alone_are_looked_at_once(self):
        names = ["System", "Thing", "Crowd 599", "Crowd 600", "Memory", ["Processor", "Processor Information"], "Nothing At All"]
        self.start("on", [{"name": name} for name in names])
        self.wait("a look has succeeded", lambda: self.report()["found_at"])
        report = self.report()
        # The name table has Crowd 600, which may be expensive.
        self.assertEqual((report["asked"], report["error"], report["incomplete"]),
                         (["PerfLib", "OLD_MetadataGlobal", "OLD_MetadataCostly"], None, None))
        self.assertEqual(report["absent"], ["Crowd 600", "Memory", "Nothing At All"])
        self.assertEqual(len([entry for entry in report["countersets"] if entry["sampled"]]), 4)
        self.wait("what is there is sampled", lambda: self.sampled() == {"System": True, "Thing": True, "Crowd 599": True, "Processor": True})
        page = self.get("/metrics")
        self.assertEqual(re.findall(r'(?m)^winperf_exporter_counterset_absent\{counterset="(.*)"\} 1$', page), report["absent"])
        self.assertEqual(self.own("discovery_absent_countersets"), 3)
        self.assertNotRegex(page, r'(?m)^winperf_exporter_(counterset_(success|failures_total)|problems_total)\{counterset="(Crowd 600|Memory|Nothing At All)"')
        sample = {entry["name"]: entry for entry in json.loads(self.get("/api/v1/sample"))["countersets"]}
        self.assertTrue(sample["Memory"]["absent"])
        self.assertNotIn("absent", sample["System"])
        log = self.log.read_text()
        self.assertIn("; 4 to sample; absent: Crowd 600, Memory, Nothing At All\n", log)
        self.assertNotIn("Memory: ", log)
        # It is tried all the same, and sampled as soon as it is there.
        self.change_crowd(PRESENT + 1)
        self.wait("what came is sampled", lambda: self.sampled().get("Crowd 600"))
        self.assertEqual(self.own('discoveries_total\\{result="success"\\}'), 1)

    @thorough
    def test_names_alone_cost_no_collecting_where_there_is_no_metadata(self):
        self.start("off", ["System", "Crowd 600", "Memory"])
        self.wait("a look has succeeded", lambda: self.report()["found_at"])
        report = self.report()
        self.assertEqual((report["asked"], report["supports_metadata"], report["absent"]), (["PerfLib"], False, []))
        self.assertEqual(report["incomplete"], "metadata is not supported here")
        # A name that no table has is absent, whoever delivers what.
        self.wait("the others are judged", lambda: self.sampled() == {"System": True, "Crowd 600": False})
        self.assertIn('winperf_exporter_counterset_absent{counterset="Memory"} 1\n', self.get("/metrics"))
        self.assertNotIn("discovery is incomplete", self.log.read_text())

    def test_without_perflib(self):
        self.start("on", ["Crowd 59*", "Processor*"], path="registry")
        self.wait("what matches is sampled", lambda: self.sampled().get("Processor Information"))
        self.assertEqual(json.loads(self.get("/api/v1/discovery"))["asked"], ["MetadataGlobal"])

    @thorough
    def test_costly_objects_where_the_configuration_says_so(self):
        for metadata, query in (("on", "OLD_MetadataCostly"), ("off", "Costly")):
            with self.subTest(metadata=metadata):
                self.start(metadata, ["Crowd 59*", {"name": "*Thing", "costly": True}])
                self.wait("what matches is sampled", lambda: self.sampled().get("Costly Thing"))
                self.assertTrue(self.sampled()["Thing"])
                self.assertEqual(json.loads(self.get("/api/v1/discovery"))["asked"][2:], [query])

    @thorough
    def test_v2_countersets_through_the_registry_while_providers_have_hosts(self):
        for workers in ({"isolation": "hosts"}, {"leave_out": ["PerfOS"]}):
            with self.subTest(**workers):
                self.start("on", [{"name": "*", "except": ["Crowd *"]}], path="registry", workers={"shortest_timeout": "60s", **workers})
                self.wait("it is sampled", lambda: self.sampled().get("Processor Information"))
                self.assertTrue(self.sampled()["Every Type Single"])
                self.assertTrue(self.sampled()["Thing"])
                self.assertEqual("System" in self.sampled(), "isolation" in workers)
                report = json.loads(self.get("/api/v1/discovery"))
                self.assertEqual((report["error"], report["incomplete"], report["problems"]), (None, None, []))

    # Every query of all providers together would load that one.
    def test_what_cannot_be_asked_for_is_told(self):
        self.start("on", ["*Information", "Sys*"], path="registry", workers={"shortest_timeout": "60s", "leave_out": ["Things"]})
        self.wait("what can be asked for is sampled", lambda: self.sampled().get("System"))
        reason = 'provider "Things" is left out by the configuration'
        self.assertNotIn("Processor Information", self.sampled())
        self.assertEqual(json.loads(self.get("/api/v1/discovery"))["incomplete"], reason)
        self.assertIn(f"discovery is incomplete: {reason}", self.log.read_text())
        doctor = subprocess.run([EXECUTABLE, "doctor", "--config", self.config], env=self.environment, text=True, capture_output=True, check=False)
        self.assertIn(f"discovery is incomplete: {reason}", doctor.stderr)


if __name__ == "__main__":
    unittest.main()
