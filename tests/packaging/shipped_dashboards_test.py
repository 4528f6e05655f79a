#!/usr/bin/env python3
"""The dashboards that packaging/grafana/make_dashboards.py makes have the structure that Grafana wants."""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "packaging/grafana/make_dashboards.py"
sys.path.append(str(SCRIPT.parent))

import make_dashboards  # noqa: E402

NAMES = ["exporter.json", "machine.json", "processes.json"]
# Of Grafana's units, those that we use.
UNITS = {"none", "short", "percent", "percentunit", "bytes", "Bps", "bps", "pps", "s", "ops", "iops", "reqps"}
KINDS = {"row", "stat", "timeseries", "table"}
REFERENCE = re.compile(r"\$\{?(\w+)")
BUILT_IN = {"__rate_interval", "__all"}


def overlap(one, other):
    return (one["x"] < other["x"] + other["w"] and other["x"] < one["x"] + one["w"]
            and one["y"] < other["y"] + other["h"] and other["y"] < one["y"] + one["h"])


class Dashboards(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.boards = {name: json.loads(content) for name, content in make_dashboards.files().items()}
        cls.panels = [(name, panel) for name, board in cls.boards.items() for panel in board["panels"]]

    def test_the_script_writes_them_into_a_folder(self):
        self.assertEqual(sorted(self.boards), NAMES)
        with tempfile.TemporaryDirectory() as folder:
            there = pathlib.Path(folder, "new")
            subprocess.run([sys.executable, SCRIPT, there], check=True, timeout=60)
            self.assertEqual({path.name: path.read_bytes() for path in there.iterdir()}, make_dashboards.files())
            self.assertNotEqual(subprocess.run([sys.executable, SCRIPT], capture_output=True, cwd=folder, timeout=60).returncode, 0)

    def test_each_can_be_imported(self):
        self.assertEqual(len({board["uid"] for board in self.boards.values()}), len(NAMES))
        for name, board in self.boards.items():
            self.assertIsNone(board["id"], name)
            self.assertRegex(board["uid"], r"^[a-z-]{1,40}$")
            self.assertGreaterEqual(board["schemaVersion"], 39)
            self.assertTrue(board["title"] and board["description"])
            self.assertEqual(board["tags"], ["winperf_exporter"])

    def test_each_begins_with_data_source_job_and_machine(self):
        for name, board in self.boards.items():
            variables = board["templating"]["list"]
            self.assertEqual([variable["name"] for variable in variables][:3], ["datasource", "job", "instance"], name)
            used = set(REFERENCE.findall(json.dumps(board)))
            self.assertEqual(used - BUILT_IN, {variable["name"] for variable in variables}, name)

    def test_panels_have_places_of_their_own(self):
        for name, board in self.boards.items():
            ids = [panel["id"] for panel in board["panels"]]
            self.assertEqual(len(ids), len(set(ids)), name)
            places = [(panel["title"], panel["gridPos"]) for panel in board["panels"]]
            for index, (title, place) in enumerate(places):
                self.assertTrue(0 <= place["x"] and place["x"] + place["w"] <= 24 and place["h"] > 0, f"{name}: {title}")
                for other, there in places[:index]:
                    self.assertFalse(overlap(place, there), f"{name}: {title} lies on {other}")

    def test_each_line_is_full(self):
        """Or the panels of a line have a hole beside them; only the last line before a row may end early."""
        for name, board in self.boards.items():
            widths = collections.Counter()
            for panel in board["panels"]:
                widths[panel["gridPos"]["y"]] += panel["gridPos"]["w"]
            self.assertEqual([y for y, width in widths.items() if width != 24], [], name)

    def test_each_target_has_a_query_and_a_legend(self):
        count = 0
        for name, panel in self.panels:
            self.assertIn(panel["type"], KINDS)
            self.assertTrue(panel["title"], name)
            self.assertEqual(bool(panel.get("targets")), panel["type"] != "row", f"{name}: {panel['title']}")
            references = [target["refId"] for target in panel.get("targets", ())]
            self.assertEqual(len(references), len(set(references)))
            for target in panel.get("targets", ()):
                count += 1
                self.assertTrue(target["expr"] and target["legendFormat"], f"{name}: {panel['title']}")
                self.assertEqual(target["datasource"], {"type": "prometheus", "uid": "${datasource}"})
                self.assertIn("$instance", target["expr"], f"{name}: {panel['title']}")
                self.assertNotEqual(target["instant"], target["range"])
        self.assertGreater(count, 100)

    def test_units_are_known(self):
        for name, panel in self.panels:
            if panel["type"] != "row":
                units = [panel["fieldConfig"]["defaults"]["unit"]]
                units += [entry["value"] for override in panel["fieldConfig"]["overrides"] for entry in override["properties"]
                          if entry["id"] == "unit"]
                self.assertLessEqual(set(units), UNITS, f"{name}: {panel['title']}")

    def test_units_are_those_of_the_metrics(self):
        """A panel of one metric alone, which says its unit."""
        for name, panel in self.panels:
            for target in panel.get("targets", ()):
                metric = re.fullmatch(r"(?:topk\(10, )?(\w+)\{[^}]*\}\)?", target["expr"])
                unit = panel["fieldConfig"]["defaults"]["unit"]
                if metric and panel["type"] != "table":
                    for ending, wanted in (("_bytes", "bytes"), ("_seconds", "s"), ("_ratio", "percentunit")):
                        self.assertEqual(metric[1].endswith(ending), unit == wanted, f"{name}: {panel['title']}: {metric[1]}")

    def test_tables_keep_the_columns_that_they_name(self):
        for name, panel in self.panels:
            if panel["type"] == "table":
                kinds = [entry["id"] for entry in panel["transformations"]]
                self.assertEqual(kinds, ["merge", "filterFieldsByName", "organize"])
                renamed = panel["transformations"][2]["options"]["renameByName"]
                kept = panel["transformations"][1]["options"]["include"]["names"]
                self.assertEqual(sorted(renamed), sorted(kept), f"{name}: {panel['title']}")
                values = [column for column in kept if column.startswith("Value")]
                self.assertEqual(len(values), len(panel["targets"]))
                named = {override["matcher"]["options"] for override in panel["fieldConfig"]["overrides"]}
                self.assertLessEqual(named, set(renamed.values()))


if __name__ == "__main__":
    unittest.main()
