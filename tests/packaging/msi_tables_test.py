#!/usr/bin/env python3
"""Reads the MSI's tables: what it installs, in which order, with whose rights and by which values. What Wine's installer makes
of it, tests/e2e/msi_e2e_test.py shows."""

import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from unittest.mock import ANY

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from msi_file import COUNTERS, DOCUMENTS, NO_PROGRAM, make_msi, product_code, table

NAME = "winperf_exporter"
# What may be given, and what the registry remembers.
GIVEN = ("APPLICATIONFOLDER", "LISTEN_ADDR", "LISTEN_PORT", "TLS_CERT_FILE", "TLS_KEY_FILE", "WEB_CONFIG_FILE", "CONFIG_FILE",
         "SERVICE_ACCOUNT", "REMOTE_ADDR", "OWN_COUNTERS")
REMEMBERED = ("REMEMBERED_FOLDER", "REMEMBERED_CONFIG_FILE", "REMEMBERED_SERVICE_ACCOUNT", "REMEMBERED_REMOTE_ADDR",
              "REMEMBERED_PROPERTIES")
# Learn, "Custom Action Types" and "Custom Action In-Script Execution Options".
KIND, LIBRARY, PROPERTY_SET = 0x3F, 1, 51
IN_SCRIPT, ROLLBACK, NO_IMPERSONATE, GO_ON = 0x400, 0x100, 0x800, 0x40


