#!/usr/bin/env python3
"""What the whole exporter takes: process.py EXECUTABLE SECONDS [OTHER]

EXECUTABLE is winperf_exporter_simulated, and OTHER another build of it, which is measured by turns with it, so that the noise of the
machine is in both. Prints tables for docs/performance.md: CPU time by the kernel's schedstat, and private memory, of the exporter and
its workers together, the provider's own work included; times from the start to the first whole page; the CPU time of one scrape.
"""

import concurrent.futures
import contextlib
import gzip
import http.client
import pathlib
import re
import statistics
import sys
import tempfile
import time
import urllib.request

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
from cost import Simulated, cpu_seconds, private_mib
from machines import descendants
from e2e_support import wait_until

VALUES = 20_000
PAUSE = 5  # seconds between two scrapes
TURNS = 3
STARTS = 15
CLIENTS = 16
ATTACK_SECONDS = 10
BULK = {"countersets": ["Bulk"], "path": "registry", "interval": "1s"}
FORGETFUL = {"recorder": {"memory": "0"}}
SERVER = {"countersets": ["*"], "interval": "5s", "metrics": {"profiles": ["winperf", "windows_exporter", "windows_exporter_legacy"]}}
CROWD = {"countersets": ["Crowd *"], "path": "registry", "limits": {"max_series": 3_000_000}}


class Exporter(Simulated):
    def page(self, coding="gzip"):
        request = urllib.request.Request(f"{self.address}/metrics", headers={"Accept-Encoding": coding})
        with urllib.request.urlopen(request, timeout=60) as answer:
            body = answer.read()
        return gzip.decompress(body) if coding == "gzip" else body

    def wait_for(self, series, name=b""):
        wait_until(lambda: self.page().count(b"\n" + name) >= series, f"there are {series} series", seconds=120)

    def ids(self):
        return [self.process.pid, *descendants(self.process.pid)]

    def cpu(self):
        return sum(map(cpu_seconds, self.ids()))

    def cpu_ms_each_second(self, seconds, scrape):
        self.page()
        time.sleep(PAUSE)
        before, began = self.cpu(), time.monotonic()
        while time.monotonic() < began + seconds:
            time.sleep(PAUSE)
            if scrape:
                self.page()
        return (self.cpu() - before) / (time.monotonic() - began) * 1000


@contextlib.contextmanager
def bulk(executable, settings=None):
    with Exporter(executable, {**BULK, **(settings or {})}, f"bulk {VALUES}") as exporter:
        exporter.wait_for(VALUES, b"winperf_bulk_")
        yield exporter


def whole(executable, seconds, settings=None, scrape=True):
    """Returns CPU ms a second, MiB of all processes, of the exporter, and how many processes there are."""
    with bulk(executable, settings) as exporter:
        used = exporter.cpu_ms_each_second(seconds, scrape)
        private = [private_mib(pid) for pid in exporter.ids()]
        return used, sum(private), private[0], len(private)


def first_page(executable):
    """Returns ms from the start until a page with all values was there, which is asked for again and again."""
    with Exporter(executable, BULK, f"bulk {VALUES}") as exporter:
        while exporter.page().count(b"\nwinperf_bulk_") < VALUES:
            assert time.monotonic() < exporter.began + 60, "there is no whole page"
        return ((time.monotonic() - exporter.began) * 1000,)


def scrape_cost(executable, coding):
    """Returns CPU ms of a scrape, and how many there were, by clients without a pause that keep their connections. Their own work
    is none of it, but that of the samples meanwhile is."""
    with bulk(executable) as exporter:
        host, port = exporter.address.removeprefix("http://").split(":")
        until = time.monotonic() + ATTACK_SECONDS

        def client():
            connection, scrapes = http.client.HTTPConnection(host, int(port), timeout=30), 0
            while time.monotonic() < until:
                connection.request("GET", "/metrics", headers={"Accept-Encoding": coding})
                connection.getresponse().read()
                scrapes += 1
            connection.close()
            return scrapes

        before = exporter.cpu()
        with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
            scrapes = sum(future.result() for future in [pool.submit(client) for _ in range(CLIENTS)])
        return (exporter.cpu() - before) / scrapes * 1000, scrapes


