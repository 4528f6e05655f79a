#!/usr/bin/env python3
"""The pictures that README.md and docs have of the page are of this version of it, and each is shown somewhere.

    page_pictures_test.py EXECUTABLE SOURCE_DIRECTORY [unittest arguments]
"""

import json
import pathlib
import re
import sys
import tempfile
import unittest
import urllib.request

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "tests/support"))
import simulated_server

PICTURES = ROOT / "docs/pictures"


class Pictures(unittest.TestCase):
    def test_they_are_of_this_version(self):
        with tempfile.TemporaryDirectory() as folder:
            server = simulated_server.SimulatedServer(EXECUTABLE, pathlib.Path(folder), countersets=["Memory"])
            try:
                with urllib.request.urlopen(server.url, timeout=simulated_server.DEADLINE_SECONDS) as answer:
                    page = answer.read().decode()
            finally:
                server.close()
        if "uPlot" not in page:
            self.skipTest("NO NPM: this page has no charts, and the pictures have")
        taken = json.loads((PICTURES / "page.json").read_text())["version"]
        self.assertEqual(re.search(r"page/([0-9a-f]{12})/", page)[1], taken, "scripts/pictures takes them again")

    def test_each_is_shown(self):
        texts = "".join(file.read_text() for file in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
        names = {file.name for file in PICTURES.glob("page-*.png")}
        self.assertGreater(len(names), 5)
        self.assertEqual({name for name in names if f"pictures/{name}" not in texts}, set())


if __name__ == "__main__":
    unittest.main()
