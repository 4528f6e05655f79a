#!/usr/bin/env python3
"""Everything that a stranger may do to a large exporter, all at once, and what honest scrapers of two other addresses notice.

The program runs on the simulated server with all of its countersets and profiles. One address serves everything in the open,
one speaks TLS, one wants passwords. Call it through scripts/load --all."""

import argparse
import base64
import contextlib
import itertools
import json
import multiprocessing
import os
import pathlib
import queue
import random
import re
import resource
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.parse

import crowd

HOSTILE, COMPRESSED, PLAIN = "127.0.0.2", "127.0.0.3", "127.0.0.4"
TIMEOUT = 10  # of a scrape, as Prometheus has it by default; what takes longer is lost
INTERVAL = 1
CONNECTIONS, HANDSHAKES, GUESSES = 200, 50, 1000
PROFILES = ["winperf", "windows_exporter", "windows_exporter_legacy"]
TARGETS = [f"srv-{number:03}" for number in range(1, 11)]
USER, PASSWORD = "alice", "correct-horse"


def credentials_of(password):
    return base64.b64encode(f"{USER}:{password}".encode())


def get(path, *fields):
    return b"".join([b"GET ", path.encode(), b" HTTP/1.1\r\nHost: localhost\r\n", *(field + b"\r\n" for field in fields), b"\r\n"])


