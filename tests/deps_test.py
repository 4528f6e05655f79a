#!/usr/bin/env python3
"""Checks that all builds use the same versions of the libraries, and tests with a simulated Debian how
packaging/deps/build_deps.sh and scripts/lib.sh get packages.

    deps_test.py SOURCE_DIRECTORY VERSION_OF_ZLIB [unittest arguments]
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
ZLIB_HERE = sys.argv.pop(1)
BUILD_DEPS = ROOT / "packaging/deps/build_deps.sh"


def recipe(*groups):
    """Returns the versions by name."""
    rows = [[cell.strip() for cell in line.split("|")] for line in
            (ROOT / "packaging/deps/recipe.conf").read_text().splitlines() if line and not line.startswith("#")]
    return {row[1]: row[3] for row in rows if row[0] in groups}


# What vcpkg has another version of, and what it doesn't have for Windows, as recipe.conf says.
OTHER_IN_VCPKG = {"mbedtls": "3.6.5"}
NOT_IN_VCPKG = {"libxcrypt"}


class Lists(unittest.TestCase):
    def test_both_builds_have_the_same(self):
        manifest = json.loads((ROOT / "vcpkg.json").read_text())
        pinned = {entry["name"]: entry["version"] for entry in manifest["overrides"]}
        ours = {name.lower(): version for name, version in recipe("base", "tests", "machine").items()
                if name not in NOT_IN_VCPKG}
        self.assertEqual(pinned, ours | OTHER_IN_VCPKG)
        for name, version in OTHER_IN_VCPKG.items():
            self.assertEqual(version.split(".")[:2], ours[name].split(".")[:2], "of another branch")
        self.assertGreater(len(ours), 9)

    def test_every_package_of_vcpkg_is_pinned(self):
        manifest = json.loads((ROOT / "vcpkg.json").read_text())
        wanted = manifest["dependencies"] + [entry for feature in manifest["features"].values()
                                             for entry in feature["dependencies"]]
        names = {entry if isinstance(entry, str) else entry["name"] for entry in wanted}
        self.assertEqual(names, {entry["name"] for entry in manifest["overrides"]})


class ThisMachine(unittest.TestCase):
    def test_what_was_built_is_what_the_list_says(self):
        built = subprocess.run([BUILD_DEPS, "native", "--print-versions"], capture_output=True, text=True)
        if built.returncode != 0:
            self.skipTest("PACKAGES OF YOUR OWN: the libraries of packaging/deps/recipe.conf are not built on this machine")
        versions = {name: version for name, _, version in map(str.split, built.stdout.splitlines())}
        self.assertEqual(set(versions), set(recipe("base")))
        others = {name: versions[name] for name, version in recipe("base").items()
                  if not re.search(rf"(^|\D){re.escape(version)}([-+~]|$)", versions[name])}
        if others:
            self.skipTest(f"OTHER VERSIONS than those in vcpkg.json, because Debian only has newer ones: {others}")

    def test_the_machines_own_packages_are_what_the_list_says(self):
        """zlib is the one exception: the list has the version of Debian 12, and a newer Debian has a newer one."""
        self.assertEqual(set(recipe("machine")), {"zlib"})
        if ZLIB_HERE != recipe("machine")["zlib"]:
            self.skipTest(f"ANOTHER ZLIB than the one in vcpkg.json: this machine has {ZLIB_HERE}")


class MadeUpDebian(unittest.TestCase):
    """Replaces apt and CMake with scripts that record their command lines in the file `calls`."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.tools = self.folder / "bin"
        self.tools.mkdir()
        self.calls = self.folder / "calls"
        self.keyring = self.folder / "keyring.gpg"
        self.keyring.touch()

    def tool(self, name, script):
        file = self.tools / name
        file.write_text(f'#!/bin/bash\necho "{name} $*" >>"{self.calls}"\n{script}\n')
        file.chmod(0o755)

    def run_bash(self, *command):
        return subprocess.run(command, capture_output=True, text=True, timeout=60, env={
            "PATH": f"{self.tools}:/usr/bin:/bin:/usr/sbin:/sbin", "XDG_CACHE_HOME": str(self.folder / "cache"),
            "HOME": str(self.folder), "LANG": "C.UTF-8"})


