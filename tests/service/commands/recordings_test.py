#!/usr/bin/env python3
"""What the native executable shows of recordings: logs of counters, and what check-config and doctor see in them.

    recordings_test.py EXECUTABLE [unittest arguments]

Most tests build their own logs (log_file.py). Those that need recorded data take it from WINPERF_CAPTURES and say
so where it is absent.
"""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from log_file import LIBRARY, RATE, RAW, TEXT, Log, listed, value, values

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
CAPTURES = pathlib.Path(os.environ.get("WINPERF_CAPTURES", ""))
VISTA = CAPTURES / "vista-6000"
VISTA_LOG = CAPTURES / "blg" / "vista-6000.blg"
COUNTER_LOG = CAPTURES / "blg" / "pdh-log-2016.blg"
SERVER_2019 = CAPTURES / "server-2019-v2"
V2_LOG = CAPTURES / "blg" / "odd" / "v2-items.blg"
DEADLINE_SECONDS = 60


def needs(path):
    return unittest.skipUnless(path.exists(),
                               f"NO RECORDED DATA: {path} is absent; set WINPERF_CAPTURES to the captures")


def run(*arguments):
    return subprocess.run([EXECUTABLE, *arguments], capture_output=True, text=True,
                          timeout=DEADLINE_SECONDS, stdin=subprocess.DEVNULL)


