#!/usr/bin/env python3
"""Tests the Windows service under Wine: created with sc and with the program itself, scraped, stopped, killed, and stopped
while a provider hangs."""

import datetime
import json
import os
import pathlib
import re
import signal
import sys
import unittest

from e2e_support import (TESTS, WinePrefix, get, query_prometheus, required, start_prometheus, wait_until,
                         windows_path)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from thorough import thorough

SERVICES = r"HKLM\SYSTEM\CurrentControlSet\Services"
EVENT_SOURCES = SERVICES + r"\EventLog\Application"
HANG_INI = TESTS / "providers/hang/hang.ini"
STOP_SECONDS = 2  # the documented limit, however long a provider takes


class ServiceTest(unittest.TestCase):
    """A prefix with one service control manager and an ordinary program that keeps running, because Wine ends its services
    when the last ordinary program ends."""

    @classmethod
    def setUpClass(cls):
        cls.executable = windows_path(required("WINPERF_EXPORTER"))
        cls.prefix = cls.enterClassContext(WinePrefix())
        cls.prepare()
        # Creating the prefix leaves two managers behind, and every other call would reach the wrong one.
        for option in ("--kill", "--wait"):
            cls.prefix.run_native("wineserver", option)
        cls.holder = cls.prefix.start(cls.executable, "run", "--listen", "127.0.0.1:0")
        cls.holder.wait_for_line(r"listening on http://")
        managers = cls.prefix.pids("services.exe")
        if len(managers) != 1:
            raise AssertionError(f"service control managers: {managers}")

    @classmethod
    def prepare(cls):
        registration = cls.prefix.register()
        if registration.code != 0:
            raise AssertionError(f"registration failed: {registration.errors}")

    def configured(self, name, countersets='["Memory", "System"]', listen='{address: "127.0.0.1", port: 0}'):
        """Writes a configuration to a separate folder, and returns its path and that of the log file that it names."""
        folder = self.prefix.folder / name
        folder.mkdir()
        config = folder / "exporter.yaml"
        config.write_text(f"""{{
            interval: "1s", listen: {listen}, log: {{file: "exporter.log", format: "json"}},
            countersets: {countersets}}}""")
        return config, folder / "exporter.log"

    def wine(self, *arguments, code=0):
        result = self.prefix.run(*arguments)
        self.assertEqual(result.code, code, f"{arguments}: {result.output}{result.errors}")
        return result.output + result.errors

    def service(self, *arguments, code=0):
        return self.wine(self.executable, "service", *arguments, code=code)

    def status(self, name, code=0):
        return json.loads(self.service("status", "--name", name, "--format", "json", code=code))

    def state(self, name):
        result = self.prefix.run("sc", "query", name)
        match = re.search(r"STATE\s*:\s*\d+\s+(\w+)", result.output)
        return match[1] if match else None

    def wait_for_state(self, name, state):
        wait_until(lambda: self.state(name) == state, f"{name} is {state}")

    def log_lines(self, log):
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def events(self, log):
        return [line["event"] for line in self.log_lines(log)]

    def url_of(self, log):
        """Waits until the service listens, and returns its URL."""
        def address():
            started = [line for line in self.log_lines(log) if line["event"] == "started"]
            return started and re.search(r"listens on (http://[\d.:]+)", started[-1]["message"])
        return wait_until(address, f"the service logs its address in {log}")[1]

    def registered(self, key):
        """Returns the type and text of a key's values, by name, as `reg query` prints them."""
        result = self.prefix.run("reg", "query", key)
        return {match[1]: (match[2], match[3]) for match in
                re.finditer(r"(?m)^    (.+?)    (REG_\w+)    (.*)$", result.output)}

    def stop_and_remove(self, name):
        """Cleans up after a test that failed halfway."""
        self.prefix.run(self.executable, "service", "uninstall", "--name", name)


