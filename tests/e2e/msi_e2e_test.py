#!/usr/bin/env python3
"""The MSI under Wine: installed, scraped, reconfigured, repaired, upgraded, not downgraded, removed without a trace.
What Wine's installer and service control manager leave out is looked up in the tables instead."""

import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import unittest
from unittest.mock import ANY

from e2e_support import (WinePrefix, get, query_prometheus, required, start_prometheus, tool, wait_until,
                         windows_path)

MAKE_MSI = pathlib.Path(__file__).resolve().parent.parent.parent / "packaging/windows/make_msi.py"
NAME = "winperf_exporter"
CONFIG = rf"C:\ProgramData\{NAME}\{NAME}.yaml"
REFUSED, ACTION_FAILED = 1603 % 256, 1627 % 256  # exit codes come back modulo 256


def executable_of(folder, version):
    """The executable with another version in its version resource."""
    major, minor, build = map(int, version.split("."))
    data = required("WINPERF_EXPORTER").read_bytes()
    changed, count = re.subn(rb"(\xbd\x04\xef\xfe\x00\x00\x01\x00).{8}",
                             lambda match: match[1] + struct.pack("<4H", minor, major, 0, build), data, flags=re.DOTALL)
    if count != 1:
        raise AssertionError(f"{count} version resources in the executable")
    executable = folder / f"{version}.exe"
    executable.write_bytes(changed)
    return executable


def make_msi(folder, version):
    out = folder / f"{version}.msi"
    subprocess.run([MAKE_MSI, "--version", version, "--executable", executable_of(folder, version), "--out", out],
                   check=True, timeout=120, stdout=subprocess.DEVNULL)
    return out