def documents(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, log):
        return f"blg:{log.write(self.folder / 'it.blg')}"

    def check_config(self, text, source, *arguments):
        config = self.folder / "winperf.yaml"
        config.write_text(text)
        result = run("check-config", str(config), "--source", source, "--format", "json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)["countersets"]

    def served(self, source, path):
        """What `run` answers, once it has its first sample."""
        process = subprocess.Popen([EXECUTABLE, "run", "--source", source, "--listen", "127.0.0.1:0"],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            url = process.stdout.readline().split()[-1].rstrip("/")
            deadline = time.monotonic() + DEADLINE_SECONDS
            while True:
                try:
                    urllib.request.urlopen(url + "/-/ready", timeout=DEADLINE_SECONDS).close()
                    break
                except urllib.error.HTTPError as error:
                    self.assertEqual(error.code, 503)
                    self.assertLess(time.monotonic(), deadline, error.read())
            with urllib.request.urlopen(url + path, timeout=DEADLINE_SECONDS) as answer:
                return answer.read().decode()
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


class CounterLog(Folder):
    def test_every_sample_is_a_document_the_first_one_too(self):
        log = Log().counters(listed(("\\\\HOST", "Memory", None, "Available Bytes"), RAW),
                             listed(("\\\\HOST", "Memory", None, "Page Faults/sec"), RATE),
                             listed(("\\\\HOST", "Process", "*", "Handle Count"), RAW))
        log.sample(value(1000), value(5, 0), values([("a", 1, 0), ("b", 2, 0)]))
        log.sample(value(2000), value(25, 10), values([("b", 3, 0)]))
        log.sample(value(3000), value(0, 0, status=0x800007D5), values([]))
        result = run("query", "--source", self.write(log), "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 value was missing when the log was recorded (the first: "
                      "\\\\HOST\\Memory\\Page Faults/sec, status 0x800007d5)", result.stderr)
        samples = documents(result)
        self.assertEqual([document["sequence"] for document in samples], [0, 1, 2])
        self.assertEqual([[(entry["object"], entry["instance"], entry["counter"], entry["cooked"], entry["reason"])
                           for entry in document["values"]] for document in samples],
                         [[("Memory", "", "Available Bytes", 1000, None),
                           ("Memory", "", "Page Faults/sec", None, "first_sample"),
                           ("Process", "a", "Handle Count", 1, None), ("Process", "b", "Handle Count", 2, None)],
                          [("Memory", "", "Available Bytes", 2000, None),
                           ("Memory", "", "Page Faults/sec", 20, None), ("Process", "b", "Handle Count", 3, None)],
                          [("Memory", "", "Available Bytes", 3000, None),
                           ("Memory", "", "Page Faults/sec", None, "not_delivered")]])
        first = samples[0]["values"][0]
        self.assertEqual((first["path"], first["object_index"], first["raw"]), ("log", None, 1000))
        self.assertNotIn("machine", first, "there is one machine alone")

    def test_a_sample_without_what_was_asked_for_still_has_its_time(self):
        log = Log(time=131246415908740000).counters(listed(("\\\\HOST", "A", None, "n"), RAW))
        log.sample(value(1)).counters(listed(("\\\\HOST", "B", None, "m"), RAW)).sample(value(2))
        samples = documents(run("query", "--source", self.write(log), "--format", "json", "b"))
        self.assertEqual([(document["time"], len(document["values"])) for document in samples],
                         [("2016-11-26T13:46:30.8740000Z", 0), ("2016-11-26T13:46:31.8740000Z", 1)])

    def test_what_can_be_asked_of_it(self):
        log = Log().counters(listed(("\\\\HOST", "Memory", None, "Available Bytes"), RAW),
                             listed(("\\\\HOST", "Disk", "C:", "Name"), TEXT))
        source = self.write(log.sample(value(1000), value(0)))
        self.assertIn("Memory  log, 1 counter, one instance\n", run("list", "--source", source).stdout)
        self.assertRegex(run("query", "--source", source).stdout,
                         r"(?s)^sample 0, 2016-[-0-9:.T]+Z, HOST\nMemory \[log\]\n  Available Bytes  1000\n"
                         r"Disk \[log\]\n  C:  Name  - \(not_numeric\)")
        result = run("query", "--source", source, "Memori")
        self.assertEqual(result.returncode, 1)
        self.assertIn('did you mean "Memory"?', result.stderr)
        result = run("capture", "--source", source, "--out", str(self.folder / "out"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("a log of single counters has no performance data blocks", result.stderr)
        page = self.served(source, "/metrics")
        self.assertIn("\nwinperf_memory_available_bytes 1000\n", page)
        self.assertIn('\nwinperf_exporter_counterset_path_info{counterset="Memory",path="log"} 1\n', page)

    def test_messages_count_right(self):
        one = Log().counters(listed(("\\\\HOST", "A", None, "n"), RAW)).sample(value(1), value(2))
        self.assertIn(": 1 value of a counter that the log does not list skipped",
                      run("query", "--source", self.write(one)).stderr)
        two = Log().counters(listed(("\\\\HOST", "A", None, "n"), RAW))
        two.sample(value(1), values([("a", 1, 2), ("b", 3, 4)]))
        self.assertIn(": 2 values of counters that the log does not list skipped",
                      run("query", "--source", self.write(two)).stderr)

    def test_an_empty_or_a_cut_log_is_no_crash(self):
        log = Log().counters(listed(("\\\\HOST", "A", None, "n"), RAW))
        result = run("query", "--source", self.write(log))
        self.assertEqual(result.returncode, 1)
        self.assertIn("none of its samples can be read; it holds 0 samples of 1 counter", result.stderr)
        log.sample(value(1)).sample(value(2))
        path = log.write(self.folder / "cut.blg")
        path.write_bytes(path.read_bytes()[:72 + len(log.events) - 8])
        result = run("query", "--source", f"blg:{path}", "--format", "json")
        self.assertIn("damaged part", result.stderr)
        self.assertEqual(len(documents(result)), 1)
        self.assertEqual(result.returncode, 1, "it isn't whole")

    @needs(COUNTER_LOG)
    def test_a_recorded_one_has_all_its_samples(self):
        result = run("query", "--source", f"blg:{COUNTER_LOG}", "--format", "json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        samples = documents(result)
        self.assertEqual([document["sequence"] for document in samples], list(range(25)))
        self.assertEqual({len(document["values"]) for document in samples}, {10})
        self.assertEqual(samples[0]["time"], "2016-11-26T21:46:30.8740000Z")
        cooked = {entry["counter"]: entry["cooked"] for entry in samples[1]["values"]}
        self.assertAlmostEqual(cooked["% processor time"], 20.913042441624498, delta=1e-11)
        page = self.served(f"blg:{COUNTER_LOG}", "/metrics")
        self.assertRegex(page, r"(?m)^winperf_memory_committed_bytes_in_use_ratio 0\.86937")


def table_of(reply):
    """The second result of a PerfLib reply, a table of counters and instances: [(instance, counter id, number)]."""
    def word(at):
        return int.from_bytes(reply[at:at + 4], "little")
    first = 48  # the reply's header; a result has its size at 8
    result = first + word(first + 8)
    ids_at = result + 16
    ids = [word(ids_at + 8 + 4 * i) for i in range(word(ids_at + 4))]
    at = ids_at + word(ids_at) + 8
    found = []
    for _ in range(word(at - 4)):
        size = word(at)
        name = reply[at + 8:at + size].decode("utf-16-le").partition("\0")[0]
        at += size
        for counter in ids:
            found.append((name, counter, int.from_bytes(reply[at + 8:at + 8 + word(at)], "little")))
            at += word(at + 4)
    return found


@needs(SERVER_2019)
class RealPerflib(Folder):
    """Windows Server 2019's own replies: Processor Information, of which five counters have no name, and Netlogon without an active
    instance."""
    SOURCE = f"replay:{SERVER_2019}"
    NAMELESS = {22, 25, 27, 29, 32}

    def test_the_raw_values_are_those_of_the_bytes(self):
        result = run("query", "Processor Information", "--source", self.SOURCE, "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        shown = {(value["instance"], value["counter_index"]): value["raw"] for value in documents(result)[0]["values"]}
        wanted = {(instance, counter): number for instance, counter, number
                  in table_of((SERVER_2019 / "sample-0000.v2").read_bytes()) if counter not in self.NAMELESS}
        self.assertEqual(len(wanted), 4 * 28)
        self.assertEqual(shown, wanted)

    def test_a_counter_without_a_name_is_nowhere(self):
        values = documents(run("query", "Processor Information", "--source", self.SOURCE, "--format", "json"))[0]["values"]
        self.assertEqual({value["counter"] for value in values if not value["counter"]}, set())
        table = run("query", "Processor Information", "--source", self.SOURCE).stdout
        self.assertNotRegex(table, r"(?m)^  \S+ +\d+ ")
        listed = run("metrics", "Processor Information", "--source", self.SOURCE)
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertIn("winperf_cpu_", listed.stdout)
        self.assertNotRegex(listed.stdout, "counter_[0-9]")
        self.assertNotRegex(run("list", "Processor Information", "--source", self.SOURCE).stdout, r"(?m)^ +(22|25|27|29|32)\b")

    def test_without_an_active_instance_it_is_empty_and_has_not_failed(self):
        result = run("query", "Netlogon", "--source", self.SOURCE, "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("232", result.stderr)
        self.assertEqual(documents(result)[0]["values"], [])
        self.assertIn("no instances", run("query", "Netlogon", "--source", self.SOURCE).stdout)


class WholeCountersets(Folder):
    """V2 countersets that a log has as a whole: items of kind 21."""

    INFORMATION = "Processor Information"
    NAMELESS = {22, 25, 27, 29, 32}

    def samples(self, source, *arguments):
        result = run("query", "--source", source, "--format", "json", *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return documents(result)

    def replies(self):
        """What the log holds of Processor Information: [{instance: {counter id: raw value}}], read without the program."""
        data, samples, record = V2_LOG.read_bytes(), [], b""
        for start in range(0, len(data), 65536):
            at, end = start + 72, start + struct.unpack_from("<I", data, start + 48)[0]
            while at < end:
                size = struct.unpack_from("<H", data, at)[0]
                if data[at + 24:at + 40] != LIBRARY:
                    at += (struct.unpack_from("<H", data, at + 4)[0] + 7) // 8 * 8
                    continue
                part, parts = struct.unpack_from("<II", data, at + 64)
                record = (record if part > 1 else b"") + data[at + 72:at + size]
                if part == parts and data[at + 4] == 34:
                    samples.append(self.reply_in(record))
                at += (size + 7) // 8 * 8
        return samples

    def reply_in(self, record):
        at, number = 8, 0
        while number < 10:
            at += struct.unpack_from("<I", record, at + 4)[0]
            number += 1
        self.assertEqual(record[at + 3], 21)
        body = record[at + 8:at + struct.unpack_from("<I", record, at + 4)[0]]
        size, count = struct.unpack_from("<II", body, 64)
        ids = struct.unpack_from(f"<{count}I", body, 72)
        rows, at, found = struct.unpack_from("<I", body, 64 + size + 4)[0], 64 + size + 8, {}
        for _ in range(rows):
            length = struct.unpack_from("<I", body, at)[0]
            name = body[at + 8:at + length].decode("utf-16-le").split("\0")[0]
            at += length
            values = found.setdefault(name, {})
            for counter in ids:
                bytes_of, length = struct.unpack_from("<II", body, at)
                values[counter] = int.from_bytes(body[at + 8:at + 8 + bytes_of], "little")
                at += length
        return found

    @needs(V2_LOG)
    def test_all_values_are_those_of_the_replies(self):
        source = f"blg:{V2_LOG}"
        replies = self.replies()
        documents_of = self.samples(source, self.INFORMATION)
        self.assertEqual(len(documents_of), 3)
        for document, reply in zip(documents_of, replies, strict=True):
            shown = {}
            for entry in document["values"]:
                self.assertEqual(entry["path"], "perflib")
                shown.setdefault(entry["instance"], {})[entry["counter_index"]] = entry["raw"]
            self.assertEqual(shown, {instance: {counter: value for counter, value in values.items()
                                                if counter not in self.NAMELESS}
                                     for instance, values in reply.items()})
            self.assertEqual([entry for entry in document["values"] if not entry["counter"]], [])
        cooked = {(entry["instance"], entry["counter"]): entry for entry in documents_of[1]["values"]}
        busy = cooked["_Total", "% Processor Utility"]["cooked"]
        self.assertTrue(0 < busy < 400, busy)

    @needs(V2_LOG)
    def test_v1_objects_of_the_same_samples_are_there_too(self):
        everything = self.samples(f"blg:{V2_LOG}")
        for document in everything:
            self.assertEqual({entry["path"] for entry in document["values"]}, {"registry", "perflib"})
        by_path = self.samples(f"blg:{V2_LOG}", "--path", "registry", "Processor")
        self.assertEqual([len(document["values"]) > 0 for document in by_path], [True] * 3)

    @needs(V2_LOG)
    def test_a_capture_of_it_has_the_same_values(self):
        capture = self.folder / "capture"
        result = run("capture", "--source", f"blg:{V2_LOG}", "--out", str(capture))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("3 samples, 2 V2 countersets", result.stdout)
        for names in ([self.INFORMATION], ["Process", "Memory"]):
            of_log, of_capture = (self.samples(source, *names) for source in (f"blg:{V2_LOG}", f"replay:{capture}"))
            self.assertEqual(of_capture, of_log)

    @needs(V2_LOG)
    def test_lists_and_pages_have_it(self):
        source = f"blg:{V2_LOG}"
        listing = run("list", "--source", source, self.INFORMATION, "--counters").stdout
        self.assertIn(self.INFORMATION, listing)
        self.assertNotRegex(listing, r"(?m)^ +\[")
        page = self.served(source, "/metrics")
        self.assertIn('winperf_exporter_counterset_path_info{counterset="Processor Information",path="perflib"}', page)

    @needs(V2_LOG)
    def test_the_table_has_times_and_the_host(self):
        text = run("query", "--source", f"blg:{V2_LOG}", self.INFORMATION).stdout
        headings = [line for line in text.splitlines() if line.startswith("sample ")]
        self.assertEqual([heading.split(",")[0] for heading in headings], ["sample 0", "sample 1", "sample 2"])
        for heading in headings:
            self.assertRegex(heading, r"^sample \d, 2021-04-01T\d\d:08:\d\d\.\d{7}Z, HOST00000$")
        text = run("query", "--source", f"replay:{CAPTURES / 'server-2019-v2'}", "Processor").stdout
        self.assertRegex(text, r"^sample 0, 2021-[-0-9:.T]+Z, \S+\n")

    @needs(V2_LOG)
    def test_a_damaged_sample_is_told_with_its_place(self):
        whole = V2_LOG.read_bytes()
        for at, value in ((0x20c90 + 4, 98), (0x20c90 + 24, 0), (0x20c90 + 72 + 4, 0xFF), (0x20002, 0)):
            damaged = bytearray(whole)
            damaged[at] = value
            path = self.folder / "damaged.blg"
            path.write_bytes(damaged)
            result = run("query", "--source", f"blg:{path}", "--format", "json", "Memory")
            self.assertEqual(result.returncode, 1, at)
            self.assertRegex(result.stderr, r"damaged parts? \(the first: .* at offset 1[34]\d{4}", at)
            self.assertGreaterEqual(len([d for d in documents(result) if d["values"]]), 1, at)


class ForeignNames(Folder):
    """A provider gives names that a terminal would obey: colours, a title, a second line, another direction."""

    OBJECT, COUNTER, INSTANCE = "Ob\x1b[31mject", "Co\u009b2Junter\u202e", "in\r\nstance\a"
    SHOWN = "Ob\\u001b[31mject", "Co\\u009b2Junter\\u202e", "in\\u000d\\u000astance\\u0007"

    def setUp(self):
        super().setUp()
        log = Log().counters(listed(("\\\\HO\x1bST", self.OBJECT, "*", self.COUNTER), RAW),
                             listed(("\\\\HO\x1bST", self.OBJECT, "*", "Plain"), RAW))
        self.source = self.write(log.sample(*[values([(self.INSTANCE, 7, 0), ("b", 8, 0)])] * 2))

    def shown(self, *arguments):
        result = run(*arguments, "--source", self.source)
        for text in (result.stdout, result.stderr):
            self.assertRegex(text, r"\A[^\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]*\Z")
        return result

    def test_query_aligns_what_it_shows(self):
        name, counter, instance = self.SHOWN
        text = self.shown("query").stdout
        self.assertEqual(text, f"sample 0, 2016-11-26T13:46:30.8740000Z, HO\\u001bST\n"
                               f"{name} [log]\n"
                               f"  {instance}  {counter}  7\n"
                               f"  {instance}  {'Plain':{len(counter)}}  7\n"
                               f"  {'b':{len(instance)}}  {counter}  8\n"
                               f"  {'b':{len(instance)}}  {'Plain':{len(counter)}}  8\n")

    def test_list_and_doctor_show_them(self):
        name, counter, instance = self.SHOWN
        self.assertIn(f'{name}  log, 2 counters, 2 instances\n    {counter}  [', self.shown("list", "--counters").stdout)
        self.assertIn(f'    instances: "{instance}" "b"\n', self.shown("list", "--instances").stdout)
        self.assertIn(f'ok       {name}: "{name}": 2 of 2 counters, 2 of 2 instances\n',
                      self.shown("doctor", self.OBJECT).stdout)

    def test_check_config_shows_them(self):
        _, counter, instance = self.SHOWN
        log = Log().counters(listed(("\\\\HOST", "Things", "*", self.COUNTER), RAW))
        self.source = self.write(log.sample(values([(self.INSTANCE, 7, 0)])))
        config = self.folder / "winperf.yaml"
        config.write_text('{countersets: ["Things"]}')
        self.assertIn(f"\nThings\n  counters: {counter}\n  instances: {instance}\n",
                      self.shown("check-config", str(config)).stdout)

    def test_errors_show_them(self):
        self.assertIn(f'did you mean "{self.SHOWN[0]}"?', self.shown("query", self.OBJECT + "t").stderr)


class SeveralMachines(Folder):
    def setUp(self):
        super().setUp()
        log = Log().counters(listed(("\\\\ONE", "Memory", None, "Available Bytes"), RAW),
                             listed(("\\\\TWO", "Memory", None, "Available Bytes"), RAW),
                             listed(("\\\\TWO", "Process", "*", "Handle Count"), RAW))
        for number in (1, 2):
            log.sample(value(number), value(10 * number), values([("a", 100 * number, 0)]))
        self.source = self.write(log)

    def test_query_names_the_machine_of_each_value(self):
        result = run("query", "--source", self.source, "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([[(entry["machine"], entry["object"], entry["instance"], entry["cooked"])
                           for entry in document["values"]] for document in documents(result)],
                         [[("ONE", "Memory", "", 1), ("TWO", "Memory", "", 10), ("TWO", "Process", "a", 100)],
                          [("ONE", "Memory", "", 2), ("TWO", "Memory", "", 20), ("TWO", "Process", "a", 200)]])
        text = run("query", "--source", self.source).stdout
        self.assertIn("sample 0, 2016-11-26T13:46:30.8740000Z\nMemory [log] on ONE\n", text)
        self.assertIn("Process [log] on TWO\n", text)
        of_one = documents(run("query", "--source", self.source, "--format", "json", "Process"))
        self.assertEqual([len(document["values"]) for document in of_one], [1, 1])

    def test_metrics_have_it_as_a_label(self):
        page = self.served(self.source, "/metrics")
        self.assertIn('\nwinperf_memory_available_bytes{machine="ONE"} 1\n'
                      'winperf_memory_available_bytes{machine="TWO"} 10\n', page)
        self.assertIn('\nwinperf_process_handles{process="a",machine="TWO"} 100\n', page)
        self.assertIn('\nwinperf_exporter_counterset_success{counterset="Process",machine="ONE"} 0\n'
                      'winperf_exporter_counterset_success{counterset="Process",machine="TWO"} 1\n', page)

    def test_list_doctor_and_check_config_name_it(self):
        listing = run("list", "--source", self.source).stdout
        self.assertIn("Memory on ONE  log, 1 counter, one instance\n", listing)
        self.assertIn("Process on TWO  log, 1 counter, 1 instance\n", listing)
        doctor = json.loads(run("doctor", "--source", self.source, "--format", "json", "Process").stdout)
        self.assertEqual([(entry["machine"], entry["status"]) for entry in doctor["countersets"]],
                         [("ONE", "failed"), ("TWO", "ok")])
        plan = self.check_config('{countersets: ["Memory", "Process"]}', self.source)
        self.assertEqual([(entry["name"], entry["machine"], entry["success"]) for entry in plan],
                         [("Memory", "ONE", True), ("Memory", "TWO", True),
                          ("Process", "ONE", False), ("Process", "TWO", True)])

    def test_a_capture_is_of_one(self):
        result = run("capture", "--source", self.source, "--out", str(self.folder / "out"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("a capture holds one machine", result.stderr)


class Paths(Folder):
    """Perfmon's paths, in every command that takes the name of a counterset."""

    def setUp(self):
        super().setUp()
        log = Log().counters(listed(("\\\\HOST", "Process", "*", "Handle Count"), RAW),
                             listed(("\\\\HOST", "Process", "*", "Threads"), RAW),
                             listed(("\\\\HOST", "Memory", None, "Available Bytes"), RAW))
        log.sample(values([("a", 1, 0), ("a#1", 2, 0), ("b", 3, 0)]), values([("a", 4, 0), ("a#1", 5, 0), ("b", 6, 0)]),
                   value(7))
        self.source = self.write(log)

    def values_of(self, *arguments):
        result = run("query", "--source", self.source, "--format", "json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [(entry["object"], entry["instance"], entry["counter"], entry["raw"])
                for document in documents(result) for entry in document["values"]]

    def test_query_shows_what_they_select(self):
        for path, wanted in ((r"\Process(a)\Handle Count", [("Process", "a", "Handle Count", 1)]),
                             (r"\Process(A#1)\handle count", [("Process", "a#1", "Handle Count", 2)]),
                             (r"\Process(a*)\Threads", [("Process", "a", "Threads", 4), ("Process", "a#1", "Threads", 5)]),
                             (r"\Process(b)\*", [("Process", "b", "Handle Count", 3), ("Process", "b", "Threads", 6)]),
                             (r"Memory\Available Bytes", [("Memory", "", "Available Bytes", 7)]),
                             (r"\Process(c)\Threads", [])):
            self.assertEqual(self.values_of(path), wanted, path)
        self.assertEqual(self.values_of(r"\Process(b)\Threads", r"\Process(a)\Threads"),
                         [("Process", "b", "Threads", 6), ("Process", "a", "Threads", 4)])
        for command in ("query", "list", "metrics"):
            result = run(command, "--source", self.source, r"\Process(b)\Thread", r"\Process(b)\Threads")
            self.assertEqual(result.returncode, 1)
            self.assertIn('"Process" has no counter "Thread"; did you mean "Threads"?', result.stderr)
        result = run("query", "--source", self.source, r"\Proces(b)\Threads")
        self.assertEqual(result.returncode, 1)
        self.assertIn('no object "Proces"; did you mean "Process"?', result.stderr)

    def test_query_with_a_configuration_shows_what_that_selects(self):
        config = self.folder / "winperf.yaml"
        config.write_text("countersets: ['\\Process(b)\\Threads', {name: Memory}, System]")
        result = run("query", "--source", self.source, "--format", "json", "--config", str(config))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([(entry["object"], entry["raw"]) for entry in documents(result)[0]["values"]],
                         [("Process", 6), ("Memory", 7)])
        self.assertIn('no object "System"', result.stderr)

    def test_list_and_metrics_show_what_they_select(self):
        listed_objects = json.loads(run("list", "--source", self.source, "--format", "json", r"\Process(a*)\Threads").stdout)["countersets"]
        self.assertEqual([(entry["name"], [counter["name"] for counter in entry["counters"]], entry["instance_names"])
                          for entry in listed_objects], [("Process", ["Threads"], ["a", "a#1"])])
        text = run("metrics", "--source", self.source, r"\Process(a)\Threads").stdout
        self.assertIn("winperf_process_threads", text)
        self.assertNotIn("handle", text)

    def test_check_config_and_doctor_look_for_what_they_select(self):
        config = r"{countersets: ['\Process(a*)\Threads', '\Process(c)\Threads']}"
        found, lost = self.check_config(config, self.source)
        self.assertEqual((found["name"], found["instance_names"], found["counter_names"], found["series"]),
                         (r"\Process(a*)\Threads", ["a", "a#1"], ["Threads"], 2))
        self.assertEqual((lost["instance_names"], lost["instances_in_all"]), ([], 3))
        self.assertIn('accepts no instance of "Process", which has 3 instances',
                      run("doctor", "--source", self.source, r"\Process(c)\Threads").stdout)

    @needs(VISTA)
    def test_of_the_recorded_vista(self):
        self.source = f"replay:{VISTA}"
        every = self.values_of("Processor")
        wanted = [entry for entry in every if entry[2] == "% Processor Time"]
        self.assertGreater(len({entry[1] for entry in wanted}), 1)
        self.assertEqual(self.values_of(r"\Processor(*)\% Processor Time"), wanted)
        self.assertEqual(self.values_of(r"\Processor(_Total)\% Processor Time"),
                         [entry for entry in wanted if entry[1] == "_Total"])
        every = [self.values_of(rf"\Process({name})\ID Process") for name in ("svchost", "svchost#1", "svchost#2")]
        self.assertEqual(len({len(values) for values in every}), 1, "one in each sample")
        for sample in zip(*every):
            self.assertEqual(len(set(sample)), 3, "each is another process")


class CheckConfig(Folder):
    def assert_nothing_is_filtered(self, counterset):
        self.assertTrue(counterset["success"], counterset)
        for what in ("counter", "instance"):
            self.assertEqual(len(counterset[f"{what}_names"]) + len(counterset[f"hidden_{what}_names"]),
                             counterset[f"{what}s_in_all"])
        self.assertGreater(counterset["series"], 0)

    @needs(VISTA_LOG)
    def test_looks_at_one_sample_of_a_recording(self):
        first = documents(run("query", "--source", f"blg:{VISTA_LOG}", "--format", "json", "Process"))[0]["values"]
        processes = {entry["instance_ordinal"] for entry in first}
        for source in (f"blg:{VISTA_LOG}", f"replay:{VISTA}"):
            for countersets in ('["Process", "Memory"]', '[{name: "Process", interval: "15s"}, {name: "Memory", interval: "5s"}]'):
                process, memory = self.check_config(f"{{countersets: {countersets}}}", source)
                self.assert_nothing_is_filtered(process)
                self.assert_nothing_is_filtered(memory)
                self.assertEqual(process["instances_in_all"], len(processes))
                self.assertEqual(process["hidden_instance_names"], ["_Total"])
                # Cooked values take two samples, between which processes begin and end.
                process, memory = self.check_config(
                    f"{{metrics: {{values: cooked}}, countersets: {countersets}}}", source)
                self.assert_nothing_is_filtered(process)
                self.assert_nothing_is_filtered(memory)

    @needs(VISTA)
    def test_finds_everything_in_a_recording_of_one_sample(self):
        capture = self.folder / "capture"
        capture.mkdir()
        for file in [VISTA / "counter-009.bin", *VISTA.glob("sample-0000-*.perf")]:
            shutil.copy(file, capture)
        for values in ("raw", "both"):
            process, memory = self.check_config(
                f'{{metrics: {{values: {values}}}, countersets: ["Process", "Memory"]}}', f"replay:{capture}")
            self.assert_nothing_is_filtered(process)
            self.assert_nothing_is_filtered(memory)
        doctor = json.loads(run("doctor", "--source", f"replay:{capture}", "--format", "json").stdout)
        self.assertEqual(doctor["summary"]["failed"], 0, doctor)

    def test_counts_what_is_selected_and_what_there_is_in_the_same_sample(self):
        log = Log().counters(listed(("\\\\H", "Process", "*", "Handle Count"), RAW),
                             listed(("\\\\H", "Process", "*", "Faults/sec"), RATE))
        for names in (["a", "b", "b#1"], ["a"], []):
            instances = [(name, 1, 1) for name in names]
            log.sample(values(instances), values(instances))
        source = self.write(log)
        # Without cooked values, the first sample in which there is something counts.
        (process,) = self.check_config('{metrics: {values: raw}, countersets: [{name: "Process", instances: {include: ["b"]}}]}',
                                       source)
        self.assertEqual((process["instance_names"], process["instances_in_all"]), (["b", "b#1"], 3))
        (process,) = self.check_config('{countersets: [{name: "Process", counters: {include: ["Handle.*"]}}]}', source)
        self.assertEqual((process["counter_names"], process["counters_in_all"]), (["Handle Count"], 2))

    def test_finds_what_is_in_a_later_sample_alone(self):
        log = Log().counters(listed(("\\\\H", "A", None, "n"), RAW)).sample(value(1))
        log.counters(listed(("\\\\H", "B", None, "m"), RAW)).sample(value(2))
        source = self.write(log)
        one, two, none = self.check_config('{countersets: ["A", "B", "C"]}', source)
        self.assertEqual((one["success"], two["success"], none["success"]), (True, True, False))
        self.assertIn("not in the name table", none["error"])

    def test_cooked_values_take_the_next_sample_and_no_time(self):
        log = Log().counters(listed(("\\\\H", "A", None, "n/sec"), RATE))
        log.sample(value(1, 0)).sample(value(2, 10)).sample(value(3, 20))
        (counterset,) = self.check_config('{countersets: ["A"], metrics: {detail: full}}', self.write(log))
        self.assertEqual(counterset["series"], 2, "the total and the rate")


class Doctor(Folder):
    def diagnose(self, source, *names):
        document = json.loads(run("doctor", "--source", source, "--format", "json", *names).stdout)
        return {entry["name"]: entry for entry in document["countersets"]}

    def test_a_log_of_counters_is_healthy_and_has_no_index(self):
        log = Log().counters(listed(("\\\\H", "Memory", None, "n"), RAW),
                             listed(("\\\\H", "Process", "*", "m"), RAW))
        source = self.write(log.sample(value(1), values([("a", 1, 0), ("b", 2, 0)])))
        found = self.diagnose(source, "Memory", "Process", "Absent")
        self.assertEqual([found[name]["status"] for name in ("Memory", "Process", "Absent")], ["ok", "ok", "failed"])
        self.assertEqual(found["Process"]["sentence"], '"Process": 1 of 1 counter, 2 of 2 instances')
        self.assertIsNone(found["Process"]["object_index"])
        self.assertEqual(found["Absent"]["reason"], "name_unknown")

    @needs(VISTA_LOG)
    def test_sees_the_same_in_a_log_and_in_the_capture_of_it(self):
        self.assertEqual(self.diagnose(f"blg:{VISTA_LOG}"), self.diagnose(f"replay:{VISTA}"))


if __name__ == "__main__":
    unittest.main()
