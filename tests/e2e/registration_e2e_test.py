#!/usr/bin/env python3
"""Tests register_provider.py with a real Wine prefix: what it writes, and that a second run changes nothing."""

import os
import pathlib
import re
import shutil
import unittest
import unittest.mock

from e2e_support import SYSPERF_INI, WinePrefix, required, windows_path

FIRST = 1848  # the first index after Windows' own
LAST = 1903


class Registration(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.prefix = cls.enterClassContext(WinePrefix())

    def setUp(self):
        self.assertEqual(self.prefix.register().code, 0)

    def provider_with(self, extra_symbols):
        """Copies the .ini and symbol file to a separate folder, and adds symbols."""
        folder = self.prefix.folder / f"ini-{extra_symbols}"
        folder.mkdir(exist_ok=True)
        ini = pathlib.Path(shutil.copy(SYSPERF_INI, folder))
        header = pathlib.Path(shutil.copy(SYSPERF_INI.with_name("sysperf_counters.h"), folder))
        offset = LAST + 1 - FIRST
        for i in range(extra_symbols):
            with open(header, "a") as file:
                file.write(f"#define EXTRA_{i} {offset + 2 * i}\n")
            with open(ini, "a") as file:
                file.write(f"EXTRA_{i}_009_NAME=Extra {i}\nEXTRA_{i}_009_HELP=Help of {i}\n")
        return ini

    def assert_objects(self, first):
        """Checks that the DLL delivers the objects with the indices in the name table."""
        names = self.prefix.table()
        values = self.prefix.read_registry("Global")
        objects = {names[key[0]] for key in values}
        self.assertLessEqual({"System", "Processor", "Memory", "Process"}, objects)
        self.assertIn(first, {key[0] for key in values})

    def test_names_and_helps_are_in_the_tables(self):
        names, helps = self.prefix.table("c"), self.prefix.table("h")
        self.assertEqual(names[1], "1847")
        self.assertEqual(names[FIRST], "System")
        self.assertEqual(names[FIRST + 10], "% Processor Time")
        self.assertEqual(set(helps), {index + 1 for index in names if index >= FIRST})
        self.assertTrue(helps[FIRST + 1].startswith("What the machine as a whole is doing"))

    def test_windows_loads_the_provider(self):
        self.assert_objects(FIRST)

    def test_second_call_changes_nothing_and_needs_no_wine(self):
        files = [self.prefix.path / f"drive_c/windows/system32/perf{letter}009.dat" for letter in "ch"]
        before = [(file.read_bytes(), file.stat().st_mtime_ns) for file in files]
        shadow = self.prefix.folder / "shadow"
        shadow.mkdir()
        (shadow / "wine").write_text("#!/bin/sh\nexit 99\n")
        (shadow / "wine").chmod(0o755)
        environment = dict(self.prefix.environment, PATH=f"{shadow}:{os.environ['PATH']}")
        result = self.prefix.register(environment=environment)
        self.assertEqual((result.code, result.errors), (0, ""))
        self.assertEqual(result.output, f"sysperf: already registered with indices {FIRST} to {LAST}\n")
        self.assertEqual([(file.read_bytes(), file.stat().st_mtime_ns) for file in files], before)

    def test_more_symbols_move_behind_and_leave_no_old_names(self):
        self.assertEqual(self.prefix.register("--unregister").code, 0)
        self.assertEqual(self.prefix.register(ini=self.provider_with(0)).code, 0)
        result = self.prefix.register(ini=self.provider_with(2))
        first = LAST + 1
        self.assertEqual(result.output, f"sysperf: registered with indices {first} to {first + 59}\n")
        names = self.prefix.table()
        self.assertNotIn(FIRST, names)
        self.assertEqual(names[first + 58], "Extra 1")
        self.assert_objects(first)
        self.assertEqual(self.prefix.register("--unregister").code, 0)

    def test_unregister_leaves_nothing(self):
        self.assertEqual(self.prefix.register("--unregister").output, "sysperf: unregistered\n")
        self.assertEqual(self.prefix.table("c"), {1: "1847"})
        self.assertEqual(self.prefix.table("h"), {})
        self.assertNotIn(FIRST, {key[0] for key in self.prefix.read_registry("Global")})
        self.assertEqual(self.prefix.register("--unregister").output, "sysperf: was not registered\n")

    def test_registry_that_wineserver_saves_late_keeps_no_indices(self):
        self.assertEqual(self.prefix.register("--unregister").code, 0)
        note = self.prefix.path / "registered-sysperf.json"
        registry = self.prefix.path / "system.reg"
        # This is how wineserver saves it while other indices are registered.
        stale = "WINE REGISTRY Version 2\n\n"
        for key, values in ((r"System\CurrentControlSet\Services\sysperf\Performance", (2000, 2055)),
                            (r"Software\Microsoft\Windows NT\CurrentVersion\Perflib", (2054, 2055))):
            stale += "[" + key.replace("\\", "\\\\") + "] 1\n"
            for name, value in zip(("First Counter", "Last Help"), values):
                stale += f'"{name}"=dword:{value:08x}\n'
            stale += "\n"
        registry.write_text(stale)
        os.utime(registry, ns=(note.stat().st_mtime_ns - 1,) * 2)
        self.assertEqual(self.prefix.register("--unregister").output, "sysperf: was not registered\n")
        self.assertEqual(self.prefix.register().output, f"sysperf: registered with indices {FIRST} to {LAST}\n")

    def test_says_what_is_wrong_with_the_files(self):
        ini = self.provider_with(1)
        ini.write_text(ini.read_text().replace("EXTRA_0_009_HELP", "EXTRA_9_009_HELP"))
        result = self.prefix.register(ini=ini)
        self.assertEqual(result.code, 1)
        self.assertIn("'EXTRA_9_009_HELP' is not <symbol>_<language>_NAME or _HELP", result.errors)
        result = self.prefix.register(dll=self.prefix.folder / "missing.dll")
        self.assertEqual(result.code, 1)
        self.assertIn("missing.dll", result.errors)


class DevicesAndEvents(unittest.TestCase):
    """Tests the optional parts of a registration, and how the provider uses them."""

    @classmethod
    def setUpClass(cls):
        cls.prefix = cls.enterClassContext(WinePrefix())

    def value_of(self, key, name):
        """Returns the type and the text that `reg query` prints, or None if the value does not exist."""
        result = self.prefix.run("reg", "query", rf"HKLM\System\CurrentControlSet\Services\{key}", "/v", name)
        match = re.search(rf"^ +{re.escape(name)} +(REG_\w+) +(.*)$", result.output, re.MULTILINE)
        return match and (match[1], match[2])

    def objects(self):
        names = self.prefix.table()
        return {names.get(key[0]) for key in self.prefix.read_registry("Global")}

    def test_devices_are_opened_before_anything_is_delivered(self):
        device = self.prefix.path / "drive_c/device"
        self.assertEqual(self.prefix.register("--device", r"C:\device", "--device", r"C:\device").code, 0)
        self.assertEqual(self.value_of(r"sysperf\Linkage", "Export"), ("REG_MULTI_SZ", r"C:\device\0C:\device"))
        self.assertNotIn("System", self.objects())
        device.touch()
        self.addCleanup(device.unlink)
        self.assertIn("System", self.objects())
        self.assertEqual(self.prefix.register().code, 0)
        self.assertIsNone(self.value_of(r"sysperf\Linkage", "Export"), "registered without devices")

    def test_events_are_registered_and_removed(self):
        source = r"EventLog\Application\sysperf"
        self.assertEqual(self.prefix.register("--events").code, 0)
        kind, path = self.value_of(source, "EventMessageFile")
        self.assertEqual((kind, path), ("REG_SZ", windows_path(required("WINPERF_SYSPERF"))))
        self.assertEqual(self.value_of(source, "TypesSupported"), ("REG_DWORD", "0x7"))
        self.assertEqual(self.prefix.register("--unregister").code, 0)
        self.assertIsNone(self.value_of(source, "EventMessageFile"))

    def test_trouble_that_lasts_is_one_event(self):
        self.assertEqual(self.prefix.register("--events", "--device", r"C:\no such device").code, 0)
        # Wine prints an event's text in its debug messages, and stores it nowhere.
        environment = dict(self.prefix.environment, WINEDEBUG="-all,err+eventlog")
        regread = windows_path(required("WINPERF_REGREAD"))
        with unittest.mock.patch.object(self.prefix, "environment", environment):
            result = self.prefix.run(regread, "Global", "20", seconds=300)
        self.assertEqual(result.code, 0, result.errors)
        events = re.findall(r'err:eventlog:\w+ L"(.*)"', result.errors)
        self.assertEqual(events, [r"the device that Linkage\\Export names cannot be opened: C:\\no such device"
                                  " (error 2)"])


if __name__ == "__main__":
    required("WINPERF_REGREAD")
    unittest.main()
