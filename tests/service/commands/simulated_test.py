#!/usr/bin/env python3
"""list, query, verify and run on the simulated machine: both paths as a person at a prompt meets them.

    simulated_test.py EXECUTABLE [unittest arguments]
"""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import together

load_tests = together.load_tests
EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
PROCESSORS = "{b4fc721a-0378-476f-89ba-a5a79f810b36}"
DEADLINE_SECONDS = 60


def run(*arguments, scenario="still", **variables):
    return subprocess.run([EXECUTABLE, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=DEADLINE_SECONDS, env={**os.environ, "WINPERF_SIMULATOR": scenario, **variables})


class List(unittest.TestCase):
    def test_shows_both_kinds_with_their_paths(self):
        result = run("list")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"Processor Information  [{PROCESSORS}]  perflib, 28 counters", result.stdout)
        self.assertIn("System  [2]  registry, 2 counters", result.stdout)
        table, how = result.stdout.split("\n\n")
        names = [line.split("  ")[0] for line in table.splitlines()]
        self.assertEqual(how, f"{len(names)} objects, found by PerfLib and OLD_MetadataGlobal\n")
        self.assertEqual(names, sorted(names))
        self.assertEqual(len(names), len(set(names)), "each once, though the registry has V2 countersets too")

    def test_v1_only_leaves_the_others_out(self):
        result = run("list", "--v1-only")
        self.assertNotIn("perflib", result.stdout)
        self.assertIn("Thing  [2000]  registry", result.stdout)

    def test_costly_objects_are_listed_when_they_are_asked_for(self):
        self.assertNotIn("Costly Thing", run("list").stdout)
        result = run("list", "--costly", "--counters")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, "Costly Thing  [2010]  registry, 1 counter, one instance\n"
                                        "    Costly Size  [2012, PERF_COUNTER_RAWCOUNT]\n\n"
                                        "1 object, found by MetadataCostly\n")

    def test_one_counterset_with_counters_and_instances(self):
        result = run("list", "Processor Information")
        self.assertIn("% Processor Utility  [26, PERF_AVERAGE_BULK, base PERF_AVERAGE_BASE]", result.stdout)
        self.assertIn('"0,_Total"', result.stdout)

    def test_json_has_the_instances_where_they_are_asked_for(self):
        for names, instances in (([], None), (["--instances"], ["0,0", "0,1"])):
            objects = json.loads(run("list", "--format", "json", *names).stdout)["countersets"]
            by_name = {entry["name"]: entry for entry in objects}
            self.assertNotIn("instance_names", by_name["System"])
            if instances is not None:
                self.assertLessEqual(set(instances), set(by_name["Processor Information"]["instance_names"]))

    def test_json_says_guid_and_provider(self):
        objects = json.loads(run("list", "--format", "json").stdout)["countersets"]
        by_name = {entry["name"]: entry for entry in objects}
        self.assertEqual(by_name["Processor Information"]["path"], "perflib")
        self.assertEqual(by_name["Processor Information"]["guid"], PROCESSORS)
        self.assertEqual(by_name["Processor Information"]["provider"], "Microsoft-Windows-Kernel-Power")
        self.assertEqual(by_name["System"]["path"], "registry")
        self.assertEqual(by_name["System"]["object_index"], 2)

    def test_the_machines_own_language(self):
        result = run("list", "Prozessorinformationen", "--machine-language")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"Prozessorinformationen  [{PROCESSORS}]  perflib", result.stdout)
        self.assertIn("Processor Information", run("list", "Prozessorinformationen").stdout)

    def test_a_counter_in_the_machines_own_language(self):
        for name, found in ((r"\Prozessorinformationen(0,0)\Prozessorzeit (%)", "Prozessorzeit (%)"),
                            (r"\Prozessorinformationen(0,0)\prozessor*", "Prozessorzeit (%)")):
            result = run("list", name, "--machine-language")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(f"{found}  [0, PERF_100NSEC_TIMER_INV]", result.stdout)
            self.assertNotIn("% Idle Time", result.stdout)
        result = run("list", r"\Prozessorinformationen(*)\Prozesorzeit (%)", "--machine-language")
        self.assertEqual(result.returncode, 1)
        self.assertIn('did you mean "Prozessorzeit (%)"?', result.stderr)

    def test_unknown_name(self):
        result = run("list", "Procesor Information")
        self.assertEqual(result.returncode, 1)
        self.assertIn('did you mean "Processor Information"?', result.stderr)

    def test_without_perflib_the_registry_shows_all(self):
        result = run("list", scenario="still; fail countersets 5 100")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("may not be read by this account", result.stderr)
        self.assertIn("Processor Information  [10000]  registry", result.stdout)


