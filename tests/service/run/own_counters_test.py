#!/usr/bin/env python3
"""The exporter's own counters on the simulated machine, where the exporter and those who read it are processes of their own: read by
itself and others, by both roads, and equal to its page.

    own_counters_test.py EXECUTABLE SOURCE_DIRECTORY [unittest arguments]
"""

import json
import mmap
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from servers import DEADLINE_SECONDS, wait_until
from simulated_server import Page

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
TABLE = pathlib.Path(sys.argv.pop(1)).resolve() / "exporter/counters"
EXPORTER, COUNTERSETS = "winperf_exporter", "winperf_exporter counterset"
# Words of section_layout.h.
HEAD_WORDS, COPY_WORDS_AT, BEGUN, WRITTEN_AT, KNOWN = 8, 5, 0, 1, 2
MINUTE_100NS = 60 * 10_000_000


def metrics_of(header):
    """Of the table's rows: the counter's English name, and the family with the same number."""
    rows = (TABLE / header).read_text().split("CounterRow{")[1:]
    found = {re.search(r'\.english =\s*\{"([^"]*)"', row)[1]: re.search(r'\.metric = "(\w+)"', row) for row in rows}
    return {name: metric[1] for name, metric in found.items() if metric}


class OwnCounters(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.file, self.section = self.folder / "exporter.yaml", self.folder / "section"
        self.log = self.folder / "log"
        self.environment = {**os.environ, "WINPERF_SIMULATOR": "", "WINPERF_OWN_SECTION": str(self.section)}
        self.process = None
        self.addCleanup(self.kill)

    def configure(self, **keys):
        keys = {"interval": "1s", "countersets": ["System", "Processor Information"], "reload": {"http": True}, **keys}
        fresh = self.folder / "exporter.new"
        fresh.write_text(json.dumps({key: value for key, value in keys.items() if value is not None}))
        fresh.replace(self.file)

    def start(self, **keys):
        """Returns when there is a state in which all is known: PerfLib has no data otherwise."""
        before = self.number()
        self.configure(**keys)
        with self.log.open("w") as log:
            self.process = subprocess.Popen([EXECUTABLE, "run", "--config", self.file, "--listen", "127.0.0.1:0"], text=True,
                                            stdout=subprocess.PIPE, stderr=log, env=self.environment)
        self.url = self.process.stdout.readline().split()[-1].rstrip("/")
        self.wait_for_number(before + 2)
        self.page()  # which counts the series
        everything = (1 << (TABLE / "exporter_rows.h").read_text().count("CounterRow{")) - 1
        wait_until(lambda: all(known == everything for _, _, known in self.copies()), self.log)

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def reload(self, **keys):
        self.configure(**keys)
        with urllib.request.urlopen(urllib.request.Request(f"{self.url}/-/reload", method="POST"), timeout=DEADLINE_SECONDS):
            pass

    def page(self):
        with urllib.request.urlopen(f"{self.url}/metrics", timeout=DEADLINE_SECONDS) as answer:
            return Page(answer.read().decode())

    # The section, without the program.

    def copies(self):
        """Of both copies, the offset of the first word, the state's number, 0 while it is written, and which values are known."""
        words = self.section.read_bytes() if self.section.exists() else b""
        if not words:
            return []
        size = struct.unpack_from("<Q", words, 8 * COPY_WORDS_AT)[0]
        for first in (8 * HEAD_WORDS, 8 * (HEAD_WORDS + size)):
            begun = struct.unpack_from("<Q", words, first + 8 * BEGUN)[0]
            ended = struct.unpack_from("<Q", words, first + 8 * (size - 1))[0]
            known = struct.unpack_from("<Q", words, first + 8 * KNOWN)[0]
            yield first, begun if begun == ended else 0, known

    def number(self):
        return max((number for _, number, _ in self.copies()), default=0)

    def wait_for_number(self, number):
        wait_until(lambda: self.number() >= number, f"state {number}: {self.log.read_text()}")

    def grow_old(self):
        """The states are a minute older than they are."""
        copies = list(self.copies())
        with self.section.open("r+b") as file, mmap.mmap(file.fileno(), 0) as words:
            for first, _, _ in copies:
                place = first + 8 * WRITTEN_AT
                written = struct.unpack_from("<q", words, place)[0]
                struct.pack_into("<q", words, place, written - MINUTE_100NS - 1)

    # Other programs of the machine.

    def run_program(self, *arguments):
        return subprocess.run([EXECUTABLE, *arguments], capture_output=True, text=True, timeout=DEADLINE_SECONDS,
                              env=self.environment)

    def read(self, name, path):
        """Raw values and bases by instance and counter; or why there are none."""
        result = self.run_program("query", name, "--path", path, "--format", "json")
        if result.returncode:
            return result.stderr
        values = json.loads(result.stdout)["values"]
        return {(value.get("instance") or None, value["counter"]): (value["raw"], value.get("base")) for value in values}

    def verified(self, *arguments):
        result = self.run_program("verify", *arguments, "--format", "json")
        document = json.loads(result.stdout)
        self.assertEqual((result.returncode, document["verified"]), (0, True), result.stdout)
        return {entry["name"]: entry for entry in document["countersets"]}

    # What is shown.

    def shown(self, page):
        """What the page says, as the counters have it."""
        numbers = {}
        for name, family in metrics_of("exporter_rows.h").items():
            if page.values(family):
                factor = 10_000_000 if family.endswith("_scrape_seconds_total") else 1
                numbers[None, name] = int(sum(page.values(family)) * factor)
        for name, family in metrics_of("counterset_rows.h").items():
            for labels, value in page.series.get(family, []):
                key = labels["counterset"], name
                numbers[key] = numbers.get(key, 0) + int(value)
        del numbers[None, "Connections"]  # of which this one was open while the page was made
        return numbers

    def test_one_state_is_equal_by_both_roads_and_on_the_page(self):
        self.start()
        differences = None
        for _ in range(20):
            # So that the state knows of the last answer; and quickly, before there is another state.
            self.wait_for_number(self.number() + 2)
            page = self.page()
            self.process.send_signal(signal.SIGSTOP)
            first, second = ({**self.read(EXPORTER, path), **self.read(COUNTERSETS, path)} for path in ("registry", "perflib"))
            self.process.send_signal(signal.SIGCONT)
            self.assertEqual(first, second)
            shown = self.shown(page)
            differences = {key: (value, first[key][0]) for key, value in shown.items() if first[key][0] != value}
            if not differences:
                break
        self.assertEqual(differences, {}, "in each of 20 states")
        self.assertGreater(first[None, "State Number"][0], 0)
        self.assertGreater(first[None, "Scrapes/sec"][0], 0)
        self.assertGreater(first[None, "Sent Bytes/sec"][0], 1000)
        self.assertGreater(first["System", "Reply Bytes"][0], 0)
        self.assertLessEqual({(None, name) for name in metrics_of("exporter_rows.h")} - {(None, "Connections"),
                             (None, "Worker Restarts")}, set(shown), "the page has all that the table names")

    def test_verify_finds_them_equal(self):
        self.start()
        paths = self.verified(EXPORTER, COUNTERSETS)
        # Each value, and each base.
        self.assertEqual(paths[EXPORTER]["compared"], (TABLE / "exporter_rows.h").read_text().count("CounterRow{"))
        self.assertEqual(paths[COUNTERSETS]["compared"], 2 * (TABLE / "counterset_rows.h").read_text().count("CounterRow{"))
        page = self.verified("--page", f"{self.url}/metrics")
        self.assertEqual(set(page), {EXPORTER, COUNTERSETS})
        for name, least in ((EXPORTER, 8), (COUNTERSETS, 2)):
            self.assertGreaterEqual(page[name]["compared"], least)
            self.assertIsNone(page[name]["page_error"])
        self.verified("--page", self.url)  # without its path, too

    def test_verify_finds_another_exporter(self):
        self.start()
        other = OwnCounters()
        other.setUp()
        self.addCleanup(other.doCleanups)
        other.start()
        # Its numbers may be the same, but not when it started.
        result = self.run_program("verify", "--page", other.url, "--rounds", "1", "--format", "json")
        self.assertEqual(result.returncode, 1)
        for entry in json.loads(result.stdout)["countersets"]:
            self.assertEqual(entry["page_error"], "the page was not delivered by any provider")

    def test_it_reads_itself(self):
        for path in ("registry", "perflib"):
            with self.subTest(path):
                self.start(path=path, countersets=[EXPORTER, COUNTERSETS])
                def page():
                    page = self.page()
                    good = page.values("winperf_exporter_counterset_success")
                    return page if good == [1, 1] and "winperf_winperf_exporter_counterset_values" in page.series else None
                page = wait_until(page, self.log)
                self.assertEqual({labels["path"] for labels, _ in page.series["winperf_exporter_counterset_path_info"]}, {path})
                rows = page.series["winperf_winperf_exporter_counterset_values"]
                self.assertEqual({labels["instance_name"] for labels, _ in rows}, {EXPORTER, COUNTERSETS})
                self.kill()

    def sampled(self):
        """Without what distinguishes objects of the same name: this machine has those of both roads."""
        attempts = self.page().series.get("winperf_exporter_counterset_attempts_total", [])
        return {re.sub(r" \([^()]*\)$", "", labels["counterset"]) for labels, _ in attempts}

    def test_a_pattern_selects_it_and_the_default_does_not(self):
        self.start(countersets=["*"], discovery_interval="5s")
        wait_until(lambda: {EXPORTER, COUNTERSETS} <= self.sampled(), self.log)
        self.kill()
        self.start(countersets=None)
        wait_until(lambda: "System" in self.sampled(), self.log)
        self.assertEqual(self.sampled() & {EXPORTER, COUNTERSETS}, set())

    def assert_gone(self):
        for path, reason in (("registry", "was not delivered by any provider"), ("perflib", "has no running provider")):
            self.assertIn(reason, self.read(EXPORTER, path))

    def test_they_vanish_with_the_exporter(self):
        self.assert_gone()
        self.start()
        self.kill()
        number = self.number()
        for path in ("registry", "perflib"):
            self.assertEqual(self.read(EXPORTER, path)[None, "State Number"], (number, None), "for a minute")
        self.grow_old()
        self.assert_gone()
        self.start()
        for path in ("registry", "perflib"):
            self.assertGreater(self.read(EXPORTER, path)[None, "State Number"][0], number, "states go on")
        self.kill()
        self.section.unlink()
        self.assert_gone()

    def test_a_reload_changes_the_road(self):
        self.start()
        for road in ("none", "v2"):  # which doesn't exist here
            with self.subTest(road):
                self.reload(own_counters=road)
                number = self.number()
                # Two samples later there is no other state.
                attempts = sum(self.page().values("winperf_exporter_counterset_attempts_total"))
                wait_until(lambda: sum(self.page().values("winperf_exporter_counterset_attempts_total")) > attempts + 4, self.log)
                self.assertEqual(self.number(), number)
                self.grow_old()
                self.assert_gone()
                refusal = self.run_program("verify", "--page", self.url)
                self.reload(own_counters="v1")
                self.wait_for_number(number + 1)
                self.assertGreater(self.read(EXPORTER, "registry")[None, "State Number"][0], number)
                self.assertEqual(refusal.returncode, 1, refusal.stderr)


if __name__ == "__main__":
    unittest.main()
