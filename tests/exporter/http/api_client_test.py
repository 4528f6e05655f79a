#!/usr/bin/env python3
"""A client that generators from npm make of the description of the API compiles, and reads every route of a simulated server.

    api_client_test.py EXECUTABLE SOURCE_DIRECTORY [unittest arguments]

Its packages are those of api_client/package-lock.json.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "tests/support"))
import npm_packages
import simulated_server
from thorough import thorough

CLIENT = ROOT / "tests/exporter/http/api_client"
SECONDS_TO_RUN = 60
MISSING = "NO NPM: the generated client of the API is not tried; install nodejs and npm"


def run(*command, seconds=SECONDS_TO_RUN, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


@thorough
@unittest.skipUnless(npm_packages.AVAILABLE, MISSING)
class ApiClient(unittest.TestCase):
    def test_it_compiles_and_reads_every_route(self):
        packages = npm_packages.installed_packages(CLIENT)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            shutil.copytree(CLIENT, folder, dirs_exist_ok=True)
            (folder / "node_modules").symlink_to(packages / "node_modules")
            tools = folder / "node_modules/.bin"
            run(tools / "openapi-typescript", ROOT / "docs/openapi.json", "-o", folder / "api.d.ts", cwd=folder)
            run(tools / "tsc", "--project", folder, cwd=folder)
            server = simulated_server.SimulatedServer(EXECUTABLE, folder)
            self.addCleanup(server.close)
            server.whole_page()
            read = run("node", folder / "client.js", server.url).split()
        routes = json.loads((ROOT / "docs/openapi.json").read_text())["paths"]
        self.assertEqual(sorted(read), sorted(routes), "client.ts reads every route")


if __name__ == "__main__":
    unittest.main()
