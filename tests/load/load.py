#!/usr/bin/env python3
"""Loads a running exporter as badly as clients can, and measures what an honest scraper notices.

Call it through scripts/load."""

import argparse
import contextlib
import multiprocessing
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import recording

GET = b"GET /metrics HTTP/1.1\r\nHost: load\r\nConnection: close\r\n\r\n"
KEEP = b"GET /metrics HTTP/1.1\r\nHost: load\r\n\r\n"
COMPRESSED = b"Accept-Encoding: gzip\r\n\r\n"  # as Prometheus asks, unless it is told otherwise
TIMEOUT = 5


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def receive(connection):
    """Receives one whole answer and returns its status."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(1 << 20)
        if not piece:
            raise ConnectionError("closed before the head")
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", head)
    if not length:
        raise ConnectionError("an answer without a length")
    length = int(length.group(1))
    missing = length - len(body)
    while missing > 0:
        piece = connection.recv(1 << 20)
        if not piece:
            raise ConnectionError("closed within the body")
        missing -= len(piece)
    return int(head.split()[1])


def scrape(address):
    try:
        connection = socket.create_connection(address, TIMEOUT)
    except OSError as error:
        raise OSError(f"connecting: {error}") from error
    with connection:
        connection.sendall(GET[:-2] + COMPRESSED)
        return receive(connection)


def honest(address, results, stop, interval):
    """A process of its own, so that the attackers' work here doesn't delay it."""
    while not stop.is_set():
        began = time.monotonic()
        try:
            status = scrape(address)
            results.put((time.monotonic() - began, None if status == 200 else f"status {status}"))
        except OSError as error:
            results.put((time.monotonic() - began, repr(error)))
        stop.wait(max(0, interval - (time.monotonic() - began)))


def honest_keeper(address, results, stop, request):
    while not stop.is_set():
        began = time.monotonic()
        try:
            with socket.create_connection(address, 30) as connection:
                while not stop.is_set():
                    began = time.monotonic()
                    connection.sendall(request)
                    status = receive(connection)
                    results.put((time.monotonic() - began, None if status == 200 else f"status {status}"))
        except OSError as error:
            results.put((time.monotonic() - began, repr(error)))


class Honest:
    """Scrapers in processes of their own, and what became of their scrapes."""

    def __init__(self, target, *arguments, count=1):
        self.results, self.stop = multiprocessing.Queue(), multiprocessing.Event()
        self.processes = [multiprocessing.Process(target=target, args=(arguments[0], self.results, self.stop, *arguments[1:]))
                          for _ in range(count)]
        for process in self.processes:
            process.start()

    def finish(self):
        self.stop.set()
        found = []
        while any(process.is_alive() for process in self.processes) or not self.results.empty():
            with contextlib.suppress(Exception):
                found.append(self.results.get(timeout=0.2))
        for process in self.processes:
            process.join()
        times = [seconds * 1000 for seconds, wrong in found]
        return {"scrapes": len(found), "failed": [wrong for _, wrong in found if wrong],
                "p50": percentile(times, 0.5), "p99": percentile(times, 0.99), "max": max(times, default=float("nan"))}


class Attackers:
    """Holds connections that are idle, send half heads or never read; opens again what the server closes."""

    def __init__(self, address, wanted):
        self.address, self.wanted, self.opened = address, wanted, 0
        self.open = {kind: set() for kind in wanted}
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def connect(self, kind):
        connection = socket.create_connection(self.address, TIMEOUT)
        connection.setblocking(False)
        if kind == "half head":
            connection.send(KEEP[:-2] + b"X: ")
        elif kind == "deaf":
            connection.send(KEEP)
        self.open[kind].add(connection)
        self.opened += 1

    def is_gone(self, kind, connection):
        try:
            if kind == "half head":
                connection.send(b"x")
            if kind == "deaf":  # its end shows behind what it doesn't read
                return bool(connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))
            return not connection.recv(4096)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def run(self):
        while not self.stopped.wait(0.5):
            for kind, wanted in self.wanted.items():
                for connection in [one for one in self.open[kind] if self.is_gone(kind, one)]:
                    self.open[kind].remove(connection)
                    connection.close()
                with contextlib.suppress(OSError):
                    while len(self.open[kind]) < wanted and not self.stopped.is_set():
                        self.connect(kind)

    def finish(self):
        self.stopped.set()
        self.thread.join()
        for connections in self.open.values():
            for connection in connections:
                connection.close()


def burst(address, count):
    """So many scrapes at once, each on a connection of its own: how many were answered."""
    connections = []
    for _ in range(count):
        with contextlib.suppress(OSError):
            connections.append(socket.create_connection(address, TIMEOUT))
    for connection in connections:
        with contextlib.suppress(OSError):
            connection.sendall(GET)
    answered = 0
    for connection in connections:
        connection.settimeout(30)
        with contextlib.suppress(OSError, ConnectionError):
            answered += receive(connection) == 200
        connection.close()
    return answered


class Exporter:
    def __init__(self, command, folder, is_wine):
        (folder / "load.yaml").write_text("countersets:\n  - {name: Load, interval: 1s}\n")
        # Wine shows the files of this machine as drive Z.
        place = "Z:" + str(folder).replace("/", "\\") + "\\" if is_wine else f"{folder}/"
        self.process = subprocess.Popen(
            [*command, "run", "--config", f"{place}load.yaml", "--listen", "127.0.0.1:0", "--source", f"replay:{place[:-1]}"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        if not found:
            self.process.kill()
            sys.exit(f"the exporter did not start: {line}")
        self.address = ("127.0.0.1", int(found.group(1)))
        while scrape_page(self.address).count(b"winperf_load") < 1:
            time.sleep(0.1)

    def status(self):
        """Memory in MB, threads, sockets and files, and how often its threads have waited for something."""
        folder = pathlib.Path(f"/proc/{self.process.pid}")
        text = (folder / "status").read_text()
        waits = sum(int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text()).group(1))
                    for task in (folder / "task").iterdir())
        return {"rss": int(re.search(r"VmRSS:\s+(\d+)", text).group(1)) / 1024,
                "threads": int(re.search(r"Threads:\s+(\d+)", text).group(1)),
                "files": len(list((folder / "fd").iterdir())), "waits": waits}

    def stop(self):
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)
        return time.monotonic() - began


def scrape_page(address):
    with socket.create_connection(address, TIMEOUT) as connection:
        connection.sendall(GET)
        data = b""
        while piece := connection.recv(1 << 20):
            data += piece
    return data


def in_words(name, figures):
    failed = f"{len(figures['failed'])} failed" + (f" ({figures['failed'][0]})" if figures["failed"] else "")
    return (f"| {name} | {figures['scrapes']} scrapes, {failed} | {figures['p50']:.1f} | {figures['p99']:.1f} "
            f"| {figures['max']:.1f} |")


def size_in_words(name, status):
    return f"| {name} | {status['rss']:.0f} MB | {status['threads']} | {status['files']} |"


def measure(exporter, options):
    """Yields the lines of the report, in Markdown."""
    address, attack = exporter.address, {"idle": options.idle, "half head": options.halves, "deaf": options.deaf}
    before = exporter.status()
    time.sleep(options.seconds)
    idle_waits = (exporter.status()["waits"] - before["waits"]) / options.seconds
    quiet = Honest(honest, address, 1)
    time.sleep(options.seconds)
    quiet = quiet.finish()
    attackers = Attackers(address, attack)
    attacked = Honest(honest, address, 1)
    time.sleep(options.seconds / 2)
    answered = [burst(address, options.burst) for _ in range(3)]
    during = exporter.status()
    time.sleep(options.seconds / 2)
    attacked = attacked.finish()
    attackers.finish()
    time.sleep(5)
    after = exporter.status()
    keepers = {}
    for name, request in (("", KEEP[:-2] + COMPRESSED), (", uncompressed", KEEP)):
        scrapers = Honest(honest_keeper, address, request, count=16)
        time.sleep(options.seconds)
        keepers[name] = scrapers.finish()
    stopped = "not measured under Wine, which has no signal for it"
    if not options.wine:
        attackers = Attackers(address, attack)
        time.sleep(3)
        stopped = f"{exporter.stop():.2f} s"
        attackers.finish()
    yield from ["| an honest scraper | outcome | p50 ms | p99 ms | worst ms |", "|---|---|---|---|---|",
                in_words("each second, alone", quiet),
                in_words(", ".join(f"{count} {kind}" for kind, count in attack.items()) +
                         f" and 3 bursts of {options.burst}", attacked),
                *(in_words(f"16 at once, without a pause{name}", figures) for name, figures in keepers.items()), "",
                f"Answered in the bursts: {', '.join(map(str, answered))} of {options.burst} each. "
                f"Stop during the attack: {stopped}. Without a client, its threads wake up {idle_waits:.1f} times a "
                "second.", "",
                "| the process | memory | threads | sockets and files |", "|---|---|---|---|",
                size_in_words("before", before), size_in_words("during the attack", during),
                size_in_words("5 s after it", after)]


def main():
    parser = argparse.ArgumentParser(prog="scripts/load", description=__doc__.split("\n")[0])
    parser.add_argument("--series", type=int, default=20_000)
    parser.add_argument("--seconds", type=int, default=20, help="of each step")
    parser.add_argument("--idle", type=int, default=2000)
    parser.add_argument("--halves", type=int, default=200)
    parser.add_argument("--deaf", type=int, default=64)
    parser.add_argument("--burst", type=int, default=500)
    parser.add_argument("--wine", action="store_true", help="the executable is for Windows")
    parser.add_argument("--out", type=pathlib.Path, help="also write the report into this file")
    parser.add_argument("command", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="winperf-load-") as name:
        folder = pathlib.Path(name)
        recording.write(folder, options.series, 20 * options.seconds + 600)
        exporter = Exporter(options.command, folder, options.wine)
        try:
            lines = list(measure(exporter, options))
        finally:
            exporter.process.kill()
    print("\n".join(lines))
    if options.out:
        options.out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
