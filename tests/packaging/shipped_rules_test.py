#!/usr/bin/env python3
"""The rules and scrape configurations in packaging/prometheus, and the rules in the recipes: promtool accepts them, each has a
test, and each alert has its runbook.

Without promtool the tests that need it say so.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests")]
import markdown_queries
from markdown_pages import anchors, headings, section, slug

PROMETHEUS = ROOT / "packaging/prometheus"
RECIPES = sorted((ROOT / "docs/recipes").glob("*.md"))
RUNBOOKS = "docs/runbooks.md"
SEVERITIES = {"critical", "warning", "info"}
NO_PROMTOOL = "" if shutil.which("promtool") else "NO PROMTOOL: promtool is not in PATH; scripts/test provides it"


def rules_of(text):
    return [rule for group in yaml.safe_load(text)["groups"] for rule in group["rules"]]


def promtool(*arguments):
    result = subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True, timeout=240)
    return result.returncode, result.stdout + result.stderr


@unittest.skipIf(NO_PROMTOOL, NO_PROMTOOL)
class Promtool(unittest.TestCase):
    def assert_good(self, *arguments):
        code, output = promtool(*arguments)
        self.assertEqual(code, 0, output)

    def test_accepts_the_rules(self):
        self.assert_good("check", "rules", "--lint-fatal", PROMETHEUS / "alert_rules.yml", PROMETHEUS / "recording_rules.yml")

    def test_accepts_the_rules_of_recipes(self):
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for page in RECIPES:
                for index, text in enumerate(markdown_queries.rule_groups(page.read_text())):
                    files.append(pathlib.Path(folder, f"{page.stem}_{index}.yml"))
                    files[-1].write_text(text)
            self.assertGreater(len(files), 5)
            self.assert_good("check", "rules", "--lint-fatal", *files)

    def test_accepts_the_scrape_configurations(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name, "prometheus")
            shutil.copytree(PROMETHEUS, folder)
            for secret in ("winperf.password", "winperf-ca.crt", "prometheus.crt", "prometheus.key"):
                (folder / secret).write_text("")  # promtool asks whether they are there
            for kind in ("static", "file_sd", "http_sd"):
                self.assert_good("check", "config", folder / f"scrape_{kind}.yml")

    def test_the_rules_do_what_they_should(self):
        folder = ROOT / "tests/packaging"
        self.assert_good("test", "rules", folder / "alert_rules_test.yml", folder / "recording_rules_test.yml")


class Rules(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.alerts = rules_of((PROMETHEUS / "alert_rules.yml").read_text())
        cls.records = rules_of((PROMETHEUS / "recording_rules.yml").read_text())

    def test_each_alert_fires_for_one_machine_and_not_for_another(self):
        tests = yaml.safe_load((ROOT / "tests/packaging/alert_rules_test.yml").read_text())["tests"]
        self.assertEqual(sorted(test["name"] for test in tests), sorted(rule["alert"] for rule in self.alerts))
        for test in tests:
            cases = test["alert_rule_test"]
            self.assertEqual({case["alertname"] for case in cases}, {test["name"]})
            fired = [alert["exp_labels"]["instance"] for case in cases for alert in case.get("exp_alerts", ())]
            self.assertEqual(fired, ["bad"], test["name"])
            self.assertTrue(any("exp_alerts" not in case for case in cases), test["name"])
            self.assertTrue(any('instance="good"' in series["series"] for series in test["input_series"]), test["name"])

    def test_each_recording_rule_has_a_test(self):
        tests = yaml.safe_load((ROOT / "tests/packaging/recording_rules_test.yml").read_text())["tests"]
        expressions = [case["expr"] for test in tests for case in test["promql_expr_test"]]
        self.assertEqual([rule["record"] for rule in self.records if not any(rule["record"] in text for text in expressions)], [])
        self.assertEqual(len(expressions), len(self.records))

    def test_each_alert_says_what_happened(self):
        recipes = [(f"docs/recipes/{page.name}", rule) for page in RECIPES for text in markdown_queries.rule_groups(page.read_text())
                   for rule in rules_of(text)]
        every = [(RUNBOOKS, rule) for rule in self.alerts] + recipes
        names = [rule["alert"] for _, rule in every]
        self.assertEqual(sorted(names), sorted(set(names)))
        for page, rule in every:
            self.assertIn(rule["labels"]["severity"], SEVERITIES, rule["alert"])
            self.assertTrue(rule["alert"].startswith("Winperf"))
            self.assertIn("$labels.instance", rule["annotations"]["summary"], rule["alert"])
            target, _, anchor = rule["annotations"]["runbook_url"].partition("#")
            self.assertEqual(target, page, rule["alert"])
            self.assertIn(anchor, anchors((ROOT / page).read_text()), rule["alert"])
        self.assertTrue(all(rule["annotations"]["description"] for rule in self.alerts))

    def test_each_alert_has_its_runbook_and_each_runbook_its_alert(self):
        text = (ROOT / RUNBOOKS).read_text()
        sections = [heading for level, heading in headings(text) if level == 3]
        self.assertEqual(sections, [rule["alert"] for rule in self.alerts], "also the order is the same")
        for rule in self.alerts:
            self.assertEqual(rule["annotations"]["runbook_url"], f"{RUNBOOKS}#{slug(rule['alert'])}")
            self.assertGreater(len(section(text, rule["alert"]).split()), 25, rule["alert"])

    def test_runbook_links_can_be_changed_as_the_page_says(self):
        page = (PROMETHEUS / "README.md").read_text()
        self.assertIn("sed -i 's|docs/runbooks.md|", page)
        alerts = (PROMETHEUS / "alert_rules.yml").read_text()
        self.assertEqual(alerts.count("runbook_url: docs/runbooks.md#"), len(self.alerts))


if __name__ == "__main__":
    unittest.main()