def product_code(msi):
    properties = subprocess.run([tool("msiinfo"), "export", msi, "Property"], check=True, capture_output=True,
                                text=True).stdout
    return re.search(r"(?m)^ProductCode\t(\{.*\})", properties)[1]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Tables(unittest.TestCase):
    """What the MSI says to Windows, of which Wine ignores a part."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.msi = make_msi(cls.folder, "1.2.3")

    def table(self, name):
        lines = subprocess.run([tool("msiinfo"), "export", self.msi, name], check=True, capture_output=True,
                               text=True).stdout.splitlines()
        return {line.split("\t")[0]: line.split("\t")[1:] for line in lines[3:]}

    def test_properties(self):
        properties = {name: value[0] for name, value in self.table("Property").items()}
        self.assertEqual(properties["ProductVersion"], "1.2.3")
        self.assertEqual(properties["ALLUSERS"], "1")
        for name in ("LISTEN_ADDR", "LISTEN_PORT", "CONFIG_FILE", "SERVICE_ACCOUNT", "REMEMBERED_CONFIG_FILE",
                     "REMEMBERED_SERVICE_ACCOUNT", "WINDOWS_BUILD_NUMBER", "WIX_UPGRADE_DETECTED"):
            self.assertIn(name, properties["SecureCustomProperties"].split(";"))
        other = make_msi(self.folder, "1.2.4")
        self.assertNotEqual(product_code(other), properties["ProductCode"])
        self.assertEqual(self.table("Upgrade"), {properties["UpgradeCode"]: ANY})

    def test_order(self):
        sequence = {name: int(row[1]) for name, row in self.table("InstallExecuteSequence").items()}
        order = ["AppSearch", "RecallConfigFile", "CostFinalize", "DefaultConfigFile", "InstallInitialize",
                 "RemoveExistingProducts", "StopServices", "StopService", "RemoveService", "UndoCloseFirewall",
                 "CloseFirewall", "RemoveFiles", "CreateFolders", "InstallFiles", "UndoMakeConfig", "MakeConfig",
                 "UndoMakeService", "MakeService", "UndoOpenFirewall", "OpenFirewall", "StartService", "InstallFinalize"]
        self.assertEqual(sorted(order, key=sequence.get), order)

    def test_what_is_run_is_deferred_as_the_system_and_quoted(self):
        in_script, rollback, no_impersonate, property_set = 0x400, 0x100, 0x800, 51
        actions = self.table("CustomAction")
        for name, (kind, _, target, *_) in actions.items():
            if int(kind) & 0x3F != property_set:
                self.assertEqual(int(kind) & (in_script | no_impersonate), in_script | no_impersonate, name)
            self.assertNotRegex(re.sub(r'"[^"]*"', "", target) if int(kind) & 0x3F != property_set else "", r"\[", name)
            self.assertEqual(bool(int(kind) & rollback), name.startswith("Undo"), name)
        self.assertEqual(self.table("ServiceControl")["Service"][0:2], [NAME, "34"])

    def test_the_executable_is_replaced_by_its_version(self):
        files = self.table("File")
        self.assertEqual(files["Executable"][3:5], ["1.2.3.0", "1033"])
        hashes = self.table("MsiFileHash")
        self.assertEqual(set(hashes), set(files) - {"Executable"}, "a file has a version or a hash")

    def test_conditions_and_features(self):
        conditions = self.table("LaunchCondition")
        self.assertEqual(len(conditions), 4, conditions)
        self.assertIn("Privileged", conditions)
        self.assertEqual(conditions["Installed OR (VersionNT64 AND WINDOWS_BUILD_NUMBER >= 10240)"],
                         ["winperf_exporter needs Windows 10, Windows Server 2016 or later, 64-bit."])
        sequence = self.table("InstallExecuteSequence")
        self.assertLess(int(sequence["AppSearch"][1]), int(sequence["LaunchConditions"][1]), "which looks the number up")
        features = self.table("Feature")
        self.assertEqual((features["Main"][4], features["FirewallException"][4]), ("1", "2"))
        self.assertEqual(features["FirewallException"][0], "Main", "ADDLOCAL=FirewallException brings both")


class Msi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.executable = windows_path(required("WINPERF_EXPORTER"))
        cls.msi_folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.first, cls.second = (make_msi(cls.msi_folder, version) for version in ("0.1.1", "0.2.0"))

    def setUp(self):
        self.prefix = self.enterContext(WinePrefix())
        registration = self.prefix.register()
        self.assertEqual(registration.code, 0, registration.errors)
        # New prefixes of Wine 8 are Windows 7 to installers.
        self.prefix.run("winecfg", "-v", "win10")
        self.restart()
        self.drive = self.prefix.path / "drive_c"
        self.program = self.drive / "Program Files" / NAME / f"{NAME}.exe"
        self.config = self.drive / "ProgramData" / NAME / f"{NAME}.yaml"
        self.before = self.files(), self.registry()
        # Wine ends its services with the last ordinary program.
        self.prefix.start(self.executable, "run", "--listen", "127.0.0.1:0").wait_for_line(r"listening on http://")
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def restart(self):
        """Making a prefix leaves two service managers behind; ending them writes the registry to its files."""
        for option in ("--kill", "--wait"):
            self.prefix.run_native("wineserver", option)

    def files(self):
        return {str(path.relative_to(self.drive)) for path in self.drive.rglob("*")}

    def registry(self):
        """The keys that say anything of ours, by the lines that do."""
        found = set()
        for name in ("system.reg", "user.reg", "userdef.reg"):
            key = ""
            for line in (self.prefix.path / name).read_text("utf-8", "replace").splitlines():
                key = line if line.startswith("[") else key
                if NAME in line.lower() and "build\\\\" not in line:
                    found.add((key.split("]")[0], line.split("] ")[0]))
        return found

    def msiexec(self, *arguments, code=0):
        result = self.prefix.run("msiexec", *arguments, "/qn", seconds=120)
        self.assertEqual(result.code, code, f"{arguments}: {result.output}{result.errors}")

    def install(self, msi, *properties, code=0):
        self.msiexec("/i", windows_path(msi), *properties, code=code)

    def status(self):
        return self.prefix.run(self.executable, "service", "status").output

    def sampled(self):
        return set(re.findall(r'counterset_success\{counterset="(.+?)"\} 1', get(self.url + "/metrics")[1]))

    def removed_without_a_trace(self):
        self.assertIn("not installed", self.status())
        self.restart()
        files, registry = self.files(), self.registry()
        # Wine's installer has made its own folder, which is empty again.
        self.assertEqual(files - self.before[0] - {"windows/Installer"},
                         {f"ProgramData/{NAME}", f"ProgramData/{NAME}/{NAME}.yaml"})
        self.assertEqual(registry - self.before[1], set())

    def test_from_the_installation_to_the_removal(self):
        self.install(self.first, f"LISTEN_PORT={self.port}", "LISTEN_ADDR=127.0.0.1")
        self.assertRegex(self.status(), r"(?m)^state +running$")
        self.assertIn(rf'command line  "C:\Program Files\{NAME}\{NAME}.exe" run --config "{CONFIG}"', self.status())
        self.assertIn(f"port: {self.port},", self.config.read_text())
        self.assertIn("ConfigFile", self.prefix.run("reg", "query", rf"HKLM\Software\{NAME}").output)
        wait_until(lambda: "Memory" in self.sampled(), "the service samples")
        prometheus = start_prometheus(self.prefix, self.url)
        wait_until(lambda: query_prometheus(prometheus, "winperf_memory_available_bytes"), "Prometheus scrapes it")

        text = self.config.read_text()
        changed = re.sub(r"(?s)countersets: \[.*\]", 'countersets: ["Memory", "System"]', text)
        self.assertNotEqual(changed, text)
        self.config.write_text(changed)
        wait_until(lambda: self.sampled() == {"Memory", "System"}, "the service reloads")

        self.program.unlink()
        self.install(self.first, "REINSTALL=ALL", "REINSTALLMODE=amus")  # what /f does; Wine does not have it
        self.assertTrue(self.program.is_file(), "the repair puts it back")
        self.assertEqual(self.config.read_text(), changed)
        self.assertRegex(self.status(), r"(?m)^state +running$")

        self.install(self.second)
        self.assertRegex(self.status(), r"(?m)^state +running$")
        self.assertEqual(self.config.read_text(), changed, "the upgrade keeps it")
        wait_until(lambda: self.sampled() == {"Memory", "System"}, "the new version samples")
        uninstalled = self.prefix.run("reg", "query", r"HKLM\Software\Microsoft\Windows\CurrentVersion\Uninstall", "/s")
        self.assertEqual(re.findall(r"DisplayVersion +REG_SZ +(\S+)", uninstalled.output).count("0.2.0"), 1)
        self.assertNotIn("0.1.1", uninstalled.output)
        self.install(self.first, code=REFUSED)
        self.assertRegex(self.status(), r"(?m)^state +running$")

        logs = self.drive / "ProgramData" / NAME / "logs"
        (logs / "winperf_exporter.log").write_text("a line")
        self.msiexec("/x", windows_path(self.second))
        self.assertEqual(get(self.url + "/-/healthy")[0], 0)
        self.assertEqual(self.config.read_text(), changed, "it stays")
        self.removed_without_a_trace()

    def test_wrong_values_install_nothing(self):
        for wrong in ("LISTEN_PORT=http", "LISTEN_PORT=70000"):
            self.install(self.first, wrong, code=REFUSED)
        self.install(self.first, "LISTEN_ADDR=127.0.0.1:9182", code=ACTION_FAILED)
        self.assertFalse(self.program.exists())
        self.assertIn("not installed", self.status())

    def test_windows_8_1_and_server_2012_r2_are_refused(self):
        def set_build(number):
            self.prefix.run("reg", "add", r"HKLM\Software\Microsoft\Windows NT\CurrentVersion", "/v", "CurrentBuildNumber",
                            "/d", number, "/f")
        set_build("9600")
        self.install(self.first, f"LISTEN_PORT={self.port}", code=REFUSED)
        self.assertFalse(self.program.exists())
        set_build("14393")  # Windows Server 2016
        self.install(self.first, f"LISTEN_PORT={self.port}", "LISTEN_ADDR=127.0.0.1")
        self.assertRegex(self.status(), r"(?m)^state +running$")

    def test_a_service_that_cannot_start_fails_the_installation(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            self.install(self.first, f"LISTEN_PORT={taken.getsockname()[1]}", "LISTEN_ADDR=127.0.0.1", code=ACTION_FAILED)
        self.assertFalse(self.program.exists())
        print("NOT TESTED: the rollback actions. Wine takes back the files before it runs the program that is among them,"
              " so that the service and the configuration stay; their order is checked in the tables.", file=sys.stderr)

    def has_firewall_rule(self):
        return "FirewallRule" in self.prefix.run("reg", "query", rf"HKLM\Software\{NAME}").output

    def test_the_firewall_exception_comes_and_goes_alone(self):
        """As far as Wine can show it, whose netsh does nothing and which does not add a feature's parent."""
        self.install(self.first, f"LISTEN_PORT={self.port}", "LISTEN_ADDR=127.0.0.1", "ADDLOCAL=Main,FirewallException")
        self.assertRegex(self.status(), r"(?m)^state +running$")
        self.assertTrue(self.has_firewall_rule())
        self.install(self.first, "REMOVE=FirewallException")
        self.assertFalse(self.has_firewall_rule())
        self.assertRegex(self.status(), r"(?m)^state +running$")
        self.msiexec("/x", windows_path(self.first))
        self.config.unlink()
        self.config.parent.rmdir()

    def test_a_configuration_elsewhere_is_remembered(self):
        elsewhere = self.drive / "etc"
        elsewhere.mkdir()
        own = elsewhere / "own.yaml"
        own.write_text(f'{{listen: {{address: "127.0.0.1", port: {self.port}}}, interval: 1s, countersets: [System]}}')
        self.install(self.first, r"CONFIG_FILE=C:\etc\own.yaml", f"LISTEN_PORT={self.port + 1}",
                     "SERVICE_ACCOUNT=LocalService")
        wait_until(lambda: self.sampled() == {"System"}, "the service samples what that file says")
        self.install(self.second)
        status = self.status()
        self.assertIn(r'--config "C:\etc\own.yaml"', status)
        self.assertRegex(status, r"(?m)^account +NT AUTHORITY\\LocalService$")
        wait_until(lambda: self.sampled() == {"System"}, "the new version reads it, too")
        self.assertFalse(self.config.exists())
        self.msiexec("/x", windows_path(self.second))
        self.assertTrue(own.is_file())
        shutil.rmtree(elsewhere)
        self.assertFalse((self.drive / "ProgramData" / NAME).exists())


if __name__ == "__main__":
    unittest.main()
