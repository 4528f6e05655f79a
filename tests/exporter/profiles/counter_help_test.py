#!/usr/bin/env python3
"""What counters are, in our words (exporter/profiles/help): of counters that exist, and at the beginning of HELP.

    counter_help_test.py EXECUTABLE [unittest arguments]

EXECUTABLE runs on the simulated server. Counters that it lacks must be in a recorded table of names; without recordings, these are
skipped. That no counter comes twice and that each text is a sentence, the build has checked.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[3]
CAPTURES = pathlib.Path(os.environ.get("WINPERF_CAPTURES", "/nonexistent"))
RECORDED = sorted(CAPTURES.glob("*/counter-009.bin"))
ENVIRONMENT = {**os.environ, "WINPERF_SIMULATOR": "server"}
# No recording has them; they are in Microsoft's page "Performance Counters for ASP.NET".
DOCUMENTED = {"asp.net", "asp.net v4.0.30319", "asp.net applications", "asp.net apps v4.0.30319"}
COMPUTATIONS = ("Running total", "Current value", "Rate per second", "Rate in ", "Percentage between", "Value served")


def run(*arguments):
    return subprocess.run([EXECUTABLE, *arguments], capture_output=True, check=True, text=True, env=ENVIRONMENT).stdout


def rows():
    """(object, counter, sentence) of each row, without those about several counters."""
    found = []
    for table in sorted((SOURCE / "exporter/profiles/help").glob("*.table")):
        objects = []
        for line in table.read_text().splitlines():
            if line.startswith("object "):
                objects = [name.strip() for name in line.removeprefix("object ").split("|")]
            elif "|" in line and not re.match(r"parts\s", line):
                counter, sentence = (cell.strip() for cell in line.split("|"))
                found += [(name, counter, sentence) for name in objects]
    return found


def recorded_names(path):
    return {name.lower() for name in path.read_bytes().decode("utf-16-le").split("\0")[1::2]}


class CounterHelp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = rows()
        cls.simulated = {(entry["name"].lower(), counter["name"].lower())
                         for entry in json.loads(run("list", "--counters", "--format", "json"))["countersets"]
                         for counter in entry["counters"]}
        cls.helps = {}  # "object\\counter" in lower case: HELP of each metric that names it
        page = run("query", "--config", SOURCE / "tests/simulator/server/server.yaml", "--format", "prometheus")
        for name, text in re.findall(r"(?m)^# HELP (winperf_\w+) (.*)$", page):
            for place in re.findall(r"\[(?!base of )([^\]]*?), PERF_", text):
                cls.helps.setdefault(place.replace("\\\\", "\\").lower(), []).append((name, text))

    def test_there_are_many(self):
        self.assertGreater(len(self.rows), 600)
        self.assertGreater(len(self.helps), 1000)

    def test_counters_exist(self):
        others = [(name, counter) for name, counter, _ in self.rows
                  if (name.lower(), counter.lower()) not in self.simulated and name.lower() not in DOCUMENTED]
        self.assertGreater(len(self.rows) - len(others), 450)
        if not RECORDED:
            self.skipTest(f"NO RECORDED DATA: {len(others)} counters were not checked, WINPERF_CAPTURES has no counter-009.bin")
        tables = [recorded_names(path) for path in RECORDED]
        for name, counter in others:
            self.assertTrue(any({name.lower(), counter.lower()} <= table for table in tables), f"{name}\\{counter} does not exist")

    def test_help_begins_with_what_the_counter_is(self):
        for name, counter, sentence in self.rows:
            for metric, text in self.helps.get(f"{name}\\{counter}".lower(), []):
                self.assertIn(sentence.removesuffix("."), text, metric)

    def test_no_help_begins_with_the_computation(self):
        for metric, text in (pair for pairs in self.helps.values() for pair in pairs):
            self.assertFalse(text.startswith(COMPUTATIONS), f"{metric}: {text}")


if __name__ == "__main__":
    unittest.main()
