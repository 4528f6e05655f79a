#!/usr/bin/env python3
"""The files that lodctr reads have the form that it asks for: install_files_test.py SOURCE_DIRECTORY

tests/exporter/counters/own_files_test.cc makes them from the table, and the registrar for Wine reads them here as lodctr does.
"""

import pathlib
import runpy
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
FILES = ROOT / "packaging/windows/counters"
INI, SYMBOLS = FILES / "winperf_exporter_perf.ini", FILES / "winperf_exporter_perf.h"
REGISTRAR = runpy.run_path(str(ROOT / "tests/providers/register_provider.py"))
Provider, Failure = REGISTRAR["Provider"], REGISTRAR["Failure"]


class InstallFiles(unittest.TestCase):
    def test_the_names_are_utf16_with_a_mark_and_lines_of_windows(self):
        data = INI.read_bytes()
        self.assertEqual(data[:2], b"\xff\xfe")
        text = data[2:].decode("utf-16-le")
        self.assertNotIn("\ufeff", text)
        self.assertEqual(text.count("\n"), text.count("\r\n"))
        self.assertTrue(text.endswith("\r\n"))
        # GetPrivateProfileString, with which such files are read, takes quotes around a value away.
        values = [line.split("=", 1)[1] for line in text.splitlines() if "=" in line]
        self.assertGreater(len(values), 200)
        self.assertEqual([value for value in values if value[:1] in ("'", '"')], [])

    def test_the_symbols_are_ascii_with_lines_of_windows(self):
        text = SYMBOLS.read_bytes().decode("ascii")
        self.assertEqual(text.count("\n"), text.count("\r\n"))
        self.assertTrue(text.endswith("\r\n"))

    def test_the_registrar_reads_them(self):
        provider = Provider(INI)
        self.assertEqual(provider.driver, "winperf_exporter")
        self.assertEqual(sorted(provider.texts), ["007", "009", "00C"])
        self.assertEqual([provider.names[offset] for offset in provider.objects],
                         ["winperf_exporter", "winperf_exporter counterset"])
        self.assertEqual(provider.span, 2 * len(provider.names))
        for language, kinds in provider.texts.items():
            self.assertEqual(sorted(kinds["NAME"]), sorted(provider.offsets.values()), language)
            self.assertEqual(sorted(kinds["HELP"]), sorted(provider.offsets.values()), language)
        self.assertEqual(provider.texts["007"]["NAME"][provider.offsets["UPTIME"]], "Betriebszeit")
        self.assertEqual(provider.texts["00C"]["NAME"][provider.offsets["STATE"]], "État")

    def test_a_language_must_be_whole(self):
        text = INI.read_bytes()[2:].decode("utf-16-le")
        lacking = text.replace("UPTIME_007_NAME=Betriebszeit\r\n", "")
        unlisted = text.replace("007=Deutsch\r\n", "")
        for changed, message in ((lacking, "lack a name or a help text for language 007: UPTIME"), (unlisted, "_007_NAME' is not")):
            self.assertNotEqual(changed, text)
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / INI.name
                path.write_bytes(b"\xff\xfe" + changed.encode("utf-16-le"))
                shutil.copy(SYMBOLS, folder)
                with self.assertRaisesRegex(Failure, message):
                    Provider(path)


if __name__ == "__main__":
    unittest.main()
