#!/usr/bin/env python3
"""A provider is unregistered while the exporter runs, and registered again: its series end in time and come back by
themselves, and everything else goes on being fresh."""

import json
import re
import time
import unittest

from e2e_support import WinePrefix, get, get_json, required, wait_until, windows_path

STALE_AFTER = 3  # seconds, at an interval of one
OWN = re.compile(r'winperf_exporter_counterset_(\w+)\{counterset="(.*)"\} (\S+)')


class Freshness(unittest.TestCase):
    def setUp(self):
        self.prefix = self.enterContext(WinePrefix())
        self.assertEqual(self.prefix.register().code, 0)
        self.prefix.register_faulty()
        file = self.prefix.folder / "exporter.yaml"
        # Without facts, of which winperf_memory_physical_total_bytes begins like a series of the counterset Memory.
        file.write_text(json.dumps({"interval": "1s", "stale_after": f"{STALE_AFTER}s", "facts": [],
                                    "listen": {"address": "127.0.0.1", "port": 0},
                                    "countersets": ["System", "Memory", "Faulty Device"]}))
        self.exporter = self.prefix.start(windows_path(required("WINPERF_EXPORTER")), "run", "--config", windows_path(file))
        self.url = self.exporter.wait_for_line(r"listening on (http://127\.0\.0\.1:\d+)")[1]

    def page(self):
        """Returns the page, and what it says of each counterset, which must agree."""
        status, page = get(self.url + "/metrics")
        self.assertEqual(status, 200, page)
        own = {}
        for what, name, value in OWN.findall(page):
            own.setdefault(name, {})[what] = float(value)
        for name, said in own.items():
            has_series = f"\nwinperf_{name.lower().replace(' ', '_')}_" in page
            self.assertEqual(has_series, said.get("stale") == 0, (name, said))
            self.assertEqual(has_series, said.get("sample_age_seconds", STALE_AFTER + 1) <= STALE_AFTER, (name, said))
        return own

    def is_fresh(self, name, since=0):
        """Whether the counterset has series, of a sample that was taken after that time."""
        said = self.page().get(name, {})
        return said.get("stale") == 0 and said["last_sample_timestamp_seconds"] > since

    def test_series_end_and_come_back(self):
        everything = ("System", "Memory", "Faulty Device")
        for name in everything:
            wait_until(lambda name=name: self.is_fresh(name), f"{name} has series")
        for _ in range(2):
            self.prefix.register_faulty("--unregister")
            began = time.time()
            wait_until(lambda: not self.is_fresh("Faulty Device"), "its series end")
            ended = time.time()
            print(f"the series ended {ended - began:.1f} s after the provider was unregistered", flush=True)
            for name in ("System", "Memory"):
                wait_until(lambda name=name: self.is_fresh(name, since=ended), f"{name} goes on")
            entry = next(entry for entry in get_json(self.url + "/api/v1/sample")["countersets"]
                         if entry["name"] == "Faulty Device")
            self.assertTrue(entry["stale"] and entry["age_seconds"] > STALE_AFTER, entry["age_seconds"])
            self.assertEqual((entry["success"], bool(entry["error"])), (False, True))
            self.prefix.register_faulty()
            began = time.time()
            wait_until(lambda: self.is_fresh("Faulty Device", since=ended), "its series come back", seconds=120)
            print(f"the series came back {time.time() - began:.1f} s after it was registered", flush=True)
        self.assertEqual(get(self.url + "/-/ready")[0], 200)
        self.assertIn("Faulty Device: its values are more than 3 s old, so its series end", self.exporter.output())


if __name__ == "__main__":
    unittest.main()
