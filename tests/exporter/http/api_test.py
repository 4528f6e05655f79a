#!/usr/bin/env python3
"""The answers of the API of a simulated server are what its description says, and the examples of docs/api.md work.

    api_test.py EXECUTABLE SOURCE_DIRECTORY [unittest arguments]
"""

import gzip
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request
import zipfile

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "tests/support"))
import simulated_server
from servers import wait_until

DEADLINE_SECONDS = 60
MOST_BYTES_AS_COLUMNS = 700_000
TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict, "null": type(None)}
# Each route that needs more than its path, and further requests.
REQUESTS = {
    "/api/v1/sample": ["", "?format=columns", "?counterset=Process&instance=s*&counter=Working*", "?limit=2&format=columns",
                       r"?path=\Memory\Available%20Bytes"],
    "/api/v1/countersets/{name}": ["Memory", "Process", "Processor"],
    "/api/v1/range": [r"?path=\Process(*)\Working%20Set&since=1m", r"?path=\Memory\*&path=\System\Processes&since=1m&step=1s",
                      r"?path=\Process(*)\*&path=\Memory\*&since=10s&step=1s&format=columns", r"?path=\Process(*)\*&at=2s&format=columns",
                      r"?path=\System\*&at=1s"],
    "/api/v1/top": ["?n=3", r"?counter=\Process(*)\Working%20Set&since=1m"],
    "/api/v1/events": [r"?path=\Process(*)\Working%20Set&path=\Memory\*", r"?path=\Processor(nobody)\*"],
    "/api/v1/counters": ["?q=page", ""],
    "/api/v1/names": [r"?path=\Processor(*)\%25%20Processor%20Time", r"?path=\Nope\Nothing"],
    "/api/v1/log": ["", "?n=1&since=1h"],
    "/api/v1/annotations": ["", "?since=1h"],
    "/api/v1/facts": ["", "?topic=os"],
}
# Routes that show a target, too, with what else they need.
TARGET = "srv-1"
OF_TARGET = {"machine": "", "countersets": "", "countersets/System": "", "counters": "q=processes", "names": r"path=\System\Processes",
             "sample": "format=columns", "families": "", "range": r"path=\System\Processes&since=1m", "top": r"counter=\System\Processes",
             "annotations": ""}
ERRORS = ["/api/v1/sample?x=1", "/api/v1/sample?counterset=Memry", "/api/v1/sampel", "/api/v1/countersets/Memry", "/api/v1/names",
          "/api/v1/range", "/api/v1/top?n=0", "/api/v1/events", r"/api/v1/events?path=\Memory\Availble%20Bytes"]
ERRORS += [r"/api/v1/range?path=\Memory\*&at=1m&since=2m", r"/api/v1/range?path=\Memory\*&format=colums"]
ERRORS += ["/api/v1/log?n=0", "/api/v1/annotations?since=x"]
ERRORS += ["/api/v1/recording?scrub=yes", "/api/v1/recording?counterset=Memry", "/api/v1/recording?since=1d&until=2d"]
ERRORS += ["/api/v1/sample?target=srv-2", "/api/v1/sample?module=x", "/api/v1/log?target=srv-1", "/api/v1/sample?target=srv-1&module=x"]
ERRORS += ["/api/v1/range?" + "&".join(["path=x"] * 21), "/api/v1/events?" + "&".join(["path=x"] * 51)]
EVENTS_READ = 3
FILES = {"/api/v1/recording": "application/zip"}


def has_type(value, name):
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


class Description:
    def __init__(self, document):
        self.document = document

    def schema_of(self, path, kind):
        answer = self.document["paths"][path]["get"]["responses"]["default" if "problem" in kind else "200"]
        return answer["content"][kind]["schema"]

    def problems(self, value, schema, where):
        """Yields where the value isn't what the schema says: with the keywords that the description uses, and no others."""
        known = {"$ref", "anyOf", "type", "items", "properties", "required", "additionalProperties", "pattern", "format", "description"}
        if unknown := schema.keys() - known:
            yield f"{where}: the test doesn't know {unknown}"
        if "$ref" in schema:
            yield from self.problems(value, self.document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]], where)
        if "anyOf" in schema and all(any(self.problems(value, one, where)) for one in schema["anyOf"]):
            yield f"{where}: none of {schema['anyOf']} has {value!r}"
        types = schema.get("type", list(TYPES))
        if not any(has_type(value, name) for name in ([types] if isinstance(types, str) else types)):
            yield f"{where}: {value!r:.80} isn't of {types}"
        if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
            yield f"{where}: {value!r} doesn't match {schema['pattern']}"
        if isinstance(value, list) and "items" in schema:
            for item in value:
                yield from self.problems(item, schema["items"], where + "[]")
        if isinstance(value, dict):
            yield from self.problems_of_object(value, schema, where)

    def problems_of_object(self, value, schema, where):
        properties = schema.get("properties", {})
        for key in schema.get("required", []):
            if key not in value:
                yield f"{where} lacks {key}"
        for key, member in value.items():
            others = schema.get("additionalProperties", True)
            if key in properties:
                yield from self.problems(member, properties[key], f"{where}.{key}")
            elif others is False:
                yield f"{where} has {key}, which isn't described"
            elif others is not True:
                yield from self.problems(member, others, f"{where}.{key}")


