#!/usr/bin/env python3
"""A soak test under Wine: failing providers, valid and invalid configuration changes, changing ports, and clients that
disconnect. At the end, the numbers of handles and threads and the memory are what they were in the middle.

    WINPERF_SOAK_SECONDS    duration in seconds (default: 45)
"""

import contextlib
import gzip
import json
import os
import pathlib
import re
import signal
import socket
import statistics
import sys
import threading
import time
import unittest
import urllib.parse
import urllib.request

from e2e_support import TESTS, WinePrefix, get, required, wait_until, windows_path

sys.path.insert(0, str(TESTS / "support"))
from thorough import THOROUGH

SECONDS = float(os.environ.get("WINPERF_SOAK_SECONDS", "45" if THOROUGH else "15"))
MIB = 1024 * 1024
# One in five calls of PerfLib's functions fails or returns a damaged reply. The seed makes runs repeatable.
SCENARIO = "random 20261121 5"
PLANS = [
    ["Processor Information", "System", "Memory"],
    ["Memory", {"name": "Process", "instances": {"exclude": ["Idle"]}}],
    [{"name": "Processor Information", "path": "registry"}, "Every Type", "Absent"],
    [{"name": "Every Type", "interval": "2s"}, "System", "Geometric Waves"],
]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Soak(unittest.TestCase):
    def setUp(self):
        self.prefix = self.enterContext(WinePrefix())
        registration = self.prefix.register()
        self.assertEqual(registration.code, 0, registration.errors)
        self.prefix.environment["WINPERF_SIMULATOR"] = SCENARIO
        self.file = self.prefix.folder / "exporter.yaml"
        self.port = free_port()
        self.configure(PLANS[0])
        self.exporter = self.prefix.start(windows_path(required("WINPERF_SIMULATED")), "run", "--config",
                                          windows_path(self.file))
        self.exporter.wait_for_line(r"listening on (http://127\.0\.0\.1:\d+)")
        self.moves = 0  # odd during a change of the port
        self.ended = threading.Event()
        self.scrapes = 0
        self.lost = []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def configure(self, countersets, **keys):
        self.file.write_text(json.dumps({
            "interval": "1s", "listen": {"address": "127.0.0.1", "port": self.port},
            "log": {"file": "exporter.log", "max_bytes": "64KiB", "max_files": 2},
            "reload": {"on_change": False, "http": True}, "countersets": countersets, **keys}))

    def scrape(self):
        """Scrapes without a pause. A failed request counts unless the port changed meanwhile."""
        while not self.ended.is_set():
            moves = self.moves
            try:
                request = urllib.request.Request(self.url + "/metrics", headers={"Accept-Encoding": "gzip"})
                with urllib.request.urlopen(request, timeout=30) as response:
                    gzip.decompress(response.read())
                self.scrapes += 1
            except (OSError, EOFError) as error:
                if moves == self.moves and moves % 2 == 0:
                    self.lost.append(repr(error))

    def break_off(self):
        """Connects, and disconnects before, during or after a request."""
        pieces = [b"", b"GET /met", b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", b"\0\xff garbage\r\n\r\n"]
        while not self.ended.is_set():
            for piece in pieces:
                with contextlib.suppress(OSError), \
                        socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
                    connection.sendall(piece)
                self.ended.wait(0.05)

    def reload(self, count):
        """Changes the configuration. Every fifth change is invalid, and every seventh changes the port."""
        plan = PLANS[count % len(PLANS)]
        if count % 5 == 4:
            self.configure(plan, intervall="1s")
            self.assertEqual(get(self.url + "/-/reload", 30, "POST")[0], 500)
            return
        old = self.url
        moves = count % 7 == 6
        if moves:
            self.moves += 1
            self.port = free_port()
        self.configure(plan, metrics={"values": "both" if count % 2 else "raw"}, log={"level": "warn" if count % 3 else "info"},
                       limits={"max_reply_bytes": "32MiB" if count % 11 == 10 else "64MiB"})
        status, text = get(old + "/-/reload", 30, "POST")
        self.moves += moves
        self.assertEqual(status, 200, f"reload {count}: {text}; exit code {self.exporter.popen.poll()}; "
                                      f"log: {self.exporter.log.read_text()[-2000:]} {self.log_tail()}")

    def log_tail(self):
        return (self.file.parent / "exporter.log").read_text()[-2000:]

    def measure(self):
        """Returns the exporter's resources. Wine doesn't count handles, so this counts Linux's file descriptors."""
        page = get(self.url + "/metrics", 30)[1]
        committed = float(re.search(r"(?m)^process_virtual_memory_bytes (\S+)$", page)[1])
        process = pathlib.Path(f"/proc/{self.exporter.popen.pid}")
        status = (process / "status").read_text()
        return {"handles": len(list((process / "fd").iterdir())),
                "committed MiB": committed / MIB,
                "threads": float(re.search(r"Threads:\s+(\d+)", status)[1]),
                "resident MiB": float(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024}

    def test_nothing_grows(self):
        wait_until(lambda: get(self.url + "/-/ready")[0] == 200, "the exporter has a sample")
        helpers = [threading.Thread(target=target) for target in (self.scrape, self.scrape, self.break_off)]
        for helper in helpers:
            helper.start()
        measures, count, began = [], 0, time.monotonic()
        try:
            while time.monotonic() - began < SECONDS:
                self.reload(count)
                measures.append(self.measure())
                count += 1
                self.ended.wait(0.25)
        finally:
            self.ended.set()
            for helper in helpers:
                helper.join()
        page = get(self.url + "/metrics")[1]
        faults = sum(float(value) for value in re.findall(r"(?m)^winperf_exporter_problems_total\S* (\S+)$", page))
        third = len(measures) // 3
        print(f"\n{count} reloads, {self.scrapes} scrapes, {faults:.0f} provider problems in {SECONDS:.0f} s")
        for name, slack in {"handles": 4, "threads": 2, "committed MiB": 2, "resident MiB": 3}.items():
            values = [measure[name] for measure in measures]
            middle, last = (statistics.median(part) for part in (values[third:2 * third], values[2 * third:]))
            print(f"  {name}: {values[0]:.1f} at the beginning, {middle:.1f} in the middle, {last:.1f} at the end,"
                  f" {max(values):.1f} at most")
            with self.subTest(name):
                self.assertLessEqual(last, middle + slack)
        self.assertEqual(self.lost, [])
        self.assertGreater(faults, 0, "the providers never failed")
        self.assertGreater(self.scrapes, count)
        self.assertEqual(self.exporter.end(signal.SIGINT), 0)


if __name__ == "__main__":
    unittest.main()