class Query(unittest.TestCase):
    def values(self, *arguments, scenario=""):
        result = run("query", "Processor Information", "--format", "json", *arguments, scenario=scenario)
        self.assertEqual(result.returncode, 0, result.stderr)
        return {(value["instance"], value["counter"]): value for value in json.loads(result.stdout)["values"]}

    def test_both_paths_give_the_same(self):
        registry = self.values("--path", "registry")
        perflib = self.values("--path", "perflib")
        self.assertEqual(registry.keys(), perflib.keys())
        for key, value in perflib.items():
            self.assertEqual(value["path"], "perflib")
            self.assertEqual(value["guid"], PROCESSORS)
            self.assertEqual(registry[key]["path"], "registry")
            self.assertEqual(value["type"], registry[key]["type"])
        idle = perflib[("_Total", "% Processor Time")]["cooked"]
        self.assertAlmostEqual(idle, 50, delta=0.01)

    def test_an_unknown_path_says_which_there_are(self):
        result = run("query", "--path", "pdh")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, "(?s)pdh.*auto.*registry.*perflib")

    def test_unknown_names_are_answered_with_the_nearest(self):
        result = run("query", "Procesor Information", scenario="")
        self.assertEqual(result.returncode, 1)
        self.assertIn('Procesor Information: counterset is not in the name table; did you mean "Processor Information"?',
                      result.stderr)
        result = run("query", "Zzz qqq", scenario="")
        self.assertEqual(result.returncode, 1)
        self.assertIn('Zzz qqq: counterset is not in the name table; "winperf_exporter list" shows all', result.stderr)
        result = run("verify", "Procesor Information")
        self.assertEqual(result.returncode, 1)
        self.assertIn('no object "Procesor Information"; did you mean "Processor Information"?', result.stderr)

    def test_a_name_that_is_missing_is_a_failure_also_beside_others(self):
        result = run("query", "System", "Procesor Information", scenario="")
        self.assertEqual(result.returncode, 1)
        self.assertIn("System [", result.stdout)
        self.assertEqual(run("query", "System", scenario="").returncode, 0)

    def test_by_guid(self):
        result = run("query", PROCESSORS, scenario="")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"Processor Information [{PROCESSORS}]", result.stdout)


class Server(unittest.TestCase):
    """The whole server of tests/simulator/server."""

    def test_it_has_the_countersets_of_many_products(self):
        objects = json.loads(run("list", "--format", "json", scenario="server").stdout)["countersets"]
        names = {entry["name"] for entry in objects}
        self.assertGreater(len(names), 100)
        self.assertLessEqual({"Process V2", "W3SVC_W3WP", "SQLServer:Locks", "MSSQL$PAYROLL:Locks", "DirectoryServices",
                              "Hyper-V Virtual Switch", "MSExchange HttpProxy", ".NET CLR Memory"}, names)
        self.assertNotIn("Thing", names)

    def test_both_paths_say_the_same_about_it(self):
        result = run("verify", scenario="server; still")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("0 differences", result.stdout)

    def test_its_values_are_plausible(self):
        result = run("query", r"\LogicalDisk(L:)\% Free Space", scenario="server; still")
        free = float(result.stdout.split("% Free Space")[1].split("%")[0])
        self.assertGreater(free, 1)
        self.assertLess(free, 10, "it is the volume that is nearly full")