def server(executable, seconds, scrape=True):
    """Returns CPU ms a second, MiB of all processes and of the exporter, the series of a page, and its MB."""
    with Exporter(executable, {**SERVER, **FORGETFUL}, "server") as exporter:
        exporter.wait_for(20_000)
        time.sleep(2 * PAUSE)
        used = exporter.cpu_ms_each_second(seconds, scrape)
        page = exporter.page()
        private = [private_mib(pid) for pid in exporter.ids()]
        return used, sum(private), private[0], sum(not line.startswith(b"#") for line in page.splitlines()), len(page) / 1e6


def million(executable):
    """Returns the most MiB that the exporter itself had, its first pages included, and what it has for itself then."""
    with tempfile.NamedTemporaryFile("w") as count:
        count.write("1000")
        count.flush()
        with Exporter(executable, {**CROWD, **FORGETFUL, "interval": "5s"}, "crowd 1000 50", WINPERF_CROWD_FILE=count.name) as exporter:
            exporter.wait_for(1_000_000, b"winperf_crowd_")
            time.sleep(4 * PAUSE)
            exporter.page()
            status = pathlib.Path(f"/proc/{exporter.process.pid}/status").read_text()
            return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024, private_mib(exporter.process.pid)


def by_turns(title, executables, measure, turns, digits):
    """Prints the medians of each executable's figures, the least and the most of the first one, and its ratio to the other's."""
    results = {name: [] for name in executables}
    for _ in range(turns):
        for name, executable in executables.items():
            results[name].append(measure(executable))
    medians = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in results.items()}
    for name, values in medians.items():
        first = sorted(row[0] for row in results[name])
        ratio = f"{values[0] / medians['other'][0]:.2f}" if name == "this" and "other" in medians else ""
        figures = " | ".join(f"{value:,.{places}f}" for value, places in zip(values, digits))
        print(f"| {title}{', the other' if name == 'other' else ''} | {figures} | {first[0]:,.{digits[0]}f} to {first[-1]:,.{digits[0]}f}"
              f" | {ratio} |", flush=True)


def head(*names):
    print("\n| " + " | ".join([*names, "least to most", "beside the other"]) + " |\n|" + "---|" * (len(names) + 2))


def main():
    this, seconds = sys.argv[1], float(sys.argv[2])
    both = {"other": sys.argv[3], "this": this} if len(sys.argv) > 3 else {"this": this}
    alone = {"this": this}
    head(f"{VALUES:,} values each second", "CPU, ms/s", "private MiB", "of it the exporter", "processes")
    by_turns("scraped compressed each 5 s", both, lambda one: whole(one, seconds), TURNS, (2, 1, 1, 0))
    by_turns("the same without the recorder", alone, lambda one: whole(one, seconds, FORGETFUL), TURNS, (2, 1, 1, 0))
    by_turns("never scraped", both, lambda one: whole(one, seconds, scrape=False), TURNS, (2, 1, 1, 0))
    head("from the start", "ms")
    by_turns("first whole page", both, first_page, STARTS, (0,))
    head(f"{CLIENTS} clients without a pause", "CPU ms of a scrape", "scrapes")
    by_turns("compressed", both, lambda one: scrape_cost(one, "gzip"), TURNS, (3, 0))
    by_turns("plain", both, lambda one: scrape_cost(one, "identity"), TURNS, (3, 0))
    head("the simulated server, without the recorder", "CPU, ms/s", "private MiB", "of it the exporter", "series", "MB")
    by_turns("scraped compressed each 5 s", alone, lambda one: server(one, seconds), TURNS, (1, 1, 1, 0, 1))
    by_turns("never scraped", alone, lambda one: server(one, seconds, False), TURNS, (1, 1, 1, 0, 1))
    head("1,000,000 values, without the recorder", "most MiB of the exporter", "private afterwards")
    by_turns("scraped compressed", alone, million, 1, (0, 0))


if __name__ == "__main__":
    main()
