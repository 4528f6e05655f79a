#!/usr/bin/env python3
"""facts on the simulated server, and on a machine without them.

    facts_test.py EXECUTABLE [unittest arguments]
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import together

load_tests = together.load_tests
EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
DEADLINE_SECONDS = 60


def run(*arguments, scenario="server"):
    return subprocess.run([EXECUTABLE, "facts", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=DEADLINE_SECONDS, env={**os.environ, "WINPERF_SIMULATOR": scenario})


class Facts(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def config(self, text):
        file = self.folder / "config.yaml"
        file.write_text(text)
        return file

    def test_topics_with_rows_and_state(self):
        result = run()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"(?m)^topic +rows +state +content$")
        self.assertRegex(result.stdout, r"(?m)^os +1 +ok +Windows version")
        self.assertRegex(result.stdout, r"(?m)^processes +- +off +owner and command line$")

    def test_rows_of_topics_in_their_order_and_each_once(self):
        result = run("volumes", "os", "volumes")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        volumes, system = result.stdout.split("\n\n")
        self.assertRegex(volumes, r"\Avolumes: 7 rows\n  volume +disks? ")
        self.assertRegex(volumes, r"(?m)^  D: .* 500 GiB")
        self.assertRegex(system, r"(?m)^  install_time +2023-11-14 22:13:20 UTC$")

    def test_json_is_the_document_of_the_api(self):
        topics = json.loads(run("volumes", "iis", "--format", "json").stdout)["topics"]
        self.assertEqual([topic["topic"] for topic in topics], ["volumes", "iis"])
        self.assertEqual(set(topics[0]), {"topic", "success", "error", "duration_seconds", "age_seconds", "rows", "problems"})
        self.assertEqual(len(topics[0]["rows"]), 7)

    def test_settings_of_the_configuration(self):
        config = self.config("{countersets: [], facts: [{name: volumes, include: ['D:']}, os]}")
        self.assertIn("volumes: 1 row\n", run("volumes", "--config", config).stdout)
        self.assertRegex(run("--config", config).stdout, r"(?m)^memory +- +off ")
        config = self.config("{countersets: [], facts: [{name: volumes, include: ['Q:']}]}")
        self.assertEqual(run("volumes", "--config", config).stdout,
                         "volumes: no row passes the filters of the configuration\n")

    def test_text_files_need_folders(self):
        refused = run("textfile")
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertIn("needs folders", refused.stderr)
        (self.folder / "good.prom").write_text("a 1\n")
        (self.folder / "bad.prom").write_text("a {\n")
        result = run("textfile", "--config", self.config(
            f"{{countersets: [], facts: [{{name: textfile, folders: ['{self.folder}']}}]}}"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"  {self.folder}/good.prom", result.stdout)
        self.assertRegex(result.stdout, r"(?m)^  problem: .*bad\.prom")

    def test_a_word_that_is_no_topic(self):
        result = run("service")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn('"service" is not a topic of facts; did you mean "services"?', result.stderr)

    def test_a_machine_without_facts(self):
        overview = run(scenario="still")
        self.assertEqual(overview.returncode, 0, overview.stderr)
        self.assertRegex(overview.stdout, r"(?m)^os +- +not on this system ")
        named = run("os", scenario="still")
        self.assertEqual((named.returncode, named.stdout), (1, "os: this system does not have the topic\n"))


if __name__ == "__main__":
    unittest.main()
