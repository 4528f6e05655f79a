#!/usr/bin/env python3
"""Keys, passwords and their hashes are in nothing that the program says: no log, no answer, no output of a command.

    secrets_test.py EXECUTABLE [unittest arguments]
"""

import base64
import contextlib
import http.client
import json
import os
import pathlib
import signal
import ssl
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import tls_trial
import together

load_tests = together.load_tests
EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
DEADLINE_SECONDS = 90
PASSWORD, WRONG = "correct-horse", "battery-staple"
PATHS = ("/metrics", "/api/v1/sample", "/api/v1/discovery", "/version", "/health", "/-/healthy", "/-/ready", "/", "/none")


def run(*arguments, **options):
    return subprocess.run([EXECUTABLE, *arguments], capture_output=True, text=True, timeout=DEADLINE_SECONDS,
                          env={**os.environ, "WINPERF_SIMULATOR": ""}, **options)


def credentials(password):
    return base64.b64encode(f"alice:{password}".encode()).decode()


class Secrets(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.hash = run("config", "hash-password", "--cost", "4", input=PASSWORD + "\n").stdout.strip()
        self.assertRegex(self.hash, r"^\$2y\$04\$.{53}$")
        made = run("config", "self-signed", "--cert-file", self.folder / "a.crt", "--key-file", self.folder / "a.key")
        self.key = (self.folder / "a.key").read_text()
        self.said = {"config self-signed": made.stdout + made.stderr}
        self.web = {"tls_server_config": {"cert": (self.folder / "a.crt").read_text(), "key": self.key},
                    "basic_auth_users": {"alice": self.hash}}

    def write(self, name, text):
        file = self.folder / name
        tls_trial.replace(file, text if isinstance(text, str) else json.dumps(text))
        return file

    def note(self, *arguments, name=None):
        result = run(*arguments)
        self.said[name or " ".join(map(str, arguments))] = result.stdout + result.stderr
        return result

    def ask(self, url, path, method="GET", password=PASSWORD, **headers):
        client = http.client.HTTPSConnection(url.hostname, url.port, timeout=DEADLINE_SECONDS,
                                             context=ssl.create_default_context(cafile=self.folder / "a.crt"))
        with contextlib.closing(client):
            client.request(method, path, headers={"Authorization": "Basic " + credentials(password), **headers})
            answer = client.getresponse()
            text = answer.read().decode(errors="replace") + str(answer.headers)
            self.said[f"{method} {path} {password} {headers} {len(self.said)}"] = text
            return answer.status, text

    def tearDown(self):
        """What each test is about."""
        lines = [line for line in self.key.splitlines() if len(line) > 20]
        secrets = [PASSWORD, WRONG, credentials(PASSWORD), credentials(WRONG), self.hash, self.hash[7:29], self.hash[29:],
                   "PRIVATE KEY", *lines, *(line[10:30] for line in lines)]
        self.assertGreater(len(self.said), 3)
        for name, text in self.said.items():
            for secret in secrets:
                self.assertNotIn(secret, text, name)

    def test_a_server_says_none(self):
        for log_format in ("text", "json"):
            config = {"listen": {"address": "localhost", "port": tls_trial.free_port(), "web": self.web},
                      "log": {"file": "w.log", "level": "trace", "format": log_format}, "reload": {"http": True},
                      "countersets": ["System"]}
            file = self.write("w.yaml", config)
            server = subprocess.Popen([EXECUTABLE, "run", "--config", file], text=True, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, env={**os.environ, "WINPERF_SIMULATOR": ""})
            try:
                first = server.stdout.readline()
                url = urllib.parse.urlsplit(first.split()[-1])
                self.assertEqual(self.ask(url, "/metrics")[0], 200)
                self.assertEqual(self.ask(url, "/metrics", password=WRONG)[0], 401)
                for path in PATHS:
                    self.ask(url, path)
                    self.ask(url, path, Accept="application/openmetrics-text; version=1.0.0")
                self.assertEqual(self.ask(url, "/-/reload", method="POST")[0], 200)
                for wrong in self.wrong_webs():
                    self.write("w.yaml", {**config, "listen": {**config["listen"], "web": wrong}})
                    self.assertEqual(self.ask(url, "/-/reload", method="POST")[0], 500, wrong)
            finally:
                server.send_signal(signal.SIGINT)
                rest = server.communicate(timeout=DEADLINE_SECONDS)[0]
            self.assertEqual(server.returncode, 0)
            self.said[f"output of run, {log_format}"] = first + rest
            self.said[f"log, {log_format}"] = (self.folder / "w.log").read_text()
            self.assertIn("stopped", self.said[f"log, {log_format}"])
            (self.folder / "w.log").unlink()

    def wrong_webs(self):
        """Secrets in places of all kinds, as a slip of the hand puts them there."""
        tls, users = self.web["tls_server_config"], self.web["basic_auth_users"]
        yield {**self.web, "basic_auth_users": self.hash}
        yield {**self.web, "basic_auth_users": PASSWORD}
        yield {**self.web, "basic_auth_users": {"alice": PASSWORD}}
        yield {**self.web, "basic_auth_users": {f"alice {self.hash}": None}}
        yield {**self.web, "basic_auth_users": {f"alice={PASSWORD}": None}}
        yield {**self.web, self.hash: "alice"}
        yield {**self.web, "tls_server_config": self.key}
        yield {**self.web, "rate_limit": {"interval": PASSWORD, "burst": self.hash}}
        yield {**self.web, "http_server_config": {"http2": PASSWORD, "headers": {"X-Frame-Options": self.hash}}}
        for name in ("cert_file", "key_file", "client_ca_file", "client_auth_type", "min_version", "cipher_suites",
                     "prefer_server_cipher_suites"):
            yield {**self.web, "tls_server_config": {**tls, name: self.key}}
        yield {**self.web, "tls_server_config": {"cert": self.key, "key": self.key}}
        yield {**self.web, "tls_server_config": {"cert": tls["cert"], "key": self.key.replace("M", "N", 1)}}
        yield {"tls_server_config": {**tls, self.key.splitlines()[1]: 1}, "basic_auth_users": users}

    def test_commands_say_none(self):
        config = self.write("w.yaml", {"listen": {"address": "127.0.0.1", "port": 0, "web": self.web},
                                       "countersets": ["System"]})
        self.assertEqual(self.note("check-config", config).returncode, 0)
        self.assertEqual(self.note("check-config", "--format", "json", config).returncode, 0)
        self.assertEqual(self.note("check-config", "--file-alone", config).returncode, 0)
        for arguments in (("doctor",), ("doctor", "--format", "json"), ("query",), ("list",), ("metrics",)):
            self.note(*arguments, "--config", config)
        web = self.write("web.yml", self.web)
        self.assertEqual(self.note("check-config", "--web.config.file", web).returncode, 0)
        self.note("config", "set", config, "listen.web.rate_limit.burst=3")
        self.note("config", "set", config, "listen.web.tls_server_config.key=x")
        self.note("config", "set", config, "listen.web.basic_auth_users=x")
        capture = self.folder / "capture"
        self.assertEqual(self.note("capture", "--config", config, "--out", capture, "-n", "1").returncode, 0)
        files = [file for file in capture.rglob("*") if file.is_file()]
        self.assertGreater(len(files), 0)
        for file in files:
            self.said[str(file)] = file.read_text(encoding="latin1")

    def test_errors_say_none(self):
        for index, wrong in enumerate(self.wrong_webs()):
            web = self.write("web.yml", wrong)
            self.assertEqual(self.note("check-config", "--web.config.file", web, name=f"check {index}").returncode, 2, wrong)
            started = self.note("run", "--listen", "127.0.0.1:0", "--web.config.file", web, name=f"run {index}")
            self.assertEqual(started.returncode, 2, wrong)
        for index, text in enumerate((
                f"basic_auth_users:\n  {self.hash}: 1\n  {self.hash}: 2\n", f"{PASSWORD}1: a\n{PASSWORD}1: b\n",
                f"tls_server_config:\n{self.key}", self.key, f"basic_auth_users: {{prom \"{self.hash}\"}}",
                f"basic_auth_users: {{prom {PASSWORD}}}", f"basic_auth_users:\n  prom {self.hash}:\n",
                f"basic_auth_users: {{prom: '{self.hash}}}")):
            web = self.write("web.yml", text)
            self.assertEqual(self.note("check-config", "--web.config.file", web, name=text[:20]).returncode, 2, text)


if __name__ == "__main__":
    unittest.main()
