#!/usr/bin/env python3
"""capture --from-recorder: what a running exporter remembers, as a file that replays.

    from_recorder_test.py EXECUTABLE [unittest arguments]
"""

import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.request
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import simulated_server
from servers import wait_until

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
DEADLINE_SECONDS = 120
LEAST_SAMPLES = 4


def run(*arguments, folder):
    return subprocess.run([EXECUTABLE, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=folder,
                          timeout=DEADLINE_SECONDS, env={**os.environ, "WINPERF_SIMULATOR": "server"})


class Refusing(http.server.BaseHTTPRequestHandler):
    """Answers with `status`, `document` and `headers`."""
    status, document, headers_sent = 200, {}, {}

    def do_GET(self):
        body = json.dumps(self.document).encode()
        self.send_response(self.status)
        for name, value in {"Content-Length": str(len(body)), **self.headers_sent}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class FromRecorder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.server = simulated_server.SimulatedServer(EXECUTABLE, cls.folder)
        cls.addClassCleanup(cls.server.close)
        cls.server.whole_page()
        wait_until(lambda: cls.sequence() > LEAST_SAMPLES, "some samples")

    @classmethod
    def sequence(cls):
        with urllib.request.urlopen(cls.server.url + "/api/v1/sample?counterset=Memory") as answer:
            return json.load(answer)["sequence"]

    def capture(self, name, *options, url=None):
        return run("capture", "--from-recorder", "--url", url or self.server.url, "-o", name, *options, folder=self.folder)

    def test_replays(self):
        result = self.capture("it.zip")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"^it\.zip: \d+ bytes from http://127\.0\.0\.1:\d+\n")
        with zipfile.ZipFile(self.folder / "it.zip") as archive:
            self.assertIsNone(archive.testzip())
            manifest = json.loads(archive.read("capture.json"))
        self.assertGreaterEqual(manifest["samples"], LEAST_SAMPLES)
        self.assertEqual(manifest["problems"], [])
        names = {counterset["name"] for counterset in manifest["countersets"]}
        self.assertLessEqual({"Memory", "Process", "Processor Information", "LogicalDisk"}, names)
        query = run("query", "--source", "replay:it.zip", "--format", "json", folder=self.folder)
        self.assertEqual((query.returncode, query.stderr), (0, ""))
        samples = [json.loads(line) for line in query.stdout.splitlines()]
        self.assertEqual(len(samples), manifest["samples"])
        rates = [value for sample in samples for value in sample["values"]
                 if value["counter"] == "% Processor Time" and value["instance"] == "_Total" and value["cooked"] is not None]
        self.assertGreater(len(rates), 1)
        listed = run("list", "--source", "replay:it.zip", folder=self.folder)
        self.assertEqual((listed.returncode, listed.stderr), (0, ""))

    def test_of_one_counterset_scrubbed(self):
        result = self.capture("scrubbed.zip", "--counterset", "Process", "--since", "10m", "--scrub")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        query = run("query", "--source", "replay:scrubbed.zip", "--format", "json", folder=self.folder)
        self.assertEqual(query.returncode, 0, query.stderr)
        values = [value for line in query.stdout.splitlines() for value in json.loads(line)["values"]]
        self.assertEqual({value["object"] for value in values}, {"Process"})
        self.assertNotIn("sqlservr", {value["instance"] for value in values})

    def test_nothing_is_overwritten_or_left(self):
        (self.folder / "there.zip").write_text("mine")
        self.assertIn("there.zip already exists", self.capture("there.zip").stderr)
        self.assertIn("choose a name that ends in .zip", self.capture("folder").stderr)
        result = self.capture("none.zip", "--counterset", "Memry")
        self.assertIn("did you mean", result.stderr)
        self.assertEqual(result.returncode, 1)
        self.assertEqual([path.name for path in self.folder.glob("*.partial")], [])
        self.assertFalse((self.folder / "none.zip").exists())

    def test_says_why_there_is_none(self):
        result = self.capture("x.zip", url="http://127.0.0.1:9")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("nothing listens at http://127.0.0.1:9; start the exporter, or specify its address with --url", result.stderr)
        self.assertIn("--url http://127.0.0.1:10182", self.capture("x.zip", url="10182").stderr)
        self.assertIn('curl -G -o x.zip --data-urlencode "since=1h" https://it:1/api/v1/recording',
                      self.capture("x.zip", "--since", "1h", url="https://it:1").stderr)

    def test_says_why_it_is_refused(self):
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.addCleanup(server.shutdown)
            url = f"http://127.0.0.1:{server.server_port}"
            for status, document, headers, sentence in [
                    (401, {}, {}, "curl -u USER -G -o x.zip"),
                    (403, {"detail": "not served; add api to listen.serve"}, {}, "refuses access: not served; add api to listen.serve"),
                    (404, {}, {}, "an exporter of an older version"),
                    (429, {"detail": "another one is made"}, {"Retry-After": "7"}, "another one is made; try again in 7 s"),
                    (503, {"detail": "recorder.memory is 0"}, {}, "recorder.memory is 0"),
                    (500, {"detail": "broken"}, {}, "status 500: broken"),
                    (200, {}, {"Content-Length": "100"}, "did not send a complete answer")]:
                with self.subTest(status=status):
                    Refusing.status, Refusing.document, Refusing.headers_sent = status, document, headers
                    result = self.capture("x.zip", url=url)
                    self.assertEqual(result.returncode, 1)
                    self.assertIn(sentence, result.stderr)
            self.assertEqual(list(self.folder.glob("x.zip*")), [])

    def test_options_that_belong_together(self):
        result = self.capture("x.zip", "--samples", "3")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--samples cannot be combined with --from-recorder", result.stderr)
        self.assertEqual(run("capture", "-o", "x.zip", "--since", "1h", folder=self.folder).returncode, 2)


if __name__ == "__main__":
    unittest.main()
