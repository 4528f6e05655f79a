#!/usr/bin/env python3
"""What a running exporter makes of text files that are large, strange, or changing: each costs itself alone.

    textfiles_test.py EXECUTABLE [unittest arguments]

How long things take is not judged here; with --report, it is printed.
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
import time
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from servers import DEADLINE_SECONDS, wait_until

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
REPORT = "--report" in sys.argv
if REPORT:
    sys.argv.remove("--report")
SECONDS_BETWEEN_READINGS = 1


def report(what, seconds):
    if REPORT:
        print(f"{what}: {seconds:.2f} s", flush=True)


class TextFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.folder = self.root / "textfile"
        self.folder.mkdir()
        self.write("good.prom", "good 1\n")

    def write(self, name, text):
        """As a program should: under another name, then renamed."""
        (self.folder / "new.tmp").write_text(text)
        (self.folder / "new.tmp").rename(self.folder / name)

    def start(self):
        config = self.root / "exporter.yaml"
        fact = {"name": "textfile", "folders": [str(self.folder)], "interval": f"{SECONDS_BETWEEN_READINGS}s"}
        config.write_text(json.dumps({"countersets": ["Memory"], "interval": "1s", "facts": [fact]}))
        self.log = self.root / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [EXECUTABLE, "run", "--config", config, "--listen", "127.0.0.1:0"], text=True, stdout=subprocess.PIPE,
                stderr=log, env={**os.environ, "WINPERF_SIMULATOR": "server"})
        self.addCleanup(self.end)
        self.url = self.process.stdout.readline().split()[-1].rstrip("/")
        self.began = time.monotonic()

    def end(self):
        self.process.kill()
        self.process.communicate()

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=DEADLINE_SECONDS) as answer:
            return answer.read().decode()

    def topic(self):
        """Empty before the first reading has ended."""
        topics = json.loads(self.get("/api/v1/facts?topic=textfile"))["topics"]
        return topics[0] if topics else {}

    def read(self, is_so=lambda topic: True):
        """What is known after a reading of which that is so."""
        def known():
            try:
                topic = self.topic()
            except urllib.error.HTTPError as error:
                self.assertEqual(error.code, 404, "nothing was read yet")
                return None
            return topic if topic.get("rows") and is_so(topic) else None
        return wait_until(known, self.log)

    def files(self, topic):
        return sorted(pathlib.Path(row["file"]).name for row in topic["rows"])

    def problems(self, topic):
        return {pathlib.Path(problem.split(": ")[0]).name: problem.split(": ", 1)[1] for problem in topic["problems"]}

    def scrape(self, what):
        began = time.monotonic()
        page = self.get("/metrics")
        report(f"{what}: a scrape of {len(page) / 2**20:.1f} MiB", time.monotonic() - began)
        return page

    def stop(self):
        """Like a service manager's."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(DEADLINE_SECONDS)
        report("the stop", time.monotonic() - began)
        self.assertEqual(code, 0, self.log.read_text())
        self.assertNotIn("did not end within", self.log.read_text())

    def worker_restarts(self, page):
        found = re.findall(r'(?m)^winperf_exporter_worker_restarts_total\{[^}]*worker="facts"[^}]*\} (\S+)$', page)
        return sum(map(float, found))

    def test_at_the_limits_each_file_costs_itself(self):
        self.write("backslashes.prom", 'b{x="' + "\\" * (16 * 2**20 - 20) + '"} 1\n')
        self.write("comments.prom", "#\n" * 5_000_000)
        self.start()
        topic = self.read()
        report("backslashes and comments: known", time.monotonic() - self.began)
        self.assertEqual(self.files(topic), ["good.prom"])
        self.assertEqual(self.problems(topic), {
            "backslashes.prom": "line 1: it is longer than 65536 bytes",
            "comments.prom": "line 500001: the file has more than 500000 lines"})
        page = self.scrape("backslashes and comments")
        self.assertIn("\ngood 1\n", page)
        self.assertIn("\nwinperf_textfile_error 1\n", page)
        self.assertIn('winperf_exporter_facts_problems{topic="textfile"} 2\n', page)
        self.assertEqual(self.worker_restarts(page), 0)
        self.assertIn("comments.prom: line 500001", self.log.read_text())
        self.stop()

    def test_240000_values_are_all_there(self):
        for number in range(3):
            label = f'f="{number}",long="' + "x" * 140
            self.write(f"{number}.prom", "".join(f'm{{{label}",i="{i}"}} {i}\n' for i in range(80_000)))
        self.start()
        topic = self.read()
        self.assertIn("good.prom", self.files(topic))
        # A slow machine needs several readings.
        topic = self.read(lambda topic: not topic["problems"])
        report("240,000 values: known", time.monotonic() - self.began)
        self.assertEqual(self.files(topic), ["0.prom", "1.prom", "2.prom", "good.prom"])
        for _ in range(3):
            page = self.scrape("240,000 values")
        self.assertEqual(page.count("\nm{"), 240_000)
        self.assertEqual(self.worker_restarts(page), 0)
        request = urllib.request.Request(self.url + "/metrics", headers={"Accept-Encoding": "gzip"})
        for _ in range(2):
            began = time.monotonic()
            with urllib.request.urlopen(request, timeout=DEADLINE_SECONDS) as answer:
                answer.read()
            report("240,000 values: a compressed scrape", time.monotonic() - began)
        if REPORT:
            self.report_costs()
        self.stop()

    def report_costs(self):
        """Of ten readings, in none or each of which one small file is another."""
        def ten_readings(what, between):
            before = self.cpu_seconds()
            for _ in range(10):
                between()
                time.sleep(SECONDS_BETWEEN_READINGS)
            report(f"240,000 values: CPU of 10 readings, {what}", self.cpu_seconds() - before)
        time.sleep(5 * SECONDS_BETWEEN_READINGS)  # what was written just now is read once more
        ten_readings("without news", lambda: None)
        ten_readings("a small file changes", lambda: self.write("good.prom", f"good {time.monotonic_ns()}\n"))
        used = re.search(r"VmHWM:\s*(\d+) kB", pathlib.Path(f"/proc/{self.process.pid}/status").read_text())[1]
        print(f"240,000 values: {int(used) // 1024} MiB of memory at most", flush=True)

    def cpu_seconds(self):
        """Of the exporter and its workers."""
        total = 0
        for process in [self.process.pid, *self.workers()]:
            fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return total

    def test_a_stop_is_quick_while_much_is_read(self):
        for number in range(3):
            self.write(f"{number}.prom", "".join(f'm{{f="{number}",i="{i}",x="{"x" * 120}"}} 1\n' for i in range(80_000)))
        self.start()
        wait_until(lambda: self.process.poll() is None and self.get("/-/healthy"), "it serves")
        self.stop()

    def test_what_is_no_file_is_named(self):
        os.mkfifo(self.folder / "fifo.prom")
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(str(self.folder / "socket.prom"))
        (self.folder / "zero.prom").symlink_to("/dev/zero")
        (self.folder / "loop.prom").symlink_to(self.folder / "loop.prom")
        (self.folder / "nothing.prom").symlink_to(self.folder / "absent")
        (self.folder / "linked.prom").symlink_to(self.root / "elsewhere")
        (self.root / "elsewhere").write_text("linked 1\n")
        (self.folder / "folder.prom").mkdir()  # a folder like others, which are looked into
        with (self.folder / "large.prom").open("w") as large:
            large.truncate(2**30)
        self.start()
        topic = self.read()
        self.assertEqual(self.files(topic), ["good.prom", "linked.prom"])
        problems = self.problems(topic)
        for name in ("fifo.prom", "socket.prom", "zero.prom"):
            self.assertEqual(problems.pop(name), "it is not a regular file", name)
        self.assertIn("cannot be read", problems.pop("loop.prom"))
        self.assertEqual(problems, {"large.prom": "it is larger than the limit of 16777216 bytes"})
        self.stop()

    def test_of_10000_files_1000_are_read(self):
        for number in range(10_000):
            (self.folder / f"{number:05}.prom").write_text(f"m{number} 1\n")
        self.start()
        topic = self.read()
        report("10,000 files: known", time.monotonic() - self.began)
        self.assertEqual(len(topic["rows"]), 1000)
        self.assertEqual(len(topic["problems"]), 1)
        self.assertRegex(topic["problems"][0], "more than 1000 text files; .*01000.prom and later ones")
        self.stop()

    def test_files_that_change_all_the_time_cost_no_other(self):
        self.write("swapped.prom", "swapped 1\n")
        self.start()
        self.read()
        done = threading.Event()

        def change():
            lines = 0
            with (self.folder / "growing.prom").open("w") as growing:
                while not done.is_set():
                    if lines < 400_000:
                        lines += growing.write("# grows\n" * 10) // 8
                        growing.flush()
                    self.write("swapped.prom", f"swapped {time.monotonic_ns()}\n")
        changing = threading.Thread(target=change)
        changing.start()
        try:
            values = set()
            deadline = time.monotonic() + 5 * SECONDS_BETWEEN_READINGS
            while time.monotonic() < deadline or len(values) < 2:
                page = self.get("/metrics")
                self.assertIn("\ngood 1\n", page)
                values.update(re.findall(r"(?m)^swapped (\S+)$", page))
                self.assertLess(time.monotonic(), deadline + DEADLINE_SECONDS)
        finally:
            done.set()
            changing.join()
        self.read(lambda topic: not topic["problems"] and len(topic["rows"]) == 3)
        self.assertEqual(self.worker_restarts(self.get("/metrics")), 0, self.log.read_text())
        self.stop()

    def test_a_worker_that_is_killed_loses_nothing(self):
        self.write("a.prom", "a 1\n")
        self.start()
        self.read()
        for _ in range(3):
            for process in self.workers():
                os.kill(process, signal.SIGKILL)
            before = self.topic()["duration_seconds"]
            topic = self.read(lambda topic, before=before: topic["duration_seconds"] != before)
            self.assertEqual(self.files(topic), ["a.prom", "good.prom"])
        self.write("a.prom", "a 2\n")
        wait_until(lambda: "\na 2\n" in self.get("/metrics"), "the new value")
        self.stop()

    def workers(self):
        found = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(self.process.pid)], capture_output=True, text=True,
                               check=True).stdout
        return [int(line.split()[0]) for line in found.splitlines() if re.search(r"worker.* facts\b", line)]


if __name__ == "__main__":
    unittest.main()
