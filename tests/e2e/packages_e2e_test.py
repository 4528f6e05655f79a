#!/usr/bin/env python3
"""Tests the packages that scripts/package makes of an executable, by opening them."""

import hashlib
import json
import os
import pathlib
import posixpath
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as tree
import zipfile

from e2e_support import WinePrefix, required, tool, windows_path

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VERSION = "3.2.1"
UPLOT = os.environ.get("WINPERF_UPLOT")  # empty in a build without charts


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.out = cls.make("one")
        cls.msi = cls.out / f"winperf_exporter-{VERSION}-x64.msi"
        with zipfile.ZipFile(cls.out / f"winperf_exporter-{VERSION}-windows-x64.zip") as archive:
            cls.in_zip = {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
            archive.extractall(cls.folder / "unpacked")
        cls.materials = json.loads((cls.out / f"winperf_exporter-{VERSION}.cdx.json").read_text())

    @classmethod
    def make(cls, name, *options):
        out = cls.folder / name
        subprocess.run([ROOT / "packaging/make_packages.py", "--executable", required("WINPERF_EXPORTER"), "--out", out,
                        "--installer", required("WINPERF_INSTALLER"), "--version", VERSION,
                        "--counter-library", required("WINPERF_PERF_DLL"), "--trial-library", required("WINPERF_TRIAL_DLL"),
                        "--base-url", "https://files.invalid/v1/", "--project-url", "https://project.invalid/w",
                        *(["--uplot", UPLOT] if UPLOT else []), *options], check=True, timeout=240)
        return out

    def test_checksums_name_every_file(self):
        listed = dict(reversed(line.split("  ")) for line in (self.out / "SHA256SUMS").read_text().splitlines())
        files = {str(path.relative_to(self.out)): hashlib.sha256(path.read_bytes()).hexdigest()
                 for path in self.out.rglob("*") if path.is_file() and path.name != "SHA256SUMS"}
        self.assertEqual(listed, files)
        self.assertEqual(len(files), 7)

    def test_zip_holds_what_runs_and_what_explains(self):
        for name in ("winperf_exporter.exe", "winperf_exporter_trial.dll", "winperf_exporter_perf.dll", "winperf_exporter_perf.ini", "winperf_exporter_perf.h",
                     "winperf_exporter.man", "config/winperf_exporter.yaml", "config/winperf_exporter.schema.json",
                     "README.md", "CHANGELOG.md", "SECURITY.md", "docs/service.md", "docs/recipes/iis.md",
                     "packaging/prometheus/alert_rules.yml", "packaging/prometheus/targets/windows.yml",
                     "packaging/grafana/machine.json",
                     "docs/adr/0005-the-installer-calls-the-program.md"):
            self.assertIn(name, self.in_zip)
        program = next((self.folder / "unpacked").rglob("winperf_exporter.exe"))
        self.assertLess(program.stat().st_size, required("WINPERF_EXPORTER").stat().st_size, "the symbols are stripped")
        with WinePrefix() as prefix:
            result = prefix.run(windows_path(program), "check-config",
                                windows_path(program.parent / "config/winperf_exporter.yaml"), "--file-alone")
        self.assertEqual(result.code, 0, result.errors)

    def test_the_executable_is_hardened(self):
        data = required("WINPERF_EXPORTER").read_bytes()
        optional_header = int.from_bytes(data[0x3C:0x40], "little") + 24
        self.assertEqual(data[optional_header:optional_header + 2], b"\x0b\x02", "64-bit")
        kinds = int.from_bytes(data[optional_header + 70:optional_header + 72], "little")
        for name, kind in (("addresses of 64 bits", 0x20), ("randomised addresses", 0x40), ("no executable data", 0x100)):
            self.assertTrue(kinds & kind, name)
        self.assertIn(b"__stack_chk_fail", data, "a stack protector")

    def test_msi_installs_the_same_files(self):
        folder = self.folder / "extracted"
        subprocess.run([tool("msiextract"), "-C", folder, self.msi], check=True, timeout=60, stdout=subprocess.DEVNULL)
        program = next(folder.rglob("winperf_exporter.exe")).parent
        installed = {str(path.relative_to(program)): path.read_bytes() for path in program.rglob("*") if path.is_file()}
        self.assertEqual(installed.keys(), self.in_zip.keys())
        self.assertEqual([name for name in installed if installed[name] != self.in_zip[name]], [])

    def test_every_link_of_the_pages_leads_somewhere(self):
        links = 0
        for name, content in self.in_zip.items():
            for target in re.findall(r"\]\(([^)\s]+)\)", content.decode()) if name.endswith(".md") else ():
                file = target.partition("#")[0]
                if file and ":" not in file:
                    self.assertIn(posixpath.normpath(posixpath.join(posixpath.dirname(name), file)), self.in_zip,
                                  f"{name} has a link to {target}")
                    links += 1
        self.assertGreater(links, 30)
        documents = (ROOT / "docs/README.md").read_text()
        self.assertIn("](../tests/providers/README.md)", documents, "a page that is only in the repository")
        self.assertIn("| tests/providers/README.md |", self.in_zip["docs/README.md"].decode())

    def test_every_component_has_its_licence(self):
        names = {entry["name"] for entry in self.materials["components"]}
        texts = {name.removeprefix("licences/").removesuffix(".txt"): content.decode()
                 for name, content in self.in_zip.items() if name.startswith("licences/") and name.endswith(".txt")}
        self.assertEqual(set(texts), names)
        grants = {"MIT": "Permission is hereby granted, free of charge", "ZPL-2.1": "must retain the accompanying copyright notice",
                  "BSD-3-Clause": "Redistribution", "Zlib": "This software is provided 'as-is'",
                  "Apache-2.0 OR GPL-2.0-or-later": "Apache License Version 2.0",
                  "CC0-1.0 AND LicenseRef-PublicDomain": "Public domain, written by Solar Designer",
                  "GPL-3.0-or-later WITH GCC-exception-3.1": "GCC RUNTIME LIBRARY EXCEPTION"}
        for entry in self.materials["components"]:
            licence = entry["licenses"][0]
            grant = grants[licence.get("expression") or licence["license"]["id"]]
            text = " ".join(texts[entry["name"]].split())
            self.assertIn(grant, text, entry["name"])
            self.assertRegex(text, r"(?i)copyright", entry["name"])
            self.assertTrue(text.startswith(f"{entry['name']} {entry['version']} "), entry["name"])
        self.assertIn("Florian Loitsch", texts["nlohmann-json"], "the author of a part")
        self.assertIn("winpthreads", texts["mingw-w64"])

    def test_bill_of_materials_has_every_library(self):
        document = self.materials
        recipe = (ROOT / "packaging/deps/recipe.conf").read_text()
        libraries = set(re.findall(r"(?m)^base +\| (\S+)", recipe))
        self.assertGreater(len(libraries), 5)
        names = {entry["name"] for entry in document["components"]}
        self.assertEqual(names, libraries | {"zlib", "mingw-w64", "gcc"} | ({"uplot"} if UPLOT else set()))
        for entry in document["components"]:
            self.assertRegex(entry["version"], r"^\d+\.\d+", entry["name"])
            self.assertTrue(entry["licenses"][0], entry["name"])
        self.assertEqual(document["specVersion"], "1.5")
        self.assertEqual(document["dependencies"][0]["dependsOn"],
                         [entry["bom-ref"] for entry in document["components"]])

    def test_bill_of_materials_names_the_compiler(self):
        said = subprocess.run([tool("x86_64-w64-mingw32-g++-posix"), "-dumpversion"], check=True, capture_output=True,
                              text=True).stdout.strip()
        compilers = [entry["value"] for entry in self.materials["metadata"]["properties"]
                     if entry["name"] == "winperf_exporter:compiler"]
        self.assertEqual(compilers, [f"GCC {said}"])
        gcc = next(entry for entry in self.materials["components"] if entry["name"] == "gcc")
        self.assertEqual(gcc["version"].partition(".")[0], re.match(r"\d+", said)[0])

    def test_chocolatey_package_holds_the_installer(self):
        with zipfile.ZipFile(self.out / f"winperf_exporter.{VERSION}.nupkg") as package:
            self.assertEqual(package.read(f"tools/{self.msi.name}"), self.msi.read_bytes())
            specification = tree.fromstring(package.read("winperf_exporter.nuspec"))
            self.assertIn(self.msi.name.encode(), package.read("tools/chocolateyinstall.ps1"))
            self.assertIn(hashlib.sha256(self.msi.read_bytes()).hexdigest().encode(),
                          package.read("tools/VERIFICATION.txt"))
            types = tree.fromstring(package.read("[Content_Types].xml"))
            known = {entry.get("Extension") for entry in types}
            self.assertEqual({name.rpartition(".")[2] for name in package.namelist()} - known - {"xml"}, set())
        self.assertEqual(specification.find(".//{*}version").text, VERSION)
        self.assertEqual(specification.find(".//{*}projectUrl").text, "https://project.invalid/w")
        self.assertIn("No licence has been chosen", specification.find(".//{*}description").text)

    def test_winget_manifest_names_the_installer(self):
        installer = (self.out / "winget/winperf_exporter.winperf_exporter.installer.yaml").read_text()
        self.assertIn(f"InstallerUrl: https://files.invalid/v1/{self.msi.name}\n", installer)
        self.assertIn(hashlib.sha256(self.msi.read_bytes()).hexdigest().upper(), installer)
        for manifest in (self.out / "winget").iterdir():
            self.assertIn(f"PackageVersion: {VERSION}\n", manifest.read_text())
        locale = (self.out / "winget/winperf_exporter.winperf_exporter.locale.en-US.yaml").read_text()
        self.assertIn("PackageUrl: https://project.invalid/w\nLicense: none chosen yet\n", locale)

    def test_without_addresses_nothing_is_made_up(self):
        out = self.make("unknown", "--base-url=", "--project-url=")
        self.assertFalse((out / "winget").exists())
        with zipfile.ZipFile(out / f"winperf_exporter.{VERSION}.nupkg") as package:
            self.assertNotIn(b"projectUrl", package.read("winperf_exporter.nuspec"))
        for path in out.rglob("*"):
            self.assertNotIn(b".invalid", path.read_bytes() if path.is_file() else b"", path)

    def refused(self, *arguments):
        result = subprocess.run([ROOT / "packaging/make_packages.py", "--executable", required("WINPERF_EXPORTER"),
                                 *arguments], capture_output=True, text=True, timeout=60)
        self.assertNotEqual(result.returncode, 0)
        return result.stderr

    def test_a_folder_with_something_else_in_it_stays_as_it_is(self):
        folder = self.folder / "home"
        (folder / "winget").mkdir(parents=True)
        (folder / "winget/letter.txt").write_text("dear")
        self.assertIn("letter.txt is not from an earlier run", self.refused("--out", folder))
        self.assertIn("letter.txt is not from an earlier run", self.refused("--out", folder / "winget/letter.txt"))
        self.assertEqual((folder / "winget/letter.txt").read_text(), "dear")

    def test_addresses_and_versions_that_are_none_are_refused(self):
        for url in ("example.org", "javascript:x", "https://a b", "https://a\nInstallerType: exe"):
            self.assertIn("is not an https address", self.refused("--out", self.folder / "none", "--base-url", url))
        for version in ("1.2", "1.2.3-rc1", "x", "1.2.3'"):
            self.assertIn("is not a version", self.refused("--out", self.folder / "none", "--version", version))
        self.assertFalse((self.folder / "none").exists())

    def test_what_can_be_is_the_same_again(self):
        again = self.make("two")
        self.make("two")
        for name in (f"winperf_exporter-{VERSION}-windows-x64.zip", f"winperf_exporter-{VERSION}.cdx.json"):
            self.assertEqual((self.out / name).read_bytes(), (again / name).read_bytes(), name)


if __name__ == "__main__":
    unittest.main()
