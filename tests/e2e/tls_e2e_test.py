#!/usr/bin/env python3
"""TLS, client certificates and passwords of the Windows executable, with a real Prometheus."""

import re
import sys
import unittest

from e2e_support import TESTS, WinePrefix, required, windows_path

sys.path.insert(0, str(TESTS / "support"))
import tls_trial
from thorough import LEFT, THOROUGH

# The native build tries them all.
SAMPLE = {"test_prometheus_with_a_client_certificate", "test_files_that_change_are_read_again"}


class Tls(tls_trial.Trial, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.prefix = cls.enterClassContext(WinePrefix())
        cls.executable = windows_path(required("WINPERF_EXPORTER"))

    def setUp(self):
        if not THOROUGH and self._testMethodName not in SAMPLE:
            self.skipTest(LEFT)
        self.prepare()

    def path(self, file):
        return windows_path(file)

    def start(self, *arguments):
        exporter = self.prefix.start(self.executable, *arguments)
        self.addCleanup(exporter.stop)
        line = exporter.wait_for_line(r"^listening on (.*)$")[1]
        return re.findall(r"https?://[^ ]+", line), exporter.output

    def check(self, *arguments):
        result = self.prefix.run(self.executable, "check-config", *arguments)
        return result.code, result.output + result.errors


if __name__ == "__main__":
    unittest.main()
