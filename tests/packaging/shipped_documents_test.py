#!/usr/bin/env python3
"""What the recipes and the pages on deployment say fits the program, the installer and the packages.

    shipped_documents_test.py EXECUTABLE [unittest arguments]
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as tree

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests"), str(ROOT / "packaging")]
import markdown_queries
from markdown_pages import headings
from packages import documents

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
RECIPES = sorted((ROOT / "docs/recipes").glob("*.md"))
SECTIONS = ["What to add", "What to watch", "What to alert on", "What it costs", "Pitfalls"]
DEPLOYMENT = [ROOT / "docs/automation.md", ROOT / "docs/deployment.md"]
PACKAGES = ROOT / "docs/packages.md"  # has the table of properties
AT_ONCE = 12  # each waits for two samples
# MSI's own, which our installer doesn't declare.
STANDARD_PROPERTIES = {"ADDLOCAL", "REMOVE", "REINSTALL"}


def check_config(file):
    return subprocess.run([EXECUTABLE, "check-config", file], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "WINPERF_SIMULATOR": "server"})


class Recipes(unittest.TestCase):
    def test_their_configurations_are_valid_and_select_something(self):
        configurations = [(page.name, text) for page in RECIPES for text in markdown_queries.configurations(page.read_text())]
        self.assertGreater(len(configurations), 8)
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            files = [pathlib.Path(folder, f"{index}.yaml") for index in range(len(configurations))]
            for file, (_, text) in zip(files, configurations):
                file.write_text(text)
            for (name, text), result in zip(configurations, pool.map(check_config, files)):
                self.assertEqual(result.returncode, 0, f"{name}: {text}\n{result.stdout}{result.stderr}")
                self.assertRegex(result.stdout, r"\n[1-9]\d* series at present", f"{name}: {text}")

    def test_all_have_the_same_parts(self):
        for page in RECIPES:
            if page.name != "README.md":
                found = [heading for level, heading in headings(page.read_text()) if level == 2]
                self.assertEqual([heading for heading in found if heading in SECTIONS], SECTIONS, page.name)
                queries = list(markdown_queries.queries(page.name, page.read_text()))
                self.assertGreaterEqual(len(queries), 10, page.name)

    def test_the_index_has_all_of_them(self):
        listed = re.findall(r"^\| \[(\S+\.md)\]", (ROOT / "docs/recipes/README.md").read_text(), re.M)
        self.assertEqual(sorted([*listed, "README.md"]), [page.name for page in RECIPES])


class Deployment(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = "".join(page.read_text() for page in DEPLOYMENT)
        source = tree.parse(ROOT / "packaging/windows/winperf_exporter.wxs")
        given = source.find(".//{*}CustomAction[@Id='TellGivenProperties']").get("Value")
        cls.properties = set(re.findall(r"\[([A-Z_]+)\]", given))
        cls.features = {entry.get("Id") for entry in source.findall(".//{*}Feature")}

    def test_it_names_the_properties_of_the_installer(self):
        used = set(re.findall(r"\b([A-Z][A-Z_]{4,})=", self.text)) - {"MSI", "SHARE", "VERSION"}
        self.assertGreater(len(self.properties), 8)
        self.assertLessEqual(used, self.properties | STANDARD_PROPERTIES)
        described = set(re.findall(r"`([A-Z_]+)(?:=\w+)?`", PACKAGES.read_text().partition("| property |")[2].partition("\n\n")[0]))
        self.assertEqual(described - STANDARD_PROPERTIES, self.properties, "of the table in docs/packages.md")
        self.assertLessEqual(set(re.findall(r"ADDLOCAL=(\w+)", self.text)), self.features)

    def test_the_playbook_is_yaml_in_which_each_task_has_one_module(self):
        plays = [play for text in markdown_queries.fences(self.text, "yaml") for play in yaml.safe_load(text)]
        self.assertEqual(len(plays), 1)
        for task in plays[0]["tasks"]:
            modules = [key for key in task if re.fullmatch(r"(ansible|community)\.windows\.\w+", key)]
            self.assertEqual(len(modules), 1, task["name"])
            self.assertLessEqual(set(task) - set(modules), {"name", "changed_when"})
        used = set(re.findall(r"{{ (\w+) }}", "".join(markdown_queries.fences(self.text, "yaml"))))
        self.assertEqual(used, set(plays[0]["vars"]))

    def test_what_the_msi_lacks_is_lacking(self):
        source = (ROOT / "packaging/windows/winperf_exporter.wxs").read_text()
        lacks = self.text.partition("## What the MSI does not have")[2]
        self.assertIn("**Dialogs.**", lacks)
        self.assertNotRegex(source, r"<(Dialog|UIRef|DialogRef)\b")
        self.assertIn("**ARM64.**", lacks)
        self.assertEqual(re.findall(r'Platform="(\w+)"', source), ["x64"])
        self.assertIn("**Signatures.**", lacks)
        packaging = "".join(path.read_text() for path in (ROOT / "packaging").rglob("*.py"))
        self.assertNotRegex(packaging, r"signtool|osslsigncode")


class Packages(unittest.TestCase):
    def test_rules_dashboards_and_recipes_are_in_them(self):
        files = documents.collect({})
        for name in ("packaging/prometheus/alert_rules.yml", "packaging/prometheus/targets/windows.yml",
                     "packaging/prometheus/README.md", "packaging/grafana/make_dashboards.py",
                     "docs/runbooks.md", "docs/recipes/iis.md", "docs/deployment.md"):
            self.assertEqual(files[name], documents.collected(name, (ROOT / name).read_bytes(), set(files)), name)
        shipped = {name for name in files if name.startswith("packaging/")}
        there = {str(path.relative_to(ROOT)) for folder in documents.SHIPPED_FOLDERS for path in (ROOT / folder).rglob("*")
                 if path.is_file() and "__pycache__" not in path.parts}
        self.assertEqual(shipped, there | set(documents.DASHBOARDS))

    def test_dashboards_are_those_of_the_script(self):
        files = documents.collect({})
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, ROOT / "packaging/grafana/make_dashboards.py", folder], check=True, timeout=60)
            made = {f"packaging/grafana/{path.name}": path.read_bytes() for path in pathlib.Path(folder).iterdir()}
        self.assertEqual({name: files.get(name) for name in made}, made)
        self.assertEqual(len(made), 3)


if __name__ == "__main__":
    unittest.main()
