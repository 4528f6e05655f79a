#!/usr/bin/env python3
"""Checks the rules of the source tree that no compiler checks, such as: windows.h is included only in folders called win/.

    hygiene_test.py SOURCE_DIRECTORY [unittest arguments]
"""

import pathlib
import re
import runpy
import statistics
import subprocess
import sys
import types
import unittest

from repository_files import file_names

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
ROOMS = ("collectors", "config", "exporter", "service")

# Which folders each folder may include headers from. Files in win/ and posix/ belong to the folder above. All folders may
# use base, which uses nothing, and model, which uses base, so they are not listed.
BASE, MATCH, MODEL = "collectors/base", "collectors/match", "collectors/model"
WIRE, V2, SOURCES, CATALOG = "collectors/wire", "collectors/wire/v2", "collectors/sources", "collectors/catalog"
SAMPLING, SAMPLER = "collectors/sampling", "collectors/sampler"
REGISTRY, PERFLIB = "collectors/sampling/registry", "collectors/sampling/perflib"
DIAGNOSIS, CAPTURE, BLG = "collectors/diagnosis", "collectors/capture", "collectors/blg"
DISCOVERY, RECORDER = "collectors/discovery", "collectors/recorder"
FACTS = "collectors/facts"
HOSTING, PROVIDER, WORKER = "collectors/hosting", "collectors/provider", "collectors/worker"
PDH = "collectors/pdh"
MAPPING, TEXT, JSON, API, HTTP, PAGE = (f"exporter/{name}" for name in ("mapping", "text", "json", "api", "http", "page"))
OWN, DEFLATE = "exporter/counters", "exporter/deflate"
AUTH, PROFILES, TLS, TEXTFILE = "exporter/auth", "exporter/profiles", "exporter/tls", "exporter/textfile"
CONSOLE, LOG, SCM, RUN, DOCTOR = (f"service/{name}" for name in ("console", "log", "scm", "run", "doctor"))
PLAN, TARGETS, SELFTEST = "service/plan", "service/targets", "service/selftest"
MAY_USE = {
    BLG: (SOURCES, WIRE, V2),
    CAPTURE: (CATALOG, PERFLIB, RECORDER, SAMPLING, SOURCES, WIRE, V2),
    CATALOG: (MATCH, SOURCES, WIRE, V2),
    SOURCES: (WIRE, V2),
    DISCOVERY: (CATALOG, SOURCES),
    DIAGNOSIS: (CATALOG, SAMPLING, PERFLIB, REGISTRY, PROVIDER, SOURCES, WIRE),
    FACTS: (MATCH, SOURCES, WIRE),
    HOSTING: (PROVIDER, SOURCES, WIRE, WORKER),
    PDH: (CATALOG, "collectors/formula", SAMPLING, REGISTRY, SOURCES, WORKER),
    PROVIDER: (SOURCES, WIRE),
    RECORDER: ("collectors/formula", SAMPLING),
    SAMPLER: (CATALOG, SAMPLING, PERFLIB, REGISTRY, SOURCES),
    SAMPLING: ("collectors/formula",),
    PERFLIB: (CATALOG, SAMPLING, SOURCES, WIRE, V2),
    REGISTRY: (CATALOG, SAMPLING, SOURCES, WIRE),
    V2: (WIRE,),
    WORKER: (FACTS, SOURCES),
    "config": (MATCH, PROFILES),
    "config/migration": (MATCH, "config"),
    API: (FACTS, MAPPING, MATCH, RECORDER, JSON, TEXT, "config"),
    HTTP: (FACTS, MAPPING, MATCH, RECORDER, API, AUTH, JSON, PAGE, TEXT, TLS, "config"),
    JSON: (FACTS, RECORDER, TEXT),
    MAPPING: (PROFILES,),
    TEXT: (DEFLATE, FACTS, MAPPING, PROFILES, TEXTFILE, OWN),
    TEXTFILE: (FACTS, MAPPING),
    TLS: ("config",),
    f"{OWN}/dump": (OWN,),
    "service": (WORKER, "service/commands", PLAN),
    "service/commands": (CAPTURE, CATALOG, DIAGNOSIS, HOSTING, MATCH, PDH, SAMPLER, SAMPLING, PERFLIB, REGISTRY, SOURCES,
        WIRE, V2, PROVIDER, WORKER, "config", "config/migration", AUTH, HTTP, TLS, JSON, FACTS, MAPPING, PROFILES, TEXT, TEXTFILE, CONSOLE,
        DOCTOR, LOG, OWN, PLAN, RUN, SCM, SELFTEST),
    DOCTOR: (DIAGNOSIS, PROVIDER, SAMPLING, SOURCES, WIRE, CONSOLE, SCM),
    LOG: ("config",),
    PLAN: (BLG, CAPTURE, FACTS, HOSTING, MATCH, PROVIDER, SAMPLER, SAMPLING, SOURCES, WIRE, WORKER, "config", MAPPING, PROFILES, CONSOLE),
    RUN: (CAPTURE, JSON, DIAGNOSIS, DISCOVERY, FACTS, RECORDER, SAMPLER, SAMPLING, WIRE, WORKER, "config", AUTH,
        API, HTTP, TLS, PROFILES, TEXT, TEXTFILE, CONSOLE, DOCTOR, LOG, SCM, PLAN, TARGETS, OWN),
    TARGETS: (DISCOVERY, RECORDER, SAMPLER, WORKER, "config", HTTP, TEXT, LOG, PLAN),
    SCM: (CONSOLE, OWN, WIRE),
    SELFTEST: (CAPTURE, JSON, PROVIDER, WIRE, WORKER, CONSOLE, OWN, SCM, TEXTFILE, f"{SELFTEST}/trial"),
    f"{SELFTEST}/checks": (HOSTING, WORKER, SELFTEST, TLS, CAPTURE, WIRE),
}

