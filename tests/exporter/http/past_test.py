#!/usr/bin/env python3
"""A simulated server that begins with hours behind it: who used the processors, although it has ended.

    past_test.py EXECUTABLE SOURCE_DIRECTORY [unittest arguments]
"""

import json
import pathlib
import sys
import tempfile
import time
import unittest
import urllib.parse
import urllib.request
from datetime import datetime

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "tests/support"))
import simulated_server

DEADLINE_SECONDS = 60
SPEED = 20
CPU = r"\Process(*)\% Processor Time"
ENDED, ITS_ID = "robocopy", 9124


def moment(text):
    return datetime.fromisoformat(text[:19] + "+00:00").timestamp()


class Past(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        past = {"WINPERF_SIMULATOR_PAST": "150m", "WINPERF_SIMULATOR_SPEED": str(SPEED)}
        cls.server = simulated_server.SimulatedServer(EXECUTABLE, folder, environment=past, interval="5s", countersets=["Process"])
        cls.addClassCleanup(cls.server.close)
        cls.began = time.time()

    def get(self, route, **parameters):
        url = f"{self.server.url}/api/v1/{route}?{urllib.parse.urlencode(parameters)}"
        with urllib.request.urlopen(url, timeout=DEADLINE_SECONDS) as answer:
            return json.load(answer)

    def top(self, **parameters):
        return self.get("top", **{"counter": CPU, **parameters})["leaders"]

    def test_the_leader_of_the_hour_ended_40_minutes_ago(self):
        leader = self.top(since=int(self.began) - 3_600, until=int(self.began))[0]
        self.assertEqual((leader["instance"], leader["process_id"], leader["ended"]), (ENDED, ITS_ID, True))
        # The last sample with it: one of a minute is kept.
        self.assertAlmostEqual(moment(leader["to"]), self.began - 2_400, delta=180)

    def test_others_that_ended_are_there_too(self):
        ended = {leader["instance"] for leader in self.top(since=int(self.began) - 7_200, until=int(self.began), n=1_000) if leader["ended"]}
        self.assertLessEqual({"MpCmdRun", "sqlcmd", "taskhostw"}, ended)

    def test_what_others_leave_leads_only_if_it_is_named(self):
        names = {leader["instance"] for leader in self.top(since=int(self.began) - 3_600, n=1_000)}
        self.assertIn(ENDED, names)
        self.assertFalse(names & {"Idle", "_Total"})
        for name in ("Idle", "_Total"):
            named = self.top(counter=CPU.replace("*", name), since=int(self.began) - 3_600)
            self.assertEqual([leader["instance"] for leader in named], [name])

    def test_a_sleep_is_a_gap(self):
        windows = self.get("range", path=r"\Process(System)\% Processor Time", since=int(self.began) - 9_000, until=int(self.began),
                           step="10m")["counters"][0]["instances"][0]["windows"]
        self.assertIn("gap", {window["reason"] for window in windows})

    def test_time_passes_faster(self):
        first = moment(self.get("top", since="1m")["until"])
        before = time.monotonic()
        self.server.text()
        passed = time.monotonic() - before
        self.assertGreaterEqual(moment(self.get("top", since="1m")["until"]) - first, passed * SPEED - 1)


if __name__ == "__main__":
    unittest.main()
