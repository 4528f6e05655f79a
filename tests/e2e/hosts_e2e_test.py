#!/usr/bin/env python3
"""Tests provider hosts under Wine with real DLLs: what a host reads is what the system's query of the same provider gives."""

import json
import pathlib
import struct
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
        return {entry["name"]: entry for entry in json.loads(result.output)["countersets"]}

    def test_a_host_lists_what_the_system_lists(self):
        system, hosts = (self.objects(isolation) for isolation in ISOLATIONS)
        self.assertLessEqual({"System", "Processor", "Memory", "Process"}, set(system))
        # Processes come and go between two lists.
        processes = [each["Process"].pop("instance_names") for each in (system, hosts)]
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
        countersets = {entry["name"]: entry for entry in document["countersets"]}
        self.assertEqual(set(countersets), {"System", "Processor", "Memory", "Process"})
        for entry in countersets.values():
            self.assertGreater(entry["compared"], 0, entry)
            # A process that makes a query has more memory meanwhile.
            others = [difference for difference in entry["differences"]
                      if not difference["instance"].startswith("winperf_exporter")]
            self.assertEqual(others, [], entry["name"])

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
        self.assertEqual({entry["name"] for entry in provider["countersets"]}, set(self.objects("registry")))

    def register(self, service, library):
        key = rf"HKLM\System\CurrentControlSet\Services\{service}\Performance"
        self.addCleanup(self.prefix.write_registry, "delete", key, "/f")
        for name, text in (("Library", library), ("Open", "Open"), ("Collect", "Collect"), ("Close", "Close")):
            self.prefix.write_registry("add", key, "/v", name, "/d", text, "/f")
        return key

    def listed(self, service):
        result = self.exporter("providers", service, "--format", "json")
        self.assertEqual((result.code, result.errors), (0, ""))
        document = json.loads(result.output)
        return document["providers"][0], document["perf_host"]

    def test_a_provider_is_listed_with_its_library(self):
        provider, perf_host = self.listed("sysperf")
        self.assertEqual((provider["state"], provider["bits"], perf_host), ("registered", 64, "absent"))
        self.assertTrue(provider["library_path"].lower().endswith("sysperf.dll"), provider["library_path"])
        # Nobody signs a test, and Wine has no catalogs.
        self.assertIn(provider["signature"], ("none", "not_embedded"))
        self.assertEqual((provider["signer"], provider["signature_verified"]), (None, None))

    def test_all_values_of_a_registration_are_read(self):
        key = self.register("valued", "absent.dll")
        for name, number in (("Open Timeout", 700), ("Collect Timeout", 0), ("KeepResident", 1),
                             ("Disable Performance Counters", 4), ("Collect Supports Metadata", 1)):
            self.prefix.write_registry("add", key, "/v", name, "/t", "REG_DWORD", "/d", str(number), "/f")
        self.prefix.write_registry("add", key, "/v", "Library Validation Code", "/t", "REG_BINARY", "/d", "0102", "/f")
        provider, _ = self.listed("valued")
        expected = {"state": "disabled", "open_timeout_seconds": 0.7, "collect_timeout_seconds": None, "keep_resident": True,
                    "disable_performance_counters": 4, "supports_metadata": True, "has_validation_code": True,
                    "library_path": None, "bits": None, "version": None, "signature": None}
        self.assertEqual({name: provider[name] for name in expected}, expected)

    def test_a_32_bit_provider_is_not_loaded(self):
        library = self.prefix.folder / "narrow.dll"
        library.write_bytes(struct.pack("<2s58xI64x4sH", b"MZ", 128, b"PE\0\0", 0x014C) + bytes(100))
        self.register("narrow", windows_path(library))
        result = self.exporter("providers", "narrow", "--try")
        self.assertEqual((result.code, result.errors), (0, ""))
        self.assertRegex(result.output, r"(?m)^narrow +32-bit +- +- +- +Z:.*narrow\.dll .* 32 +-$")
        self.assertIn("through the service PerfHost, whose state is absent\n", result.output)

    def test_a_library_on_another_machine_is_not_looked_at(self):
        self.register("remote", r"\\nobody\share\remote.dll")
        provider, _ = self.listed("remote")
        self.assertEqual((provider["state"], provider["library_path"], provider["bits"]),
                         ("registered", r"\\nobody\share\remote.dll", None))

    def test_a_library_that_is_not_there_has_its_reason(self):
        self.register("absent", "absent.dll")
        self.assertEqual(self.listed("absent")[0]["state"], "library missing")
        result = self.exporter("providers", "--try")
        self.assertEqual(result.code, 1)
        self.assertRegex(result.output, r"(?m)^sysperf +works ")
        self.assertRegex(result.output, r"(?m)^absent +os_error ")
        self.assertIn('provider "absent" in load failed (system error 126)', result.errors)


if __name__ == "__main__":
    unittest.main()
