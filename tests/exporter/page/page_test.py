#!/usr/bin/env python3
"""The page in a real browser: what cases/*.test.mjs try on the simulated server, and unit/*.test.mjs of the page's pure modules.

    page_test.py EXECUTABLE SOURCE_DIRECTORY FILE [arguments of node --test]

FILE is one of them, or "unit" for all that need no browser.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "tests/support"))
import npm_packages

HERE = ROOT / "tests/exporter/page"
WANTED, ARGUMENTS = sys.argv[1], sys.argv[2:]
FILES = sorted((HERE / "unit").glob("*.test.mjs")) if WANTED == "unit" else [HERE / f"cases/{WANTED}.test.mjs"]
NEEDS_BROWSER = WANTED != "unit"
CHROMIUM = shutil.which("chromium")


@unittest.skipUnless(npm_packages.AVAILABLE, "NO NPM: the page is not tried; install nodejs and npm")
@unittest.skipUnless(CHROMIUM or not NEEDS_BROWSER, "NO CHROMIUM: the page is not tried in a browser; install chromium")
class Page(unittest.TestCase):
    def test_page(self):
        environment = {**os.environ, "WINPERF_SIMULATED": str(EXECUTABLE)}
        if NEEDS_BROWSER:
            environment |= {"WINPERF_CHROMIUM": CHROMIUM, "WINPERF_PAGE_PACKAGES": str(npm_packages.installed_packages(HERE))}
        done = subprocess.run(["node", "--test", "--test-reporter=spec", *ARGUMENTS, *FILES], env=environment)
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
