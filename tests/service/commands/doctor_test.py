#!/usr/bin/env python3
"""What doctor checks besides countersets, on the simulated server and this machine's loopback.

    doctor_test.py EXECUTABLE [unittest arguments]
"""

import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import together

load_tests = together.load_tests
EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
DEADLINE_SECONDS = 120
ENVIRONMENT = {**os.environ, "WINPERF_SIMULATOR": "server"}


def run(*arguments):
    return subprocess.run([EXECUTABLE, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=DEADLINE_SECONDS, env=ENVIRONMENT)


@contextlib.contextmanager
def listening():
    """Another program on a port of loopback."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


class Checks(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def file(self, text, name="config.yaml"):
        file = self.folder / name
        file.write_text(text)
        return file

    def config(self, port, facts="[os]", more="", name="config.yaml"):
        return self.file(f"{{listen: {{address: 127.0.0.1, port: {port}{more}}}, countersets: [System], facts: {facts}}}", name)

    def checks(self, config, exit_code=0):
        result = run("doctor", "--config", config, "--format", "json")
        self.assertEqual(result.returncode, exit_code, result.stdout + result.stderr)
        return {(entry["name"], entry["subject"]): entry for entry in json.loads(result.stdout)["checks"]}

    @contextlib.contextmanager
    def serving(self, config):
        """The port that an exporter with this configuration listens on."""
        server = subprocess.Popen([EXECUTABLE, "run", "--config", config], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True, env=ENVIRONMENT)
        try:
            yield server.stdout.readline().split()[-1].rstrip("/").rsplit(":", 1)[1], server.pid
        finally:
            server.send_signal(signal.SIGINT)
            self.assertEqual(server.wait(DEADLINE_SECONDS), 0)
            server.stdout.close()

    def test_facts_that_are_readable_and_not(self):
        checks = self.checks(self.config(0, facts="[services, {name: textfile, folders: ['%s']}]" % (self.folder / "none")))
        self.assertEqual(checks["facts", "services"]["status"], "ok")
        self.assertEqual(checks["facts", "services"]["sentence"], "13 rows")
        incomplete = checks["facts", "textfile"]
        self.assertEqual((incomplete["status"], incomplete["reason"]), ("warning", "facts_incomplete"))
        self.assertIn("none", incomplete["evidence"][0])
        self.assertNotIn("address", {check for check, _ in checks}, "port 0 is any free one")

    def test_a_free_port_has_no_exporter(self):
        with listening() as port:
            pass
        address = self.checks(self.config(port))["address", f"127.0.0.1:{port}"]
        self.assertEqual((address["status"], address["reason"]), ("warning", "exporter_not_running"))
        self.assertEqual(address["repair"][0]["command"], "winperf_exporter service start")

    def test_a_port_of_another_program(self):
        with listening() as port:
            address = self.checks(self.config(port), 1)["address", f"127.0.0.1:{port}"]
        self.assertEqual(address["reason"], "address_taken")
        self.assertIn(f"(process {os.getpid()})", address["sentence"])

    def test_an_exporter_that_is_scraped_and_one_that_is_not(self):
        with self.serving(self.config(0, name="server.yaml")) as (port, process):
            config, subject = self.config(port), f"127.0.0.1:{port}"
            for _ in range(2):  # the doctor itself doesn't count
                checks = self.checks(config)
                self.assertEqual(checks["address", subject]["status"], "ok")
                self.assertIn(f"(process {process})", checks["address", subject]["sentence"])
                self.assertEqual(checks["scrapes", subject]["sentence"], "not scraped yet")
                self.assertEqual(checks["scrapes", subject]["also"][0]["reason"], "never_scraped")
            urllib.request.urlopen(f"http://{subject}/metrics", timeout=DEADLINE_SECONDS).read()
            self.assertRegex(self.checks(config)["scrapes", subject]["sentence"],
                             r"^last scraped .* ago, by 1 client in the last 10 min$")

    def test_scrapes_that_nothing_says(self):
        config = self.file("{listen: {address: 127.0.0.1, port: 0}, countersets: [System], facts: [os], "
                           "metrics: {exporter: false}}", "server.yaml")
        with self.serving(config) as (port, _):
            scrapes = self.checks(self.config(port))["scrapes", f"127.0.0.1:{port}"]
        self.assertEqual((scrapes["status"], scrapes["reason"]), ("warning", "scrapes_unknown"))

    def test_certificates(self):
        for name in ("a", "b"):
            self.assertEqual(run("config", "self-signed", "--host", "localhost", "--days", "5", "--cert-file",
                                 self.folder / f"{name}.crt", "--key-file", self.folder / f"{name}.key").returncode, 0)
        self.file("tls_server_config: {cert_file: a.crt, key_file: a.key}", "web.yml")
        config = self.config(0, more=", web_config_file: web.yml")
        protection = self.checks(config)["protection", "127.0.0.1:0"]
        self.assertEqual((protection["status"], protection["reason"]), ("warning", "certificate_not_current"))
        self.file("tls_server_config: {cert_file: a.crt, key_file: b.key}", "web.yml")
        protection = self.checks(config, 1)["protection", "127.0.0.1:0"]
        self.assertEqual((protection["status"], protection["reason"]), ("failed", "certificate_unusable"))

    def test_the_table_ends_with_the_number_of_checks(self):
        result = run("doctor", "--config", self.config(0, facts="[os, volumes]"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(result.stdout.endswith("ok       facts os: 1 row\nok       facts volumes: 7 rows\n"
                                               "2 other checks: 2 ok, 0 with a warning, 0 failed\n"), result.stdout)

    def test_one_counterset_is_examined_alone(self):
        result = run("doctor", "System", "--config", self.config(0))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.splitlines()[-1], "1 counterset: 1 ok, 0 with a warning, 0 failed")


if __name__ == "__main__":
    unittest.main()
