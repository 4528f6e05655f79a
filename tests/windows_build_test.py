#!/usr/bin/env python3
"""Checks what can be checked of the build on Windows without Windows: the command lines for WiX, the resources with LLVM's resource
compiler, which reads them as Microsoft's does, and that the presets and files that documents and the workflow name exist.

    windows_build_test.py SOURCE_DIRECTORY [unittest arguments]
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as tree

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
WORKFLOW = ROOT / ".github/workflows/ci.yml"
TEXTS = [ROOT / "README.md", WORKFLOW, *sorted((ROOT / "docs").glob("*.md"))]


class Names(unittest.TestCase):
    def test_presets_exist_for_what_they_are_used_for(self):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())
        known = {kind: {entry["name"] for entry in presets[f"{kind}Presets"] if not entry.get("hidden")}
                 for kind in ("configure", "build", "test")}
        commands = {"cmake": "configure", "cmake --build": "build", "ctest": "test"}
        used = [(path.name, commands[command], name) for path in TEXTS for command, name in
                re.findall(r"\b(cmake --build|cmake|ctest) --preset ([\w-]+)", path.read_text())]
        self.assertGreater(len(used), 10)
        self.assertEqual([entry for entry in used if entry[2] not in known[entry[1]]], [])

    def test_the_executable_is_where_it_is_said_to_be(self):
        """The executable is directly in the build folder, in Visual Studio's builds too."""
        said = [(path.name, where) for path in TEXTS for where in
                re.findall(r"\bbuild[\\/]([\w\\/-]+)[\\/]winperf_exporter(?:\.exe)?\b", path.read_text())]
        self.assertGreater(len(said), 5)
        self.assertEqual([entry for entry in said if re.search(r"[\\/]", entry[1])], [])
        self.assertIn('winperf_exporter PROPERTIES RUNTIME_OUTPUT_DIRECTORY "$<1:${PROJECT_BINARY_DIR}>"',
                      (ROOT / "service/CMakeLists.txt").read_text())

    def test_both_files_have_the_projects_version(self):
        manifest = json.loads((ROOT / "vcpkg.json").read_text())
        self.assertIn(f"project(winperf_exporter VERSION {manifest['version-semver']} ", (ROOT / "CMakeLists.txt").read_text())


RESOURCE_COMPILER = next(filter(None, map(shutil.which, ("llvm-rc-19", "llvm-rc"))), None)
# Where Debian's mingw-w64 has its headers, of which the resources need one.
HEADERS = next((path for path in map(pathlib.Path, ("/usr/share/mingw-w64/include", "/usr/x86_64-w64-mingw32/include"))
                if (path / "winver.h").exists()), None)


class Resources(unittest.TestCase):
    MANIFEST = ROOT / "service/win/winperf_exporter.manifest"

    def compiled(self, name):
        """Returns what a resource file of the sources becomes, after what CMake puts into it."""
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        values = {"PROJECT_VERSION_MAJOR": "1", "PROJECT_VERSION_MINOR": "2", "PROJECT_VERSION_PATCH": "3", "PROJECT_VERSION": "1.2.3",
                  "manifest": str(self.MANIFEST)}
        text = re.sub(r"@(\w+)@", lambda found: values[found[1]], (ROOT / name).read_text())
        self.assertTrue(text.isascii(), "the resource compiler takes the machine's code page")
        (folder / "a.rc").write_text(text)
        result = subprocess.run([RESOURCE_COMPILER, "/I", HEADERS, "/fo", folder / "a.res", folder / "a.rc"], capture_output=True,
                                text=True, timeout=60)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return (folder / "a.res").read_bytes()

    @unittest.skipUnless(RESOURCE_COMPILER and HEADERS, "NO LLVM-RC, or no headers of mingw-w64 (Debian: llvm, mingw-w64-common)")
    def test_they_are_what_microsofts_compiler_takes(self):
        program = self.compiled("service/win/version.rc.in")
        self.assertIn(self.MANIFEST.read_bytes(), program)
        # RT_MANIFEST as a number, and the name 1, by which Windows knows the manifest of a program.
        self.assertIn(b"\xff\xff\x18\x00\xff\xff\x01\x00", program)
        for resources in (program, self.compiled("exporter/counters/win/version.rc.in")):
            fixed = resources.index(bytes.fromhex("bd04effe"))  # VS_FIXEDFILEINFO
            self.assertEqual(resources[fixed + 8:fixed + 24], 2 * bytes.fromhex("0200010000000300"))
            self.assertIn("1.2.3".encode("utf-16-le"), resources)

    def test_the_manifest_says_what_the_program_is_made_for(self):
        manifest = tree.parse(self.MANIFEST).getroot()
        found = {element.tag.split("}")[1]: (element.attrib, (element.text or "").strip()) for element in manifest.iter()}
        self.assertEqual(found["requestedExecutionLevel"][0], {"level": "asInvoker", "uiAccess": "false"})
        self.assertEqual(found["supportedOS"][0], {"Id": "{8e0f7a12-bfb3-4fe8-b9a5-48fd50a15a9a}"}, "Windows 10 and later")
        self.assertEqual(found["longPathAware"][1], "true")
        self.assertNotIn("activeCodePage", found, "it would hold for the DLLs of providers in its workers")

    def test_there_is_one_manifest(self):
        """MSVC's linker would add its own."""
        self.assertIn("target_link_options(winperf_exporter PRIVATE /MANIFEST:NO)", (ROOT / "service/CMakeLists.txt").read_text())

    def test_message_files_are_what_microsofts_compiler_takes(self):
        """Microsoft's compiler reads them in the machine's code page, and a text ends with a line that is a full stop."""
        files = [path for path in ROOT.glob("*/**/*.mc") if "build" not in path.relative_to(ROOT).parts]
        self.assertGreater(len(files), 2)
        for path in files:
            text = path.read_text(encoding="ascii")
            texts = re.findall(r"^Language=English\n(.*\n)+?\.$", text, re.M)
            self.assertEqual(len(texts), len(re.findall("^MessageId=", text, re.M)), path.name)
            self.assertNotRegex(text, r"%\d+!(?![^!\n]*!)", "a format that isn't closed")


