#!/usr/bin/env python3
"""The reader of reports of real machines (recorded_reports_test), on reports of the simulated machine and on spoilt ones.

    report_reader_test.py EXECUTABLE READER [unittest arguments]
"""

import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import together

load_tests = together.load_tests
EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
READER = pathlib.Path(sys.argv.pop(1)).resolve()
PROCESSORS = "{b4fc721a-0378-476f-89ba-a5a79f810b36}"
DEADLINE_SECONDS = 300


def unpacked(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def report_of(scenario, *options, only="captures"):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "report.zip"
        done = subprocess.run([EXECUTABLE, "selftest", "--only", only, "--out", file, *options], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=DEADLINE_SECONDS,
                              env={**os.environ, "WINPERF_SIMULATOR": scenario, "XDG_STATE_HOME": folder})
        assert file.is_file(), done.stdout + done.stderr
        return file.read_bytes()


class Case(unittest.TestCase):
    def read(self, content):
        """Exit code and output of the reader, with this report alone."""
        with tempfile.TemporaryDirectory() as folder:
            reports = pathlib.Path(folder) / "reports"
            reports.mkdir()
            if isinstance(content, dict):
                (reports / "unpacked").mkdir()
                for name, part in content.items():
                    (reports / "unpacked" / name).write_bytes(part)
            else:
                (reports / "report.zip").write_bytes(content)
            done = subprocess.run([READER, "--gtest_filter=RecordedReports.*"], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                  timeout=DEADLINE_SECONDS, env={**os.environ, "WINPERF_CAPTURES": folder})
            return done.returncode, done.stdout

    def assert_found(self, content, words):
        code, said = self.read(content)
        self.assertEqual(code, 1, said[-2000:])
        self.assertRegex(said, words)


class Sound(Case):
    def test_reports_of_simulated_machines_are_read_and_have_no_difference(self):
        for scenario, options in (("", ()), ("server", ()), ("server", ("--scrub",))):
            with self.subTest(scenario=scenario, options=options):
                code, said = self.read(report_of(scenario, *options))
                self.assertEqual(code, 0, said[-2000:])
                counts = re.search(r"(\d+) blocks, (\d+) samples of countersets, (\d+) numbers, (\d+) values through both", said)
                self.assertIsNotNone(counts, said)
                blocks, samples, numbers, compared = map(int, counts.groups())
                self.assertEqual(blocks, 3)
                self.assertGreater(samples, 40)
                self.assertGreater(numbers, 2_000)
                self.assertGreater(compared, 1_000)

    def test_numbers_of_pdh_are_what_its_raw_values_give(self):
        code, said = self.read(report_of("", only="pdh"))
        self.assertEqual(code, 0, said[-2000:])
        numbers, known = map(int, re.search(r"(\d+) numbers of PDH, (\d+) known to differ", said).groups())
        self.assertGreater(numbers, 500)
        self.assertLess(known, 50)

    def test_an_unpacked_report_is_the_same(self):
        code, said = self.read(unpacked(report_of("")))
        self.assertEqual(code, 0, said[-2000:])
        self.assertIn("unpacked: winperf_exporter ", said)

    def test_what_a_later_version_adds_is_left_alone(self):
        files = unpacked(report_of(""))
        document = json.loads(files["report.json"])
        document["later"] = {"anything": [1]}
        document["checks"].append({"id": "later", "verdict": "odd", "findings": 5, "files": ["later.bin"]})
        code, said = self.read(packed({**files, "report.json": json.dumps(document), "later.bin": b"\0"}))
        self.assertEqual(code, 0, said[-2000:])

    def test_without_a_report_it_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([READER, "--gtest_filter=RecordedReports.*"], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                  timeout=DEADLINE_SECONDS, env={**os.environ, "WINPERF_CAPTURES": folder})
        self.assertIn("NO REPORT OF A SELFTEST", done.stdout)


class Spoilt(Case):
    @classmethod
    def setUpClass(cls):
        cls.files = unpacked(report_of("", only="captures,pdh"))

    def with_capture(self, change):
        capture = unpacked(self.files["captures.zip"])
        change(capture)
        return packed({**self.files, "captures.zip": packed(capture)})

    def test_a_difference_between_the_paths_is_named(self):
        lie = f"lie perflib {PROCESSORS} 0 1000000000000 0,1"
        self.assert_found(report_of(lie), r'Processor Information, .* of "0,1": raw value: ')

    def test_a_damaged_block_is_named(self):
        def shorten_an_object(capture):
            block = bytearray(capture["sample-0001-00.perf"])
            header = int.from_bytes(block[24:28], "little")
            block[header:header + 4] = (16).to_bytes(4, "little")  # TotalByteLength
            capture["sample-0001-00.perf"] = bytes(block)
        self.assert_found(self.with_capture(shorten_an_object), r"sample-0001-00\.perf (is no block|has \d+ defects)")

    def test_a_damaged_reply_of_perflib_is_named(self):
        def lengthen_the_reply(capture):
            (name, *_) = [name for name in capture if name.endswith(".v2")]
            reply = bytearray(capture[name])
            reply[0:4] = (len(reply) + 8).to_bytes(4, "little")
            capture[name] = bytes(reply)
        self.assert_found(self.with_capture(lengthen_the_reply), r"perflib|v2|bad_")

    def test_each_kind_of_wrong_number_is_named_by_its_type(self):
        lines = self.files["pdh.jsonl"].decode().splitlines()
        records = [json.loads(line) for line in lines[1:]]
        every = next(record for record in records if record["counterset"] == "Every Type")
        wrong = set()
        for values in every["moments"][1]:
            for number in values["numbers"]:
                if number[1] in (0, 1) and number[0] == "two" and isinstance(number[2], float) and number[2] > 1:
                    number[2] *= 1.001
                    wrong.add(values["name"])
        self.assertGreater(len(wrong), 10)
        spoilt = "\n".join([lines[0], *(json.dumps(record) for record in records)]) + "\n"
        code, said = self.read(packed({**self.files, "pdh.jsonl": spoilt}))
        self.assertEqual(code, 1)
        named = {name for name in wrong if re.search(rf"Every Type, {re.escape(name)} \(\w+\) of .two.: PDH has ", said)}
        self.assertGreater(len(named), 20)
        # The type has no formula, so that any number is as good as another.
        self.assertEqual(wrong - named, {"COUNTER_HISTOGRAM_TYPE"})

    def test_broken_archives_are_named(self):
        whole = packed(self.files)
        self.assert_found(whole[:-30], "report.zip")
        for third in (1, 2):
            spoilt = bytearray(self.files["captures.zip"])
            spoilt[len(spoilt) * third // 3] ^= 0xFF
            self.assert_found(packed({**self.files, "captures.zip": bytes(spoilt)}), r'report.zip"?: (captures|[\w-]+\.(bin|v2|perf|json)):? ')

    def test_a_report_that_lacks_something_is_named(self):
        without = {name: content for name, content in self.files.items() if name != "captures.zip"}
        self.assert_found(packed(without), r"captures\.zip is missing")
        self.assert_found(packed({**self.files, "report.json": b"[" * 100_000}), "report.json is no object")
        self.assert_found(packed({"report.html": b""}), "report.json")


if __name__ == "__main__":
    unittest.main()
