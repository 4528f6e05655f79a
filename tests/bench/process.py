#!/usr/bin/env python3
"""What the whole exporter takes: process.py EXECUTABLE [SECONDS]

20,000 values of the simulated machine each second, with workers, scraped compressed each 5 s: CPU time and private memory of the
exporter and its workers, by /proc. Prints a row of a table for docs/performance.md. The provider's own work is among it.
"""

import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
from cost import cpu_seconds, private_mib
from machines import LISTENING, descendants
from e2e_support import wait_until

VALUES = 20_000
PAUSE = 5  # seconds between two scrapes


def scrape(address):
    request = urllib.request.Request(f"{address}/metrics", headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return gzip.decompress(answer.read()).count(b"\nwinperf_bulk_")


def observe(process, log, seconds):
    address = wait_until(lambda: re.search(LISTENING, log.read_text()), "the exporter listens")[1]
    wait_until(lambda: scrape(address) >= VALUES, "all values are there")
    processes = [process.pid, *descendants(process.pid)]
    before, began, scrapes = sum(map(cpu_seconds, processes)), time.monotonic(), 0
    while time.monotonic() < began + seconds:
        time.sleep(PAUSE)
        scrape(address)
        scrapes += 1
    used = (sum(map(cpu_seconds, processes)) - before) / (time.monotonic() - began)
    private = [private_mib(pid) for pid in processes]
    print("| values | CPU, ms/s | scrapes | private memory, MiB | of it the exporter | processes |\n|---|---|---|---|---|---|")
    print(f"| {VALUES:,} | {used * 1000:.1f} | {scrapes} | {sum(private):.1f} | {private[0]:.1f} | {len(processes)} |")


def main():
    executable, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 60
    with tempfile.TemporaryDirectory() as folder:
        config, log = pathlib.Path(folder, "config.yaml"), pathlib.Path(folder, "log")
        config.write_text(json.dumps({"interval": "1s", "path": "registry", "listen": {"address": "127.0.0.1", "port": 0},
                                      "countersets": ["Bulk"]}))
        with open(log, "w") as output:
            process = subprocess.Popen([executable, "run", "--config", config], stdout=output, stderr=output,
                                       env={**os.environ, "WINPERF_SIMULATOR": f"bulk {VALUES}"})
        try:
            observe(process, log, seconds)
        finally:
            process.kill()
            process.wait()


if __name__ == "__main__":
    main()
