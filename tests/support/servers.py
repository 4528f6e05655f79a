"""What tests need that start servers: a port, patience, and a real Prometheus."""

import json
import re
import socket
import subprocess
import time
import urllib.parse
import urllib.request

DEADLINE_SECONDS = 240


def wait_until(condition, what):
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not (result := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"timeout: {what}")
        time.sleep(0.1)
    return result


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Prometheus:
    """Scrapes some targets each second, or less often: for each name, keys of a scrape configuration. `keys` are others of
    its configuration."""

    def __init__(self, folder, jobs, seconds=1, **keys):
        self.folder = folder
        file = folder / "prometheus.yml"
        file.write_text(json.dumps({
            "global": dict.fromkeys(("scrape_interval", "scrape_timeout", "evaluation_interval"), f"{seconds}s"),
            "scrape_configs": [{"job_name": name, **keys} for name, keys in jobs.items()], **keys}))
        self.port = free_port()
        with (folder / "prometheus.log").open("w") as log:
            self.process = subprocess.Popen(
                ["prometheus", f"--config.file={file}", f"--storage.tsdb.path={folder / 'data'}",
                 f"--web.listen-address=127.0.0.1:{self.port}"], stdout=log, stderr=log)

    def close(self):
        self.process.kill()
        self.process.wait()

    def get(self, path, **parameters):
        """What its API says; an OSError while it starts."""
        url = f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        with urllib.request.urlopen(url, timeout=DEADLINE_SECONDS) as answer:
            return json.load(answer)["data"]

    def targets(self):
        """The last error of each job that has been scraped, or an empty text."""
        try:
            active = self.get("targets")["activeTargets"]
        except OSError:
            return {}
        return {target["labels"]["job"]: target["lastError"] for target in active if target["health"] != "unknown"}

    def wait_for(self, expected):
        """Waits until each job has an error that matches, or none."""
        def fits():
            seen = self.targets()
            return all(name in seen and (re.search(pattern, seen[name]) if pattern else not seen[name])
                       for name, pattern in expected.items())
        try:
            wait_until(fits, "targets")
        except AssertionError:
            raise AssertionError(f"targets are {self.targets()}") from None