class Verify(unittest.TestCase):
    def test_finds_nothing_on_an_honest_machine(self):
        for scenario in ("still", ""):
            result = run("verify", scenario=scenario)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertIn("0 differences", result.stdout)

    def test_finds_what_a_liar_was_told_to_change(self):
        result = run("verify", "--format", "json",
                     scenario=f"still; lie perflib {PROCESSORS} 3 5 _Total; hide registry {PROCESSORS} 1,0")
        self.assertEqual(result.returncode, 1)
        self.assertTrue(result.stdout.startswith('{\n  "schema": 1,\n  "verified": false,\n'), result.stdout[:60])
        document = json.loads(result.stdout)
        found = {(entry["name"], difference["instance"], difference["counter"], difference["difference"])
                 for entry in document["countersets"] for difference in entry["differences"]}
        self.assertEqual(found, {("Processor Information", "_Total", "Interrupts/sec", "raw value"),
                                 ("Processor Information", "1,0", "", "instance only via PerfLib")})

    def test_a_table_for_people(self):
        result = run("verify", "Processor Information", scenario=f"still; lie registry {PROCESSORS} 3 5 _Total")
        self.assertRegex(result.stdout,
                         r"Processor Information +_Total +Interrupts/sec +raw value +4000005 +4000000")
        self.assertRegex(result.stdout, r"(?m)^1 of 1 counterset compared: \d+ values, .*; 1 difference$")
        self.assertEqual(result.returncode, 1)

    def test_nothing_to_compare_is_not_verified(self):
        result = run("verify", "No Such Thing")
        self.assertEqual(result.returncode, 1)
        self.assertIn("neither path has data", result.stdout)

    def test_a_bad_number_of_rounds(self):
        self.assertEqual(run("verify", "--rounds", "0").returncode, 2)


class VerifyWithPdh(unittest.TestCase):
    """PDH, in its worker, is a double that says what Windows' documentation says of the simulated providers."""

    @staticmethod
    def verify(*arguments, lies=None, scenario=""):
        return run("verify", "--with", "pdh", *arguments, scenario=scenario, **({"WINPERF_SIMULATOR_PDH": lies} if lies else {}))

    def test_an_honest_one_agrees_about_every_object(self):
        result = self.verify("--format", "json")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        document = json.loads(result.stdout)
        self.assertTrue(document["verified"])
        names = {entry["name"] for entry in document["countersets"]}
        self.assertLessEqual({"Thing", "Costly Thing", "System", "Every Type", "Processor Information"}, names)
        self.assertEqual(document["only_pdh"], [])
        every = next(entry for entry in document["countersets"] if entry["name"] == "Every Type")
        self.assertGreater(every["compared"], 500)

    def test_a_wrong_one_is_named_by_type_with_the_raw_values_of_both_sides(self):
        result = self.verify("Every Type", "--format", "json", lies="Every Type|COUNTER_BULK_COUNT|value_twice|two")
        self.assertEqual(result.returncode, 1, result.stdout)
        counterset, = json.loads(result.stdout)["countersets"]
        self.assertEqual({(found["instance"], found["counter"], found["type"]) for found in counterset["differences"]},
                         {("two", "COUNTER_BULK_COUNT", "PERF_COUNTER_BULK_COUNT")})
        found = next(found for found in counterset["differences"] if found["difference"] == "raw value")
        self.assertEqual(len(found["moments"]), 2)
        for moment in found["moments"]:
            self.assertGreater(moment["pdh"]["first"], moment["after"]["value"])
            self.assertLessEqual(moment["before"]["perf_time"], moment["pdh"]["second"])
            self.assertEqual(moment["pdh"]["status"], 0)

    def test_a_table_for_people(self):
        result = self.verify("Thing", lies="Thing|Thing Size|number_nan")
        self.assertRegex(result.stdout, r"(?m)^counterset +instance +counter +type +difference +registry +pdh$")
        self.assertRegex(result.stdout, r"(?m)^Thing +.*PERF_\w+ +number is not finite +a number +nan$")
        self.assertEqual(result.returncode, 1)

    def test_a_crash_costs_an_error_with_its_reason(self):
        result = self.verify("Thing", lies="crash")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"(?m)^Thing +only through one path +delivered +a call of PDH crashed its worker process \(signal 6\)$")
        self.assertIn("PDH could not list its objects: a call of PDH crashed its worker process", result.stderr)


