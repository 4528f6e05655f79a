#!/usr/bin/env python3
"""Checks what can be checked of the build on Windows without Windows: the command lines for WiX, and that the presets and
files that documents and the workflow name exist.

    windows_build_test.py SOURCE_DIRECTORY [unittest arguments]
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

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

    def test_files_of_the_workflow_exist(self):
        named = re.findall(r"\b(packaging[\\/][\w\\/.]+\.\w+|scripts/\w+)\b", WORKFLOW.read_text())
        self.assertGreater(len(named), 3)
        self.assertEqual([name for name in named if not (ROOT / name.replace("\\", "/")).is_file()], [])

    def test_both_files_have_the_projects_version(self):
        manifest = json.loads((ROOT / "vcpkg.json").read_text())
        self.assertIn(f"project(winperf_exporter VERSION {manifest['version-semver']} ", (ROOT / "CMakeLists.txt").read_text())


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
