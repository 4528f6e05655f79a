#!/usr/bin/env python3
"""The selftest's check of workers: the trial provider does harm in them, and workers of a server are ended from outside.

    workers_check_test.py EXECUTABLE [unittest arguments]
"""

import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import together
from checks_support import Checks, install, sentences
from thorough import thorough

load_tests = together.load_tests
EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
ENDS = {"crash": "crashed", "exit": "exited", "hang": "timed_out", "memory": "memory", "handles": "handles",
        "threads": "threads", "overrun": "crashed"}


class Workers(unittest.TestCase):
    def check(self, executable=EXECUTABLE, **options):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        return Checks(executable, folder).run("workers", **options)

    def test_passes(self):
        entry = self.check()
        self.assertEqual(entry["findings"], [])
        self.assertEqual(entry["verdict"], "passed", entry["summary"])
        self.assertEqual(entry["data"]["trial_provider"], "loaded")
        harms = entry["data"]["harms"]
        for harm, end in ENDS.items():
            self.assertIn(f"1 {end}", harms[harm]["worker"])
            self.assertEqual(harms[harm]["starts"], 2, harm)
        for harm in ("crash", "exit", "hang", "overrun", "lie"):
            self.assertIn(f'provider "trial_{harm}"', harms[harm]["error"])
        self.assertIn("winperf_exporter_trial.dll", harms["crash"]["harm"])
        self.assertEqual(harms["lie"]["starts"], 1)
        self.assertGreaterEqual(entry["data"]["ended_from_outside"], 2)  # that of the facts may begin later

    def alone(self, library=None):
        """The executable in a folder of its own, where the DLL is another file."""
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        executable = folder / EXECUTABLE.name
        install(EXECUTABLE, executable)
        for name in ("Faulty.dll",):
            if (EXECUTABLE.parent / name).exists():
                shutil.copy(EXECUTABLE.parent / name, folder)
        if library is not None:
            (folder / "winperf_exporter_trial.dll").write_bytes(library)
        return executable

    def test_without_the_library(self):
        entry = self.check(self.alone())
        self.assertEqual(entry["findings"], [])
        self.assertIn("winperf_exporter_trial.dll is not beside the program", entry["summary"])
        self.assertGreaterEqual(entry["data"]["ended_from_outside"], 2)  # that of the facts may begin later

    def test_a_library_that_cannot_be_loaded(self):
        entry = self.check(self.alone(b"no library"))
        self.assertEqual(sentences(entry), ["the trial provider cannot be read"])

    def test_a_server_without_workers(self):
        entry = self.check(fault="nothing")  # its workers are children of another process
        self.assertEqual(sentences(entry), ["the server has no worker that is its child"])

    def test_workers_that_do_not_start(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        shutil.copy(EXECUTABLE.parent / "winperf_exporter_trial.dll", folder)
        entry = Checks(EXECUTABLE, folder).run("workers", fault="no_worker")
        self.assertIn("the trial provider cannot be read", sentences(entry))

    def test_a_worker_that_is_not_needed_any_more_need_not_be_replaced(self):
        entry = self.check(self.alone(), fault="parted")
        self.assertEqual(entry["findings"], [])
        self.assertGreaterEqual(entry["data"]["ended_from_outside"], 2)  # that of the facts may begin later

    @thorough
    def test_a_worker_that_keeps_its_old_process(self):
        self.assertEqual(sentences(self.check(self.alone(), fault="old_process")), ["a worker that was ended is not replaced: registry"])

    @thorough
    def test_a_counterset_that_does_not_come_back(self):
        (finding,) = self.check(self.alone(), fault="lost_counterset")["findings"]
        self.assertEqual(finding["sentence"], "what workers read does not come back after they ended")
        self.assertEqual(finding["details"]["got"], 'without counterset="Memory"')

    @thorough
    def test_restarts_that_are_not_counted(self):
        self.assertEqual(sorted(sentences(self.check(fault="old_restarts"))),
                         [f"winperf_exporter_worker_restarts_total does not count it: {worker}"
                          for worker in ("facts", "perflib", "registry")])


if __name__ == "__main__":
    unittest.main()
