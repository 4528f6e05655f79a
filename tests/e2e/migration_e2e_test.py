#!/usr/bin/env python3
"""Tests the way of docs/migrating.md under Wine: with a service windows_exporter that serves a page, `config migrate` finds
it, the commands that it prints switch over to the same port and the same names, and the last one switches back."""

import re
import shlex
import shutil
import unittest

from e2e_support import get, required, wait_until, windows_path
from service_e2e_test import SERVICES, ServiceTest

PORT = 29182
PAGE = f"http://127.0.0.1:{PORT}"
STAND_IN = "windows_stand_in 1"


class Migration(ServiceTest):
    def stand_in(self):
        """Installs and starts the service, and returns its program."""
        folder = self.prefix.path / "drive_c/Program Files/windows_exporter"
        folder.mkdir(parents=True)
        shutil.copy(required("WINPERF_STAND_IN"), folder / "windows_exporter.exe")
        (folder / "config.yaml").write_text(
            "collectors:\n  enabled: memory,system,os,container\n"
            f"web:\n  listen-address: 127.0.0.1:{PORT}\nlog:\n  file: eventlog\n")
        program = r"C:\Program Files\windows_exporter\windows_exporter.exe"
        self.wine("sc", "create", "windows_exporter", "binPath=",
                  rf'"{program}" --config.file="C:\Program Files\windows_exporter\config.yaml" --log.level=warn',
                  "start=", "auto")
        self.addCleanup(self.prefix.run, "sc", "delete", "windows_exporter")
        self.addCleanup(self.prefix.run, "sc", "stop", "windows_exporter")
        self.wine("sc", "start", "windows_exporter")
        wait_until(lambda: STAND_IN in self.page(), "the stand-in answers")
        return program

    def page(self):
        return get(PAGE + "/metrics")[1]

    def commands_in(self, told):
        """Returns the indented lines, as words."""
        lines = re.findall(r"(?m)^  (\S.*)$", told)
        return [[word for word in shlex.split(line.replace("\\", "\\\\"))] for line in lines]

    def migrate(self, *options, code):
        result = self.prefix.run(self.executable, "config", "migrate", *options)
        self.assertEqual(result.code, code, result.output + result.errors)
        return result

    def test_five_minutes(self):
        self.assertIn("no service windows_exporter or wmi_exporter is installed", self.migrate(code=1).errors)
        name = self.stand_in()
        result = self.migrate(code=3)
        self.assertIn(f"found the service windows_exporter, which is running: {name}\n", result.output)
        self.assertIn("its configuration is C:\\Program Files\\windows_exporter\\config.yaml\n", result.output)
        self.assertIn("lost: C:\\Program Files\\windows_exporter\\config.yaml:2:3: collectors.enabled: container: "
                      "containers are not read", result.errors)
        self.assertIn("3 of 4 collectors taken over, 1 loss\n", result.errors)
        ours = self.prefix.path / "drive_c/ProgramData/winperf_exporter/winperf_exporter.yaml"
        self.assertIn(f'listen: {{address: "127.0.0.1", port: {PORT}}}', ours.read_text())
        self.assertIn('log: {level: "warn"}', ours.read_text(), "flags come before the file")
        self.assertIn("--force", self.migrate(code=1).errors)
        self.migrate("--force", code=3)
        install, start, back = self.commands_in(result.output)
        self.addCleanup(self.stop_and_remove, "winperf_exporter")
        # Wine's lodctr assigns nothing to the counters that are the default, which makes the exit code 1.
        self.assertIn("installed", self.wine(*install, "--counters", "none"))
        told = self.wine(*start)
        self.assertIn("windows_exporter: set to manual start\nwindows_exporter: stopped\n", told)
        self.assertRegex(told, r"winperf_exporter: running \(process \d+\)")
        self.assertEqual(self.status("windows_exporter", code=3)["start"], "manual")
        wait_until(lambda: "windows_memory_available_bytes" in self.page(), "the same port has windows_exporter's names")
        self.assertRegex(self.page(), r"(?m)^windows_system_threads \d")
        wait_until(lambda: "windows_os_info{" in self.page(), "facts have them, too")
        self.assertNotIn(STAND_IN, self.page())
        told = self.wine(*back)
        self.assertIn("winperf_exporter: stopped\n", told)
        self.assertRegex(told, r"windows_exporter: running \(process \d+\)")
        wait_until(lambda: STAND_IN in self.page(), "the stand-in answers again")
        self.assertEqual(self.status("windows_exporter")["start"], "auto")
        self.assertEqual(self.status("winperf_exporter", code=3)["start"], "manual")

    def test_of_nssm(self):
        """Its service runs nssm.exe; what that runs is in the registry."""
        name = "wmi_exporter"
        self.wine("sc", "create", name, "binPath=", r"C:\nssm\nssm.exe", "start=", "demand")
        self.addCleanup(self.prefix.run, "sc", "delete", name)
        key = rf"{SERVICES}\{name}\Parameters"
        self.prefix.write_registry("add", key, "/v", "Application", "/d", r"C:\w\wmi_exporter.exe", "/f")
        self.prefix.write_registry("add", key, "/v", "AppParameters", "/d", "--telemetry.addr :9100 --collectors.enabled cpu",
                                   "/f")
        out = self.prefix.folder / "nssm.yaml"
        result = self.migrate("--out", windows_path(out), code=0)
        self.assertIn("found the service wmi_exporter, which is not running: C:\\w\\wmi_exporter.exe\n", result.output)
        self.assertIn("port: 9100", out.read_text())
        self.assertIn("--replacing wmi_exporter", result.output)


if __name__ == "__main__":
    unittest.main()