class Fetching(MadeUpDebian):
    """Runs build_deps.sh with a trixie that has every package of the recipe, unless a test changes that."""

    def setUp(self):
        super().setUp()
        self.listed = {}
        for line in (ROOT / "packaging/deps/recipe.conf").read_text().splitlines():
            cells = [cell.strip() for cell in line.split("|")]
            if cells[0] in ("base", "tests"):
                self.listed[cells[2]] = [(f"{cells[3]}-1", cells[5].split()[0])]
        self.gone = "nothing"
        self.tool("cmake", r'''
            for argument; do case $argument in -DCMAKE_INSTALL_PREFIX=*) mkdir -p "${argument#*=}" ;; esac; done''')

    def build(self, update="exit 0"):
        madison = "".join(f"{source}) echo '{lines}' ;;\n" for source, lines in
                          ((source, "\n".join(f" {source} | {version} | https://debian.invalid {suite}/main Sources"
                                              for version, suite in versions))
                           for source, versions in self.listed.items()))
        self.tool("apt-cache", f'case "${{@: -1}}" in\n{madison}esac')
        self.tool("apt-get", f'''
            case " $* " in
              *" indextargets "*) echo "Debian|main|https://debian.invalid|{self.keyring}" ;;
              *" update "*) {update} ;;
              *" source "*)
                wanted=${{@: -1}}
                [[ $wanted != {self.gone} ]] || exit 100
                mkdir -p tree/inner && touch tree/inner/CMakeLists.txt && tar -cf "${{wanted%%=*}}_1.orig.tar.gz" -C tree inner ;;
            esac''')
        return self.run_bash(BUILD_DEPS, "native")

    def built(self):
        listed = self.run_bash(BUILD_DEPS, "native", "--print-versions")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        return {name: version for name, _, version in map(str.split, listed.stdout.splitlines())}

    def test_the_listed_version_is_taken_though_there_are_newer_ones(self):
        self.listed["fmtlib"] = [("10.2.0-1", "trixie"), ("10.1.1+ds1-4", "sid"), ("9.1.0+ds1-2", "sid")]
        self.listed["nlohmann-json3"] = [("3.12.0.really.3.11.3-3", "sid")]
        self.listed["pcre2"] = [("1:10.46-1~deb13u2", "trixie")]
        result = self.build()
        self.assertEqual(result.returncode, 0, result.stderr)
        built = self.built()
        self.assertEqual(built["fmt"], "10.1.1+ds1-4")
        self.assertEqual(built["nlohmann-json"], "3.12.0.really.3.11.3-3")
        self.assertEqual(built["pcre2"], "1:10.46-1~deb13u2")
        self.assertNotIn("warning", result.stderr)

    def test_a_newer_version_is_taken_where_the_listed_one_is_gone_and_said(self):
        self.listed["fmtlib"] = [("12.0-1", "trixie"), ("10.1.1-1", "trixie"), ("10.2.0-1", "sid")]
        self.gone = "fmtlib=10.1.1-1"
        result = self.build()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.built()["fmt"], "10.2.0-1")
        self.assertIn("fmtlib 10.1.1-1 is listed but cannot be fetched; trying the next version", result.stderr)
        self.assertIn("warning: fmt 10.1.1 can no longer be fetched; update its version in recipe.conf and vcpkg.json", result.stderr)

    def test_a_suite_that_has_expired_is_named_and_no_loss(self):
        result = self.build("echo 'E: Release file for sid is expired' >&2; exit 100")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("some suites could not be read: E: Release file for sid is expired", result.stderr)
        self.assertEqual(set(self.built()), set(recipe("base")))

    def test_a_package_that_no_suite_has_ends_it_with_apts_own_words(self):
        self.listed["cli11"] = [("1.9-1", "trixie")]
        result = self.build("echo 'E: Release file for sid is expired' >&2; exit 100")
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot fetch any version of cli11 from 2.4.1 up to, but not including, 3 (suites: trixie sid)", result.stderr)
        self.assertGreater(result.stderr.count("Release file for sid is expired"), 1)


class Prometheus(MadeUpDebian):
    """Tests provide_prometheus of scripts/lib.sh. Since Debian 13, promtool is in a separate package."""

    def provide(self, *packages):
        madison = " ".join(f"{name}) echo ' {name} | 1-1 | https://debian.invalid' ;;" for name in packages)
        self.tool("apt-cache", f'case "${{@: -1}}" in {madison} esac')
        self.tool("apt-get", 'for name; do case $name in prom*) touch "${name}_1-1_amd64.deb" ;; esac; done')
        # Debian 12's package prometheus contains both programs.
        self.tool("dpkg-deb", rf'''
            mkdir -p "$3/usr/bin"
            case $2 in
              */prometheus_*) programs=({"prometheus" if "promtool" in packages else "prometheus promtool"}) ;;
              *) programs=(promtool) ;;
            esac
            for program in "${{programs[@]}}"; do printf '#!/bin/sh\necho made-up\n' >"$3/usr/bin/$program"; chmod +x "$3/usr/bin/$program"; done''')
        # Hides the programs of this machine.
        for hidden in ("prometheus", "promtool"):
            self.assertFalse((self.tools / hidden).exists())
        return self.run_bash("/bin/bash", "-c", f'''
            command() {{ [[ $1 == -v && -x {self.folder}/cache/winperf_exporter/prometheus/usr/bin/$2 ]]; }}
            source {ROOT}/scripts/lib.sh; provide_prometheus; unset -f command
            # Its folder is the last one, and this machine's own programs, which would serve, are in those before it.
            for program in prometheus promtool; do PATH=${{PATH##*:}} $program; done''')

    def test_one_package(self):
        result = self.provide("prometheus")
        self.assertEqual((result.returncode, result.stdout.count("made-up")), (0, 2), result.stderr)

    def test_two_packages(self):
        result = self.provide("prometheus", "promtool")
        self.assertEqual((result.returncode, result.stdout.count("made-up")), (0, 2), result.stderr)
        self.assertIn("download prometheus promtool", self.calls.read_text())


if __name__ == "__main__":
    unittest.main()
