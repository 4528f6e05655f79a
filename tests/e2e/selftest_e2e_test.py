#!/usr/bin/env python3
"""The selftest under Wine: it runs from start to end and finds what Wine lacks; and whatever happens to it, registry and files are
afterwards as they were before, but for what Wine writes by itself."""

import contextlib
import functools
import hashlib
import json
import pathlib
import shutil
import signal
import sys
import tempfile
import unittest
import zipfile

from e2e_support import TESTS, WinePrefix, required, wait_until, windows_path

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from msi_file import make_msi
from thorough import thorough

NAME = "winperf_exporter_selftest_"
ROOT = "Program Files/winperf_exporter-selftest"
COUNTER_FILES = TESTS.parent / "packaging/windows/counters"
# What Wine writes by itself while programs run: nothing of the exporter is in it.
FILES_OF_WINE = {
    "windows/Installer": "its installer leaves its own empty folder",
}
VALUES_OF_WINE = {
    '"DriverDateData"=': "the time at which the prefix was started",
}
KEYS_OF_WINE = {
    r"Software\\Microsoft\\Windows\\CurrentVersion\\Installer": "its installer leaves its own empty keys",
    r"Software\\Classes\\Installer": "its installer leaves its own empty keys",
    r"Wintrust\\Trust Providers\\Software Publishing": "its wintrust.dll writes its default when a signature is looked at",
}


class Machine(contextlib.AbstractContextManager):
    """A prefix with a provider, and the program in a folder as an installation has it."""

    def __init__(self):
        self.prefix = WinePrefix()
        self.drive = self.prefix.path / "drive_c"
        self.root = self.drive / ROOT
        self.journal = self.root / "journal.jsonl"
        registration = self.prefix.register()
        if registration.code != 0:
            raise AssertionError(registration.errors)
        # To installers, new prefixes of Wine 8 are Windows 7.
        self.prefix.run("winecfg", "-v", "win10")
        folder = self.drive / "program"  # above it are no folders that all accounts may change
        folder.mkdir(mode=0o755)
        for file in (required("WINPERF_EXPORTER"), required("WINPERF_PERF_DLL"), *COUNTER_FILES.iterdir()):
            shutil.copy(file, folder / file.name)
        self.program = "C:\\program\\" + required("WINPERF_EXPORTER").name
        self.restart()
        # Programs that have never run here before make Wine write.
        self.selftest("--list")
        self.restart()

    def __exit__(self, *_):
        self.prefix.close()

    def restart(self):
        """Saves the registry to its files."""
        for option in ("--kill", "--wait"):
            self.prefix.run_native("wineserver", option)

    def selftest(self, *arguments, seconds=300):
        return self.prefix.run_once(self.program, "selftest", *arguments, seconds=seconds)

    def start(self, *arguments):
        return self.prefix.start(self.program, "selftest", *arguments)

    def changes(self):
        """Returns the kinds of the changes in the journal that aren't undone."""
        if not self.journal.exists():
            return []
        changes = []
        for line in self.journal.read_text().splitlines(keepends=True):
            if line.endswith("\n"):
                entry = json.loads(line)
                if "undone" in entry:
                    changes[entry["undone"]] = None
                else:
                    changes.append(entry["change"])
        return [change for change in changes if change]

    def state(self):
        """Returns files with a digest of their content, and the registry's values by key."""
        self.restart()
        files = {}
        for path in self.drive.rglob("*"):
            name = str(path.relative_to(self.drive))
            files[name] = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() and not path.is_symlink() else ""
        registry = {}
        for name in ("system.reg", "user.reg", "userdef.reg"):
            values = registry.setdefault(name, set())
            for line in (self.prefix.path / name).read_text("utf-8", "replace").splitlines():
                if line.startswith("["):
                    values = registry.setdefault(f"{name} {line.split(']')[0]}]", set())
                elif line and not line.startswith("#"):
                    values.add(line)
        return files, registry