class Doctor(unittest.TestCase):
    def test_a_v2_counterset_is_healthy(self):
        result = run("doctor", "Processor Information", "System")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_a_driver_that_is_not_loaded(self):
        result = run("doctor", "Geometric Waves", "--format", "json", scenario="still; unload kcs")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("v2_provider_not_running", result.stdout)
        self.assertIn('KCS', result.stdout)

    def test_what_the_registry_can_not_say_perflib_says(self):
        result = run("doctor", "Processor Information", scenario="still; fail registry 5 1000")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


class HarmfulProvider(unittest.TestCase):
    """A provider that does harm to its process costs a command what was asked of it, and nothing else."""

    # Long enough for an honest query beside many other tests and under a sanitizer; a hang costs it once or twice.
    HANG_SECONDS = 5

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.config = pathlib.Path(self.folder, "config.yaml")

    def run_with(self, fault, *arguments, **workers):
        timeout = f"{self.HANG_SECONDS if fault.startswith('hang') else DEADLINE_SECONDS}s"
        self.config.write_text(json.dumps({
            "interval": "60s", "limits": {"query_timeout": timeout}, "workers": {"shortest_timeout": timeout, **workers},
            "countersets": ["Faulty Device", "System"]}))
        file = pathlib.Path(self.folder, "fault")
        file.write_text(fault)
        return run(*arguments, scenario="faulty", WINPERF_FAULT_FILE=str(file))

    def test_the_doctor_names_the_crash_and_goes_on(self):
        for fault, how in (("terminate_collect", "crashed its worker process (signal 9)"),
                           ("exit_open", "ended its worker process (exit code 3)")):
            with self.subTest(fault):
                result = self.run_with(fault, "doctor", "--config", self.config)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn("failed   Faulty Device: provider_crashed\n", result.stdout)
                self.assertIn(f"found: provider \"Faulty\" {how}\n", result.stdout)
                self.assertIn("ok       System:", result.stdout)

    def test_the_doctor_gives_up_what_hangs_and_goes_on(self):
        result = self.run_with("hang_collect", "doctor", "--config", self.config)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("failed   Faulty Device: timed_out\n", result.stdout)
        self.assertIn("ok       System:", result.stdout)

    def test_query_prints_the_others(self):
        for fault in ("terminate_collect", "hang_collect"):
            with self.subTest(fault):
                result = self.run_with(fault, "query", "--config", self.config)
                self.assertIn("Faulty Device: provider \"Faulty\" ", result.stderr)
                self.assertRegex(result.stdout, r"System Calls/sec +\d")

    def test_check_config_says_which_can_not_be_read(self):
        result = self.run_with("exit_collect", "check-config", self.config)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("cannot be read: provider \"Faulty\" ended its worker process (exit code 3)\n", result.stdout)
        self.assertIn("2 series at present", result.stdout)

    def test_list_prints_the_others(self):
        result = self.run_with("terminate_collect", "list")
        self.assertIn("\nSystem ", result.stdout)
        self.assertNotIn("Faulty Device", result.stdout)
        self.assertIn('provider "Faulty" crashed its worker process (signal 9)', result.stderr)

    def test_providers_tries_each_alone(self):
        for fault, state, how in (("terminate_collect", "worker_crashed", "crashed its worker process (signal 9)"),
                                  ("exit_open", "worker_exited", "ended its worker process (exit code 3)"),
                                  ("hang_open", "timed_out", "timed out: ")):
            with self.subTest(fault):
                result = self.run_with(fault, "providers", "--try", "--config", self.config)
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stdout, rf"(?m)^Faulty +{state} ")
                self.assertRegex(result.stdout, r"(?m)^PerfOS +works .* System$")
                self.assertIn(f'provider "Faulty" {how}', result.stderr)

    def test_providers_are_not_loaded_without_need(self):
        result = self.run_with("exit_open", "providers")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"(?m)^Faulty +registered +C:\\.*\\Faulty\.dll +1\.2\.3\.4 +Contoso +64 +Faulty Device, Faulty Parts$")

    def test_32_bit_providers_are_read_with_all_others_together(self):
        scenario = "still; library Things 32-bit; perf_host stopped"
        result = run("providers", "--try", scenario=scenario)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"(?m)^Things +32-bit +- +- +- .* 32 +some of 2000 to 2012$")
        self.assertRegex(result.stdout, r"(?m)^PerfOS +works ")
        self.assertTrue(result.stdout.endswith(" PerfHost, whose state is stopped: sc start PerfHost\n"), result.stdout)
        self.config.write_text(json.dumps({"workers": {"isolation": "hosts"}, "path": "registry"}))
        result = run("query", "Thing", "System", "--config", self.config, "--format", "json", scenario=scenario)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        objects = {value["object"] for value in json.loads(result.stdout.splitlines()[-1])["values"]}
        self.assertEqual(objects, {"Thing", "System"})

    def test_a_missing_library_is_shown(self):
        scenario = "still; library Things missing"
        self.assertRegex(run("providers", scenario=scenario).stdout, r"(?m)^Things +library missing +Things\.dll +- ")
        result = run("providers", "Things", "--try", scenario=scenario)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"(?m)^Things +os_error ")
        self.assertIn('provider "Things" in load failed (system error 126)', result.stderr)

    def test_a_provider_that_is_left_out_is_never_loaded(self):
        for command, shown in ((("providers", "--try"), r"(?m)^Faulty +left out "),
                               (("query", "System", "--interval", "1s"), r"System Calls/sec +\d")):
            result = self.run_with("exit_open", *command, "--config", self.config, leave_out=["faulty"])
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertRegex(result.stdout, shown)

    def test_an_unknown_provider_is_an_error(self):
        result = self.run_with("", "providers", "nobody")
        self.assertEqual(result.returncode, 1)
        self.assertIn('no service "nobody" has registered a performance library', result.stderr)

    def test_verify_says_what_perflib_lost(self):
        result = self.run_with("terminate_perflib", "verify", "--config", self.config, PROCESSORS)
        self.assertEqual(result.returncode, 1)
        self.assertIn("crashed its worker process (signal 9)", result.stdout + result.stderr)


