#!/usr/bin/env python3
"""TLS, client certificates and passwords of the Windows executable, with a real Prometheus."""

import re
import sys
import unittest

from e2e_support import TESTS, WinePrefix, required, windows_path

sys.path.insert(0, str(TESTS / "support"))
import tls_trial


class Tls(tls_trial.Trial, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.prefix = cls.enterClassContext(WinePrefix())
        cls.executable = windows_path(required("WINPERF_EXPORTER"))

    def setUp(self):
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
