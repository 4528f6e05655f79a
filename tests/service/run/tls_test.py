#!/usr/bin/env python3
"""TLS, client certificates and passwords of a program on the simulated machine, with a real Prometheus.

    tls_test.py EXECUTABLE [unittest arguments]
"""

import os
import pathlib
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import tls_trial
import together

load_tests = together.load_tests
EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()


class Tls(tls_trial.Trial, unittest.TestCase):
    def setUp(self):
        self.prepare()

    def path(self, file):
        return file

    def start(self, *arguments):
        errors = self.folder / "stderr"
        with errors.open("w") as stream:
            server = subprocess.Popen([EXECUTABLE, *arguments], text=True, stdout=subprocess.PIPE, stderr=stream,
                                      env={**os.environ, "WINPERF_SIMULATOR": ""})

        def stop():
            server.send_signal(signal.SIGINT)
            self.assertEqual(server.wait(60), 0)
            server.stdout.close()
        self.addCleanup(stop)
        return [word for word in server.stdout.readline().split() if word.startswith("http")], errors.read_text

    def check(self, *arguments):
        result = subprocess.run([EXECUTABLE, "check-config", *arguments], capture_output=True, text=True)
        return result.returncode, result.stdout + result.stderr


if __name__ == "__main__":
    unittest.main()
