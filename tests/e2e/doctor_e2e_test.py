#!/usr/bin/env python3
"""Tests `doctor` under Wine with a real provider, damaging its registration in one way after the other."""

import json
import pathlib
import struct
import unittest

from e2e_support import WinePrefix, required, windows_path

KEY = r"HKLM\SYSTEM\CurrentControlSet\Services\sysperf\Performance"
PERFLIB = r"HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib"
# Facts that Wine has, and any free port.
CONFIG = ('{listen: {address: 127.0.0.1, port: 0}, facts: [os, memory], '
          'countersets: ["System", "Processor", "Memory", {name: "Process", instances: {include: ["no-such-.*"]}}]}')
I386, AMD64 = 0x014C, 0x8664


def pe_file(machine):
    """Returns the smallest file that names the machine that it was built for. It can't be loaded."""
    dos = b"MZ".ljust(60, b"\0") + struct.pack("<I", 64)
    return dos + b"PE\0\0" + struct.pack("<H", machine) + bytes(18)


class Doctor(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.executable = windows_path(required("WINPERF_EXPORTER"))
        cls.prefix = cls.enterClassContext(WinePrefix())
        registration = cls.prefix.register()
        if registration.code != 0:
            raise AssertionError(f"registration failed: {registration.errors}")
        cls.registered = {"Library": windows_path(required("WINPERF_SYSPERF")), "Open": "OpenSysPerf",
                          "Collect": "CollectSysPerf", "Close": "CloseSysPerf"}
        config = cls.prefix.folder / "doctor.yaml"
        config.write_text(CONFIG)
        cls.config = windows_path(config)

    def set_value(self, key, name, kind, value):
        """Sets a registry value until the end of the test."""
        self.prefix.write_registry("add", key, "/v", name, "/t", kind, "/d", value, "/f")
        if name in self.registered:
            self.addCleanup(self.prefix.write_registry,
                            "add", key, "/v", name, "/t", kind, "/d", self.registered[name], "/f")
        else:
            self.addCleanup(self.prefix.write_registry, "delete", key, "/v", name, "/f")

    def delete_value(self, name):
        """Deletes a value of the provider's key until the end of the test."""
        self.prefix.write_registry("delete", KEY, "/v", name, "/f")
        self.addCleanup(self.prefix.write_registry,
                        "add", KEY, "/v", name, "/t", "REG_SZ", "/d", self.registered[name], "/f")

    def register_functions(self, library, suffix):
        self.set_value(KEY, "Library", "REG_SZ", windows_path(library))
        for name in ("Open", "Collect", "Close"):
            self.set_value(KEY, name, "REG_SZ", name + suffix)

    def doctor(self, *arguments):
        """Returns the exit code and the findings by counterset."""
        result = self.prefix.run(self.executable, "doctor", "--format", "json", *arguments)
        self.assertNotEqual(result.output, "", result.errors)
        document = json.loads(result.output)
        self.assertEqual(document["source"], "registry")
        return result.code, {entry["name"]: entry for entry in document["countersets"]}

    def reasons(self, entry):
        return {entry["reason"], *(also["reason"] for also in entry["also"])}

    def test_healthy_provider(self):
        code, found = self.doctor("System", "Processor")
        self.assertEqual(code, 0)
        for entry in found.values():
            self.assertEqual((entry["status"], entry["reason"], entry["provider"]),
                             ("ok", "healthy", "sysperf"))

    def test_configured_filter_that_matches_nothing_is_a_warning(self):
        code, found = self.doctor("--config", self.config)
        self.assertEqual(code, 0, found)
        self.assertEqual(list(found), ["System", "Processor", "Memory", "Process"])
        self.assertEqual(found["Process"]["status"], "warning")
        self.assertEqual(found["Process"]["reason"], "instance_filter_matches_nothing")
        self.assertIn('"Idle"', " ".join(found["Process"]["evidence"]))

    def test_missing_library(self):
        self.set_value(KEY, "Library", "REG_SZ", r"C:\nowhere\sysperf.dll")
        code, found = self.doctor("Memory")
        self.assertEqual(code, 1)
        self.assertEqual((found["Memory"]["status"], found["Memory"]["reason"]),
                         ("failed", "library_missing"))
        self.assertIn(r"C:\nowhere\sysperf.dll", " ".join(found["Memory"]["evidence"]))
        self.assertIn('unlodctr "sysperf"', [step["command"] for step in found["Memory"]["repair"]])

    def test_library_is_found_through_variables_and_the_search_path(self):
        target = self.prefix.path / "drive_c/windows/system32/sysperf.dll"
        target.write_bytes(pathlib.Path(required("WINPERF_SYSPERF")).read_bytes())
        self.addCleanup(target.unlink)
        self.set_value(KEY, "Library", "REG_EXPAND_SZ", r"%SystemRoot%\System32\sysperf.dll")
        self.assertEqual(self.doctor("Memory")[0], 0)
        self.set_value(KEY, "Library", "REG_SZ", "sysperf.dll")
        self.assertEqual(self.doctor("Memory")[0], 0)

    def test_disabled_provider(self):
        # Wine delivers the counters anyway, so this is a warning, with the same reason.
        self.set_value(KEY, "Disable Performance Counters", "REG_DWORD", "1")
        code, found = self.doctor("Memory")
        self.assertEqual(found["Memory"]["reason"], "provider_disabled")
        self.assertEqual((code, found["Memory"]["status"]), (0, "warning"))
        self.assertIn('lodctr /E:"sysperf"', [step["command"] for step in found["Memory"]["repair"]])

    def test_all_providers_disabled(self):
        self.set_value(PERFLIB, "Disable Performance Counters", "REG_DWORD", "1")
        self.assertEqual(self.doctor("Memory")[1]["Memory"]["reason"], "all_v1_disabled")

    def test_library_of_the_wrong_bitness(self):
        path = self.prefix.folder / "old.dll"
        path.write_bytes(pe_file(I386))
        self.set_value(KEY, "Library", "REG_SZ", windows_path(path))
        code, found = self.doctor("Memory")
        self.assertEqual((code, found["Memory"]["reason"]), (1, "library_wrong_bitness"))
        self.assertIn("32-bit (x86)", found["Memory"]["sentence"])
        # Wine has no such service, so nothing can start it.
        self.assertIn("the service PerfHost (Performance Counter DLL Host) is absent", found["Memory"]["evidence"])

    def test_library_that_can_not_be_loaded(self):
        path = self.prefix.folder / "hollow.dll"
        path.write_bytes(pe_file(AMD64))
        self.set_value(KEY, "Library", "REG_SZ", windows_path(path))
        code, found = self.doctor("Memory")
        self.assertEqual((code, found["Memory"]["reason"]), (1, "library_unusable"))
        self.assertIn("is damaged: its functions cannot be found", found["Memory"]["sentence"])

    def test_provider_that_delivers_nothing(self):
        self.register_functions(required("WINPERF_HANG"), "Hang")
        code, found = self.doctor("Memory")
        self.assertEqual((code, found["Memory"]["reason"]), (1, "provider_failed"))

    def test_decorated_functions(self):
        self.register_functions(required("WINPERF_DECORATED"), "Decorated")
        code, found = self.doctor("Memory")
        self.assertEqual((code, found["Memory"]["reason"]), (1, "procedures_not_exported"))
        self.assertIn("decorated forms of these names", found["Memory"]["sentence"])
        evidence = "\n".join(found["Memory"]["evidence"])
        self.assertRegex(evidence, r'Open = "OpenDecorated", which the DLL exports as "(_Z|\?)\S*OpenDecorated\S*"')
        self.assertRegex(evidence, r"the DLL exports 3 functions")
        self.assertIn('extern "C"', found["Memory"]["repair"][0]["text"])

    def test_function_of_another_name(self):
        self.set_value(KEY, "Collect", "REG_SZ", "collectsysperf")
        code, found = self.doctor("Memory")
        self.assertEqual((code, found["Memory"]["reason"]), (1, "procedures_not_exported"))
        self.assertIn("upper and lower case differ", " ".join(found["Memory"]["evidence"]))
        self.assertIn(f'reg add "{KEY}" /v Collect /t REG_SZ /d "CollectSysPerf" /f',
                      [step["command"] for step in found["Memory"]["repair"]])

    def test_registration_without_open_and_close_is_complete(self):
        # Wine requires all three functions and delivers nothing, but the doctor must not name this as the reason.
        self.delete_value("Open")
        self.delete_value("Close")
        self.assertFalse({"procedures_missing", "procedures_not_exported"}
                         & self.reasons(self.doctor("Memory")[1]["Memory"]))

    def test_library_that_is_none(self):
        path = self.prefix.folder / "text.dll"
        path.write_text("no library")
        self.set_value(KEY, "Library", "REG_SZ", windows_path(path))
        code, found = self.doctor("Memory")
        self.assertEqual((code, found["Memory"]["reason"]), (1, "library_unusable"))

    def test_switches_are_noted(self):
        self.set_value(PERFLIB, "Configuration Flags", "REG_DWORD", "2")
        self.set_value(PERFLIB, "ExtCounterTestLevel", "REG_DWORD", "1")
        code, found = self.doctor("Memory")
        self.assertEqual(code, 0)
        self.assertLessEqual({"configuration_flags_set", "test_level_set"},
                             self.reasons(found["Memory"]))

    def test_misspelt_name(self):
        code, found = self.doctor("Memmory")
        self.assertEqual((code, found["Memmory"]["reason"]), (1, "name_unknown"))
        self.assertIn('"Memory"', found["Memmory"]["sentence"])

    def test_names_that_were_lost(self):
        table = self.prefix.path / "drive_c/windows/system32/perfc009.dat"
        self.addCleanup(table.write_bytes, table.read_bytes())
        table.write_bytes("1\0001847\0\0".encode("utf-16-le"))
        code, found = self.doctor("Memory")
        self.assertEqual((code, found["Memory"]["reason"]), (1, "name_table_gap"))
        self.assertIn("sysperf", " ".join(found["Memory"]["evidence"]))

    def test_name_without_a_provider(self):
        names = self.prefix.table()
        index = max(names) + 2
        table = self.prefix.path / "drive_c/windows/system32/perfc009.dat"
        before = table.read_bytes()
        self.addCleanup(table.write_bytes, before)
        table.write_bytes(before[:-2] + f"{index}\0Left Behind\0\0".encode("utf-16-le"))
        code, found = self.doctor("Left Behind")
        self.assertEqual((code, found["Left Behind"]["reason"]), (1, "stale_registration"))

    def test_text_for_people(self):
        result = self.prefix.run(self.executable, "doctor", "Memory", "Memmory")
        self.assertEqual(result.code, 1)
        self.assertRegex(result.output, r"(?m)^ok +Memory: ")
        self.assertRegex(result.output, r"(?m)^failed +Memmory: name_unknown$")
        self.assertRegex(result.output, r"(?m)^2 countersets: 1 ok, 0 with a warning, 1 failed$")

    def test_usage_error(self):
        self.assertEqual(self.prefix.run(self.executable, "doctor", "--frmat", "json").code, 2)


if __name__ == "__main__":
    unittest.main()
