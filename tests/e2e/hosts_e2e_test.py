#!/usr/bin/env python3
"""Tests provider hosts under Wine with real DLLs: what a host reads is what the system's query of the same provider gives."""

import json
import pathlib
import unittest

from e2e_support import WinePrefix, required, windows_path

ISOLATIONS = ("registry", "hosts")


class Hosts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.prefix = cls.enterClassContext(WinePrefix())
        assert cls.prefix.register().code == 0
        cls.executable = windows_path(required("WINPERF_EXPORTER"))

    def exporter(self, *arguments, isolation="auto", timeout="10s", leave_out=()):
        config = pathlib.Path(self.prefix.folder, f"{isolation}.yaml")
        config.write_text(json.dumps({"path": "registry", "limits": {"query_timeout": timeout},
                                      "workers": {"isolation": isolation, "leave_out": leave_out}}))
        return self.prefix.run(self.executable, *arguments, "--config", windows_path(config))

    def objects(self, isolation):
        result = self.exporter("list", "--v1-only", "--format", "json", isolation=isolation)
        self.assertEqual((result.code, result.errors), (0, ""))
        return {entry["object"]: entry for entry in json.loads(result.output)["objects"]}

    def test_a_host_lists_what_the_system_lists(self):
        system, hosts = (self.objects(isolation) for isolation in ISOLATIONS)
        self.assertLessEqual({"System", "Processor", "Memory", "Process"}, set(system))
        # Processes come and go between two lists.
        processes = [each["Process"].pop("instances") for each in (system, hosts)]
        self.assertEqual(hosts, system)
        self.assertIn("_Total", processes[0])
        self.assertIn("_Total", processes[1])

    def values(self, isolation):
        result = self.exporter("query", "Memory", "System", "Processor", "--format", "json", isolation=isolation)
        self.assertEqual((result.code, result.errors), (0, ""))
        values = json.loads(result.output.splitlines()[-1])["values"]
        return {(value["object"], value["counter"], value["type"], value["instance"]): value for value in values}

    def test_a_host_reads_the_values_that_the_system_reads(self):
        system, hosts = (self.values(isolation) for isolation in ISOLATIONS)
        self.assertEqual(set(hosts), set(system))
        self.assertIn(("Processor", "% Processor Time", "0x21510500", "_Total"), system)
        for key, value in system.items():
            self.assertEqual(hosts[key]["reason"], value["reason"], key)

    def test_verify_finds_no_difference(self):
        result = self.exporter("verify", "--hosts", "--format", "json")
        document = json.loads(result.output)
        self.assertTrue(document["verified"], result.output)
        self.assertEqual({entry["counterset"] for entry in document["countersets"]},
                         {"System", "Processor", "Memory", "Process"})
        for entry in document["countersets"]:
            self.assertGreater(entry["compared"], 0, entry)

    def test_a_provider_that_is_left_out_is_missing_with_the_reason(self):
        result = self.exporter("query", "Memory", leave_out=["SysPerf"])
        self.assertEqual(result.code, 1)
        self.assertIn('provider "sysperf" is left out by the configuration', result.errors)
        self.assertIn("leave_out", self.exporter("verify", "--hosts", leave_out=["sysperf"]).errors)

    def test_a_provider_is_tried_alone(self):
        result = self.exporter("providers", "sysperf", "--try", "--format", "json")
        self.assertEqual((result.code, result.errors), (0, ""))
        provider, = json.loads(result.output)["providers"]
        self.assertEqual((provider["state"], provider["error"]), ("works", None))
        self.assertEqual({entry["object"] for entry in provider["objects"]}, set(self.objects("registry")))

    def test_a_library_that_is_not_there_has_its_reason(self):
        key = r"HKLM\System\CurrentControlSet\Services\absent\Performance"
        for name, text in (("Library", "absent.dll"), ("Open", "Open"), ("Collect", "Collect"), ("Close", "Close")):
            self.prefix.write_registry("add", key, "/v", name, "/d", text, "/f")
        self.addCleanup(self.prefix.write_registry, "delete", key, "/f")
        result = self.exporter("providers", "--try")
        self.assertEqual(result.code, 1)
        self.assertRegex(result.output, r"(?m)^sysperf +works ")
        self.assertRegex(result.output, r"(?m)^absent +os_error ")
        self.assertIn('provider "absent" in load failed (system error 126)', result.errors)


if __name__ == "__main__":
    unittest.main()
