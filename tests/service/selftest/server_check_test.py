#!/usr/bin/env python3
"""The selftest's check of the server: it passes on the simulated server, and finds what a server does wrong.

    server_check_test.py EXECUTABLE [unittest arguments]
"""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import together
from checks_support import Checks, sentences
from thorough import thorough

load_tests = together.load_tests
EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()


class Server(unittest.TestCase):
    def check(self, **options):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        return Checks(EXECUTABLE, folder).run("server", **options)

    def finds(self, fault, *wanted):
        entry = self.check(fault=fault)
        self.assertEqual(entry["verdict"], "findings", entry["summary"])
        self.assertEqual(entry["exit_code"], 1)
        self.assertEqual(sorted(sentences(entry)), sorted(wanted))
        return {finding["sentence"]: finding["details"] for finding in entry["findings"]}

    def test_passes(self):
        entry = self.check()
        self.assertEqual(entry["verdict"], "passed", entry["findings"])
        self.assertEqual(entry["exit_code"], 0)
        self.assertGreater(entry["data"]["api_answers"], 10)
        self.assertGreater(entry["data"]["steps"], 35)
        self.assertRegex(entry["data"]["tls"], r"^TLSv1\.[23]$")

    @thorough
    def test_the_stand_in_alone_changes_nothing(self):
        self.assertEqual(self.check(fault="nothing")["findings"], [])

    def test_no_start(self):
        details = self.finds("silent", "the server does not start", "the server with TLS does not start")
        self.assertIn("exit code 3", details["the server does not start"]["reason"])

    @thorough
    def test_end(self):
        details = self.finds("bad_exit", "the server does not end as it should after Ctrl-C")
        self.assertIn("exit code 3", details["the server does not end as it should after Ctrl-C"]["got"])

    @thorough
    def test_page(self):
        details = self.finds("twice", "several scrapers at once do not all get the page", "/metrics in OpenMetrics is wrong",
                             "/metrics with gzip is wrong", "/metrics is not compressed")
        self.assertRegex(details["several scrapers at once do not all get the page"]["got"], r"line \d+: .*is there twice")

    @thorough
    def test_formats(self):
        self.finds("no_gzip", "/metrics is not compressed")
        details = self.finds("no_openmetrics", "/metrics in OpenMetrics is wrong")
        self.assertIn("text/plain", details["/metrics in OpenMetrics is wrong"]["got"])

    @thorough
    def test_api(self):
        self.finds("bad_json", "/api/v1/workers is wrong")

    @thorough
    def test_commands(self):
        details = self.finds("no_certificate", "config self-signed fails", "config self-signed fails")
        self.assertIn("no randomness", details["config self-signed fails"]["got"])
        self.finds("no_hash", "config hash-password fails")

    @thorough
    def test_passwords(self):
        self.finds("no_passwords", "a wrong password is not refused", "a request without a password is not refused")

    def test_tls(self):
        details = self.finds("no_tls", "the server with TLS does not say so", "the right password over TLS is not let in",
                             "a wrong password is not refused", "a request without a password is not refused")
        self.assertIn("handshake", details["the right password over TLS is not let in"]["got"])


@thorough
class Patient(unittest.TestCase):
    """What takes the check's own patience."""

    def test_reload_and_end(self):
        for fault, wanted in (("no_reload", "a changed configuration is not in use"),
                              ("stubborn", "the server does not end as it should after Ctrl-C"),
                              ("dead_address", "the server does not become ready")):
            with self.subTest(fault), tempfile.TemporaryDirectory() as folder:
                self.assertIn(wanted, sentences(Checks(EXECUTABLE, folder).run("server", fault=fault)))


if __name__ == "__main__":
    unittest.main()
