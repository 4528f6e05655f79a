#!/usr/bin/env python3
"""What streams of events cost: the program on the simulated server with all countersets, sampled each second, alone, with two
scrapers each 5 s, and with them and 20 streams of 50 counters each. Fails if a sample was late, a stream ended, or one had
fewer events than samples. Call it through scripts/load --events."""

import argparse
import contextlib
import json
import os
import pathlib
import random
import re
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from servers import wait_until

STREAMS, COUNTERS = 20, 50
SCRAPERS, SCRAPE_SECONDS = 2, 5
READY_SECONDS = 60
PROFILES = ["winperf", "windows_exporter", "windows_exporter_legacy"]
LATE = re.compile(r'winperf_exporter_skipped_samples_total\{.*\} (\d+)')
TICKS = os.sysconf("SC_CLK_TCK")


class Exporter:
    def __init__(self, executable, folder):
        config = folder / "events.yaml"
        config.write_text(json.dumps({"countersets": ["*"], "interval": "1s", "metrics": {"profiles": PROFILES}}))
        self.log = folder / "events.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen([executable, "run", "--config", config, "--listen", "127.0.0.1:0"], text=True,
                                            env={**os.environ, "WINPERF_SIMULATOR": "server"}, stdout=subprocess.PIPE, stderr=log)
        self.url = next(word for word in self.process.stdout.readline().split() if word.startswith("http")).rstrip("/")
        self.port = urllib.parse.urlsplit(self.url).port

    def get(self, path, **headers):
        with urllib.request.urlopen(urllib.request.Request(self.url + path, headers=headers), timeout=READY_SECONDS) as answer:
            return answer.read()

    def wait_until_all_is_sampled(self):
        def is_sampled():
            with contextlib.suppress(OSError):
                states = json.loads(self.get("/api/v1/countersets"))["countersets"]
                return len(states) > COUNTERS and sum(state["status"] == "ok" for state in states) > len(states) / 2
            return False

        wait_until(is_sampled, "everything is sampled")

    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def megabytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def late_samples(self):
        found = LATE.findall(self.get("/metrics").decode())
        if not found:
            sys.exit("/metrics doesn't count what was late")
        return sum(map(int, found))

    def paths(self):
        """Of every value."""
        document = json.loads(self.get("/api/v1/sample"))
        paths = []
        for counterset in document["countersets"]:
            for value in counterset["values"]:
                # Of several instances of one name, a path without a number means the first.
                if not value.get("parent"):
                    instance = f"({value['instance']})" if value["instance"] else ""
                    paths.append(f"\\{value['object']}{instance}\\{value['counter']}")
        return sorted(set(paths))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(30)
        self.process.kill()


class Stream:
    def __init__(self, port, paths):
        query = "&".join("path=" + urllib.parse.quote(path, safe="") for path in paths)
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.sendall(f"GET /api/v1/events?{query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        self.tail, self.events, self.bytes = b"", 0, 0

    def receive(self):
        piece = self.socket.recv(1 << 20)
        if not piece:
            sys.exit(f"a stream has ended after {self.events} events: {self.tail[-500:]!r}")
        self.bytes += len(piece)
        text = self.tail + piece
        self.events += text.count(b"\nevent: sample\n")
        self.tail = text[-len(b"\nevent: sample"):] if b"HTTP/1.1 200 " in text or self.events else text


def measure(exporter, streams, scrapers, seconds):
    selector = selectors.DefaultSelector()
    for stream in streams:
        selector.register(stream.socket, selectors.EVENT_READ, stream)
    began, cpu = time.monotonic(), exporter.processor_seconds()
    next_scrape = began
    while (now := time.monotonic()) < began + seconds:
        if scrapers and now >= next_scrape:
            next_scrape += SCRAPE_SECONDS
            for _ in range(scrapers):
                exporter.get("/metrics", **{"Accept-Encoding": "gzip"})
        for key, _ in selector.select(0.1):
            key.data.receive()
    took = time.monotonic() - began
    return (exporter.processor_seconds() - cpu) / took * 1000, exporter.megabytes()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=30, help="of each part")
    parser.add_argument("executable", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        exporter = Exporter(options.executable, pathlib.Path(folder))
        try:
            exporter.wait_until_all_is_sampled()
            paths = exporter.paths()
            before = exporter.late_samples()
            print("| clients | CPU, ms/s | memory, MB |\n|---|---|---|")
            for name, count, scrapers in (("none", 0, 0), (f"{SCRAPERS} scrapers each {SCRAPE_SECONDS} s", 0, SCRAPERS),
                                          (f"the same and {STREAMS} streams of {COUNTERS} counters", STREAMS, SCRAPERS)):
                streams = [Stream(exporter.port, random.Random(number).sample(paths, COUNTERS)) for number in range(count)]
                cpu, memory = measure(exporter, streams, scrapers, options.seconds)
                print(f"| {name} | {cpu:.1f} | {memory:.1f} |")
            late = exporter.late_samples() - before
            events = [stream.events for stream in streams]
            size = sum(stream.bytes for stream in streams) / sum(events)
            print(f"\n{min(events)} to {max(events)} events a stream in {options.seconds} s, {size:.0f} bytes each; {late} samples late")
            if late or min(events) < options.seconds - 2:
                sys.exit("a sample was late, or a stream has missed one")
        finally:
            exporter.stop()


if __name__ == "__main__":
    main()