class SelfTest(unittest.TestCase):
    def test_each_kind_of_mistake_is_found(self):
        description = Description({"components": {"schemas": {"A": {
            "type": "object", "required": ["a"], "properties": {"a": {"type": ["integer", "null"]}, "b": {
                "anyOf": [{"$ref": "#/components/schemas/A"}, {"type": "null"}]}, "c": {"type": "array", "items": {
                    "type": "string", "pattern": "^x"}}}, "additionalProperties": False}}}})
        schema = {"$ref": "#/components/schemas/A"}
        for good in ({"a": 1}, {"a": None, "b": {"a": 2}}, {"a": 1, "b": None, "c": ["x", "xy"]}):
            self.assertEqual(list(description.problems(good, schema, "it")), [])
        for bad in ({}, {"a": True}, {"a": "1"}, {"a": 1, "d": 1}, {"a": 1, "b": {}}, {"a": 1, "c": ["y"]}, {"a": 1.5}, []):
            self.assertTrue(list(description.problems(bad, schema, "it")), bad)


class Api(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        targets = [{"host": TARGET, "interval": "1s", "countersets": ["System"]}]
        facts = ["os", "time", "memory", {"name": "processes", "interval": "1s"}]
        cls.server = simulated_server.SimulatedServer(EXECUTABLE, folder, targets=targets, facts=facts, recorder={"targets": [TARGET]})
        cls.addClassCleanup(cls.server.close)
        cls.server.whole_page()
        cls.description = Description(json.loads(cls.get("/api/v1/openapi.json")[1]))

    @classmethod
    def get(cls, path, **headers):
        request = urllib.request.Request(cls.server.url + path, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=DEADLINE_SECONDS) as answer:
                return answer.headers["Content-Type"], answer.read()
        except urllib.error.HTTPError as error:
            return error.headers["Content-Type"], error.read()

    def check(self, route, path):
        kind, body = self.get(path)
        schema = self.description.schema_of(route, kind)
        self.assertEqual(list(self.description.problems(json.loads(body), schema, path))[:5], [])
        return kind

    def events(self, path, count, **headers):
        """The first events, as (id, name, data)."""
        request = urllib.request.Request(self.server.url + path, headers=headers)
        with urllib.request.urlopen(request, timeout=DEADLINE_SECONDS) as stream:
            self.assertEqual(stream.headers["Content-Type"], "text/event-stream")
            found, fields = [], {}
            for line in stream:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name:
                    fields[name] = value
                elif "event" in fields:
                    found.append((fields.get("id"), fields["event"], json.loads(fields["data"])))
                    fields = {}
                if len(found) == count:
                    return found
        self.fail(f"{path} has ended after {found}")

    def check_events(self, route, path):
        for _, _, event in self.events(path, EVENTS_READ):
            schema = self.description.schema_of(route, "text/event-stream")
            self.assertEqual(list(self.description.problems(event, schema, path))[:5], [])

    def test_a_stream_that_was_cut_off_continues_without_a_gap(self):
        path = r"/api/v1/events?path=\Memory\Available%20Bytes"

        def times(events):
            return [(part["sampled_at"], part["counters"][0]["cooked"]) for _, _, event in events for part in event["values"]]

        known = self.events(path, 1)
        seen = self.events(path, 4)
        self.assertEqual(times(self.events(path, 4, **{"Last-Event-ID": known[0][0]}))[:len(seen) - 1],
                         [one for one in times(seen) if one > times(known)[0]][:len(seen) - 1])
        lost = self.events(path, 2, **{"Last-Event-ID": "1-1"})
        self.assertEqual([name for _, name, _ in lost], ["lost", "sample"])
        schema = self.description.schema_of("/api/v1/events", "text/event-stream")
        self.assertEqual(list(self.description.problems(lost[0][2], schema, path)), [])

    def test_every_answer_is_as_described(self):
        for route, methods in self.description.document["paths"].items():
            if route in FILES:
                continue
            for more in REQUESTS.get(route, [""]):
                with self.subTest(route=route, more=more):
                    if "text/event-stream" in methods["get"]["responses"]["200"]["content"]:
                        self.check_events(route, route + more)
                        continue
                    self.assertEqual(self.check(route, route.replace("{name}", "") + more), "application/json")

    def test_errors_are_as_described(self):
        for path in ERRORS:
            self.assertEqual(self.check("/api/v1/sample", path), "application/problem+json", path)

    def test_files_are_as_described(self):
        for route, kind in FILES.items():
            answered, body = self.get(route)
            self.assertEqual(answered, kind)
            self.assertEqual(self.description.schema_of(route, kind), {"type": "string", "format": "binary"})
            self.assertIn("capture.json", zipfile.ZipFile(io.BytesIO(body)).namelist())

    def documents_of_the_target(self):
        """Each route's document; nothing before the target has been sampled twice."""
        found = {}
        for name, more in OF_TARGET.items():
            request = f"/api/v1/{name}?target={TARGET}" + (more and "&" + more)
            kind, body = self.get(request)
            if kind != "application/json":
                self.assertEqual(json.loads(body)["status"], 503, body)
                return None
            found[name] = json.loads(body)
            route = "/api/v1/" + ("countersets/{name}" if name.startswith("countersets/") else name)
            schema = self.description.schema_of(route, kind)
            self.assertEqual(list(self.description.problems(found[name], schema, request))[:5], [])
        values = found["sample"]["countersets"][0]["counters"]
        return found if all(value is not None for counter in values for value in counter["cooked"]) else None

    def test_a_target_is_shown_as_this_machine_is(self):
        found = wait_until(self.documents_of_the_target, "the target is sampled")
        self.assertEqual(found["machine"]["name"], TARGET)
        self.assertIsNone(found["machine"]["logical_processors"])
        self.assertIsNotNone(found["machine"]["recorder"])
        self.assertEqual([one["name"] for one in found["countersets"]["countersets"]], ["System"])
        self.assertEqual(found["countersets/System"]["name"], "System")
        self.assertEqual([one["name"] for one in found["counters"]["counters"]], ["Processes"])
        self.assertTrue(found["names"]["sampled"])
        self.assertIn("winperf_exporter_target_up", [family["name"] for family in found["families"]["families"]])
        window = found["range"]["counters"][0]["instances"][0]["windows"][-1]
        self.assertGreater(window["cooked"], 0)
        for _, _, event in self.events(rf"/api/v1/events?target={TARGET}&path=\System\Processes", EVENTS_READ):
            self.assertEqual([part["counterset"] for part in event["values"]], ["System"])
        _, body = self.get(f"/api/v1/recording?target={TARGET}&since=1m")
        with zipfile.ZipFile(io.BytesIO(body)) as capture:
            self.assertEqual([one["name"] for one in json.loads(capture.read("capture.json"))["countersets"]], ["System"])

    def test_the_machine_knows_its_processors_and_how_far_back_it_remembers(self):
        machine = json.loads(self.get("/api/v1/machine")[1])
        self.assertEqual(machine["logical_processors"], 8)
        self.assertLess(machine["recorder"]["oldest"], machine["time"])
        self.assertLess(0, machine["recorder"]["bytes"])
        self.assertLess(machine["recorder"]["bytes"], machine["recorder"]["budget_bytes"])

    def test_it_is_known_how_late_samples_were(self):
        states = json.loads(self.get("/api/v1/countersets")[1])["countersets"]
        self.assertTrue(states)
        for state in states:
            self.assertGreaterEqual(state["late_seconds"], 0, state["name"])
            self.assertGreater(state["attempts"], 0, state["name"])

    def test_a_moment_has_the_processes_of_then(self):
        _, body = self.get(r"/api/v1/range?path=\Process(*)\Working%20Set&path=\Process(*)\ID%20Process&at=1s&format=columns")
        memory, ids = json.loads(body)["counters"]
        self.assertEqual(len(memory["times"]), 1)
        self.assertGreater(len(memory["instances"]), 100)
        for instance, known in zip(memory["instances"], ids["instances"], strict=True):
            self.assertEqual(len(instance["cooked"]), 1)
            self.assertEqual(known["cooked"], [instance.get("process_id", 0)])

    def test_the_past_of_a_process_has_its_owner(self):
        def owners():
            _, body = self.get(r"/api/v1/top?n=1000&since=1m&counter=\Process(*)\Working%20Set")
            return {one["owner"]: one["command_line"] for one in json.loads(body)["leaders"] if "command_line" in one}

        found = wait_until(owners, "the facts about processes are read, and a sample later")
        self.assertIn("sqlservr.exe", found["NT Service\\MSSQLSERVER"])
        self.assertIn("Explorer.EXE", found["EXAMPLE\\anna"])
        _, body = self.get(r"/api/v1/range?path=\Process(sqlservr)\Working%20Set&since=1m")
        instances = json.loads(body)["counters"][0]["instances"]
        self.assertEqual([one["owner"] for one in instances], ["NT Service\\MSSQLSERVER"])

    def test_what_a_client_has_is_not_sent_again(self):
        request = urllib.request.Request(self.server.url + "/api/v1/counters?q=page")
        with urllib.request.urlopen(request, timeout=DEADLINE_SECONDS) as answer:
            request.add_header("If-None-Match", answer.headers["ETag"])
        with self.assertRaises(urllib.error.HTTPError) as known:
            urllib.request.urlopen(request, timeout=DEADLINE_SECONDS)
        self.assertEqual(known.exception.code, 304)

    def test_columns_have_the_values_of_the_rows(self):
        rows, columns = {}, {}
        by_rows = json.loads(self.get("/api/v1/sample?counterset=System&counterset=Process")[1])
        by_columns = json.loads(self.get("/api/v1/sample?counterset=System&counterset=Process&format=columns")[1])
        for counterset in by_rows["countersets"]:
            for value in counterset["values"]:
                rows.setdefault((counterset["name"], value["counter"]), []).append(value["instance"])
        for counterset in by_columns["countersets"]:
            names = [instance["name"] for instance in counterset["instances"]] or [""]
            for counter in counterset["counters"]:
                self.assertEqual({len(counter["raw"]), len(counter["cooked"])}, {len(names)})
                kinds = {type(raw) for raw in counter["raw"] if raw is not None}
                self.assertLessEqual(kinds, {str} if counter["kind"] == "text" else {int, float})
                columns[counterset["name"], counter["name"]] = names
        self.assertEqual(rows.keys(), columns.keys())

    def test_all_columns_are_small(self):
        size = len(self.get("/api/v1/sample?format=columns")[1])
        self.assertLess(size, MOST_BYTES_AS_COLUMNS)
        print(f"{size} bytes as columns, {len(self.get('/api/v1/sample')[1])} as rows")

    def test_they_are_compressed_on_request(self):
        for path in ("/api/v1/sample?format=columns", "/api/v1/countersets", "/api/v1/families"):
            _, body = self.get(path, **{"Accept-Encoding": "gzip"})
            json.loads(gzip.decompress(body))

    def series_of_the_page(self):
        """How many series each family of the page has."""
        page = self.server.page()
        return {name: len(page.series.get(name, [])) for name in page.types}

    def test_the_configuration_in_use_is_that_of_file_and_command_line(self):
        keys = {key["key"]: key for key in json.loads(self.get("/api/v1/config")[1])["keys"]}
        self.assertEqual((keys["interval"]["value"], keys["interval"]["source"], keys["interval"]["line"]), ("1s", "file", 1))
        self.assertEqual((keys["listen[0].port"]["source"], keys["listen[0].port"]["option"]), ("command line", "--listen"))
        self.assertEqual((keys["log.level"]["value"], keys["log.level"]["source"]), ("info", "default"))

    def test_all_worker_processes_are_shown(self):
        names = {worker["worker"] for worker in json.loads(self.get("/api/v1/workers")[1])["workers"]}
        self.assertLessEqual({"registry", "perflib", "facts"}, names)

    def test_families_are_the_page(self):
        # The page may change between two requests, and families are kept for a moment.
        deadline = time.monotonic() + DEADLINE_SECONDS
        page, families = {}, {"": 0}
        while families != page:
            self.assertLess(time.monotonic(), deadline, families.items() ^ page.items())
            page = self.series_of_the_page()
            document = json.loads(self.get("/api/v1/families")[1])
            families = {family["name"]: len(family["series"]) for family in document["families"]}

    def test_the_examples_of_the_document_work(self):
        text = (ROOT / "docs/api.md").read_text()
        examples = re.findall(r"```(sh|python)\n(.*?)```", text, re.S)
        self.assertGreater(len(examples), 5)
        for language, example in examples:
            with self.subTest(example=example):
                example = example.replace("http://localhost:10182", self.server.url)
                command = ["sh", "-ec", example] if language == "sh" else [sys.executable, "-c", example]
                done = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_SECONDS)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertTrue(done.stdout.strip())
                if language == "sh":
                    self.assertNotIn("detail", json.loads(done.stdout))


if __name__ == "__main__":
    unittest.main()
