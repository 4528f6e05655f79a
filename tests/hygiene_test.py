#!/usr/bin/env python3
"""What the tree promises and no compiler checks: Windows stays in win/, files fit in the head.

    hygiene_test.py SOURCE_DIRECTORY [unittest arguments]
"""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
ROOMS = ("collectors", "config", "exporter", "service")
LONGEST_FILE_LINES = 500

WINDOWS = re.compile(
    r"#\s*include\s*<(windows|winperf|winsock2|perflib|pdh)\.h>|#.*\b(_WIN32|_MSC_VER|__MINGW32__)\b", re.I)


def sources(*suffixes):
    return [path for room in ROOMS for path in (ROOT / room).rglob("*") if path.suffix in suffixes]


class Hygiene(unittest.TestCase):
    def test_there_is_something_to_check(self):
        self.assertGreater(len(sources(".h", ".cc")), 100)

    def test_windows_is_confined_to_its_folders(self):
        strays = [str(path.relative_to(ROOT)) for path in sources(".h", ".cc")
                  if "win" not in path.relative_to(ROOT).parts[:-1] and WINDOWS.search(path.read_text())]
        self.assertEqual(strays, [])

    def test_no_thread_is_detached(self):
        strays = [str(path.relative_to(ROOT)) for path in sources(".h", ".cc")
                  if re.search(r"\.detach\(\)", path.read_text())]
        self.assertEqual(strays, [], "winpthreads mixes detached threads up: docs/building.md")

    def test_nobody_waits_by_what_loses_wake_ups(self):
        lossy = re.compile(r"std::(stop_callback|condition_variable_any|barrier|latch|(binary|counting)_semaphore)\b")
        code = re.compile(r"//.*")
        strays = [str(path.relative_to(ROOT)) for path in sources(".h", ".cc")
                  if lossy.search(code.sub("", path.read_text()))]
        self.assertEqual(strays, [], "libstdc++ 12 loses their wake-ups on Windows: collectors/model/pause.h")

    def test_comparisons_of_ranges_bring_their_header(self):
        """libstdc++ has them in <algorithm> as well; MSVC's library doesn't."""
        comparison = re.compile(r"std::ranges::(equal_to|not_equal_to|less|less_equal|greater|greater_equal)\b")
        tests = [path for path in (ROOT / "tests").rglob("*") if path.suffix in (".h", ".cc")]
        strays = [str(path.relative_to(ROOT)) for path in sources(".h", ".cc") + tests
                  if comparison.search(text := path.read_text()) and "#include <functional>" not in text]
        self.assertEqual(strays, [])

    def test_nothing_is_called_that_msvc_calls_unsafe(self):
        """An error under /WX. The tests define it away, in tests/CMakeLists.txt."""
        unsafe = re.compile(r"\b(getenv|fopen|freopen|strerror|localtime|gmtime|s?scanf|v?sprintf|str(n?cpy|n?cat)|tmpnam)\(")
        strays = [str(path.relative_to(ROOT)) for path in sources(".h", ".cc")
                  if "posix" not in path.parts and unsafe.search(path.read_text())]
        self.assertEqual(strays, [])

    def test_line_ends_are_the_same_on_every_machine(self):
        """Scripts need LF, and an executable that was built on Windows must have the same example in it."""
        listed = subprocess.run(["git", "-C", ROOT, "ls-files", "--eol"], capture_output=True, text=True)
        if listed.returncode != 0:
            self.skipTest("NO GIT CHECKOUT: what git would do with line ends can't be asked")
        files = [(line.split("\t")[1], line.split("\t")[0].split(maxsplit=2)) for line in listed.stdout.splitlines()]
        self.assertGreater(len(files), 500)
        strays = [name for name, (index, _, attributes) in files
                  if index not in ("i/lf", "i/none", "i/-text") or
                  attributes.strip() not in ("attr/text=auto eol=lf", "attr/text" if name.endswith(".mc") else "attr/-text")]
        self.assertEqual(strays, [])

    def test_the_systems_texts_come_by_one_way(self):
        raw = re.compile(r"(\.|->)(message|what)\(\)")
        strays = [str(path.relative_to(ROOT)) for path in sources(".h", ".cc")
                  if path.relative_to(ROOT).parts[:2] != ("collectors", "base") and raw.search(path.read_text())]
        self.assertEqual(strays, [], "on Windows they are not UTF-8: collectors/base/system_text.h")

    def test_files_fit_in_the_head(self):
        long = [str(path.relative_to(ROOT)) for path in sources(".h", ".cc")
                if len(path.read_text().splitlines()) > LONGEST_FILE_LINES]
        self.assertEqual(long, [])

    def test_headers_are_guarded_and_explained(self):
        bad = [str(path.relative_to(ROOT)) for path in sources(".h")
               if "#pragma once" not in (text := path.read_text()) or not text.startswith("//")]
        self.assertEqual(bad, [])

    def test_rooms_do_not_know_what_they_must_not(self):
        forbidden = {
            "collectors/base": r"collectors/(?!base/)|exporter/|config/|service/",
            "collectors/model": r"collectors/(?!model/)|exporter/|config/|service/",
            "collectors/wire": r"collectors/(?!model/|wire/)|exporter/|config/|service/",
            "collectors/formula": r"collectors/(?!model/|formula/)|exporter/|config/|service/",
            "collectors/sources": r"collectors/(?!base/|model/|sources/)|exporter/|config/|service/",
            "collectors/blg": r"collectors/(?!base/|model/|wire/|sources/|blg/)|exporter/|config/|service/",
            "collectors/diagnosis": r"exporter/|config/|service/",
            "collectors/sampling": r"exporter/|config/|service/",
            "exporter": r"collectors/(?!base/|model/)|config/|service/",
            "config": r"collectors/(?!base/)|exporter/|service/",
        }
        strays = []
        for room, pattern in forbidden.items():
            include = re.compile(rf'#include "({pattern})')
            strays += [f"{path.relative_to(ROOT)}: {found[0]}" for path in sources(".h", ".cc")
                       if str(path.relative_to(ROOT)).startswith(room + "/")
                       and (found := include.search(path.read_text()))]
        self.assertEqual(strays, [])


if __name__ == "__main__":
    unittest.main()
