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
import ssl
import subprocess
import sys
import tempfile
import threading
import time

import hostile
import recording

GET = b"GET /metrics HTTP/1.1\r\nHost: load\r\nConnection: close\r\n\r\n"
KEEP = b"GET /metrics HTTP/1.1\r\nHost: load\r\n\r\n"
COMPRESSED = b"Accept-Encoding: gzip\r\n\r\n"  # as Prometheus asks, unless it is told otherwise
TIMEOUT = 5
tls = None  # with --tls: what clients trust


def connect(address, timeout=TIMEOUT):
    connection = socket.create_connection(address, timeout)
    return tls.wrap_socket(connection, server_hostname="localhost") if tls else connection


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
        connection = connect(address)
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
            with connect(address, 30) as connection:
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
    """Holds connections that are idle, send half heads or never read, or begin handshakes badly; opens again what the server
    closes. Knows how long the longest of each kind has lived."""

    def __init__(self, address, wanted):
        self.address, self.wanted, self.opened = address, wanted, 0
        self.open = {kind: {} for kind in wanted}  # since when
        self.longest = dict.fromkeys(wanted, 0)
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def connect(self, kind):
        encrypts = kind in ("half head", "deaf")
        connection = connect(self.address) if encrypts else socket.create_connection(self.address, TIMEOUT)
        connection.setblocking(False)
        if kind in hostile.BEGINNINGS:
            connection.send(hostile.BEGINNINGS[kind])
        if kind == "half head":
            connection.send(KEEP[:-2] + b"X: ")
        elif kind == "deaf":
            connection.send(KEEP)
        self.open[kind][connection] = time.monotonic()
        self.opened += 1

    def is_gone(self, kind, connection):
        try:
            if kind in ("half head", hostile.SLOW):
                connection.send(b"x")
            if kind == "deaf":  # its end shows behind what it doesn't read
                return bool(connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))
            return not connection.recv(4096)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return False
        except OSError:
            return True

    def run(self):
        while not self.stopped.wait(0.5):
            for kind, wanted in self.wanted.items():
                for connection in [one for one in self.open[kind] if self.is_gone(kind, one)]:
                    self.end(kind, connection)
                with contextlib.suppress(OSError):
                    while len(self.open[kind]) < wanted and not self.stopped.is_set():
                        self.connect(kind)

    def end(self, kind, connection):
        self.longest[kind] = max(self.longest[kind], time.monotonic() - self.open[kind].pop(connection))
        connection.close()

    def finish(self):
        self.stopped.set()
        self.thread.join()
        for kind, connections in self.open.items():
            for connection in list(connections):
                self.end(kind, connection)


