#!/usr/bin/env python3
"""What a running exporter shows of a counterset: the busiest instances, labels from their names, counters by their local names.

    selection_test.py EXECUTABLE [unittest arguments]
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
import urllib.request

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
DEADLINE_SECONDS = 60
PROCESSORS = {"0,0", "0,1", "1,0", "1,1"}
SERIES = re.compile(r"(?m)^(\w+)\{(.*)\} (\S+)$")
LABEL = re.compile(r'(\w+)="([^"]*)"')


class Selection(unittest.TestCase):
    def serve(self, countersets, metrics=(r"winperf_cpu_\w*percent",), **settings):
        """Returns the page and the API's document of a sample in which each of these metrics has perfmon's numbers."""
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder) / "exporter.yaml"
            config.write_text(json.dumps({"interval": "1s", "countersets": countersets, "metrics": {"detail": "full"},
                                          **settings}))
            process = subprocess.Popen([EXECUTABLE, "run", "--config", config, "--listen", "127.0.0.1:0"],
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                       env={**os.environ, "WINPERF_SIMULATOR": "crowd 5"})
            try:
                url = process.stdout.readline().split()[-1].rstrip("/")
                deadline = time.monotonic() + DEADLINE_SECONDS
                while True:
                    page = self.read(url, "/metrics")
                    if all(re.search(rf"(?m)^{metric}\{{", page) for metric in metrics):
                        return page, json.loads(self.read(url, "/api/v1/sample"))
                    self.assertLess(time.monotonic(), deadline, page)
                    time.sleep(0.1)
            finally:
                process.kill()
                process.communicate()

    def read(self, url, path):
        with urllib.request.urlopen(url + path, timeout=DEADLINE_SECONDS) as response:
            return response.read().decode()

    def labels(self, page, metric):
        return [dict(LABEL.findall(labels)) for name, labels, _ in SERIES.findall(page) if name == metric]

    def idle(self, page):
        """Returns the labels of the times that processors were idle."""
        return [labels for labels in self.labels(page, "winperf_cpu_time_seconds_total") if labels.pop("mode") == "idle"]

    def own(self, page, name, counterset):
        return float(re.search(rf'(?m)^winperf_exporter_{name}\{{counterset="{counterset}"\}} (\S+)$', page)[1])

    def values(self, document, counterset, counter):
        found = next(entry for entry in document["countersets"] if entry["name"] == counterset)
        return {value["instance"]: value["cooked"] for value in found["values"] if value["counter"] == counter}

    def test_the_busiest_instances(self):
        everything = r"\Processor Information(*)\% Idle Time"
        for path in ("registry", "perflib"):
            with self.subTest(path=path):
                page, document = self.serve(
                    [{"name": "Processor Information", "path": path, "instances": {"max": 2, "by": "% idle time"},
                      "counters": {"include": ["% User Time"]}}, {"name": everything, "path": path}])
                all_values = self.values(document, everything, "% Idle Time")
                leaders = sorted(PROCESSORS, key=all_values.get)[2:]
                self.assertGreater(min(all_values[name] for name in leaders),
                                   max(all_values[name] for name in PROCESSORS.difference(leaders)))
                kept = self.values(document, "Processor Information", "% Idle Time")
                self.assertEqual(set(kept), {"_Total", "0,_Total", "1,_Total", *leaders})
                for name, value in kept.items():
                    self.assertAlmostEqual(value, all_values[name], 1, name)
                self.assertEqual({labels["core"] for labels in self.labels(page, "winperf_cpu_time_percent")
                                  if labels["mode"] == "user"}, set(leaders))
                self.assertEqual(self.own(page, "counterset_left_out_instances", "Processor Information"), 2)
                state = next(entry for entry in document["countersets"] if entry["name"] == "Processor Information")
                self.assertEqual(state["instances_left_out"], 2)

    def test_of_a_pattern_each_counterset_has_its_own(self):
        page, _ = self.serve([{"name": "Crowd *", "instances": {"max": 3, "by": "Acts 0/sec"}}, {"name": "Crowd 1"}],
                             [f"winperf_crowd_{number}_acts_0_per_second" for number in range(3)])
        for number, instances in ((0, 3), (1, 10), (2, 3)):
            with self.subTest(crowd=number):
                self.assertEqual(len(self.labels(page, f"winperf_crowd_{number}_acts_0_total")), instances)
                self.assertEqual(self.own(page, "counterset_left_out_instances", f"Crowd {number}"), 10 - instances)

    def test_a_counter_that_does_not_exist_is_told(self):
        page, _ = self.serve([{"name": "Processor Information", "instances": {"max": 2, "by": "% Idle Tim"}}])
        self.assertRegex(page, r'(?m)^winperf_exporter_problems_total\{counterset="Processor Information",'
                               r'reason="no_such_name"\} [1-9]')
        self.assertEqual({labels["core"] for labels in self.idle(page)}, {"1,0", "1,1"})

    def test_labels_from_names(self):
        for path in ("registry", "perflib"):
            with self.subTest(path=path):
                page, document = self.serve([{"name": "Processor Information", "path": path, "instances": {
                    "labels": r"(?<node>\d),(?<number>\d+)"}}])
                self.assertEqual(
                    sorted(tuple(labels.items()) for labels in self.idle(page)),
                    [(("core", name), ("node", name[0]), ("number", name[2])) for name in sorted(PROCESSORS)])
                labels = {value["instance"]: value.get("labels") for value in document["countersets"][0]["values"]}
                self.assertEqual(labels["1,0"], {"node": "1", "number": "0"})
                self.assertIsNone(labels["_Total"])

    def test_a_label_may_be_another_name_of_the_instance(self):
        page, _ = self.serve([{"name": "Processor Information", "instances": {"labels": r"0,(?<core>.)"}}])
        self.assertEqual(sorted(labels["core"] for labels in self.idle(page)),
                         ["0", "1", "1,0", "1,1"])
        page, _ = self.serve([{"name": "Processor Information", "instances": {"labels": r".,(?<core>.)"}}])
        self.assertEqual({labels["core"] for labels in self.idle(page)}, PROCESSORS,
                         "they could no longer be told apart")

    def test_counters_by_their_local_names(self):
        for path in ("registry", "perflib"):
            with self.subTest(path=path):
                _, document = self.serve(
                    [{"name": r"\Prozessorinformationen(0,*)\Prozessorzeit (%)", "path": path},
                     {"name": "Prozessorinformationen", "path": path, "instances": {"max": 1, "by": "Prozessorzeit (%)"},
                      "counters": {"include": ["% Idle Time"]}}], language="machine")
                by_path, by_name = document["countersets"]
                self.assertEqual({value["counter"] for value in by_path["values"]}, {"% Processor Time"})
                self.assertEqual({value["instance"] for value in by_path["values"]}, {"0,0", "0,1", "0,_Total"})
                self.assertEqual({value["counter"] for value in by_name["values"]}, {"% Idle Time", "% Processor Time"})
                self.assertEqual(len(by_name["values"]), 2 * (1 + 3))


if __name__ == "__main__":
    unittest.main()
