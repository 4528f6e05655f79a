#!/usr/bin/env python3
"""The page in OpenMetrics, as the reference parser reads it: of the simulated machine and of recorded data, with all objects.

    openmetrics_test.py EXECUTABLE [unittest arguments]

The parser is that of Debian's python3-prometheus-client. Recorded data comes from WINPERF_CAPTURES. Where one of them is
absent, the tests that need it say so.
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "e2e"))
from e2e_support import Process, wait_until

try:
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
except ImportError:
    text_string_to_metric_families = None

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
VISTA = pathlib.Path(os.environ.get("WINPERF_CAPTURES", "")) / "vista-6000"
DEADLINE_SECONDS = 60
ACCEPT = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"  # of Prometheus
MEDIA_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8"
UNIT = re.compile(r".*_(seconds|bytes|ratio|hertz|celsius)")
ENVIRONMENT = {**os.environ, "WINPERF_SIMULATOR": ""}


def objects_of(source):
    listed = subprocess.run([EXECUTABLE, "list", "--format", "json", *source], capture_output=True, check=True, env=ENVIRONMENT)
    return [entry["name"] for entry in json.loads(listed.stdout)["countersets"]]


@unittest.skipUnless(text_string_to_metric_families, "NO PARSER: python3-prometheus-client isn't installed")
class OpenMetrics(unittest.TestCase):
    def start(self, *source):
        """Runs the program with everything that the source has, and returns how many objects that is."""
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        objects = objects_of(source)
        (folder / "exporter.json").write_text(json.dumps(
            {"interval": "1s", "countersets": objects, "metrics": {"total_instances": True, "created": True}}))
        server = Process([EXECUTABLE, "run", "--listen", "127.0.0.1:0", "--config", folder / "exporter.json", *source],
                         ENVIRONMENT, folder / "log")
        self.addCleanup(lambda: self.assertEqual(server.end(signal.SIGINT), 0))
        self.url = server.wait_for_line(r"listening on (http://\S+)/")[1]
        return len(objects)

    def get(self, accept):
        request = urllib.request.Request(self.url + "/metrics", headers={"Accept": accept})
        with urllib.request.urlopen(request, timeout=DEADLINE_SECONDS) as response:
            return response.headers["Content-Type"], response.read().decode()

    def page(self, objects):
        """Returns the page once it has so many objects."""
        def whole():
            kind, page = self.get(ACCEPT)
            well = re.findall(r"(?m)^winperf_exporter_counterset_success\{.*\} 1$", page)
            return (kind, page) if len(well) == objects else None
        return wait_until(whole, f"all of the {objects} objects are sampled", DEADLINE_SECONDS)

    def check(self, *source):
        kind, page = self.page(self.start(*source))
        self.assertEqual(kind, MEDIA_TYPE)
        families = list(text_string_to_metric_families(page))  # raises on anything that the format forbids
        samples = sum(len(family.samples) for family in families)
        self.assertEqual(samples, len(re.findall(r"(?m)^[^#]", page)))
        self.assertTrue({family.type for family in families} <= {"counter", "gauge"})
        for family in families:
            match = UNIT.fullmatch(family.name)
            self.assertEqual(family.unit, match[1] if match else "", family.name)
        self.assertEqual(self.get("*/*")[0], "text/plain; version=0.0.4; charset=utf-8")
        return len(families)

    def test_the_simulated_machine(self):
        self.assertGreater(self.check(), 150)

    @unittest.skipUnless(VISTA.is_dir(), f"NO RECORDED DATA: {VISTA} is absent; set WINPERF_CAPTURES to the captures")
    def test_the_recorded_machine(self):
        self.assertGreater(self.check("--source", f"replay:{VISTA}"), 100)


if __name__ == "__main__":
    unittest.main()
