#!/usr/bin/env python3
"""The checks of selftest on the simulated machine, from the command line to the report.

    checks_test.py EXECUTABLE [unittest arguments]
"""

import io
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import together
from thorough import thorough

load_tests = together.load_tests
EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
PROCESSORS = "{b4fc721a-0378-476f-89ba-a5a79f810b36}"
DEADLINE_SECONDS = 300
ASKED = "providers,paths"


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.report = self.folder / "report.zip"

    def environment(self, scenario, **variables):
        return {**os.environ, "WINPERF_SIMULATOR": scenario, "XDG_STATE_HOME": str(self.folder / "state"), **variables}

    def selftest(self, only, *options, scenario, **variables):
        """Exit code, and by id what the report says of the checks that were made."""
        self.done = subprocess.run(
            [EXECUTABLE, "selftest", "--out", self.report, "--only", only, *options], capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=DEADLINE_SECONDS, env=self.environment(scenario, **variables))
        return self.done.returncode, self.checks()

    def checks(self):
        with zipfile.ZipFile(self.report) as archive:
            self.assertIsNone(archive.testzip())
            self.json = json.loads(archive.read("report.json"))
            self.page = archive.read("report.html").decode()
            self.files = {name: archive.read(name) for name in archive.namelist()}
        return {check["id"]: check for check in self.json["checks"] if check["verdict"] != "skipped"}

    @staticmethod
    def sentences(check):
        return [finding["sentence"] for finding in check["findings"]]

    def assert_nothing_left(self):
        left = subprocess.run([EXECUTABLE, "selftest", "--undo"], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              timeout=DEADLINE_SECONDS, env=self.environment("server"))
        self.assertIn("nothing is left", left.stdout + left.stderr)


class Limits(Case):
    def test_a_restart_gets_its_port_while_a_client_is_connected(self):
        code, checks = self.selftest("limits", scenario="server")
        self.assertEqual(code, 0, self.done.stdout)
        limits = checks["limits"]
        self.assertEqual(limits["verdict"], "absent", "Linux has no jobs")
        restart = limits["data"]["restart"]
        self.assertTrue(restart["client_was_connected"])
        self.assertTrue(restart["listens_again"])
        self.assertNotIn("workers", limits["data"])
        self.assert_nothing_left()

    def test_a_program_that_does_not_serve_is_found(self):
        code, checks = self.selftest("limits", scenario="server", WINPERF_SIMULATOR="nonsense")
        self.assertEqual(code, 1)
        self.assertEqual(checks["limits"]["verdict"], "findings")
        self.assertRegex(self.sentences(checks["limits"])[0], r"^no server starts: ")


class Server(Case):
    @thorough
    def test_a_healthy_machine_passes_and_says_what_it_is(self):
        code, checks = self.selftest(f"system,{ASKED}", scenario="server")
        self.assertEqual(code, 0, self.done.stdout)
        self.assertEqual({check["verdict"] for check in checks.values()}, {"passed"})
        system = checks["system"]["data"]
        self.assertGreater(system["processors"]["logical"], 0)
        self.assertIsNone(system["windows"]["build"])
        self.assertEqual(system["not known"]["windows, build"], "this is not Windows")
        self.assertRegex(self.page, r"<th>logical<td>\d+")
        paths = checks["paths"]["data"]
        self.assertGreater(paths["countersets"]["V1"], 50)
        self.assertGreater(paths["countersets"]["V2"], 20)
        self.assertGreater(paths["read through registry"]["values"], 5_000)
        for other in ("perflib", "hosts"):
            self.assertGreater(paths[f"registry and {other}"]["values"], 1_000)
            self.assertEqual(paths[f"registry and {other}"]["differences"], 0)
        self.assertGreater(checks["providers"]["data"]["providers"]["tried"], 20)
        self.assert_nothing_left()

    def test_a_capture_comes_with_the_report_and_can_be_replayed(self):
        _, checks = self.selftest("captures", scenario="server")
        self.assertEqual(self.sentences(checks["captures"]), ["missing in the capture: help-009.bin: no name table"])
        self.assertEqual(checks["captures"]["files"], ["captures.zip"])
        (self.folder / "captures.zip").write_bytes(self.files["captures.zip"])
        query = subprocess.run([EXECUTABLE, "query", "Memory", "--source", f"replay:{self.folder / 'captures.zip'}", "--format",
                                "json"], capture_output=True, text=True, timeout=DEADLINE_SECONDS)
        self.assertEqual(query.returncode, 0, query.stderr)
        self.assertEqual(len(query.stdout.splitlines()), 3, "samples")


