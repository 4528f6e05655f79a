#!/usr/bin/env python3
"""A running program whose configuration is changed, on the simulated machine: by the file, a signal and a request.

    reload_test.py EXECUTABLE [unittest arguments]
"""

import contextlib
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import together

load_tests = together.load_tests
EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
DEADLINE_SECONDS = 60
# Systems give other ports to those who take any.
PORTS = iter(random.sample(range(20000, 32000), 12000))


def free_port():
    for port in PORTS:
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


def fetch(url, method="GET"):
    """Status and body, whatever the status is."""
    request = urllib.request.Request(url, method=method)
    try:
        with urllib.request.urlopen(request, timeout=DEADLINE_SECONDS) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def value(page, series):
    found = re.search(rf"(?m)^{re.escape(series)} (\S+)$", page)
    return float(found[1]) if found else None


class Reload(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.file = self.folder / "exporter.yaml"

    def configure(self, **keys):
        keys = {"interval": "1s", "countersets": ["System"], **keys}
        fresh = self.folder / "exporter.new"
        fresh.write_text(json.dumps(keys, indent=1))
        fresh.replace(self.file)

    def start(self, *arguments, listen="127.0.0.1:0"):
        listen_arguments = ["--listen", listen] if listen else []
        self.errors = self.folder / "stderr"
        with self.errors.open("w") as errors:
            self.server = subprocess.Popen(
                [EXECUTABLE, "run", "--config", self.file, *listen_arguments, *arguments], text=True,
                stdout=subprocess.PIPE, stderr=errors, env={**os.environ, "WINPERF_SIMULATOR": ""})
        self.addCleanup(self.stop)
        self.url = self.server.stdout.readline().split()[-1].rstrip("/")

    def stop(self):
        self.server.send_signal(signal.SIGINT)
        self.assertEqual(self.server.wait(DEADLINE_SECONDS), 0)
        self.server.stdout.close()

    def page(self):
        return fetch(self.url + "/metrics")[1]

    def own(self, name):
        return value(self.page(), "winperf_exporter_" + name)

    def attempts(self, counterset):
        return self.own(f'counterset_attempts_total{{counterset="{counterset}"}}')

    def until(self, what, condition):
        deadline = time.monotonic() + DEADLINE_SECONDS
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                if condition():
                    return
            time.sleep(0.05)
        self.fail(f"not in time: {what}; {self.errors.read_text()}")

    def test_a_changed_file_is_taken_and_what_stays_goes_on(self):
        self.configure()
        self.start()
        self.until("two samples", lambda: (self.attempts("System") or 0) >= 2)
        before = self.own("config_last_reload_success_timestamp_seconds")
        self.configure(countersets=["Processor Information", "System"], metrics={"values": "cooked"})
        attempts = 'winperf_exporter_counterset_attempts_total{counterset="%s"}'

        def pair():
            page = self.page()
            new, old = (value(page, attempts % name) for name in ("Processor Information", "System"))
            return (new, old) if new else None

        self.until("a new counterset", pair)
        new, old = pair()
        self.assertGreaterEqual(old - new, 2, "it did not begin anew")
        self.until("cooked values", lambda: "winperf_cpu_processor_time_percent" in self.page())
        self.assertEqual(self.own("config_last_reload_successful"), 1)
        self.assertEqual(self.own("config_reloads_total"), 1)
        self.assertGreater(self.own("config_last_reload_success_timestamp_seconds"), before)
        self.configure(countersets=["Thing"])
        self.server.send_signal(signal.SIGHUP)
        self.until("the others gone", lambda: self.attempts("System") is None and self.attempts("Thing"))
        self.assertNotIn("winperf_system_", self.page())

    def test_a_bad_file_changes_nothing_and_is_reported(self):
        self.configure(log={"format": "json"})
        self.start()
        self.file.write_text('{interval: 1s,\n countersets: ["Thing"],\n metrics: {vlues: raw}}\n')
        self.until("a failure", lambda: self.own("config_last_reload_successful") == 0)
        self.assertEqual(self.own("config_reload_failures_total"), 1)
        self.assertIsNone(self.attempts("Thing"))
        self.until("the counterset goes on", lambda: (self.attempts("System") or 0) >= 2)
        logged = [json.loads(line) for line in self.errors.read_text().splitlines()]
        failed = [line["message"] for line in logged if line["event"] == "reload_failed"]
        self.assertEqual(len(failed), 1)
        self.assertIn('exporter.yaml:3:12: unknown key "vlues"', failed[0])
        self.assertIn('"values"', failed[0])

    def test_a_file_that_goes_is_a_failure_until_it_comes_back(self):
        self.configure()
        self.start()
        self.file.unlink()
        self.until("a failure", lambda: self.own("config_reload_failures_total") == 1)
        self.assertEqual(self.own("config_last_reload_successful"), 0)
        self.configure(countersets=["Thing"])
        self.until("success", lambda: self.own("config_last_reload_successful") == 1)
        self.until("the new counterset", lambda: self.attempts("Thing"))

    def test_a_request_reloads_where_that_is_allowed(self):
        self.configure(reload={"on_change": False, "http": True})
        self.start()
        self.configure(countersets=["Thing"], reload={"on_change": False, "http": True})
        self.assertEqual(fetch(self.url + "/-/reload", "POST"), (200, "reloaded\n"))
        self.until("the new counterset", lambda: self.attempts("Thing"))
        self.file.write_text("{listen: {port: 70000}}")
        status, text = fetch(self.url + "/-/reload", "POST")
        self.assertEqual(status, 500)
        self.assertIn("exporter.yaml:1:17: ", text)
        self.configure(reload={"http": False})
        self.assertEqual(fetch(self.url + "/-/reload", "POST")[0], 200)
        status, text = fetch(self.url + "/-/reload", "POST")
        self.assertEqual(status, 403)
        self.assertIn("reload.http", text)
        self.assertEqual(fetch(self.url + "/-/reload")[0], 405)

    def test_a_signal_reloads(self):
        self.configure(reload={"on_change": False})
        self.start()
        self.configure(countersets=["Thing"], reload={"on_change": False})
        self.server.send_signal(signal.SIGHUP)
        self.until("the new counterset", lambda: self.attempts("Thing"))

    def test_a_stop_that_comes_twice_at_once_is_one(self):
        self.configure()
        self.start()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGTERM):
            self.server.send_signal(number)
        self.assertEqual(self.server.wait(DEADLINE_SECONDS), 0)
        self.assertIn("stopped", self.errors.read_text())

    def test_another_port_is_listened_to_and_the_old_one_given_up(self):
        first, second = free_port(), free_port()
        allowed = {"on_change": False, "http": True}
        self.configure(listen={"address": "127.0.0.1", "port": first}, reload=allowed)
        self.start(listen=None)
        self.configure(listen={"address": "127.0.0.1", "port": second}, reload=allowed)
        self.assertEqual(fetch(self.url + "/-/reload", "POST")[0], 200)
        old, self.url = self.url, f"http://127.0.0.1:{second}"
        self.assertEqual(self.own("config_reloads_total"), 1)
        self.until("the old port is closed", lambda: self.refused(old))

    def refused(self, url):
        try:
            fetch(url)
        except urllib.error.URLError as error:
            return isinstance(error.reason, ConnectionRefusedError)
        return False

    def test_another_address_on_the_same_port(self):
        port = free_port()
        allowed = {"on_change": False, "http": True}
        self.configure(listen={"address": "127.0.0.1", "port": port}, reload=allowed)
        self.start(listen=None)
        self.configure(listen={"address": "localhost", "port": port}, reload=allowed)
        self.assertEqual(fetch(self.url + "/-/reload", "POST"), (200, "reloaded\n"))
        self.url = f"http://localhost:{port}"
        self.assertEqual(self.own("config_reloads_total"), 1)

    def test_a_port_that_is_taken_changes_nothing(self):
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            taken = other.getsockname()[1]
            self.configure(listen={"address": "127.0.0.1", "port": free_port()},
                           reload={"on_change": False, "http": True})
            self.start(listen=None)
            self.configure(listen={"address": "127.0.0.1", "port": taken}, countersets=["Thing"])
            status, text = fetch(self.url + "/-/reload", "POST")
            self.assertEqual(status, 500)
            self.assertIn(f"cannot listen on 127.0.0.1:{taken}", text)
        self.assertEqual(self.own("config_last_reload_successful"), 0)
        self.until("what was sampled goes on", lambda: (self.attempts("System") or 0) >= 2)

    def test_an_address_that_cannot_be_had_leaves_the_port_alone(self):
        self.configure(listen={"address": "127.0.0.1", "port": 0}, reload={"on_change": False, "http": True})
        self.start(listen=None)
        port = int(self.url.rpartition(":")[2])
        inherited = self.listeners(port)
        self.assertEqual(len(inherited), 1)
        # An address for documentation, which no machine has.
        self.configure(listen={"address": "192.0.2.1", "port": 0}, reload={"on_change": False, "http": True})
        self.assertEqual(fetch(self.url + "/-/reload", "POST")[0], 500)
        self.assertEqual(self.listeners(port), inherited)

    def listeners(self, port):
        """The inodes of the sockets that listen on the port."""
        rows = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return [row[9] for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "0A"]

    def test_a_port_that_was_lost_on_the_way_is_had_again(self):
        """The address changes and the port stays, and another program takes the port in between."""
        with socket.socket() as thief:
            thief.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            thief.bind(("127.0.0.1", 0))
            port = thief.getsockname()[1]
            listens = [{"address": address, "port": port} for address in ("127.0.0.1", "0.0.0.0")]
            self.configure(listen=listens[0], reload={"on_change": False})
            self.start(listen=None)
            stolen, ended = threading.Event(), threading.Event()

            def steal():
                while not (stolen.is_set() or ended.is_set()):
                    with contextlib.suppress(OSError):
                        thief.listen()
                        stolen.set()

            stealing = threading.Thread(target=steal)
            stealing.start()
            self.addCleanup(stealing.join)
            self.addCleanup(ended.set)

            def reloads():
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=1) as response:
                    return value(response.read().decode(), "winperf_exporter_config_reloads_total")

            deadline = time.monotonic() + DEADLINE_SECONDS
            for turn in range(1, 10_000):
                self.configure(listen=listens[turn % 2], reload={"on_change": False})
                self.server.send_signal(signal.SIGHUP)
                self.until("an outcome", lambda: stolen.is_set() or reloads() == turn)
                if stolen.is_set() or time.monotonic() > deadline:
                    break
            self.assertTrue(stolen.is_set())
        self.until("it listens again", lambda: fetch(f"http://127.0.0.1:{port}/-/healthy")[0] == 200)

    def test_the_command_line_goes_before_the_file(self):
        self.configure(reload={"http": True})
        self.start()
        self.configure(listen={"port": free_port()}, reload={"http": True})
        self.assertEqual(fetch(self.url + "/-/reload", "POST")[0], 200)
        self.assertEqual(fetch(self.url + "/-/healthy")[0], 200)

    def test_the_log_moves(self):
        self.configure(reload={"http": True, "on_change": False})
        self.start()
        self.configure(reload={"http": True, "on_change": False}, log={"file": "other.log", "format": "json"})
        self.assertEqual(fetch(self.url + "/-/reload", "POST")[0], 200)
        events = [json.loads(line)["event"] for line in (self.folder / "other.log").read_text().splitlines()]
        self.assertEqual(events, ["reloaded"])
        self.configure(reload={"http": True, "on_change": False}, log={"file": "nowhere\0"}, countersets=["Thing"])
        self.assertEqual(fetch(self.url + "/-/reload", "POST")[0], 500)

    def test_no_scrape_is_lost_and_no_counterset_missing(self):
        self.configure(reload={"http": True, "on_change": False})
        self.start()
        self.until("a sample", lambda: self.attempts("System"))
        bad, ended, scrapes = [], threading.Event(), 0

        def scrape():
            nonlocal scrapes
            while not ended.is_set():
                try:
                    status, page = fetch(self.url + "/metrics")
                    if status != 200 or "winperf_system_" not in page:
                        bad.append((status, page[:200]))
                except OSError as error:
                    bad.append(error)
                scrapes += 1

        scraper = threading.Thread(target=scrape)
        scraper.start()
        try:
            for i in range(30):
                extra = ["Thing"] if i % 2 else ["Every Type"]
                self.configure(countersets=[*extra, "System"], metrics={"total_instances": i % 3 == 0},
                               reload={"http": True, "on_change": False})
                self.assertEqual(fetch(self.url + "/-/reload", "POST")[0], 200)
        finally:
            ended.set()
            scraper.join()
        self.assertEqual(bad, [])
        self.assertGreater(scrapes, 0)
        self.assertEqual(self.own("config_reload_failures_total"), 0)


if __name__ == "__main__":
    unittest.main()