class Service(ServiceTest):
    def test_sc_creates_starts_stops_and_deletes_it(self):
        config, log = self.configured("by_sc")
        self.addCleanup(self.stop_and_remove, "by_sc")
        command_line = f'"{self.executable}" run --config "{windows_path(config)}"'
        self.wine("sc", "create", "by_sc", "binPath=", command_line, "start=", "demand")
        self.wine("sc", "start", "by_sc")
        url = self.url_of(log)
        self.wait_for_state("by_sc", "RUNNING")
        wait_until(lambda: get(url + "/-/ready")[0] == 200, "the service has a sample")
        status, page = get(url + "/metrics")
        self.assertEqual(status, 200)
        self.assertRegex(page, r"(?m)^winperf_memory_available_bytes \d")
        prometheus = start_prometheus(self.prefix, url)
        wait_until(lambda: query_prometheus(prometheus, "winperf_memory_available_bytes"), "Prometheus scrapes it")
        config.write_text(config.read_text().replace('"Memory", ', ""))
        wait_until(lambda: "reloaded" in self.events(log), "the service reloads the changed configuration")
        wait_until(lambda: "winperf_memory_available_bytes" not in get(url + "/metrics")[1], "Memory is no longer sampled")
        self.wine("sc", "stop", "by_sc")
        self.wait_for_state("by_sc", "STOPPED")
        self.assertEqual(get(url + "/-/healthy")[0], 0)
        self.assertEqual(self.events(log)[-2:], ["stopping", "stopped"])
        self.wine("sc", "delete", "by_sc")
        wait_until(lambda: self.state("by_sc") is None, "by_sc disappears when its process has ended")
        self.assertEqual(self.registered(rf"{SERVICES}\by_sc"), {})

    def test_its_own_commands_do_the_same(self):
        name = "by_commands"
        config, log = self.configured(name)
        self.addCleanup(self.stop_and_remove, name)
        self.assertEqual(self.status(name, code=4), {"schema": 1, "name": name, "state": "not_installed"})
        told = self.service("install", "--name", name, "--config", windows_path(config))
        self.assertIn(f"{name}: installed\n", told)
        self.assertIn(f"{name}: is not running\n", self.service("stop", "--name", name))
        self.assertRegex(self.service("start", "--name", name), rf"^{name}: running \(process \d+\)\n$")
        self.assertIn("is already running", self.service("start", "--name", name))
        self.assertEqual(get(self.url_of(log) + "/-/healthy")[0], 200)
        facts = self.status(name)
        self.assertEqual(facts["state"], "running")
        self.assertGreater(facts["process_id"], 0)
        self.assertEqual(facts["account"], rf"NT SERVICE\{name}")
        self.assertEqual(facts["command_line"],
                         f'"{self.executable}" run --config "{windows_path(config)}"')
        self.assertRegex(self.service("status", "--name", name), r"(?m)^state +running$")
        self.assertEqual(self.service("stop", "--name", name), f"{name}: stopped\n")
        self.assertEqual(self.status(name, code=3)["state"], "stopped")
        self.assertEqual(self.state(name), "STOPPED")
        self.assertIn("uninstalled", self.service("uninstall", "--name", name))
        self.assertIsNone(self.state(name))
        self.assertEqual(self.service("uninstall", "--name", name), f"{name}: is not installed\n")

    def test_what_is_registered(self):
        name = "registered"
        config, _ = self.configured(name)
        self.addCleanup(self.stop_and_remove, name)
        told = self.service("install", "--name", name, "--config", windows_path(config))
        values = self.registered(rf"{SERVICES}\{name}")
        self.assertEqual(values["ImagePath"][1], f'"{self.executable}" run --config "{windows_path(config)}"')
        self.assertEqual(values["ObjectName"][1], rf"NT SERVICE\{name}")
        self.assertEqual((values["Start"][1], values["Type"][1]), ("0x2", "0x10"))
        self.assertIn("Prometheus", values["Description"][1])
        self.assertEqual(int(values["PreshutdownTimeout"][1], 16), 10_000)
        # The program reports each setting that Wine's service control manager does not support. Names in the registry are not
        # case-sensitive: Wine 10 has DelayedAutoStart.
        taken = {value.lower() for value in values}
        for value, part in (("DelayedAutostart", "delayed start"),
                            ("FailureActionsOnNonCrashFailures", "restart on an exit with an error"),
                            ("ServiceSidType", "service SID"),
                            ("RequiredPrivileges", "reduced privileges")):
            if value.lower() not in taken:
                self.assertIn(f'{name}: skipped the setting "{part}", which this Windows does not support '
                              "(Windows error 124)\n", told)
        source = self.registered(rf"{EVENT_SOURCES}\{name}")
        self.assertEqual(source["EventMessageFile"], ("REG_EXPAND_SZ", self.executable))
        self.assertEqual(int(source["TypesSupported"][1], 16), 7)
        folder = self.prefix.path / f"drive_c/ProgramData/{name}"
        self.assertTrue((folder / "logs").is_dir())
        self.assertIn(rf"data folder: C:\ProgramData\{name}", told)
        self.service("uninstall", "--name", name)
        self.assertEqual(self.registered(rf"{SERVICES}\{name}"), {})
        self.assertEqual(self.registered(rf"{EVENT_SOURCES}\{name}"), {})
        self.assertTrue(folder.is_dir(), "configuration and logs remain")

    def test_installing_again_changes_what_is_there(self):
        name = "again"
        config, log = self.configured(name)
        self.addCleanup(self.stop_and_remove, name)
        self.service("install", "--name", name)
        self.assertNotIn("--config", self.status(name, code=3)["command_line"])
        told = self.service("install", "--name", name, "--config", windows_path(config), "--start", "manual",
                            "--account", "localservice")
        self.assertIn(f"{name}: updated\n", told)
        facts = self.status(name, code=3)
        self.assertEqual((facts["start"], facts["account"]), ("manual", r"NT AUTHORITY\LocalService"))
        self.assertIn(windows_path(config), facts["command_line"])
        self.service("start", "--name", name)
        told = self.service("install", "--name", name, "--config", windows_path(config))
        self.assertIn("restart it to apply the changes", told)
        self.assertEqual(get(self.url_of(log) + "/-/healthy")[0], 200, "it keeps running meanwhile")
        self.assertIn("uninstalled", self.service("uninstall", "--name", name), "uninstalling stops it first")
        self.assertEqual(self.events(log)[-1], "stopped")

    def test_it_reloads(self):
        name = "reloads"
        config, log = self.configured(name)
        self.addCleanup(self.stop_and_remove, name)
        self.service("install", "--name", name, "--config", windows_path(config))
        self.assertIn("is not running", self.service("reload", "--name", name, code=3))
        self.service("start", "--name", name)
        url = self.url_of(log)

        def sampled():
            return set(re.findall(r'winperf_exporter_counterset_success\{counterset="(.+?)"\} 1', get(url + "/metrics")[1]))

        def change(countersets, **keys):
            config.write_text(json.dumps({"interval": "1s", "listen": {"address": "127.0.0.1", "port": 0},
                                          "log": {"file": "exporter.log", "format": "json"},
                                          "countersets": countersets, **keys}))

        wait_until(lambda: sampled() == {"Memory", "System"}, "both are sampled")
        change(["Memory"])
        wait_until(lambda: sampled() == {"Memory"}, "the service reloads the changed file")
        change(["Memory", "System"], reload={"on_change": False, "http": True})
        wait_until(lambda: sampled() == {"Memory", "System"}, "the service reloads the file changed again")
        change(["System"], reload={"on_change": False, "http": True})
        self.assertIn("reload requested", self.service("reload", "--name", name))
        wait_until(lambda: sampled() == {"System"}, "the service handles the control")
        change(["Memry"], reload={"http": "perhaps"})
        status, text = get(url + "/-/reload", method="POST")
        self.assertEqual(status, 500)
        self.assertRegex(text, r"exporter\.yaml:1:\d+: ")
        self.assertEqual(sampled(), {"System"})
        self.assertEqual(self.events(log)[-2:], ["reloaded", "reload_failed"])

    def test_links_in_place_of_its_folders_are_not_followed(self):
        """Every user can create folders in ProgramData, and the service's account could replace its own with a link."""
        name = "linked"
        config, _ = self.configured(name)
        self.addCleanup(self.stop_and_remove, name)
        elsewhere = self.prefix.path / "drive_c/elsewhere"
        elsewhere.mkdir()
        (elsewhere / "precious.txt").write_text("precious")
        folder = self.prefix.path / f"drive_c/ProgramData/{name}"
        folder.symlink_to(elsewhere, target_is_directory=True)
        told = self.service("install", "--name", name, "--config", windows_path(config), code=1)
        self.assertRegex(told, rf'not installed: C:\\ProgramData\\{name} is a link')
        self.assertFalse((elsewhere / "logs").exists())
        folder.unlink()
        folder.mkdir()
        (folder / "logs").symlink_to(elsewhere, target_is_directory=True)
        self.assertIn(r"\logs is a link", self.service("install", "--name", name, "--config", windows_path(config), code=1))
        told = self.service("uninstall", "--name", name, "--with-logs", code=1)
        self.assertRegex(told, r"could not remove its logs: .*\\logs is a link")
        self.assertEqual((elsewhere / "precious.txt").read_text(), "precious")

    def test_wrong_configuration(self):
        name = "wrong"
        config, _ = self.configured(name)
        self.addCleanup(self.stop_and_remove, name)
        self.service("install", "--name", name, "--config", windows_path(config))
        config.write_text("{intervall: 3}")
        told = self.service("install", "--name", name, "--config", windows_path(config), code=2)
        self.assertIn('did you mean "interval"?', told)
        told = self.service("start", "--name", name, code=1)
        self.assertIn(f'ended immediately: {windows_path(config)}:1:2: unknown key "intervall"', told)
        facts = self.status(name, code=3)
        self.assertEqual((facts["exit_code"], facts["service_exit_code"]), (1066, 2))

    def test_what_it_can_not_do_it_says(self):
        self.assertIn("the service does not exist (Windows error 1060)", self.service("start", "--name", "nobody", code=4))
        self.assertIn("the service does not exist (Windows error 1060)", self.service("stop", "--name", "nobody", code=4))
        self.assertIn("letters, digits", self.service("install", "--name", r"a\b", code=2))
        self.assertIn("a command is missing", self.service(code=2))

    def test_port_that_is_taken_ends_the_start(self):
        name = "taken"
        port = re.search(r"listening on http://127\.0\.0\.1:(\d+)", self.holder.output())[1]
        config, _ = self.configured(name, listen=f'{{address: "127.0.0.1", port: {port}}}')
        self.addCleanup(self.stop_and_remove, name)
        self.service("install", "--name", name, "--config", windows_path(config))
        self.assertIn(f"ended immediately: cannot listen on 127.0.0.1:{port}: the address is already in use",
                      self.service("start", "--name", name, code=1))

    @thorough  # the commands wait for a stop that doesn't come
    def test_the_end_of_a_killed_process_is_told_as_far_as_wine_knows_it(self):
        name = "killed"
        config, log = self.configured(name)
        self.addCleanup(self.stop_and_remove, name)
        self.service("install", "--name", name, "--config", windows_path(config))
        self.service("start", "--name", name)
        url = self.url_of(log)
        # A worker that Wine is starting has its parent's command line for a moment.
        wait_until(lambda: len(self.prefix.pids(str(windows_path(config)))) == 1, "its only process")
        os.kill(self.prefix.pids(str(windows_path(config)))[0], signal.SIGKILL)
        wait_until(lambda: get(url + "/-/healthy")[0] == 0, "the process has ended")
        self.assertNotIn("FailureActions", self.registered(rf"{SERVICES}\{name}"), "Wine accepts this setting and does not store it")
        if self.prefix.wine_version() >= 10:
            self.wait_for_state(name, "STOPPED")
            self.assertIn("is not running", self.service("stop", "--name", name))
        else:
            # Wine 8 does not notice the end of the process, so the state does not change. The commands report this instead of
            # waiting forever.
            self.assertEqual(self.state(name), "RUNNING")
            self.assertRegex(self.service("stop", "--name", name, code=1), rf"^{name}: not stopped: ")


