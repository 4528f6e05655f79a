#!/usr/bin/env python3
"""The selftest's checks of the page, of PowerShell and of the load, with the simulated server.

    browser_check_test.py EXECUTABLE [unittest arguments]

A browser and a PowerShell that stand for real ones are in a folder that is the whole PATH.
"""

import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import together
from checks_support import Checks, install_text, sentences
from thorough import thorough

load_tests = together.load_tests
EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()

BROWSER = """
import pathlib, sys, urllib.request
picture = next(word for word in sys.argv if word.startswith("--screenshot=")).partition("=")[2]
page = urllib.request.urlopen(sys.argv[-1]).read().decode()
assert "winperf_exporter" in page
assert any(word.startswith("--user-data-dir=") for word in sys.argv)
fault = pathlib.Path(__file__).with_name("fault").read_text()
if fault != "no picture":
    pathlib.Path(picture).write_bytes(b"\\x89PNG" + bytes(100))
if fault == "console":
    print("[1:1:0101/1.1:INFO:CONSOLE:3] \\"Uncaught TypeError\\", source: x", file=sys.stderr)
ready = "" if fault == "not ready" else 'data-ready="overview"'
print(f"<html {ready}><head><title>Overview · {'Error' if fault == 'title' else 'winperf_exporter'}</title></head></html>")
sys.exit(1 if fault == "exit" else 0)
"""

# Runs no PowerShell: it answers as a script of the check would, and asks what an example asks.
SHELL = r"""
import json, pathlib, re, sys, urllib.request
script = pathlib.Path(sys.argv[sys.argv.index("-File") + 1]).read_text(encoding="utf-8-sig")
fault = pathlib.Path(__file__).with_name("fault").read_text()
def show(name, result="passed", text=""):
    print(json.dumps({"name": name, "result": result, "text": text}))
show("version", text="7.4.1")
for command, name, rest in re.findall(r"(?m)^(Test-Form|Test-Run|Test-Completion) '([^']+)' (.*)$", script):
    text = ""
    if command == "Test-Run":
        example = pathlib.Path(rest.strip().strip("'")).read_text(encoding="utf-8-sig")
        json.load(urllib.request.urlopen(re.search(r"http://[^']+", example)[0]))
        text = "ran"
    show(name, "failed" if fault and fault in command + name else "passed", text)
for name in re.findall(r"else \{ Show-Result '([^']+)' 'left out'", script):
    show(name, "left out", "the own counters are not registered")
if fault != "end":
    show("end")
"""


class WithPrograms(unittest.TestCase):
    def check(self, name, *arguments, programs=(), fault="", **options):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        path = folder / "path"
        path.mkdir()
        (path / "fault").write_text(fault)
        for program, text in dict(programs).items():
            install_text(f"#!{sys.executable}\n{text}", path / program)
        self.checks = Checks(EXECUTABLE, folder)
        return self.checks.run(name, *arguments, PATH=str(path), **options)


class Page(WithPrograms):
    def page(self, *arguments, fault=""):
        return self.check("page", *arguments, programs={"chromium": BROWSER}, fault=fault)

    def test_passes(self):
        entry = self.page()
        self.assertEqual(entry["findings"], [])
        self.assertEqual(entry["verdict"], "passed")
        self.assertEqual(entry["data"]["browser"], "chromium")
        self.assertTrue(self.checks.files["page.png"].startswith(b"\x89PNG"))

    def test_a_picture_has_names(self):
        self.assertEqual(self.page("--scrub")["verdict"], "passed")
        self.assertNotIn("page.png", self.checks.files)

    def test_findings(self):
        for fault, wanted in (("no picture", "the browser takes no picture of the page"), ("exit", "the browser ends with a failure"),
                              ("console", "the page writes to the browser's console"), ("title", "the page's title is wrong"),
                              ("not ready", "the page does not become ready")):
            with self.subTest(fault):
                self.assertEqual(sentences(self.page(fault=fault)), [wanted])

    def test_no_browser(self):
        entry = self.check("page")
        self.assertEqual((entry["verdict"], entry["exit_code"]), ("absent", 0))

    @thorough
    @unittest.skipUnless(pathlib.Path("/usr/bin/chromium").exists(), "NO CHROMIUM")
    def test_a_real_browser(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        checks = Checks(EXECUTABLE, folder)
        entry = checks.run("page")
        self.assertEqual(entry["findings"], [])
        self.assertGreater(len(checks.files["page.png"]), 20_000)


class Shell(WithPrograms):
    def shell(self, fault=""):
        return self.check("powershell", programs={"pwsh": SHELL}, fault=fault)

    def test_passes(self):
        entry = self.shell()
        self.assertEqual(entry["findings"], [])
        results = entry["data"]["pwsh"]
        self.assertEqual(results["example 1 of docs/api.md"], "passed")
        self.assertIn("left out", results["example 3 of docs/own-counters.md"])
        self.assertEqual(results["completion of winperf_exporter doc"], "passed")
        self.assertNotIn("example 2 of docs/automation.md", results)

    def test_findings(self):
        self.assertEqual(sentences(self.shell("Test-Run")), ["pwsh: example 1 of docs/api.md does not work"])
        self.assertEqual(len(sentences(self.shell("Test-Completion"))), 3)
        self.assertEqual(sentences(self.shell("end")), ["pwsh does not come to the script's end"])

    def test_no_shell(self):
        self.assertEqual(self.check("powershell")["verdict"], "absent")


class Load(unittest.TestCase):
    @thorough
    def test_a_minute(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        entry = Checks(EXECUTABLE, folder).run("load", "--minutes", "1")
        self.assertEqual(entry["findings"], [])
        processes = {process["process"]: process for process in entry["data"]["processes"]}
        self.assertEqual(set(processes), {"the server", "the worker registry", "the worker perflib", "the worker facts"})
        for process in processes.values():
            self.assertEqual(len(process["samples"]), 5)
            for key in ("cpu_seconds", "private_bytes", "handles", "threads", "switches"):
                self.assertGreater(process["samples"][-1][key], 0, key)
        self.assertGreater(processes["the server"]["samples"][-1]["recorder_bytes"], 0)
        self.assertRegex(entry["summary"], r"% of a processor, .* MiB, \d+ handles, \d+ threads, .* wake-ups a second")
        self.assertIn("growth was not judged, which takes at least 2 minutes", entry["summary"])
        self.assertEqual(entry["data"]["growth"]["judged"], [])
        self.assertEqual(entry["data"]["typeperf"], "there is no typeperf.exe")


if __name__ == "__main__":
    unittest.main()
