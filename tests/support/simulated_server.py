"""The program on the simulated server (tests/simulator/server), which has a counterset for each of windows_exporter's
collectors, and what it serves.

A test says where the reference and the dashboards are by WINPERF_CAPTURES: they lie beside the folder that it names.
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import urllib.request

from servers import DEADLINE_SECONDS, wait_until

PROFILES = ["winperf", "windows_exporter", "windows_exporter_legacy"]
# What is not a counter and is read without being asked for, in the order in which it is read.
TOPICS = ["os", "time", "memory", "pagefiles", "processors", "disks", "volumes", "adapters", "connections", "services",
          "service_status", "logons", "sessions", "tasks", "printers", "quotas", "license", "iis", "sql_servers"]
SERIES = re.compile(r"(\w+)(?:\{(.*)\})? (\S+)")
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
ESCAPED = re.compile(r"\\(.)")


def shared_folder(name):
    """A folder beside the captures; nothing if there is none."""
    captures = os.environ.get("WINPERF_CAPTURES")
    folder = pathlib.Path(captures).resolve().parent / name if captures else None
    return folder if folder and folder.is_dir() else None


class Page:
    def __init__(self, text):
        self.types = dict(re.findall(r"(?m)^# TYPE (\w+) (\w+)$", text))
        self.series = {}  # name: [(labels, value)]
        for line in text.splitlines():
            if match := SERIES.fullmatch(line):
                labels = {name: ESCAPED.sub(lambda found: "\n" if found[1] == "n" else found[1], value)
                          for name, value in LABEL.findall(match[2] or "")}
                self.series.setdefault(match[1], []).append((labels, float(match[3])))

    def values(self, name):
        return [value for _, value in self.series.get(name, [])]


class SimulatedServer:
    """Runs until it is closed. `keys` are of its configuration, beside all countersets and profiles, each second. `url` is that of
    its last address. `scenario` and `environment` are of the simulator."""

    def __init__(self, executable, folder, scenario="server", environment=(), **keys):
        config = folder / "simulated.yaml"
        # All of its providers start at the same time. With a sanitizer, that may take longer than a query usually may.
        config.write_text(json.dumps({"countersets": ["*"], "interval": "1s", "limits": {"query_timeout": "60s"},
                                      "workers": {"shortest_timeout": "60s"}, "metrics": {"profiles": PROFILES}, **keys}))
        self.errors = folder / "simulated.log"
        listen = [] if "listen" in keys else ["--listen", "127.0.0.1:0"]
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                [executable, "run", "--config", config, *listen], text=True, stdout=subprocess.PIPE,
                stderr=errors, env={**os.environ, "WINPERF_SIMULATOR": scenario, **dict(environment)})
        self.url = self.process.stdout.readline().split()[-1].rstrip("/")

    def close(self):
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(DEADLINE_SECONDS)
        self.process.stdout.close()
        if code != 0:
            raise AssertionError(f"exit code {code}: {self.errors.read_text()}")

    def page(self):
        return Page(self.text())

    def text(self):
        with urllib.request.urlopen(self.url + "/metrics", timeout=DEADLINE_SECONDS) as answer:
            return answer.read().decode()

    def has_all_facts(self):
        with urllib.request.urlopen(self.url + "/api/v1/facts", timeout=DEADLINE_SECONDS) as answer:
            return all(topic["age_seconds"] is not None or topic["error"] for topic in json.load(answer)["topics"])

    def whole_page(self):
        """A page with everything that was found, sampled twice, and all facts."""
        def whole():
            page = self.page()
            sampled = page.values("winperf_exporter_discovery_sampled_countersets")
            twice = [value >= 2 for value in page.values("winperf_exporter_counterset_attempts_total")]
            is_whole = sampled and sampled[0] and len(twice) == sampled[0] and all(twice) and self.has_all_facts()
            return page if is_whole else None
        return wait_until(whole, f"all countersets sampled; {self.errors.read_text()}")