class Wix(unittest.TestCase):
    """Runs make_msi.py with substitutes for WiX's candle and light, which keep their input."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in ("candle", "light"):
            tool = self.folder / "wix/bin" / name
            tool.parent.mkdir(parents=True, exist_ok=True)
            tool.write_text(f'''#!/bin/bash
                printf '%s\\n' "$@" >"{self.folder}/{name}.arguments"
                [[ {name} != candle ]] || cp -r . "{self.folder}/given"
                while [[ $1 != -out ]]; do shift; done
                echo made >"$2"\n''')
            tool.chmod(0o755)
        for name in ("winperf_exporter.exe", "winperf_installer.dll"):
            (self.folder / name).touch()
        (self.folder / "counters").mkdir()
        for name in ("winperf_exporter_perf.dll", "winperf_exporter_perf.ini", "winperf_exporter_perf.h", "winperf_exporter.man"):
            (self.folder / "counters" / name).touch()
        (self.folder / "documents/docs").mkdir(parents=True)
        for name in ("README.md", "docs/service.md"):
            (self.folder / "documents" / name).write_text(name)
        self.out = self.folder / "out.msi"

    def make(self):
        environment = {"PATH": "/usr/bin:/bin", "WIX": str(self.folder / "wix")}
        return subprocess.run([sys.executable, ROOT / "packaging/windows/make_msi.py", "--version", "1.2.3", "--executable",
                               self.folder / "winperf_exporter.exe", "--installer", self.folder / "winperf_installer.dll",
                               "--counters", self.folder / "counters", "--documents", self.folder / "documents",
                               "--out", self.out],
                              capture_output=True, text=True, env=environment, timeout=60)

    def arguments(self, name):
        return (self.folder / f"{name}.arguments").read_text().splitlines()

    def test_wix_is_given_the_source_and_every_file_in_it(self):
        result = self.make()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.out.read_text(), "made\n")
        self.assertEqual(self.arguments("candle"), ["-nologo", "-arch", "x64", "-out", "out.wixobj", "winperf_exporter.wxs"])
        self.assertEqual(self.arguments("light"), ["-nologo", "-sval", "-out", "out.msi", "out.wixobj"])
        given = self.folder / "given"
        source = (given / "winperf_exporter.wxs").read_text()
        self.assertNotIn("$(var.", source)
        self.assertIn('<AppSearch Suppress="yes"', source, "what is removed for wixl must stay for WiX")
        self.assertIn(f'Id="{result.stdout.strip()}"', source)
        self.assertRegex(result.stdout, r"^\{[0-9A-F-]{36}\}\n$")
        named = [name for page in given.glob("*.wx?") for name in
                 re.findall(r'(?:Source|SourceFile|BinaryFile)="([^"]+)"|<\?include ([^?]+?) ?\?>', page.read_text())]
        files = [first or second for first, second in named]
        self.assertIn("counters/winperf_exporter.man", [name.replace("\\", "/") for name in files])
        self.assertIn("documents/docs/service.md", [name.replace("\\", "/") for name in files])
        self.assertEqual([name for name in files if not (given / name.replace("\\", "/")).is_file()], [])

    def test_the_same_version_is_the_same_product(self):
        self.assertEqual(self.make().stdout, self.make().stdout)


if __name__ == "__main__":
    unittest.main()