class Fallback(unittest.TestCase):
    def test_query_says_that_it_read_through_the_registry(self):
        result = run("query", "Processor Information", "--interval", "1s", scenario="fail registration 1450 30")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Processor Information: PerfLib failed, so it was read through the registry: ", result.stderr)
        self.assertIn("(system error 1450)", result.stderr)


class Capture(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.out = self.folder / "capture"

    def values(self, *arguments):
        result = run("query", "--source", f"replay:{self.out}", "--format", "json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [{(value["path"], value["object"], value["instance"], value["counter"]): value["raw"]
                 for value in json.loads(line)["values"]} for line in result.stdout.splitlines()]

    def test_replays_every_form_of_v2_blocks_alike(self):
        replies = []
        for padding in ("counted", "none", "left_out", "between_results"):
            self.out = self.folder / padding
            scenario = f"still; padding {padding}"
            recorded = run("capture", "--out", str(self.out), "--samples", "2", "--interval", "1s", scenario=scenario)
            self.assertEqual(recorded.returncode, 0, recorded.stderr)
            replies.append(self.values("Processor Information"))
            diagnosis = run("doctor", "Processor Information", scenario=scenario)
            self.assertEqual(diagnosis.returncode, 0, diagnosis.stdout)
            self.assertNotIn("damaged", diagnosis.stdout)
        self.assertEqual(len(replies[0][0]), 7 * 28)
        self.assertEqual([reply for reply in replies if reply != replies[0]], [])

    def test_records_both_paths_and_gives_them_back(self):
        result = run("capture", "--out", self.out, "--samples", "2", "--interval", "1s", scenario="")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("2 samples, 7 V2 countersets", result.stdout)
        self.assertIn("sample 2 of 2", result.stderr)
        manifest = json.loads((self.out / "capture.json").read_text())
        self.assertEqual((manifest["format"], manifest["samples"], manifest["problems"]), (1, 2, []))
        first, second = self.values()
        self.assertEqual(first.keys(), second.keys())
        self.assertNotEqual(first, second)
        # Both paths are of the same moment, more or less; what counts nothing is the same.
        still = ("Processor Information", "0,1", "Processor Frequency")
        self.assertEqual(first[("perflib", *still)], first[("registry", *still)])
        only_v2 = self.values("Processor Information")[0]
        self.assertEqual({key[0] for key in only_v2}, {"perflib"})
        again = self.folder / "again"
        self.assertEqual(run("capture", "--out", again, "--source", f"replay:{self.out}").returncode, 0)
        before, self.out = self.values(), again
        self.assertEqual(self.values(), before)

    def test_one_file_holds_the_same(self):
        self.out = self.folder / "capture.zip"
        result = run("capture", "--out", self.out, "--samples", "2", "--interval", "1s", scenario="")
        self.assertEqual(result.returncode, 0, result.stderr)
        with zipfile.ZipFile(self.out) as archive:
            self.assertIsNone(archive.testzip())
            archive.extractall(self.folder / "unpacked")
        packed, self.out = self.values(), self.folder / "unpacked"
        self.assertEqual(self.values(), packed)
        self.assertEqual(len(packed), 2)
        (self.folder / "cut.zip").write_bytes(b"PK\3\4")
        result = run("query", "--source", f"replay:{self.folder / 'cut.zip'}")
        self.assertEqual(result.returncode, 1)
        self.assertIn("it may be truncated", result.stderr)

    def test_scrubbed_it_has_the_same_values_under_other_names(self):
        run("capture", "--out", self.out, "--samples", "2", "--interval", "1s")
        plain, self.out = self.values(), self.folder / "scrubbed"
        run("capture", "--out", self.out, "--scrub", "--source", f"replay:{self.folder / 'capture'}")
        scrubbed = self.values()
        self.assertEqual([list(sample.values()) for sample in scrubbed], [list(sample.values()) for sample in plain])
        before, after = ({key[2] for key in sample} for sample in (plain[0], scrubbed[0]))
        self.assertIn("0,_Total", before & after)
        self.assertEqual({name for name in before & after if any(part.isalpha() for part in name.split("_")[0])}, set())
        kept = b"".join(path.read_bytes() for path in self.out.glob("sample-*"))
        for name in before - after:
            self.assertNotIn(name.encode("utf-16-le"), kept, name)

    def test_a_capture_can_be_listed_checked_and_served(self):
        run("capture", "--out", self.out, "--samples", "2", "--interval", "1s", scenario="")
        listed = run("list", "--source", f"replay:{self.out}").stdout
        self.assertIn(f"Processor Information  [{PROCESSORS}]  perflib, 28 counters", listed)
        config = self.folder / "config.yaml"
        config.write_text('{countersets: ["Processor Information", System]}')
        plan = json.loads(run("check-config", config, "--source", f"replay:{self.out}", "--format", "json").stdout)
        self.assertEqual([entry["path"] for entry in plan["countersets"]], ["perflib", "registry"])

    def test_costly_objects_are_recorded_when_they_are_asked_for(self):
        costly = ("registry", "Costly Thing", "", "Costly Size")
        self.assertEqual(run("capture", "--out", self.out, "--samples", "1").returncode, 0)
        self.assertEqual(json.loads((self.out / "capture.json").read_text())["queries"], ["Global"])
        without = self.values()[0]
        self.out = self.folder / "costly"
        self.assertEqual(run("capture", "--out", self.out, "--samples", "1", "--costly").returncode, 0)
        self.assertEqual(json.loads((self.out / "capture.json").read_text())["queries"], ["Global", "Costly"])
        self.assertEqual(self.values()[0], without | {costly: 5})
        self.assertNotIn(costly, without)

    def test_refuses_what_it_can_not_do(self):
        self.out.mkdir()
        self.assertIn("already exists", run("capture", "--out", self.out).stderr)
        other = self.folder / "other"
        result = run("capture", "--out", other, "--max-bytes", "1KiB")
        self.assertEqual(result.returncode, 1)
        self.assertIn("larger than 1024 bytes", result.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["capture"])
        self.assertEqual(run("capture", "--out", other, "--interval", "1ms").returncode, 2)
        self.assertEqual(run("capture").returncode, 2)


