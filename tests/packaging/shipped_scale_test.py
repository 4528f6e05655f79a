#!/usr/bin/env python3
"""The examples in packaging/prometheus/scale: promtool accepts them, the shards have each machine once, and docs/scale.md names
all of them.

Without promtool the tests that need it say so.
"""

import collections
import concurrent.futures
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROMETHEUS = ROOT / "packaging/prometheus"
SCALE = PROMETHEUS / "scale"
EXAMPLES = sorted(SCALE.glob("*.yml"))
SHARDS = 4
MACHINES = 400
NO_PROMTOOL = "" if shutil.which("promtool") else "NO PROMTOOL: promtool is not in PATH; scripts/test provides it"


def promtool(*arguments):
    return subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True, timeout=240)


@unittest.skipIf(NO_PROMTOOL, NO_PROMTOOL)
class Examples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        shutil.copytree(PROMETHEUS, pathlib.Path(folder.name, "prometheus"))
        self.folder = pathlib.Path(folder.name, "prometheus/scale")
        for secret in ("winperf.password", "winperf-ca.crt"):
            (self.folder.parent / secret).write_text("")  # promtool asks whether they are there

    def test_are_configurations(self):
        self.assertEqual(len(EXAMPLES), 3)
        for example in EXAMPLES:
            result = promtool("check", "config", self.folder / example.name)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_an_agent_may_send_on(self):
        result = promtool("check", "config", "--agent", self.folder / "remote_write.yml")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def instances_of(self, shard):
        text = (self.folder / "sharded_agents.yml").read_text()
        self.assertEqual(text.count('"0"      # this server'), 2)
        config = self.folder / f"shard_{shard}.yml"
        config.write_text(text.replace('"0"      # this server', f'"{shard}"'))
        result = promtool("check", "service-discovery", "--timeout=5s", config, "windows")
        self.assertEqual(result.returncode, 0, result.stderr)
        return [found["labels"]["instance"] for found in json.loads(result.stdout) if found["labels"]]

    def test_each_machine_belongs_to_one_shard(self):
        machines = [f"server-{number:04}.example.com" for number in range(MACHINES)]
        (self.folder / "targets/windows.json").write_text(
            json.dumps([{"targets": [f"{machine}:10182" for machine in machines], "labels": {"site": "main"}}]))
        with concurrent.futures.ThreadPoolExecutor(SHARDS) as pool:
            shards = list(pool.map(self.instances_of, range(SHARDS)))
        self.assertEqual(collections.Counter(machine for shard in shards for machine in shard), collections.Counter(machines))
        self.assertGreater(min(map(len, shards)), MACHINES // SHARDS // 2, "none has next to nothing")


class Pages(unittest.TestCase):
    def test_name_every_example(self):
        for page in (ROOT / "docs/scale.md", PROMETHEUS / "README.md"):
            for example in EXAMPLES:
                self.assertIn(f"scale/{example.name}", page.read_text(), page.name)


if __name__ == "__main__":
    unittest.main()
