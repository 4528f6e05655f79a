#!/usr/bin/env python3
"""A pattern in the configuration of a running exporter, with real provider DLLs: what is registered later is found and sampled,
what is unregistered is let go, and everything else goes on."""

import json
import re
import time
import unittest

from e2e_support import WinePrefix, get, get_json, required, wait_until, windows_path

SUCCESS = re.compile(r'winperf_exporter_counterset_success\{counterset="(.*)"\} (\d)')
SYSPERF = {"System", "Memory", "Processor"}
FAULTY = {"Faulty Device", "Faulty Parts"}


class Discovery(unittest.TestCase):
    def setUp(self):
        self.prefix = self.enterContext(WinePrefix())
        self.assertEqual(self.prefix.register().code, 0)
        file = self.prefix.folder / "exporter.yaml"
        file.write_text(json.dumps({"interval": "1s", "discovery_interval": "5s", "listen": {"address": "127.0.0.1", "port": 0},
                                    "countersets": ["*"]}))
        self.exporter = self.prefix.start(windows_path(required("WINPERF_EXPORTER")), "run", "--config", windows_path(file))
        self.url = self.exporter.wait_for_line(r"listening on (http://127\.0\.0\.1:\d+)")[1]

    def page(self):
        status, page = get(self.url + "/metrics")
        self.assertEqual(status, 200, page)
        return page

    def well(self):
        return {name for name, success in SUCCESS.findall(self.page()) if success == "1"}

    def planned(self):
        return {name for name, _ in SUCCESS.findall(self.page())}

    def test_follows_what_is_registered(self):
        wait_until(lambda: SYSPERF <= self.well(), "what is registered is sampled")
        self.assertFalse(FAULTY & self.planned())
        for _ in range(2):
            self.prefix.register_faulty()
            began = time.time()
            wait_until(lambda: FAULTY <= self.well(), "what was registered later is sampled", seconds=60)
            print(f"sampled {time.time() - began:.1f} s after it was registered", flush=True)
            self.prefix.register_faulty("--unregister")
            began = time.time()
            wait_until(lambda: not FAULTY & self.planned(), "it is let go", seconds=60)
            print(f"let go {time.time() - began:.1f} s after it was unregistered", flush=True)
        self.assertLessEqual(SYSPERF, self.well())
        report = get_json(self.url + "/api/v1/discovery")
        self.assertLessEqual(SYSPERF, {entry["name"] for entry in report["countersets"] if entry["sampled"]})
        self.assertIn("MetadataGlobal" if report["supports_metadata"] else "Global", " ".join(report["asked"]))
        failures = dict(re.findall(r'winperf_exporter_counterset_failures_total\{counterset="(.*)"\} (\d+)', self.page()))
        self.assertEqual({failures[name] for name in SYSPERF}, {"0"}, "everything else went on")
        print(f"a look took {report['duration_seconds']:.2f} s by {' and '.join(report['asked'])}", flush=True)


if __name__ == "__main__":
    unittest.main()