WINDOWS = re.compile(
    r"#\s*include\s*<(windows|winperf|winsock2|perflib|pdh)\.h>|#.*\b(_WIN32|_MSC_VER|__MINGW32__)\b", re.I)
# At a read or write of bytes: an offset, or a part of one, in digits.
LITERAL_OFFSET = re.compile(
    r"\b(?:get|read|holds|slice|from|field|put\w*)\b(?:<[^<>()]*>)?\((?:[^();]*?[+,]|)\s*(?:0x)?\d\w*\s*[,)]"
    r"|\bField<[\w:]+>\{")


def sources(*suffixes):
    return [path for room in ROOMS for path in (ROOT / room).rglob("*") if path.suffix in suffixes]


def folder_of(path):
    parts = [part for part in path.parent.parts if part not in ("win", "posix")]
    return "/".join(parts)


def lowest(room):
    return {BASE: (), MODEL: (BASE,)}.get(room, (BASE, MODEL))


def arrows():
    """Returns the folders that each folder includes headers from, each with the name of a file that does so."""
    include = re.compile(r'#include "((?:%s)/[^"]+)"' % "|".join(ROOMS))
    found = {}
    for path in sources(".h", ".cc"):
        name = path.relative_to(ROOT)
        for header in include.findall(path.read_text()):
            room, other = folder_of(name), folder_of(pathlib.Path(header))
            if room != other:
                found.setdefault(room, {}).setdefault(other, str(name))
    return found


