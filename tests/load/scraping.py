#!/usr/bin/env python3
"""What irate() and rate() of a counter that grows by exactly 1 a second show in a real Prometheus, by the interval at
which its counterset is sampled and the one at which it is scraped. The counter is the time of the sample itself.

Call it through scripts/scraping."""

import contextlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

SAMPLED = {"Thing": 1, "System": 5, "Processor Information": 15}  # seconds, by counterset
SCRAPED = (1, 5, 10, 15, 30)
COUNTER = "winperf_exporter_counterset_last_sample_timestamp_seconds"


def ended(process):
    process.terminate()
    process.wait(timeout=30)


def started(stack, command, log, pattern):
    """Starts the command and returns what the pattern's group finds in its log."""
    with open(log, "wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
    stack.callback(ended, process)
    deadline = time.monotonic() + 60
    while not (found := re.search(pattern, log.read_text(errors="replace"))):
        if process.poll() is not None or time.monotonic() > deadline:
            sys.exit(f"{command[0]} did not start:\n{log.read_text(errors='replace')}")
        time.sleep(0.05)
    return found.group(1)


def evaluated(server, expression):
    query = urllib.parse.urlencode({"query": expression})
    with urllib.request.urlopen(f"{server}/api/v1/query?{query}", timeout=30) as answer:
        result = json.load(answer)["data"]["result"]
    return float(result[0]["value"][1])


def extremes(server, function, window, job, counterset, seconds):
    series = f'{function}({COUNTER}{{job="{job}",counterset="{counterset}"}}[{window}s])[{seconds}s:1s]'
    return " to ".join(f"{evaluated(server, f'{which}_over_time({series})'):.2f}" for which in ("min", "max"))


def main():
    seconds, program = int(sys.argv[1]), sys.argv[2]
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        countersets = ", ".join(f'{{name: "{name}", interval: {interval}}}' for name, interval in SAMPLED.items())
        (folder / "exporter.yaml").write_text(f"countersets: [{countersets}]\n")
        url = started(stack, [program, "run", "--config", folder / "exporter.yaml", "--listen", "127.0.0.1:0"],
                      folder / "exporter.log", r"listening on http://([0-9.:]+)")
        jobs = "".join(f"  - {{job_name: every{interval}, scrape_interval: {interval}s, scrape_timeout: {interval}s,"
                       f" static_configs: [{{targets: ['{url}']}}]}}\n" for interval in SCRAPED)
        (folder / "prometheus.yml").write_text(f"scrape_configs:\n{jobs}")
        server = "http://" + started(
            stack, ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
                    "--web.listen-address=127.0.0.1:0"], folder / "prometheus.log", r'msg="Listening on" address=([0-9.:]+)')
        settling = 5 * max(SCRAPED)
        for left in range(settling + seconds, 0, -30):
            print(f"{left} s left", file=sys.stderr, flush=True)
            time.sleep(min(30, left))
        print("| sampled | scraped | `irate` | `rate` over five scrapes |\n|---|---|---|---|")
        for counterset, interval in SAMPLED.items():
            for scraped in SCRAPED:
                show = [extremes(server, function, 5 * scraped, f"every{scraped}", counterset, seconds)
                        for function in ("irate", "rate")]
                print(f"| every {interval} s | every {scraped} s | {show[0]} | {show[1]} |")


if __name__ == "__main__":
    main()
