#!/usr/bin/env python3
"""/api/v1/doctor of a simulated server: a diagnosis by a worker, equal to that of the command doctor.

    doctor_route_test.py EXECUTABLE [unittest arguments]
"""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import servers
import together

load_tests = together.load_tests
EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
DEADLINE_SECONDS = 240
COUNTERSETS = ["Memory", "Process", "Web Service", "Nope", "Memry"]
NUMBER = re.compile(r"\d+")


class Server:
    """Runs as the test says, until it is closed."""

    def __init__(self, folder, scenario="server", more=(), config=None):
        self.environment = {**os.environ, "WINPERF_SIMULATOR": scenario}
        self.folder = folder
        self.config = folder / "config.yaml"
        self.config.write_text(json.dumps({"countersets": COUNTERSETS, "facts": ["os"], "interval": "1s", **(config or {})}))
        # By a name that only this working folder explains.
        self.process = subprocess.Popen([EXECUTABLE, "run", "--config", "config.yaml", *more], cwd=folder, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment)
        self.url = self.process.stdout.readline().split()[-1].rstrip("/")

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=DEADLINE_SECONDS)
        return self.process.returncode, errors

    def close(self):
        if self.process.poll() is None:
            self.stop()

    def get(self, path, method="GET"):
        """Status and body."""
        request = urllib.request.Request(self.url + path, method=method)
        try:
            with urllib.request.urlopen(request, timeout=DEADLINE_SECONDS) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def workers(self):
        """The names of the running worker processes that diagnose."""
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
                parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue  # it has ended
            if parent == self.process.pid and b"doctor" in words:
                found.append(int(folder.name))
        return found