class CheckConfig(unittest.TestCase):
    def check(self, text, *arguments, scenario="still"):
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder) / "config.yaml"
            config.write_text(text)
            return run("check-config", config, *arguments, scenario=scenario)

    def test_shows_the_resolved_plan(self):
        result = self.check('{interval: 90s, countersets: [{name: ["Absent", "Processor Information"], '
                            'instances: {exclude: [".*_Total"]}, counters: {include: ["% Processor Time"]}}, '
                            '{name: Thing, instances: {include: [nothing]}}, Nowhere]}')
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"(?m)^Absent +perflib +1m30s +1 of 28 +4 of 7 +4$")
        self.assertIn("Absent (Absent or Processor Information)\n  counters: % Processor Time\n"
                      "  instances: 1,1, 1,0, 0,1, 0,0\n", result.stdout)
        self.assertRegex(result.stdout, r"(?m)^Thing +registry +1m30s +\d+ +0 of \d+ +0$")
        self.assertIn("NO instance matches at present", result.stdout)
        self.assertRegex(result.stdout, r"(?m)^Nowhere +auto +1m30s +- +- +-$")
        self.assertIn("winperf_exporter doctor", result.stdout)

    def test_cooked_values_count(self):
        raw = json.loads(self.check('{metrics: {values: raw}, countersets: ["Processor Information"]}',
                                    "--format", "json", scenario="").stdout)
        both = json.loads(self.check('{interval: 1h, countersets: ["Processor Information"]}',
                                     "--format", "json", scenario="").stdout)
        self.assertGreater(both["series"], raw["series"])

    def test_a_provider_that_fails_costs_itself_alone(self):
        result = self.check("{countersets: [System, Processor Information]}", scenario="fail data 5 100")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"(?m)^System +registry +5s +\d+ +- +\d+$")

    def test_the_file_alone(self):
        result = self.check("{countersets: [System]}", "--file-alone")
        self.assertRegex(result.stdout, r"(?m)^System +auto +5s +- +- +-$")