@unittest.skipUnless(shutil.which("wixl") and shutil.which("msiinfo"), "NO MSITOOLS")
class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.msi = cls.make("1.2.3")

    @classmethod
    def make(cls, version, *options):
        installer = cls.folder / "winperf_installer.dll"
        installer.write_bytes(b"MZ")
        return make_msi(cls.folder, version, NO_PROGRAM, installer, *options)

    def table(self, name, msi=None):
        return table(msi or self.msi, name)

    def conditions(self):
        return {name: row[0] for name, row in self.table("InstallExecuteSequence").items()}

    def properties(self, msi=None):
        return {name: value[0] for name, value in self.table("Property", msi).items()}

    def test_properties(self):
        properties = self.properties()
        self.assertEqual(properties["ProductVersion"], "1.2.3")
        self.assertEqual(properties["ALLUSERS"], "1")
        # A property that isn't secure reaches the elevated part only if an administrator gives it.
        self.assertEqual(set(properties["SecureCustomProperties"].split(";")),
                         {"WIX_UPGRADE_DETECTED", "WIX_DOWNGRADE_DETECTED"})
        self.assertFalse(set(properties) & {*GIVEN, *REMEMBERED}, "no value of its own")
        page = (ROOT / "docs/packages.md").read_text()
        for name in GIVEN:
            self.assertRegex(page, rf"(?m)^\|.*`{name}`.*\|$", f"docs/packages.md has a row for {name}")
        other = self.make("1.2.4")
        self.assertNotEqual(product_code(other), properties["ProductCode"])
        self.assertEqual(self.table("Upgrade"), {properties["UpgradeCode"]: ANY})

    def test_what_is_passed_on_to_the_program(self):
        actions = self.table("CustomAction")
        # Windows Installer's own limit of a cell.
        self.assertLessEqual(max(len(row[2]) for row in actions.values()), 255)
        changes = actions["TellChangeConfig"][2]
        self.assertIn("|listen.web_config_file=[WEB_CONFIG_FILE]|[TlsChanges]", changes)
        # Before MakeService, which registers what the configuration says.
        self.assertIn("|own_counters=[OWN_COUNTERS]|", changes)
        self.assertEqual(actions["TellTlsChanges"][1:3], [
            "TlsChanges", "listen.web.tls_server_config.cert_file=[TLS_CERT_FILE]|"
                          "listen.web.tls_server_config.key_file=[TLS_KEY_FILE]"])
        conditions, sequence = self.conditions(), self.sequence()
        self.assertLess(sequence["TellTlsChanges"], sequence["TellChangeConfig"])
        for action in ("ChangeConfig", "UndoChangeConfig"):
            for name in ("LISTEN_ADDR", "LISTEN_PORT", "TLS_CERT_FILE", "TLS_KEY_FILE", "WEB_CONFIG_FILE", "OWN_COUNTERS"):
                self.assertRegex(conditions[action], rf"\b{name}\b")

    def commands(self):
        """Returns the actions that run with the system's rights, and what each is told."""
        actions = self.table("CustomAction")
        return {name: actions[f"Tell{name}"][2].replace("[TlsChanges]", actions["TellTlsChanges"][2])
                for name, row in actions.items() if int(row[0]) & NO_IMPERSONATE and int(row[0]) & KIND == LIBRARY}

    def test_no_action_runs_code_with_the_rights_of_whoever_starts_it(self):
        """Its process could be made to change the properties of the elevated part."""
        for name, row in self.table("CustomAction").items():
            kind = int(row[0])
            self.assertIn(kind & KIND, (LIBRARY, PROPERTY_SET), name)
            if kind & KIND == LIBRARY:
                self.assertEqual(kind & (IN_SCRIPT | NO_IMPERSONATE), IN_SCRIPT | NO_IMPERSONATE, name)

    def test_the_part_with_those_rights_looks_nothing_up(self):
        """Windows Installer doesn't repeat in the elevated part what has run here."""
        self.assertEqual(set(self.table("InstallUISequence")), {"ExecuteAction"})

    def test_in_maintenance_no_property_that_somebody_gives_reaches_a_command(self):
        conditions = self.conditions()
        given = [name for name, command in self.commands().items()
                 if set(re.findall(r"\[([A-Z_]+)\]", command)) & set(GIVEN) - {"APPLICATIONFOLDER"}]
        self.assertEqual(sorted(given), ["ChangeConfig", "MakeConfig", "UndoMakeConfig"])
        for name in given:
            self.assertRegex(conditions[name], r"(^|AND )NOT Installed( AND|$)", name)
            self.assertNotIn(" OR NOT Installed", conditions[name])

    def test_in_maintenance_what_is_remembered_is_what_the_registry_has(self):
        actions, conditions, sequence = self.table("CustomAction"), self.conditions(), self.sequence()
        setters = {}
        for name, row in actions.items():
            if int(row[0]) & KIND == PROPERTY_SET:
                setters.setdefault(row[1], []).append(name)
        found = self.table("AppSearch")
        for name in (*REMEMBERED, "FOUND_SERVICE"):
            first, *later = sorted(setters[name], key=sequence.get)
            self.assertEqual((actions[first][2], conditions[first]), ("{}", ""), f"{name} is forgotten")
            self.assertLess(sequence[first], sequence["AppSearch"])
            self.assertIn(name, found)
            for setter in later:
                self.assertGreater(sequence[setter], sequence["AppSearch"])
                if set(re.findall(r"\[(\w+)\]", actions[setter][2])) & {*GIVEN, "GivenProperties"}:
                    self.assertRegex(conditions[setter], "^NOT Installed AND ", setter)
                else:
                    self.assertEqual(conditions[setter], f"NOT {name}", f"{setter} is a default")
        self.assertEqual(setters["APPLICATIONFOLDER"], ["RecallFolder"])
        self.assertTrue(conditions["RecallFolder"].startswith("Installed OR "))
        self.assertLess(sequence["RecallFolder"], sequence["CostFinalize"])

    def test_a_failed_installation_undoes_only_what_it_has_done(self):
        """The folder may be a stranger's, and the service an older one: both were there before."""
        self.assertEqual(self.commands()["UndoPrepareFolder"], "4|[#Executable]|service|prepare|--undo")
        self.assertTrue(self.conditions()["UndoMakeService"].endswith(" AND NOT FOUND_SERVICE"))
        # Of the old version in an upgrade, too: what is rolled back last is what comes first.
        self.assertEqual(self.commands()["UndoRemoveService"], "3|[#Executable]|service|repair")
        self.assertEqual(self.conditions()["UndoRemoveService"], 'REMOVE="ALL"')
        sequence = self.sequence()
        self.assertLess(sequence["UndoRemoveService"], min(sequence[name] for name in (
            "RemoveService", "RemoveFiles", "RemoveRegistryValues")))
        self.assertIn((r"SYSTEM\CurrentControlSet\Services\winperf_exporter", "ImagePath"),
                      [(row[1], row[2]) for row in self.table("RegLocator").values()])

    def test_what_is_written_down_is_what_is_remembered(self):
        """Whatever is given to a repair, which writes the registry again."""
        values = [row for row in self.table("Registry").values() if row[1] == r"SOFTWARE\winperf_exporter"]
        texts = {row[2]: row[3] for row in values}
        self.assertEqual(texts, {
            "Folder": "[APPLICATIONFOLDER]", "ConfigFile": "[REMEMBERED_CONFIG_FILE]", "DataFolder": "[DataFolder]",
            "ServiceAccount": "[REMEMBERED_SERVICE_ACCOUNT]", "RemoteAddr": "[REMEMBERED_REMOTE_ADDR]",
            "Properties": "[REMEMBERED_PROPERTIES]", "FirewallRule": "#1"})
        self.assertEqual({row[0] for row in values}, {"2"}, "HKLM")

    def test_other_properties_than_those_of_the_installation_are_refused(self):
        condition = next(text for text in self.table("LaunchCondition") if "GivenProperties" in text)
        told = self.table("CustomAction")["TellGivenProperties"][2]
        self.assertEqual(sorted(told.split("|")), sorted(f"[{name}]" for name in GIVEN))
        nothing = "|" * (len(GIVEN) - 1)
        self.assertEqual(condition, f'NOT Installed OR REMOVE="ALL" OR GivenProperties = "{nothing}" OR '
                                    "GivenProperties = REMEMBERED_PROPERTIES")
        sequence = self.sequence()
        self.assertTrue(sequence["AppSearch"] < sequence["TellGivenProperties"] < sequence["LaunchConditions"]
                        < sequence["RecallFolder"])
        self.assertLess(max(len(row[0]) for row in self.table("LaunchCondition").values()), 256, "a cell of this table")

    def test_folders_are_checked_before_anything_is_put_into_them(self):
        sequence, conditions = self.sequence(), self.conditions()
        self.assertLess(sequence["CheckProgramFolder"], sequence["InstallFiles"])
        self.assertLess(sequence["PrepareFolder"], sequence["MakeConfig"])
        for name in ("CheckProgramFolder", "PrepareFolder"):
            self.assertEqual(conditions[name], 'NOT (REMOVE="ALL")')
            self.assertFalse(int(self.table("CustomAction")[name][0]) & GO_ON, f"{name} ends the installation")
        self.assertEqual(self.table("CustomAction")["TellCheckProgramFolder"][2], "[APPLICATIONFOLDER]")
        self.assertEqual(self.table("CreateFolder"), {}, "Windows Installer would make it with the rights that it inherits")

    def test_the_page_says_of_each_action_as_whom_it_runs_and_what_it_trusts(self):
        page = (ROOT / "docs/packages.md").read_text()
        for name in self.commands():
            self.assertRegex(page, rf"(?m)^\|.*`{name}`.*\|.+\|.+\|$", f"docs/packages.md has a row for {name}")

    def test_what_windows_shows_of_the_program(self):
        properties = self.properties()
        self.assertEqual(properties["ARPCOMMENTS"],
                         "Serves Windows performance counters to Prometheus and as JSON.")
        size = (self.folder / "1.2.3.exe").stat().st_size + sum(map(len, (*DOCUMENTS.values(), *COUNTERS.values())))
        self.assertEqual(properties["ARPSIZE"], str(-(-size // 1024)))
        for name in ("ARPHELPLINK", "ARPURLINFOABOUT", "ARPCONTACT"):
            self.assertNotIn(name, properties, "it was not set")
        told = self.properties(self.make("1.2.5", "--project-url", "https://x.invalid/w", "--contact", "us"))
        self.assertEqual([told[name] for name in ("ARPHELPLINK", "ARPURLINFOABOUT", "ARPCONTACT")],
                         ["https://x.invalid/w", "https://x.invalid/w", "us"])

        self.assertEqual(properties["ARPPRODUCTICON"], "winperf_exporter.ico")
        icon = subprocess.run(["msiinfo", "extract", self.msi, "Icon.winperf_exporter.ico"], check=True,
                              capture_output=True).stdout
        reserved, kind, count = struct.unpack_from("<HHH", icon)
        self.assertEqual((reserved, kind, count), (0, 1, 4))
        for index, size in enumerate((16, 32, 48, 256)):
            width, height, _, _, planes, bits, length, offset = struct.unpack_from("<BBBBHHII", icon, 6 + 16 * index)
            self.assertEqual((width, height, planes, bits), (size % 256, size % 256, 1, 32))
            self.assertLessEqual(offset + length, len(icon))
            start = b"\x89PNG" if size == 256 else struct.pack("<Iii", 40, size, 2 * size)
            self.assertTrue(icon[offset:].startswith(start), size)

    def sequence(self):
        return {name: int(row[1]) for name, row in self.table("InstallExecuteSequence").items()}

    def test_order(self):
        order = ["ForgetFolder", "AppSearch", "TellGivenProperties", "LaunchConditions", "AcceptProperties", "RecallFolder",
                 "AcceptRemoteAddr", "DefaultRemoteAddr", "CostFinalize", "DefaultConfigFile", "TellChangeConfig",
                 "InstallInitialize", "RemoveExistingProducts", "StopServices", "StopService", "UndoRemoveService",
                 "RemoveService", "UndoCloseFirewall", "CloseFirewall", "RemoveFiles", "CheckProgramFolder", "InstallFiles",
                 "UndoPrepareFolder", "PrepareFolder", "UndoMakeConfig", "MakeConfig", "UndoChangeConfig", "ChangeConfig",
                 "UndoMakeService", "MakeService", "RepairService", "UndoOpenFirewall", "OpenFirewall", "StartService",
                 "InstallFinalize"]
        self.assertEqual(sorted(order, key=self.sequence().get), order)

    def test_the_firewall_follows_its_component(self):
        """A repair touches no rule, which an administrator may have made narrower."""
        conditions = self.conditions()
        for name in ("OpenFirewall", "UndoOpenFirewall"):
            self.assertEqual(conditions[name], "$FirewallRule = 3 AND (NOT Installed OR NOT (?FirewallRule = 3))")
        for name in ("CloseFirewall", "UndoCloseFirewall"):
            self.assertEqual(conditions[name], '?FirewallRule = 3 AND (REMOVE="ALL" OR $FirewallRule = 2)')

    def test_what_is_run_is_deferred_as_the_system_and_in_words(self):
        actions, sequence = self.table("CustomAction"), self.sequence()
        commands = self.commands()
        self.assertEqual(len(commands), 18)
        for name, command in commands.items():
            kind, source, entry, *_ = actions[name]
            kind = int(kind)
            self.assertEqual(bool(kind & ROLLBACK), name.startswith("Undo"), name)
            expected = "CheckFolder" if name == "CheckProgramFolder" else "RunAnyway" if kind & GO_ON else "RunChecked"
            self.assertEqual((source, entry), ("Installer", expected), name)
            # A deferred action receives the property with its name.
            told_kind, told_name, told, *_ = actions[f"Tell{name}"]
            self.assertEqual((int(told_kind) & KIND, told_name), (PROPERTY_SET, name))
            self.assertTrue(sequence["CostFinalize"] < sequence[f"Tell{name}"] < sequence[name], name)
            if name != "CheckProgramFolder":
                count, program, *words = command.split("|")
                self.assertEqual(int(count), 1 + len(words), name)
                self.assertIn(program, ("[#Executable]", r"[System64Folder]netsh.exe"), name)
        self.assertEqual(self.table("ServiceControl")["Service"][0:2], [NAME, "34"])
        self.assertEqual(self.table("Error"), {"25001": ["winperf_exporter setup: [2]"]})

    def test_the_executable_is_replaced_by_its_version(self):
        files = self.table("File")
        self.assertEqual(files["Executable"][3:5], ["1.2.3.0", "1033"])
        hashes = self.table("MsiFileHash")
        self.assertEqual(set(hashes), set(files) - {"Executable"}, "a file has either a version or a hash")

    def test_the_counters_are_a_component_of_their_own(self):
        files = {row[1].rpartition("|")[2]: name for name, row in self.table("File").items() if row[0] == "Counters"}
        self.assertEqual(set(files), set(COUNTERS))
        self.assertEqual(files["winperf_exporter_perf.dll"], "CounterLibrary")
        self.assertEqual(self.table("Component")["Counters"][-1], "CounterLibrary")
        self.assertIn(("Main", "Counters"), {(name, row[0]) for name, row in self.pairs("FeatureComponents")})
        # Otherwise a silent upgrade would end all programs that have read a counter.
        self.assertEqual(self.properties()["MSIRESTARTMANAGERCONTROL"], "Disable")

    def pairs(self, name):
        lines = subprocess.run(["msiinfo", "export", self.msi, name], check=True, capture_output=True, text=True).stdout
        return [(line.split("\t")[0], line.split("\t")[1:]) for line in lines.splitlines()[3:]]

    def test_a_library_with_a_version_is_replaced_by_it(self):
        counters = self.folder / "1.2.8-counters"
        counters.mkdir()
        for name, data in COUNTERS.items():
            (counters / name).write_bytes(NO_PROGRAM if name.endswith(".dll") else data)
        msi = self.make("1.2.9", "--counters", counters)
        self.assertEqual(self.table("File", msi)["CounterLibrary"][3:5], ["0.0.0.0", "1033"])
        self.assertNotIn("CounterLibrary", self.table("MsiFileHash", msi))

    def test_conditions_and_features(self):
        conditions = self.table("LaunchCondition")
        self.assertEqual(len(conditions), 5, conditions)
        self.assertIn("Privileged", conditions)
        self.assertEqual(conditions["Installed OR (VersionNT64 AND WINDOWS_BUILD_NUMBER >= 10240)"],
                         ["winperf_exporter requires 64-bit Windows 10, Windows Server 2016 or later."])
        sequence = self.table("InstallExecuteSequence")
        self.assertLess(int(sequence["AppSearch"][1]), int(sequence["LaunchConditions"][1]), "AppSearch looks the build number up")
        features = self.table("Feature")
        self.assertEqual((features["Main"][4], features["FirewallException"][4]), ("1", "2"))
        self.assertEqual(features["FirewallException"][0], "Main", "ADDLOCAL=FirewallException installs both")


if __name__ == "__main__":
    unittest.main()