class Troubles(Case):
    def test_a_lie_of_one_path_is_a_finding_with_both_values(self):
        code, checks = self.selftest("paths", scenario=f"still; lie perflib {PROCESSORS} 0 77 0,1")
        self.assertEqual(code, 1)
        (finding,) = checks["paths"]["findings"]
        self.assertRegex(finding["sentence"], "^Processor Information .* differs between the registry and perflib: raw value$")
        details = finding["details"]
        self.assertEqual(details["instance"], "0,1")
        self.assertEqual(int(details["perflib"]) - int(details["registry"]), 77)
        self.assertIn(finding["sentence"], self.page)

    def test_an_instance_that_one_path_hides_is_a_finding(self):
        _, checks = self.selftest("paths", scenario=f"still; hide registry {PROCESSORS} 0,1")
        self.assertIn("instance only via PerfLib", checks["paths"]["findings"][0]["sentence"])

    def test_what_is_lost_is_named_and_the_rest_goes_on(self):
        _, checks = self.selftest("paths", scenario="still; fail data 1450 1000000")
        lost = self.sentences(checks["paths"])
        self.assertIn("Processor Information has no values through perflib", lost)
        self.assertIn("Processor Information is there through one path only", lost)
        self.assertNotIn("System has no values through registry", lost)
        self.assertGreater(checks["paths"]["data"]["read through registry"]["values"], 100)

    def test_a_provider_that_crashes_is_named(self):
        harm = self.folder / "harm"
        harm.write_text("av_collect")
        _, checks = self.selftest(ASKED, scenario="still; faulty", WINPERF_FAULT_FILE=str(harm))
        failed = {finding["sentence"]: finding["details"] for finding in checks["providers"]["findings"]}
        self.assertIn("the provider Faulty failed", failed)
        self.assertIn("crash", failed["the provider Faulty failed"]["error"])
        self.assertRegex("\n".join(self.sentences(checks["paths"])), "verify .* --hosts: .* crashed its worker process")
        self.assertGreater(checks["paths"]["data"]["read through registry"]["values"], 100, "of the others")

    def test_providers_that_cannot_be_loaded_are_named(self):
        _, checks = self.selftest("providers", scenario="still; library PerfOS missing; library Things 32-bit; perf_host disabled")
        self.assertLessEqual({"the provider PerfOS failed", "the provider Things is 32-bit"},
                             set(self.sentences(checks["providers"])))

    def test_the_doctors_problems_have_their_repair(self):
        _, checks = self.selftest("providers", scenario="server troubled")
        found = checks["providers"]["findings"]
        self.assertTrue(any("repair" in finding["details"] for finding in found), found)
        self.assertNotIn("exporter_not_running", json.dumps(found))

    def test_a_problem_of_several_countersets_is_one_finding(self):
        _, checks = self.selftest("providers", scenario="")
        (finding,) = checks["providers"]["findings"]
        self.assertRegex(finding["sentence"], "^Memory, LogicalDisk, .* and 3 more: the table of counter names has gaps$")
        self.assertIn("TCPv4", finding["details"]["countersets"])

    def test_people_see_only_what_was_chosen_and_each_check_as_it_begins(self):
        self.selftest("system", scenario="server")
        self.assertIn("1 check: ", self.done.stdout)
        self.assertRegex(self.done.stdout, r"(?m)^\d+ checks were left out by --only$")
        self.assertRegex(self.done.stdout, "(?m)^This takes about a minute.$")
        self.assertNotIn("skipped  ", self.done.stdout)
        self.assertEqual(self.done.stderr, "running system\n")
        self.assertNotIn("Web page", self.page)
        self.assertGreater(len(self.json["checks"]), 10)