def differences(before, after):
    """Returns what differs, but for what Wine writes by itself."""
    found = [f"file {name}" for name in sorted({*before[0], *after[0]})
             if before[0].get(name) != after[0].get(name) and name not in FILES_OF_WINE]
    for key in sorted({*before[1], *after[1]}):
        if any(part in key for part in KEYS_OF_WINE):
            continue
        if (key in before[1]) != (key in after[1]):
            found.append(f"key {key}")
        found += [f"value {value} of {key}" for value in sorted(before[1].get(key, set()) ^ after[1].get(key, set()))
                  if not value.startswith(tuple(VALUES_OF_WINE))]
    return found


def with_rights(test):
    """Wine 10 starts programs without an administrator's rights, as Windows does."""
    @functools.wraps(test)
    def run(self):
        if not self.is_administrator:
            self.skipTest("THIS WINE GIVES NO ADMINISTRATOR'S RIGHTS: not tried")
        test(self)
    return run


class Selftest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.machine = cls.enterClassContext(Machine())
        cls.prefix = cls.machine.prefix
        archive = cls.prefix.folder / "rights.zip"
        cls.machine.selftest("--out", windows_path(archive), "--only", "system")
        with zipfile.ZipFile(archive) as report:
            cls.is_administrator = json.loads(report.read("report.json"))["administrator"]
        cls.before = cls.machine.state()
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.msi = windows_path(make_msi(folder, "0.2.1", required("WINPERF_EXPORTER").read_bytes(), required("WINPERF_INSTALLER")))
        cls.reports = 0

    def assert_restored(self):
        self.assertEqual(differences(self.before, self.machine.state()), [])

    def out(self):
        """Returns the option with a new report's name."""
        type(self).reports += 1
        self.archive = self.prefix.folder / f"{self.reports}.zip"
        return "--out", windows_path(self.archive)

    def report(self):
        """Returns the checks of the latest report, by id, and what is left behind."""
        with zipfile.ZipFile(self.archive) as archive:
            document = json.loads(archive.read("report.json"))
            self.assertIn("<h1>", archive.read("report.html").decode())
        return {check["id"]: check for check in document["checks"]}, document["left_behind"]

    def findings(self, check):
        return {(finding["sentence"], finding["details"].get("reason")) for finding in check["findings"]}

    def assert_service_found(self, check):
        lacking = {"restart on an exit with an error", "service SID", "reduced privileges"}
        others = set()
        if self.prefix.wine_version() < 10:
            lacking.add("delayed start")
            others.add(('"service status" has another start', "expected delayed, got auto"))
        self.assertEqual(self.findings(check), {("this system lacks a setting of services", name) for name in lacking} | others)
        self.assertIn("not tried", check["data"]["recovery"])

    def undo(self, code=0):
        result = self.machine.selftest("--undo")
        self.assertEqual(result.code, code, result.output + result.errors)
        return result.output + result.errors

    def kill_at(self, kind, *options):
        """Kills a selftest, with all that it has started, as soon as such a change is in its journal."""
        running = self.machine.start(*self.out(), *options)
        wait_until(lambda: running.popen.poll() is not None or kind in self.machine.changes(), f"a change of the kind {kind}", 240)
        self.assertIsNone(running.popen.poll(), running.output())
        running.popen.kill()
        running.popen.wait()
        self.assertIn(kind, self.machine.changes(), running.output())

    def test_a_service_and_a_rule_come_and_go(self):
        result = self.machine.selftest(*self.out(), "--only", "system", "--with", "service,events,firewall")
        checks, left = self.report()
        self.assertEqual(left, [])
        if not self.is_administrator:
            self.assertEqual({checks[name]["verdict"] for name in ("service", "events", "firewall")}, {"skipped"}, result.output)
            self.assertIn("rights", checks["service"]["summary"])
            return self.assert_restored()
        self.assertEqual(result.code, 1, result.output + result.errors)
        self.assert_service_found(checks["service"])
        self.assertEqual((checks["events"]["verdict"], checks["events"]["summary"]),
                         ("absent", "wevtutil shows no event of the log Application at all"))
        finding, = checks["firewall"]["findings"]
        self.assertRegex(finding["sentence"], "^netsh does not show winperf_exporter_selftest_[0-9]+_firewall of the rule$")
        self.assertEqual(checks["msi"]["verdict"], "skipped")
        self.assert_restored()

    @with_rights
    def test_a_killed_one_is_taken_back(self):
        self.kill_at("service", "--only", "system", "--with", "service")
        # Two at once: the journal has one owner.
        with open(self.machine.journal, "r+b"):
            text = self.undo()
        self.assertRegex(text, 'the service "winperf_exporter_selftest_[0-9]+_service" is gone')
        self.assertRegex(text, 'the folder "winperf_exporter_selftest_[0-9]+" is gone')
        self.assertIn("nothing is left", self.undo())
        self.assert_restored()

    @with_rights
    def test_ctrl_c_takes_everything_back_and_only_one_runs_at_a_time(self):
        running = self.machine.start(*self.out(), "--only", "system", "--with", "service")
        archive = self.archive
        wait_until(lambda: "service" in self.machine.changes(), "a service", 240)
        second = self.machine.selftest(*self.out(), "--only", "system")
        self.assertEqual(second.code, 1, second.output)
        self.assertIn("another selftest runs", second.errors)
        self.assertIn("another selftest runs", self.undo(code=1))
        self.assertEqual(running.end(signal.SIGINT, 120), 1, running.output())
        self.archive = archive
        checks, left = self.report()
        self.assertEqual((checks["service"]["verdict"], left), ("broken", []))
        self.assert_restored()

    @with_rights
    def test_a_hostile_journal_changes_nothing(self):
        self.prefix.run("sc", "create", "victim", "binPath=", f'"{self.machine.program}" run', "start=", "demand")
        self.addCleanup(self.prefix.run, "sc", "delete", "victim")
        victim = self.machine.drive / "victim"
        victim.mkdir()
        self.addCleanup(shutil.rmtree, victim)
        (victim / "file").write_text("precious")
        self.machine.root.mkdir()
        self.addCleanup(shutil.rmtree, self.machine.root)
        elsewhere = victim / "journal"
        elsewhere.write_text('{"change":"service","name":"winperf_exporter_selftest_1"}\n')
        before = self.machine.state()
        mine = '{"change":"folder","name":"winperf_exporter_selftest_1"}\n'
        for text, message in (
                (mine + '{"change":"service","name":"victim"}\n', "line 2 of the journal: no selftest gives such a name"),
                ('{"change":"folder","name":"../../victim"}\n', "no selftest gives such a name"),
                ('{"change":"folder","name":"winperf_exporter_selftest_/../../../victim"}\n', "no selftest gives such a name"),
                ('{"change":"file","name":"winperf_exporter_selftest_1"}\n', "an unknown kind of change"),
                ("not JSON\n", "line 1 of the journal"),
                (mine * 2000, "too many changes"),
                (mine + "x" * (1 << 20), "too large"),
                (None, "has another hard link")):
            with self.subTest(message):
                self.machine.journal.unlink(missing_ok=True)
                if text is None:
                    self.machine.journal.hardlink_to(elsewhere)  # Wine follows symbolic links of files unseen
                else:
                    self.machine.journal.write_text(text)
                self.assertIn(message, self.undo(code=1))
                if text is not None:
                    self.assertEqual(self.machine.journal.read_text(), text)
        result = self.machine.selftest(*self.out(), "--only", "system")
        self.assertEqual(result.code, 1, result.output)
        self.assertIn("link", result.errors)
        self.machine.journal.unlink()
        self.assertEqual(differences(before, self.machine.state()), [])

    def test_a_stream_of_another_file_is_no_place_for_a_report(self):
        _, name = self.out()
        result = self.machine.selftest("--out", name + ":b.zip", "--only", "system")
        self.assertEqual(result.code, 1, result.output)
        self.assertIn("a colon in the name", result.errors)
        self.assertFalse(self.archive.exists())

    def test_links_among_its_folders_are_not_followed(self):
        victim = self.machine.drive / "victim"
        victim.mkdir()
        self.addCleanup(shutil.rmtree, victim)
        (victim / "file").write_text("precious")
        self.machine.root.mkdir()
        self.addCleanup(shutil.rmtree, self.machine.root, ignore_errors=True)
        (self.machine.root / "winperf_exporter_selftest_1").mkdir()
        (self.machine.root / "winperf_exporter_selftest_1/link").symlink_to(victim)
        (self.machine.root / "winperf_exporter_selftest_2").symlink_to(victim)
        self.machine.journal.write_text("".join(f'{{"change":"folder","name":"winperf_exporter_selftest_{i}"}}\n' for i in (1, 2)))
        self.undo(code=1)
        self.assertEqual((victim / "file").read_text(), "precious")

    def test_limits_that_wine_ignores_are_found(self):
        result = self.machine.selftest(*self.out(), "--only", "limits")
        self.assertEqual(result.code, 1, result.output + result.errors)
        limits = self.report()[0]["limits"]
        ignored = ("privileges", "kinds of limits of the job", "private memory", "processes", "restrictions of the screen",
                   "addresses are randomised", "no extension points", "no images of other machines or of low integrity")
        found = {sentence for sentence, _ in self.findings(limits)}
        self.assertEqual(found - {f"workers have other limits than were asked for: {name}" for name in ignored}, set())
        self.assertIn("workers have other limits than were asked for: no extension points", found)
        self.assertEqual([worker["worker"] for worker in limits["data"]["workers"]], ["registry", "perflib", "facts"])
        for worker in limits["data"]["workers"]:
            got = {grant["what"]: grant["got"] for grant in worker["grants"]}
            self.assertEqual([got[name] for name in ("it is in its job", "processes for it", "it ends with its job")],
                             ["yes", "none", "yes"])
        self.assertTrue(limits["data"]["restart"]["listens_again"])

    @thorough
    @with_rights
    def test_all_checks_from_start_to_end(self):
        result = self.machine.selftest(*self.out(), "--with", "all", "--minutes", "1", "--msi", self.msi, seconds=1200)
        self.assertEqual(result.code, 1, result.output + result.errors)
        checks, left = self.report()
        self.assertEqual(left, [])
        verdicts = {name: check["verdict"] for name, check in checks.items()}
        # Of the others, Wine's differences are findings, and a busy machine may add some to these.
        unsteady = {name: verdicts.pop(name) for name in ("workers", "load", "pdh")}
        self.assertEqual(set(unsteady.values()) - {"passed", "findings"}, set(), unsteady)
        self.assertEqual(verdicts, {"system": "passed", "captures": "passed", "server": "passed", "page": "absent", "events": "absent"}
                         | dict.fromkeys(("providers", "paths", "limits", "powershell", "service", "firewall", "msi",
                                          "own_counters"), "findings"))
        self.assert_service_found(checks["service"])
        self.assertEqual({sentence for sentence, _ in self.findings(checks["msi"])}, {"msiexec did not repair"})
        self.assertEqual(checks["own_counters"]["data"], {"v1": "none", "v2": "none"})
        self.assert_restored()

    @thorough
    @with_rights
    def test_killed_at_each_change_and_run_again(self):
        for kind, check in (("folder", "service"), ("firewall_rule", "firewall"), ("own_service", "own_counters"),
                            ("product", "msi")):  # events is absent under Wine
            with self.subTest(kind):
                self.kill_at(kind, "--only", "system", "--with", check, "--msi", self.msi)
                result = self.machine.selftest(*self.out(), "--only", "system")
                self.assertEqual(result.code, 0, result.output + result.errors)
                self.assertEqual(self.report()[1], [])
                self.assertFalse(self.machine.root.exists())
                self.assert_restored()


if __name__ == "__main__":
    required("WINPERF_SYSPERF")
    unittest.main()