class HangingProvider(ServiceTest):
    @classmethod
    def prepare(cls):
        registration = cls.prefix.register("--functions", "OpenHang,CollectHang,CloseHang", ini=HANG_INI,
                                           dll=required("WINPERF_HANG"))
        if registration.code != 0:
            raise AssertionError(f"registration failed: {registration.errors}")
        cls.drive = cls.prefix.path / "drive_c"

    def test_runs_and_stops_while_a_provider_hangs(self):
        name = "hanging"
        config, log = self.configured(name, '["Hanging Device"]')
        self.addCleanup(self.stop_and_remove, name)
        (self.drive / "hang-armed").touch()
        self.service("install", "--name", name, "--config", windows_path(config))
        self.assertRegex(self.service("start", "--name", name), rf"^{name}: running ")
        wait_until((self.drive / "hang-entered").exists, "the provider hangs")
        url = self.url_of(log)
        self.assertEqual(get(url + "/-/healthy")[0], 200)
        self.assertEqual(get(url + "/-/ready")[0], 503)
        pids = self.prefix.pids(str(windows_path(config)))
        self.assertEqual(self.service("stop", "--name", name), f"{name}: stopped\n")
        wait_until(lambda: not set(pids) & set(self.prefix.pids(str(windows_path(config)))),
                   "the process has ended")
        stopping, stopped = self.log_lines(log)[-2:]
        self.assertEqual((stopping["event"], stopped["event"]), ("stopping", "stopped"))
        began, ended = (datetime.datetime.fromisoformat(line["time"]) for line in (stopping, stopped))
        self.assertLess((ended - began).total_seconds(), STOP_SECONDS)
        facts = self.status(name, code=3)
        self.assertEqual((facts["state"], facts["exit_code"]), ("stopped", 0), "a requested stop is not a failure")


if __name__ == "__main__":
    required("WINPERF_SYSPERF")
    required("WINPERF_HANG")
    unittest.main()