class Pdh(Case):
    """PDH is a double that says what the simulated providers say, or what WINPERF_SIMULATOR_PDH makes of it."""

    def test_an_honest_one_agrees_and_its_raw_values_come_with_the_report(self):
        code, checks = self.selftest("pdh", scenario="")
        self.assertEqual(code, 0, self.done.stdout)
        self.assertEqual(checks["pdh"]["verdict"], "passed")
        self.assertGreater(checks["pdh"]["data"]["values"], 1_000)
        self.assertEqual(checks["pdh"]["files"], ["pdh.jsonl"])
        head, *records = self.files["pdh.jsonl"].decode().splitlines()
        self.assertEqual(json.loads(head)["version"], 1)
        self.assertIn("Every Type", [json.loads(record)["counterset"] for record in records])

    def test_a_wrong_one_is_named_by_type_with_both_sides(self):
        _, checks = self.selftest("pdh", scenario="", WINPERF_SIMULATOR_PDH="Every Type|COUNTER_BULK_COUNT|value_twice|two")
        found = {finding["sentence"]: finding["details"] for finding in checks["pdh"]["findings"]}
        raw = found["Every Type COUNTER_BULK_COUNT (PERF_COUNTER_BULK_COUNT) differs from PDH's: raw value"]
        self.assertEqual(raw["instance"], "two")
        ours = int(re.match(r"value (\d+),", raw["moment 1, registry before"])[1])
        self.assertGreater(int(re.search(r"first (\d+),", raw["moment 1, PDH"])[1]), ours)

    def test_a_crash_costs_one_counterset_after_the_other_and_is_named(self):
        _, checks = self.selftest("pdh", scenario="still", WINPERF_SIMULATOR_PDH="crash")
        self.assertRegex(json.dumps(checks["pdh"]), "crashed its worker process")
        self.assertNotEqual(checks["pdh"]["verdict"], "passed")

    def test_scrubbed_its_instances_have_other_names(self):
        self.selftest("pdh", "--scrub", scenario="")
        text = self.files["pdh.jsonl"].decode()
        self.assertNotIn("Small Wave", text)
        self.assertNotIn("Small Wave", json.dumps(self.json))
        self.assertRegex(text, r'\["instance-\d+",0,')
        self.assertIn('"_Total"', text)