def burst(address, count):
    """So many scrapes at once, each on a connection of its own: how many were answered."""
    connections = []
    for _ in range(count):
        with contextlib.suppress(OSError):
            connections.append(connect(address, 30))
            if tls:  # whose handshakes take long: nobody waits with a request until all others have ended
                connections[-1].sendall(GET)
    for connection in connections if not tls else ():
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
        web = "listen: {web_config_file: web.yml}\n" if tls else ""
        (folder / "load.yaml").write_text(f"{web}metrics: {{detail: full}}\ncountersets:\n  - {{name: Load, interval: 1s}}\n")
        (folder / "web.yml").write_text("tls_server_config: {cert_file: server.crt, key_file: server.key}")
        # Wine shows the files of this machine as drive Z.
        place = "Z:" + str(folder).replace("/", "\\") + "\\" if is_wine else f"{folder}/"
        self.process = subprocess.Popen(
            [*command, "run", "--config", f"{place}load.yaml", "--listen", "127.0.0.1:0", "--source", f"replay:{place[:-1]}"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"https?://[^ ]+:(\d+)/", line)
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


def make_certificate(folder):
    global tls
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                    folder / "server.key", "-out", folder / "server.crt", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost"], check=True, capture_output=True)
    tls = ssl.create_default_context(cafile=folder / "server.crt")


def scrape_page(address):
    with connect(address) as connection:
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


def meet_hostile(address, options):
    """Hostile clients of TLS alone, so that none has to go for others: an honest scraper's figures, lines for the report,
    and what is wrong."""
    before = hostile.failures(scrape_page(address))
    scraper = Honest(honest, address, 1)
    attackers, floods = Attackers(address, dict.fromkeys(hostile.BEGINNINGS, options.handshakes)), hostile.Floods(address)
    time.sleep(max(options.seconds, 1.5 * hostile.MOST_SECONDS))
    attackers.finish()
    floods.finish()
    figures, after = scraper.finish(), hostile.failures(scrape_page(address))
    counted = {reason: count - before[reason] for reason, count in after.items()}
    wrong = [f"no handshake failed as {reason}" for reason in hostile.REASONS if not counted[reason]]
    wrong += [f"a connection with {kind} lived for {life:.0f} s" for kind, life in attackers.longest.items()
              if life > hostile.MOST_SECONDS]
    wrong += [f"an honest scrape failed: {failed}" for failed in figures["failed"]]
    report = [f"Handshakes that failed meanwhile: {', '.join(f'{count} {reason}' for reason, count in counted.items())}. Their "
              f"connections lived for {max(attackers.longest.values()):.0f} s at most.", ""]
    return figures, report, wrong


def measure(exporter, options):
    """The lines of the report, in Markdown, and what is wrong."""
    address, attack = exporter.address, {"idle": options.idle, "half head": options.halves, "deaf": options.deaf}
    if tls:
        attack |= dict.fromkeys(hostile.BEGINNINGS, options.handshakes)
    before = exporter.status()
    time.sleep(options.seconds)
    idle_waits = (exporter.status()["waits"] - before["waits"]) / options.seconds
    quiet = Honest(honest, address, 1)
    time.sleep(options.seconds)
    quiet = quiet.finish()
    met, met_report, wrong = meet_hostile(address, options) if tls else (None, [], [])
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
    return ["| an honest scraper | outcome | p50 ms | p99 ms | worst ms |", "|---|---|---|---|---|",
                in_words("each second, alone", quiet),
                *([in_words("hostile handshakes and floods of records", met)] if met else []),
                in_words(", ".join(f"{count} {kind}" for kind, count in attack.items()) +
                         f" and 3 bursts of {options.burst}", attacked),
                *(in_words(f"16 at once, without a pause{name}", figures) for name, figures in keepers.items()), "",
                f"Answered in the bursts: {', '.join(map(str, answered))} of {options.burst} each. "
                f"Stop during the attack: {stopped}. Without a client, its threads wake up {idle_waits:.1f} times a "
                "second.", "", *met_report,
                "| the process | memory | threads | sockets and files |", "|---|---|---|---|",
                size_in_words("before", before), size_in_words("during the attack", during),
                size_in_words("5 s after it", after)], wrong


def main():
    parser = argparse.ArgumentParser(prog="scripts/load", description=__doc__.split("\n")[0])
    parser.add_argument("--series", type=int, default=20_000)
    parser.add_argument("--seconds", type=int, default=20, help="of each step")
    parser.add_argument("--idle", type=int, default=2000)
    parser.add_argument("--halves", type=int, default=200)
    parser.add_argument("--deaf", type=int, default=64)
    parser.add_argument("--burst", type=int, default=500)
    parser.add_argument("--tls", action="store_true", help="serve over TLS")
    parser.add_argument("--handshakes", type=int, default=50, help="with --tls: of each kind that never ends well")
    parser.add_argument("--wine", action="store_true", help="the executable is for Windows")
    parser.add_argument("--out", type=pathlib.Path, help="also write the report into this file")
    parser.add_argument("command", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="winperf-load-") as name:
        folder = pathlib.Path(name)
        recording.write(folder, options.series, 20 * options.seconds + 600)
        if options.tls:
            make_certificate(folder)
        exporter = Exporter(options.command, folder, options.wine)
        try:
            lines, wrong = measure(exporter, options)
        finally:
            exporter.process.kill()
    print("\n".join(lines))
    if options.out:
        options.out.write_text("\n".join(lines) + "\n")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
