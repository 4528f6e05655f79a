#!/usr/bin/env python3
"""Tests that no DLL beside the executable is loaded: reads what the executable imports, and plants DLLs beside it. Also how the
executable lies in its file, and what its resources have."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

from e2e_support import WinePrefix, required, tool, windows_path

# HKLM\SYSTEM\CurrentControlSet\Control\Session Manager\KnownDLLs of Windows 10 and Server 2016, as far as it is likely to be
# imported, and what is in each process. Windows takes these from its own folder, whatever lies beside the executable.
KNOWN = {"ntdll.dll", "kernel32.dll", "advapi32.dll", "combase.dll", "gdi32.dll", "msvcrt.dll", "ole32.dll", "oleaut32.dll",
         "psapi.dll", "rpcrt4.dll", "sechost.dll", "setupapi.dll", "shell32.dll", "shlwapi.dll", "user32.dll", "ws2_32.dll"}
# Windows' other DLLs that the program uses. They are loaded at the first call.
DELAYED = {"bcrypt.dll", "iphlpapi.dll", "netapi32.dll", "secur32.dll", "wtsapi32.dll"}


def headers(file):
    """Returns the lines that describe the file."""
    shown = subprocess.run([tool("x86_64-w64-mingw32-objdump"), "-p", file], check=True, capture_output=True, text=True)
    return shown.stdout.splitlines()


def imports(file):
    """Returns the DLLs that Windows loads before the first instruction of the file, in lower case."""
    return {line.split("DLL Name:")[1].strip().lower() for line in headers(file) if "DLL Name:" in line}


class Imports(unittest.TestCase):
    def test_the_executable_imports_known_dlls_only(self):
        found = imports(required("WINPERF_EXPORTER"))
        self.assertIn("kernel32.dll", found)
        self.assertEqual(found - KNOWN, set(), "packaging/cmake/delayed_imports.cmake delays the others; the compiler's runtime "
                                               "is linked statically")

    def test_the_library_of_the_installer_imports_what_windows_installer_has_loaded(self):
        self.assertEqual(imports(required("WINPERF_INSTALLER")) - KNOWN, {"msi.dll"})

    def test_the_library_of_the_own_counters_imports_two_dlls_and_exports_three_functions(self):
        """It runs in programs of others, and has no C runtime."""
        library = required("WINPERF_PERF_DLL")
        self.assertEqual(imports(library), {"kernel32.dll", "advapi32.dll"})
        exported = [found[1] for line in headers(library) if (found := re.fullmatch(r"\s*\[ *\d+\] ([A-Za-z]\w*)\s*", line))]
        self.assertEqual(sorted(exported), ["CloseWinperfExporter", "CollectWinperfExporter", "OpenWinperfExporter"])

    def test_the_library_of_the_own_counters_has_no_thread_storage_and_lies_anywhere(self):
        shown = "\n".join(headers(required("WINPERF_PERF_DLL")))
        self.assertRegex(shown, r"Entry 9 0{16} 0{8} Thread Storage Directory")
        for protection in ("HIGH_ENTROPY_VA", "DYNAMIC_BASE", "NX_COMPAT"):
            self.assertIn(protection, shown)

    def test_the_list_of_delayed_dlls_is_that_of_the_build(self):
        build = pathlib.Path(__file__).resolve().parents[2] / "packaging/cmake/delayed_imports.cmake"
        line = next(line for line in build.read_text().splitlines() if line.startswith("set(WINPERF_DELAYED_DLLS "))
        self.assertEqual({f"{name}.dll" for name in line[:-1].split()[1:]}, DELAYED)


class Layout(unittest.TestCase):
    def test_each_section_begins_at_a_page_of_the_file(self):
        """Otherwise Wine copies the whole executable into the exporter and into each of its workers."""
        alignment = next(line.split()[1] for line in headers(required("WINPERF_EXPORTER")) if line.startswith("FileAlignment"))
        self.assertEqual(int(alignment, 16), 4096)

    def test_its_manifest_is_that_of_the_sources(self):
        manifest = pathlib.Path(__file__).resolve().parents[2] / "service/win/winperf_exporter.manifest"
        whole = pathlib.Path(required("WINPERF_EXPORTER")).read_bytes()
        self.assertIn(manifest.read_bytes(), whole)
        self.assertEqual(whole.count(b"urn:schemas-microsoft-com:compatibility.v1"), 1, "no other one")

    def test_the_texts_that_the_manifest_of_the_own_counters_names_are_in_it(self):
        """tests/exporter/counters/win/strings_test.cc finds them in all languages, by their identifiers."""
        whole = pathlib.Path(required("WINPERF_EXPORTER")).read_bytes()
        manifest = pathlib.Path(__file__).resolve().parents[2] / "packaging/windows/counters/winperf_exporter.man"
        texts = [element.attrib[attribute] for element in xml.etree.ElementTree.parse(manifest).iter() if "nameID" in element.attrib
                 for attribute in ("name", "description")]
        self.assertGreater(len(texts), 90)
        for text in texts:
            string = text.encode("utf-16-le")
            self.assertIn((len(string) // 2).to_bytes(2, "little") + string, whole, text)


class Planted(unittest.TestCase):
    def setUp(self):
        self.prefix = self.enterContext(WinePrefix())
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        shutil.copy(required("WINPERF_PLANTED"), self.folder / "netapi32.dll")
        # As on Windows: a DLL beside the program is preferred to the one in Windows' folder. Of some others, Wine's own
        # programs need Wine's.
        self.prefix.environment["WINEDLLOVERRIDES"] += ";netapi32=n,b"

    def run_beside(self, program, *arguments):
        copy = self.folder / "program.exe"
        shutil.copy(program, copy)
        result = self.prefix.run(windows_path(copy), *arguments)
        return result, {path.name.lower() for path in self.folder.glob("*.loaded")}

    def test_it_is_loaded_into_a_program_that_imports_it(self):
        """Otherwise the other test would prove nothing."""
        result, loaded = self.run_beside(required("WINPERF_PLANT_VICTIM"))
        self.assertEqual((result.code, loaded), (0, {"netapi32.dll.loaded"}), result.errors)

    def test_it_is_not_loaded_into_the_exporter(self):
        exporter = required("WINPERF_EXPORTER")
        certificate = windows_path(self.folder / "a.crt"), windows_path(self.folder / "a.key")
        for arguments in (("--version",), ("service", "status"), ("service", "install", "--name", "planted"),
                          ("config", "self-signed", "--cert-file", certificate[0], "--key-file", certificate[1]),
                          ("query", "--list"), ("worker", "facts")):
            result, loaded = self.run_beside(exporter, *arguments)
            self.assertEqual(loaded, set(), arguments)
            self.assertLess(result.code, 128, f"{arguments} ended by an exception: {result.errors}")
        self.assertTrue((self.folder / "a.crt").exists(), "the names of this machine were asked for")


if __name__ == "__main__":
    unittest.main()