class Exporter:
    def __init__(self, executable, folder):
        self.environment = {**os.environ, "WINPERF_SIMULATOR": "server"}
        certificate, key = folder / "server.crt", folder / "server.key"
        self.run(executable, "config", "self-signed", "--cert-file", certificate, "--key-file", key)
        hashed = self.run(executable, "config", "hash-password", "--cost", "10", text=PASSWORD + "\n").strip()
        webs = ({}, {"tls_server_config": {"cert_file": str(certificate), "key_file": str(key)}},
                {"basic_auth_users": {USER: hashed}})
        config = folder / "load.yaml"
        config.write_text(json.dumps({
            "countersets": ["*"], "interval": "5s", "metrics": {"profiles": PROFILES, "detail": "full"},
            "listen": [{"address": "127.0.0.1", "port": 0, "serve": ["metrics", "api"], "web": web} for web in webs],
            "targets": [{"host": TARGETS, "interval": "5s", "countersets": ["Memory", "System", "LogicalDisk"]}]}))
        self.log = folder / "load.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen([executable, "run", "--config", config], env=self.environment, text=True,
                                            stdout=subprocess.PIPE, stderr=log)
        urls = [word for word in self.process.stdout.readline().split() if word.startswith("http")]
        if len(urls) != len(webs):
            self.process.kill()
            sys.exit(f"the exporter did not start: {self.log.read_text()}")
        self.addresses = [("127.0.0.1", urllib.parse.urlsplit(url).port) for url in urls]

    def run(self, *command, text=None):
        return subprocess.run(command, input=text, text=True, check=True, capture_output=True, timeout=60,
                              env=self.environment).stdout

    def memory(self):
        """In MB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(30)
        self.process.kill()


def receive(connection, until):
    """The whole answer: its status, and its body as it came."""
    data = bytearray()
    wanted = None
    while wanted is None or len(data) < wanted:
        connection.settimeout(max(0.001, until - time.monotonic()))
        piece = connection.recv(1 << 20)
        if not piece:
            raise ConnectionError(f"closed after {len(data)} bytes")
        data += piece
        end = data.find(b"\r\n\r\n") if wanted is None else -1
        if end >= 0:
            wanted = end + 4 + int(crowd.LENGTH.search(data[:end + 2]).group(1))
            body = end + 4
    return int(data[9:12]), bytes(data[body:])


def connect(address, source, is_tls):
    connection = crowd.connect(address, source, TIMEOUT)
    if not is_tls:
        return connection
    trust = ssl.create_default_context()
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
    return trust.wrap_socket(connection)


def scrape_honestly(address, source, is_tls, request, keeps, stop, results):
    """Once each interval: how long each took, and what went wrong. `keeps` its connection, as Prometheus does."""
    connection = None
    while not stop.is_set():
        began, wrong = time.monotonic(), None
        for is_last_try in (connection is None, True):
            try:
                connection = connection or connect(address, source, is_tls)
                connection.sendall(request)
                status, _ = receive(connection, began + TIMEOUT)
                wrong = None if status == 200 else f"status {status}"
            except OSError as error:
                wrong = repr(error)
            if connection and (wrong or not keeps):
                connection.close()
                connection = None
            # A connection that was idle may have been closed meanwhile; Prometheus opens another one, too.
            if is_last_try or not wrong or wrong.startswith("status"):
                break
        took = time.monotonic() - began
        results.put((took, wrong or (None if took <= TIMEOUT else "too late")))
        stop.wait(max(0, INTERVAL - took))


class Scraper:
    def __init__(self, name, *arguments):
        self.name, self.arguments = name, arguments

    def begin(self):
        self.stop, self.results = multiprocessing.Event(), multiprocessing.Queue()
        self.process = multiprocessing.Process(target=scrape_honestly, args=(*self.arguments, self.stop, self.results), daemon=True)
        self.process.start()

    def finish(self):
        self.stop.set()
        found, until = [], time.monotonic() + 3 * TIMEOUT
        while (self.process.is_alive() or not self.results.empty()) and time.monotonic() < until:
            with contextlib.suppress(queue.Empty):
                found.append(self.results.get(timeout=0.2))
        self.process.kill()
        times = sorted(seconds * 1000 for seconds, _ in found) or [float("nan")]
        return {"count": len(found), "lost": [wrong for _, wrong in found if wrong], "p50": times[len(times) // 2],
                "p99": times[int(len(times) * 0.99)], "worst": times[-1]}


def scrapers_of(exporter):
    compressed, password = b"Accept-Encoding: gzip", b"Authorization: Basic " + credentials_of(PASSWORD)
    found = []
    for (name, is_tls, fields), address in zip((("in the open", False, ()), ("over TLS", True, ()),
                                                ("with a password", False, (password,))), exporter.addresses):
        found.append(Scraper(f"{name}, compressed, keeps its connection", address, COMPRESSED, is_tls,
                             get("/metrics", compressed, *fields), True))
        found.append(Scraper(f"{name}, uncompressed, connects each time", address, PLAIN, is_tls,
                             get("/metrics", b"Connection: close", *fields), False))
    return found


def filtered(countersets, seed):
    """Each request has a list of its own, so that nothing made for another one helps."""
    chance = random.Random(seed)
    while True:
        names = chance.sample(countersets, len(countersets) // 2)
        query = "&".join(f"counterset[]={urllib.parse.quote(name)}" for name in names)
        yield get("/metrics?" + query, *([b"Accept-Encoding: gzip"] if seed % 2 else []))


def probes(seed):
    return itertools.cycle(get("/probe?target=" + TARGETS[(seed + step) % len(TARGETS)]) for step in range(len(TARGETS)))


def samples(seed):
    return itertools.repeat(get("/api/v1/sample", *([b"Accept-Encoding: gzip"] if seed % 2 else [])))


def wrong_password(number):
    return credentials_of(f"guess {number}")


def attack(exporter, countersets):
    """All kinds of hostile clients, by what the report calls them."""
    in_the_open, over_tls, with_password = exporter.addresses
    asking = {f"{CONNECTIONS} with filters": lambda seed: filtered(countersets, seed), f"{CONNECTIONS} with probes": probes,
              f"{CONNECTIONS} with JSON": samples}
    crowds = {name: crowd.Crowd(crowd.ask_on_many, in_the_open, HOSTILE, requests, CONNECTIONS)
              for name, requests in asking.items()}
    crowds[f"{HANDSHAKES} TLS handshakes a second"] = crowd.Crowd(crowd.shake_hands, over_tls, HOSTILE, HANDSHAKES)
    crowds[f"{GUESSES} wrong passwords a second"] = crowd.Crowd(crowd.guess, with_password, HOSTILE, wrong_password, GUESSES)
    return crowds


def page_of(exporter, path):
    with connect(exporter.addresses[0], PLAIN, False) as connection:
        connection.sendall(get(path))
        return receive(connection, time.monotonic() + 60)


def wait_until_ready(exporter):
    """For values of the sample and of each target."""
    until = time.monotonic() + 60
    for path in ("/-/ready", *(f"/probe?target={name}" for name in TARGETS)):
        while page_of(exporter, path)[0] != 200:
            if time.monotonic() > until:
                sys.exit(f"{path} has no values after a minute: {exporter.log.read_text()}")
            time.sleep(0.2)


def scrape_for(seconds, scrapers):
    for scraper in scrapers:
        scraper.begin()
    time.sleep(seconds)
    return [scraper.finish() for scraper in scrapers]


def in_words(name, alone, attacked):
    lost = f"{len(attacked['lost'])} lost" + (f" ({attacked['lost'][0]})" if attacked["lost"] else "")
    return (f"| {name} | {alone['p50']:.0f} / {alone['worst']:.0f} | {attacked['count']} scrapes, {lost} "
            f"| {attacked['p50']:.0f} | {attacked['p99']:.0f} | {attacked['worst']:.0f} |")


def measure(exporter, seconds):
    """The report in Markdown, and what is wrong."""
    wait_until_ready(exporter)
    countersets = sorted(set(re.findall(r'counterset="([^"\\]+)"', page_of(exporter, "/metrics")[1].decode())))
    scrapers, memory = scrapers_of(exporter), [exporter.memory()]
    alone = scrape_for(max(5, seconds // 6), scrapers)
    crowds = attack(exporter, countersets)
    time.sleep(2)  # until they are there
    attacked = scrape_for(seconds, scrapers)
    memory.append(exporter.memory())
    got = {name: crowd_.finish() for name, crowd_ in crowds.items()}
    _, page = page_of(exporter, "/metrics")
    shed = re.findall(r'http_shed_total\{reason="(\w+)"\} (\d+)', page.decode())
    lines = ["| an honest scraper, once a second | alone, p50 / worst ms | under attack | p50 ms | p99 ms | worst ms |",
             "|---|---|---|---|---|---|",
             *(in_words(scraper.name, *figures) for scraper, *figures in zip(scrapers, alone, attacked)), "",
             f"| hostile clients of one address, for {seconds} s | what they got |", "|---|---|",
             *(f"| {name} | {', '.join(f'{count} {outcome}' for outcome, count in sorted(outcomes.items()))} |"
               for name, outcomes in got.items()), "",
             f"The page has {len(page) / 1e6:.1f} MB and {len(countersets)} countersets. Memory: {memory[0]:.0f} MB before, "
             f"{memory[1]:.0f} MB during the attack. Shed: {', '.join(f'{n} {reason}' for reason, n in shed if n != '0') or 'none'}."]
    wrong = [f"a scrape was lost ({scraper.name}): {lost}" for scraper, figures in zip(scrapers, attacked) for lost in figures["lost"]]
    wrong += [f"no client got anything: {name}" for name, outcomes in got.items() if not outcomes]
    return lines, wrong


def main():
    parser = argparse.ArgumentParser(prog="scripts/load --all", description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=int, default=60, help="of the attack")
    parser.add_argument("--out", type=pathlib.Path, help="also write the report into this file")
    parser.add_argument("executable", help=argparse.SUPPRESS)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="winperf-load-") as name:
        exporter = Exporter(options.executable, pathlib.Path(name))
        try:
            lines, wrong = measure(exporter, options.seconds)
        finally:
            exporter.stop()
    print("\n".join(lines))
    if options.out:
        options.out.write_text("\n".join(lines) + "\n")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
