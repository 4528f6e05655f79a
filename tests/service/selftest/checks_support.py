"""The selftest's checks on the simulated server, also with a program that does something wrong in the place of the real one."""

import json
import os
import pathlib
import subprocess
import sys
import zipfile

DEADLINE_SECONDS = 300
STAND_IN = pathlib.Path(__file__).resolve().parent / "stand_in.py"


def install(source, target):
    """Copies a program by another one: a file that this process has open for writing can't be started, and a test that runs at the
    same time may just have given it to a child."""
    subprocess.run(["/usr/bin/install", "-m", "755", source, target], check=True)


def install_text(text, target):
    source = target.with_name(target.name + ".text")
    source.write_text(text)
    install(source, target)


class Checks:
    """Runs `selftest --only CHECK` in a folder of its own."""

    def __init__(self, executable, folder):
        self.executable = executable
        self.folder = pathlib.Path(folder)

    def run(self, check, *arguments, fault="", scenario="server", **variables):
        """The report's entry of the check, and the names of the report's files."""
        out = self.folder / "report.zip"
        environment = {**os.environ, "WINPERF_SIMULATOR": scenario, "XDG_STATE_HOME": str(self.folder), "HOME": str(self.folder), **variables}
        if fault:
            program = self.folder / "program"
            install_text(f"#!/bin/sh\nexec {sys.executable} {STAND_IN} {self.executable} '{fault}' \"$@\"\n", program)
            environment["WINPERF_SIMULATOR_PROGRAM"] = str(program)
        result = subprocess.run([self.executable, "selftest", "--only", check, "--out", out, *arguments], text=True,
                                capture_output=True, stdin=subprocess.DEVNULL, timeout=DEADLINE_SECONDS, env=environment)
        if result.returncode not in (0, 1) or not out.is_file():
            raise AssertionError(f"exit code {result.returncode}: {result.stdout}{result.stderr}")
        with zipfile.ZipFile(out) as archive:
            self.files = {name: archive.read(name) for name in archive.namelist()}
        report = json.loads(self.files["report.json"])
        entry = next(entry for entry in report["checks"] if entry["id"] == check)
        entry["exit_code"] = result.returncode
        return entry


def sentences(entry):
    return [finding["sentence"] for finding in entry["findings"]]