class DoctorRoute(unittest.TestCase):
    def server(self, **options):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        server = Server(folder, **options)
        self.addCleanup(server.process.stderr.close)
        self.addCleanup(server.process.stdout.close)
        self.addCleanup(server.close)
        return server

    def by_command(self, server):
        done = subprocess.run([EXECUTABLE, "doctor", "--config", server.config, "--format", "json"], capture_output=True, text=True,
                              timeout=DEADLINE_SECONDS, env=server.environment)
        return json.loads(done.stdout)

    def without_numbers(self, countersets):
        """Times and instances differ from run to run."""
        return NUMBER.sub("N", json.dumps(countersets, indent=1))

    def test_it_is_the_diagnosis_of_the_command(self):
        server = self.server(more=["--listen", "127.0.0.1:0"])
        status, body = server.get("/api/v1/doctor")
        self.assertEqual(status, 200, body)
        document = json.loads(body)
        expected = self.by_command(server)
        self.assertEqual([one["name"] for one in document["countersets"]], COUNTERSETS)
        self.assertEqual(document["summary"], expected["summary"])
        self.assertEqual(self.without_numbers(document["countersets"]), self.without_numbers(expected["countersets"]))
        self.assertEqual(document["source"], "registry")
        self.assertGreaterEqual(document["duration_seconds"], 0)
        checks = {check["name"]: check for check in document["checks"]}
        self.assertEqual(checks["facts"]["status"], "ok")
        self.assertNotIn("address", checks, "--listen has any free port")
        again = json.loads(server.get("/api/v1/doctor")[1])
        self.assertEqual(again["made_at"], document["made_at"])
        self.assertEqual(server.workers(), [])
        code, errors = server.stop()
        self.assertEqual((code, "doctor" in errors), (0, False), errors)

    def test_its_addresses_are_those_of_the_command_line(self):
        port = servers.free_port()
        server = self.server(more=["--listen", f"127.0.0.1:{port}"])
        document = json.loads(server.get("/api/v1/doctor")[1])
        address = [check for check in document["checks"] if check["name"] == "address"]
        self.assertEqual([(check["subject"], check["status"]) for check in address], [(f"127.0.0.1:{port}", "ok")])

    def test_a_failed_counterset_has_the_same_repair(self):
        server = self.server(more=["--listen", "127.0.0.1:0"])

        def failed():
            status, body = server.get("/api/v1/countersets")
            if status != 200:
                return None
            states = {one["name"]: one for one in json.loads(body)["countersets"]}
            return states if states["Memry"]["reason"] and states["Memory"]["status"] == "ok" else None

        states = servers.wait_until(failed, "all countersets sampled")
        diagnosed = {one["name"]: one for one in json.loads(server.get("/api/v1/doctor")[1])["countersets"]}
        self.assertEqual(states["Memory"]["repair"], [])
        self.assertIsNone(states["Memory"]["sentence"])
        for key in ("sentence", "repair"):
            self.assertEqual(states["Memry"][key], diagnosed["Memry"][key])
        self.assertIn("Memory", states["Memry"]["repair"][0]["text"])
        one = json.loads(server.get("/api/v1/countersets/Memry")[1])
        self.assertEqual(one["repair"], states["Memry"]["repair"])

    def asked_in_vain(self):
        """A server whose doctor waits for a program that doesn't answer: the server, its worker, and the thread and the answer of
        the client."""
        server = self.server(config={"listen": {"address": "127.0.0.1", "port": 0}, "reload": {"on_change": False}})
        silent = self.enterContext(socket.socket())
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        silent.settimeout(DEADLINE_SECONDS)
        # The worker reads the file anew, and asks for the metrics there.
        server.config.write_text(json.dumps({"countersets": ["Memory"], "listen": {"address": "127.0.0.1", "port": silent.getsockname()[1]}}))
        answers = []

        def ask():
            try:
                answers.append(server.get("/api/v1/doctor"))
            except OSError as error:
                answers.append(error)

        client = threading.Thread(target=ask)
        client.start()
        self.enterContext(silent.accept()[0])
        worker, = server.workers()
        os.kill(worker, signal.SIGSTOP)  # from now on it waits for ever
        return server, worker, client, answers

    def test_a_stop_ends_it(self):
        server, worker, client, answers = self.asked_in_vain()
        self.assertEqual(server.get("/api/v1/doctor")[0], 429)
        self.assertEqual(server.get("/api/v1/doctor", "HEAD")[0], 200)
        code, errors = server.stop()
        client.join(DEADLINE_SECONDS)
        self.assertEqual(code, 0, errors)
        self.assertFalse(client.is_alive())
        self.assertEqual(len(answers), 1)
        servers.wait_until(lambda: not pathlib.Path(f"/proc/{worker}").exists(), "the worker's end")

    def test_a_worker_that_is_lost_is_the_reason(self):
        server, worker, client, answers = self.asked_in_vain()
        os.kill(worker, signal.SIGKILL)
        client.join(DEADLINE_SECONDS)
        status, body = answers[0]
        self.assertEqual(status, 503)
        self.assertRegex(json.loads(body)["detail"], "^no diagnosis was made: doctor.diagnose")
        self.assertEqual(server.workers(), [])
        self.assertEqual(server.stop()[0], 0)

    def test_a_reload_forgets_it(self):
        server = self.server(more=["--listen", "127.0.0.1:0"], config={"reload": {"http": True}})
        first = json.loads(server.get("/api/v1/doctor")[1])
        server.config.write_text(json.dumps({"countersets": ["System"], "facts": ["os"], "reload": {"http": True}}))
        # On change, or because of this request.
        self.assertEqual(server.get("/-/reload", "POST")[0], 200)
        second = json.loads(server.get("/api/v1/doctor")[1])
        self.assertNotEqual(second["made_at"], first["made_at"])
        self.assertEqual([one["name"] for one in second["countersets"]], ["System"])

    def test_a_file_that_is_wrong_by_now_is_the_reason(self):
        server = self.server(more=["--listen", "127.0.0.1:0"], config={"reload": {"on_change": False}})
        server.config.write_text("intervall: 5s\n")
        status, body = server.get("/api/v1/doctor")
        self.assertEqual(status, 503)
        self.assertIn("intervall", json.loads(body)["detail"])

    def test_a_recording_has_none(self):
        first = self.server(more=["--listen", "127.0.0.1:0"])
        capture = first.folder / "it.zip"
        subprocess.run([EXECUTABLE, "capture", "--out", capture, "--samples", "2"], check=True, capture_output=True,
                       timeout=DEADLINE_SECONDS, env=first.environment)
        server = self.server(more=["--listen", "127.0.0.1:0", "--source", f"replay:{capture}"])
        status, body = server.get("/api/v1/doctor")
        self.assertEqual(status, 404)
        self.assertIn("recording", json.loads(body)["detail"])


if __name__ == "__main__":
    unittest.main()
