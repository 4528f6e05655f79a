#!/usr/bin/env python3
"""--target under Wine, which knows one machine: its own name leads to the local registry, every other name to error 53."""

import json
import unittest

from e2e_support import WinePrefix, required, windows_path

NOWHERE = "no-such-machine.invalid"
COMMANDS = (["list"], ["query"], ["verify"], ["capture", "--out"])


class Target(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.executable = windows_path(required("WINPERF_EXPORTER"))
        cls.prefix = cls.enterClassContext(WinePrefix())
        registration = cls.prefix.register()
        if registration.code != 0:
            raise AssertionError(f"registration failed: {registration.errors}")
        cls.own_name = cls.prefix.run("cmd", "/c", "echo %COMPUTERNAME%").output.strip()
        # Wine's name tables are stubs, so objects have to be named by their indices.
        cls.system = next(str(index) for index, name in cls.prefix.table().items() if name == "System")

    def run_exporter(self, *words):
        return self.prefix.run(self.executable, *words)

    def counters(self, *words):
        """Returns the indices of the counters in the last sample of the object System."""
        result = self.run_exporter("query", self.system, "--format", "json", *words)
        self.assertEqual(result.code, 0, result.errors)
        return self.indices(result)

    def indices(self, result):
        return [value["counter_index"] for value in json.loads(result.output.splitlines()[-1])["values"]]

    def test_another_machine_is_error_53_and_a_hint(self):
        for command in COMMANDS:
            words = command + ([windows_path(self.prefix.folder / "none.zip")] if command[0] == "capture" else [])
            with self.subTest(command[0]):
                result = self.run_exporter(*words, "--target", NOWHERE)
                self.assertEqual(result.code, 1, result.output)
                self.assertIn(f"{NOWHERE} cannot be read: ", result.errors)
                self.assertIn("(Windows error 53)", result.errors)
                self.assertIn(f'"winperf_exporter doctor --target {NOWHERE}"', result.errors)

    def test_the_doctor_says_once_what_is_wrong(self):
        result = self.run_exporter("doctor", "--target", "\\\\" + NOWHERE, "--format", "json")
        self.assertEqual(result.code, 1, result.errors)
        document = json.loads(result.output)
        self.assertEqual(document["source"], "target")
        [diagnosis] = document["countersets"]
        self.assertEqual((diagnosis["name"], diagnosis["machine"]), ("every counterset", NOWHERE))
        # Whether it is known that the name has no address depends on the resolver.
        self.assertIn(diagnosis["reason"], ("target_name_unknown", "target_unreachable"))
        self.assertIn("system error 53", diagnosis["evidence"][0])

    def test_the_own_name_gives_the_local_counters(self):
        local = self.counters()
        self.assertTrue(local)
        for name in (self.own_name, "\\\\" + self.own_name.lower()):
            with self.subTest(name):
                self.assertEqual(self.counters("--target", name), local)

    def test_the_doctor_reads_the_own_name(self):
        result = self.run_exporter("doctor", self.system, "--target", self.own_name, "--format", "json")
        self.assertEqual(result.code, 0, result.output + result.errors)
        [diagnosis] = json.loads(result.output)["countersets"]
        self.assertEqual((diagnosis["machine"], diagnosis["object_index"]), (self.own_name, int(self.system)))
        # It is delivered, but Wine's table has no name for it.
        self.assertEqual((diagnosis["status"], diagnosis["reason"]), ("warning", "name_table_gap"))

    def test_a_capture_of_the_own_name_replays(self):
        folder = self.prefix.folder / "own"
        result = self.run_exporter("capture", "--target", self.own_name, "--out", windows_path(folder), "--samples", "2",
                                   "--interval", "1s")
        self.assertEqual(result.code, 0, result.errors)
        self.assertEqual(json.loads((folder / "capture.json").read_text())["source"], f"registry of {self.own_name}")
        replayed = self.run_exporter("query", self.system, "--format", "json", "--source", f"replay:{windows_path(folder)}")
        self.assertEqual(self.indices(replayed), self.counters())
        # The names of registered providers are in a file, in which nobody looks on another machine.
        for line in replayed.errors.split("\n"):
            self.assertRegex(line.strip(), "^$|has no name in the name table: ")


if __name__ == "__main__":
    unittest.main()