class Hygiene(unittest.TestCase):
    def test_there_is_something_to_check(self):
        self.assertGreater(len(sources(".h", ".cc")), 100)

    def test_windows_is_confined_to_its_folders(self):
        strays = [str(path.relative_to(ROOT)) for path in [*sources(".h", ".cc"), *(ROOT / "packaging").rglob("*.cc")]
                  if "win" not in path.relative_to(ROOT).parts[:-1] and WINDOWS.search(path.read_text())]
        self.assertEqual(strays, [])

    def test_no_thread_is_detached(self):
        strays = [str(path.relative_to(ROOT)) for path in sources(".h", ".cc")
                  if "posix" not in path.parts and re.search(r"\.detach\(\)", path.read_text())]
        self.assertEqual(strays, [], "winpthreads confuses detached threads: docs/building.md")

    def test_loops_keep_what_they_go_through(self):
        # Only C++ 23 as clang 19 has it keeps a shared_ptr of the range's expression until the loop's end.
        fleeting = re.compile(r"\bfor \([^;(){}]*[^:]:\s+[\w.:<>-]*\w\((?:[^()]|\([^()]*\))*\)->\w+\)")
        self.assertRegex("for (const State& state : latest()->states)", fleeting)
        self.assertNotRegex("for (const auto all = latest(); const State& state : all->states)", fleeting)
        tests = [path for path in (ROOT / "tests").rglob("*") if path.suffix in (".h", ".cc")]
        strays = [f"{path.relative_to(ROOT)}: {found[0]}" for path in sources(".h", ".cc") + tests
                  for found in fleeting.finditer(path.read_text())]
        self.assertEqual(strays, [], "name the pointer: for (const auto all = latest(); const State& state : all->states)")

    def test_nobody_waits_by_what_loses_wake_ups(self):
        lossy = re.compile(r"std::(stop_\w+|condition_variable_any|barrier|latch|(binary|counting)_semaphore)\b")
        code = re.compile(r"//.*")
        tests = [path for path in (ROOT / "tests").rglob("*") if path.suffix in (".h", ".cc")
                 and path.parent != ROOT / "tests/soak"]  # which isn't built for Windows
        strays = [str(path.relative_to(ROOT)) for path in sources(".h", ".cc") + tests
                  if lossy.search(code.sub("", path.read_text()))]
        self.assertEqual(strays, [], "libstdc++ 12 loses wake-ups on Windows: collectors/base/stop.h")

    def test_bytes_are_read_by_name(self):
        """Where a field is, and how wide, is said once: in the table of its format."""
        rooms = [ROOT / room for room in (WIRE, CAPTURE, BLG)]
        files = [path for room in rooms for path in room.rglob("*")]
        files += [*(ROOT / DIAGNOSIS).glob("pe_*"), *(ROOT / PROVIDER).glob("library_head*")]
        files = [path for path in files if path.suffix in (".h", ".cc") and path.name != "byte_view.h"]
        self.assertGreater(len(files), 30)
        strays = [f"{path.relative_to(ROOT)}: {found.group()}" for path in files
                  for found in LITERAL_OFFSET.finditer(path.read_text())]
        self.assertEqual(strays, [], "name it: collectors/wire/v1_format.h, v2/blocks.h, */*_format.h")

    def test_literal_offsets_are_found(self):
        for read in ("view.get<std::uint32_t>(24)", "view_.get<std::int64_t>(0x38)", "rest->read<std::uint16_t>(0)",
                     "all.slice(0, kHeaderBytes, where)", "whole.get<std::uint16_t>(*end + 10)", "rest.from(8, where)",
                     "entries.get<std::uint32_t>(at + 4)", "put_u32(reply, 4, 1)",
                     "Field<std::uint32_t>{4}", "field(12)", "get<\n    std::uint32_t>(\n    kFirst + 2u)"):
            self.assertRegex(read, LITERAL_OFFSET)
        for read in ("view.get(v1::block::kVersion)", "rest.first(*length, where)", "text.substr(0, end)", "span.first(4)",
                     "view.get<std::uint32_t>(kBytes + i * sizeof(std::uint32_t))", "error(ErrorCode::kBadVersion, 0, 1)",
                     "inline constexpr Field<std::uint32_t> kSize{20};", "budget(4)"):
            self.assertNotRegex(read, LITERAL_OFFSET)

    def test_comparisons_of_ranges_bring_their_header(self):
        """libstdc++ defines them in <algorithm> too; MSVC's library doesn't."""
        comparison = re.compile(r"std::ranges::(equal_to|not_equal_to|less|less_equal|greater|greater_equal)\b")
        tests = [path for path in (ROOT / "tests").rglob("*") if path.suffix in (".h", ".cc")]
        strays = [str(path.relative_to(ROOT)) for path in sources(".h", ".cc") + tests
                  if comparison.search(text := path.read_text()) and "#include <functional>" not in text]
        self.assertEqual(strays, [])

    def test_nothing_is_called_that_msvc_calls_unsafe(self):
        """With /WX, the warning is an error. tests/CMakeLists.txt turns it off for the tests."""
        unsafe = re.compile(r"\b(getenv|fopen|freopen|strerror|localtime|gmtime|s?scanf|v?sprintf|str(n?cpy|n?cat)|tmpnam)\(")
        strays = [str(path.relative_to(ROOT)) for path in sources(".h", ".cc")
                  if "posix" not in path.parts and unsafe.search(path.read_text())]
        self.assertEqual(strays, [])

    def test_line_ends_are_the_same_on_every_machine(self):
        """Scripts require LF, and executables built on Windows must contain the same example."""
        listed = subprocess.run(["git", "-C", ROOT, "ls-files", "--eol"], capture_output=True, text=True)
        if listed.returncode != 0:
            self.skipTest("NO GIT CHECKOUT: only git knows what it does with line ends")
        files = [(line.split("\t")[1], line.split("\t")[0].split(maxsplit=2)) for line in listed.stdout.splitlines()]
        self.assertGreater(len(files), 500)
        other = {".mc": "attr/text", "packaging/windows/counters/winperf_exporter_perf.h": "attr/text eol=crlf"}  # Windows' tools read them
        strays = [name for name, (index, _, attributes) in files
                  if index not in ("i/lf", "i/none", "i/-text") or attributes.strip() not in
                  ("attr/text=auto eol=lf", other.get(name) or other.get(pathlib.PurePath(name).suffix, "attr/-text"))]
        self.assertEqual(strays, [])

    def test_no_merge_is_half_done(self):
        marker = re.compile(rb"^(<{7}|>{7}|\|{7}) ", re.M)
        self.assertRegex(b"text\n" + b"<" * 7 + b" HEAD\n", marker)
        self.assertEqual([name for name in file_names(ROOT) if marker.search((ROOT / name).read_bytes())], [])

    def test_generated_files_are_not_committed(self):
        """Except pages that people read on the web. .gitignore names those that scripts make."""
        ignored = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--ignored", "--exclude-standard"],
                                 capture_output=True, text=True)
        if ignored.returncode != 0:
            self.skipTest("NO GIT CHECKOUT: only git knows what is committed")
        self.assertEqual(ignored.stdout.split(), [], "packages and tests make it: don't commit it")
        made = re.findall(r'"(\w+\.json)": \w+', (ROOT / "packaging/grafana/make_dashboards.py").read_text())
        self.assertGreater(len(made), 2)
        for name in made:
            asked = subprocess.run(["git", "-C", ROOT, "check-ignore", "-q", f"packaging/grafana/{name}"])
            self.assertEqual(asked.returncode, 0, f"{name} is not in .gitignore")

    def test_the_systems_texts_come_by_one_way(self):
        raw = re.compile(r"(\.|->)(message|what)\(\)|\bFormatMessage[AW]?\(")
        strays = [str(path.relative_to(ROOT)) for path in sources(".h", ".cc")
                  if path.relative_to(ROOT).parts[:2] != ("collectors", "base") and raw.search(path.read_text())]
        self.assertEqual(strays, [], "collectors/base/system_text.h has them, in UTF-8 and English")

    def test_results_that_may_be_errors_are_not_ignored(self):
        fallible = re.compile(r"^ *(virtual |static |inline |constexpr )*"
                              r"(std::expected<|std::optional<std::expected<|std::vector<std::expected<|ReadResult |ServiceResult<)"
                              r"[^;={]*\w\(", re.M)
        strays = [f"{path.relative_to(ROOT)}: {found[0].strip()}" for path in sources(".h")
                  for found in fallible.finditer(path.read_text())]
        self.assertEqual(strays, [], "a function that may fail is [[nodiscard]]")

    def test_paths_come_from_utf8_by_one_way(self):
        strays = [str(path.relative_to(ROOT)) for path in sources(".h", ".cc")
                  if path.name != "path_text.cc" and re.search(r"u8string\(\w[\w.]*\.begin\(\)", path.read_text())]
        self.assertEqual(strays, [], "collectors/base/path_text.h has path_of()")

    def test_files_and_functions_fit_in_the_head(self):
        """As CONTRIBUTING.md says."""
        lines = types.SimpleNamespace(**runpy.run_path(str(ROOT / "scripts/lines")))
        files = {str(path.relative_to(ROOT)): path.read_text().splitlines() for path in sources(".h", ".cc", ".inc")}
        sizes = sorted(map(len, files.values()))
        self.assertEqual([name for name, text in files.items() if len(text) > lines.LONG_FILE], [])
        self.assertEqual([name for name, text in files.items() if any(length >= lines.LONG_FUNCTION for length in lines.functions(text))], [])
        self.assertGreaterEqual(statistics.median(sizes), 60)
        self.assertLessEqual(sizes[len(sizes) * 9 // 10], 350)
        self.assertLessEqual(sum(size < lines.SHORT for size in sizes) / len(sizes), 0.12, "files of fewer than 30 lines")

    def test_headers_are_guarded_and_explained(self):
        bad = [str(path.relative_to(ROOT)) for path in sources(".h")
               if "#pragma once" not in (text := path.read_text()) or not text.startswith("//")]
        self.assertEqual(bad, [])

    def test_rooms_know_only_what_they_may(self):
        strays = [f"{room} includes {other}: {path}" for room, others in arrows().items()
                  for other, path in others.items() if other not in (*MAY_USE.get(room, ()), *lowest(room))]
        self.assertEqual(strays, [], "MAY_USE in this file does not allow these includes")

    # An assertion of GoogleTest is an if with an else, so that newer compilers take a bare one after an if for a mistake.
    def test_assertions_after_an_if_stand_in_braces(self):
        bare = re.compile(r"^ *(?:\} )?(?:else|(?:else )?if (?:constexpr )?\([^\n]*\))\n? +(?:EXPECT|ASSERT)_", re.MULTILINE)
        self.assertRegex("  if (is_there)\n    EXPECT_TRUE(found);", bare)
        self.assertNotRegex("  if (is_there) {\n    EXPECT_TRUE(found);\n  }", bare)
        found = [f"{path.relative_to(ROOT)}: {match[0].strip()}" for path in sorted((ROOT / "tests").rglob("*.cc"))
                 for match in bare.finditer(path.read_text(encoding="utf-8"))]
        self.assertEqual(found, [])

    def test_each_check_of_the_selftest_is_described(self):
        checks = re.search(r"set\(checks\n(.*?)\)", (ROOT / "service/selftest/CMakeLists.txt").read_text(), re.DOTALL)[1].split()
        rows = re.findall(r"^\| `(\w+)` \| [A-Z`]", (ROOT / "docs/selftest.md").read_text(), re.MULTILINE)
        self.assertEqual(sorted(rows), sorted(checks), "docs/selftest.md has a row for each check")

    def test_every_arrow_is_used(self):
        found = arrows()
        idle = [f"{room} -> {other}" for room, others in MAY_USE.items() for other in others
                if other not in found.get(room, {})]
        self.assertEqual(idle, [])

    def test_no_circle_between_folders(self):
        below = {room: set(others) for room, others in arrows().items()}
        for _ in below:  # the longest path has no more steps
            for others in below.values():
                others.update(*(below.get(other, ()) for other in list(others)))
        self.assertEqual([room for room, others in below.items() if room in others], [])


if __name__ == "__main__":
    unittest.main()