class Run(unittest.TestCase):
    def test_metrics_and_json_say_the_path(self):
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder) / "config.yaml"
            config.write_text('interval: 1s\nmetrics: {cap_percentages: true}\n'
                              'countersets: ["Processor Information", "System", {name: "Every Type", path: "registry"}]\n')
            server = subprocess.Popen([EXECUTABLE, "run", "--config", config, "--listen", "127.0.0.1:0"],
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            try:
                url = server.stdout.readline().split()[-1].rstrip("/")
                document = self.sampled(url)
                paths = {entry["name"]: entry["path"] for entry in document["countersets"]}
                self.assertEqual(paths, {"Processor Information": "perflib", "System": "registry",
                                         "Every Type": "registry"})
                page = self.get(url + "/metrics")
                self.assertIn('winperf_exporter_counterset_path_info'
                              '{counterset="Processor Information",path="perflib"} 1\n', page)
                self.assertIn('winperf_exporter_counterset_fallback{counterset="System"} 0\n', page)
                self.assertRegex(page, r"(?m)^winperf_cpu_\S+\{")
            finally:
                server.send_signal(signal.SIGINT)
                self.assertEqual(server.wait(DEADLINE_SECONDS), 0)
                server.stdout.close()

    def get(self, url):
        with urllib.request.urlopen(url, timeout=DEADLINE_SECONDS) as response:
            return response.read().decode()

    def sampled(self, url):
        deadline = time.monotonic() + DEADLINE_SECONDS
        while time.monotonic() < deadline:
            with contextlib.suppress(urllib.error.HTTPError):
                document = json.loads(self.get(url + "/api/v1/sample"))
                if all(entry["sampled_at"] for entry in document["countersets"]):
                    return document
        self.fail("no sample in time")


if __name__ == "__main__":
    unittest.main()