class Stop(Case):
    def test_ctrl_c_ends_it_with_a_report_and_nothing_left(self):
        program = subprocess.Popen([EXECUTABLE, "selftest", "--out", self.report, "--only", f"system,{ASKED},captures"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   start_new_session=True, env=self.environment("server"))
        self.addCleanup(program.stderr.close)
        with program.stdout as output:
            for line in output:
                if line.startswith("passed    system"):  # the next check runs
                    os.killpg(program.pid, signal.SIGINT)
            self.assertEqual(program.wait(DEADLINE_SECONDS), 1)
        checks = self.checks()
        for check in ("paths", "captures"):
            self.assertEqual(checks[check]["verdict"], "broken")
            self.assertEqual(checks[check]["summary"], "the selftest was stopped")
        self.assert_nothing_left()


class Disk(Case):
    """What becomes of a report that can't be written."""

    def run_limited(self, state, only="system", **variables):
        """With files of at most 1 KB."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        # An ignored SIGXFSZ stays so: a write fails then.
        return subprocess.run([EXECUTABLE, "selftest", "--out", self.report, "--only", only], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=DEADLINE_SECONDS, preexec_fn=limit, restore_signals=False,
                              env=self.environment("", XDG_STATE_HOME=str(state), TMPDIR=str(self.folder), **variables))

    def test_a_full_disk_leaves_no_half_of_a_report(self):
        done = self.run_limited(self.folder / "state")
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 passed", done.stdout)
        self.assertIn("report.zip: ", done.stderr)
        self.assertIn("could be written nowhere", done.stderr)
        self.assertEqual(list(self.folder.glob("*.zip")), [])

    def test_a_journal_that_cannot_be_written_is_not_left(self):
        state = self.folder / "state"
        (state / "winperf_exporter" / "selftest").mkdir(parents=True)
        journal = state / "winperf_exporter" / "selftest" / "journal.jsonl"
        change = '{"change":"folder","name":"winperf_exporter_selftest_1"}\n'
        journal.write_text("".join(f'{change}{{"undone":{number}}}\n' for number in range(14)))
        self.assertTrue(1000 - len(change) < journal.stat().st_size < 1000)
        done = self.run_limited(state)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write the journal", done.stderr)
        self.assertFalse(journal.exists())

    def test_a_report_whose_folder_has_gone_is_kept_elsewhere(self):
        self.report = self.folder / "gone" / "report.zip"
        self.report.parent.mkdir()
        (self.folder / "temporary").mkdir()
        program = subprocess.Popen([EXECUTABLE, "selftest", "--out", self.report, "--only", "system,paths"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=self.environment("", TMPDIR=str(self.folder / "temporary")))
        self.addCleanup(program.stderr.close)
        with program.stdout as output:
            for line in output:
                if line.startswith("passed    system"):  # the next check runs
                    self.report.parent.rmdir()
                if line.startswith("The report is "):
                    shown = line
        self.assertEqual(program.wait(DEADLINE_SECONDS), 1, "the report isn't where it should be")
        (self.report,) = (self.folder / "temporary").glob("winperf_exporter_selftest_*.zip")
        self.assertIn(str(self.report), shown)
        self.assertEqual(self.checks()["system"]["verdict"], "passed")

    def test_a_place_for_no_report_is_found_before_minutes_of_work(self):
        for place in ("/proc/report.zip", "/dev/null/report.zip", str(self.folder / ("x" * 300))):
            self.report = place
            with self.subTest(place=place):
                done = subprocess.run([EXECUTABLE, "selftest", "--out", place, "--only", "system"], capture_output=True, text=True,
                                      timeout=DEADLINE_SECONDS, env=self.environment(""))
                self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
                self.assertIn(place, done.stderr)


# Names that every Windows has, and the program's own words: service/selftest/names_in_text.cc.
COMMON = {"system", "services", "registry", "idle", "memory compression", "secure system", "smss", "csrss", "wininit", "winlogon",
          "lsass", "svchost", "fontdrvhost", "dwm", "spoolsv", "explorer", "conhost", "dllhost", "taskhostw", "sihost", "ctfmon",
          "wmiprvse", "msmpeng", "cmd", "powershell", "default", "users", "root", "public", "winperf_exporter"}


class Scrub(Case):
    def countersets(self):
        listed = subprocess.run([EXECUTABLE, "list", "--instances", "--format", "json"], capture_output=True, text=True,
                                timeout=DEADLINE_SECONDS, env=self.environment("server")).stdout
        return json.loads(listed)["countersets"]

    @staticmethod
    def private_names(countersets):
        """Names of instances that aren't also those of countersets and counters."""
        public = json.dumps([{**one, "instance_names": []} for one in countersets]).lower()
        names = {name.lower() for one in countersets for name in one.get("instance_names", [])}
        return {name for name in names if len(name) >= 6 and re.search("[a-z]{3}", name) and "_total" not in name
                and name.partition("#")[0] not in COMMON and name not in public}

    def test_no_name_of_an_instance_is_left(self):
        countersets = self.countersets()
        names = self.private_names(countersets)
        self.assertGreater(len(names), 100)
        pools = next(one for one in countersets if one["name"] == "APP_POOL_WAS")
        _, checks = self.selftest(f"system,{ASKED},captures", "--scrub",
                                  scenario=f"server; hide registry {pools['guid']} CustomerPortal")
        self.assertTrue(self.json["scrubbed"])
        (finding,) = checks["paths"]["findings"]
        self.assertEqual(finding["sentence"], "APP_POOL_WAS differs between the registry and perflib: instance only via PerfLib")
        self.assertRegex(finding["details"]["instance"], r"^instance-\d+$")
        texts = {name: content.decode().lower() for name, content in self.files.items() if not name.endswith(".zip")}
        with zipfile.ZipFile(io.BytesIO(self.files["captures.zip"])) as capture:
            captured = {name: capture.read(name).lower() for name in capture.namelist()}
        self.assertTrue(any(name.endswith(".perf") for name in captured), captured.keys())
        for name in names:
            alone = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
            for file, text in texts.items():
                self.assertIsNone(alone.search(text), f"{name} in {file}")
            wide = name.encode("utf-16-le") + b"\0\0"
            for file, content in captured.items():
                self.assertFalse(wide in content, f"{name} in {file}")


if __name__ == "__main__":
    unittest.main()
