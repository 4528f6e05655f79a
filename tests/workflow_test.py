#!/usr/bin/env python3
"""Holds .github/workflows/ci.yml to what the repository has, because an error in it shows only when it runs: versions of actions, names
of presets, files, artifacts and images, options of commands, and which steps run after one that fails.

    workflow_test.py SOURCE_DIRECTORY [unittest arguments]
"""

import ast
import itertools
import json
import pathlib
import re
import subprocess
import sys
import unittest

try:
    import yaml
except ImportError:
    yaml = None

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
TEXT = (ROOT / ".github/workflows/ci.yml").read_text()
JOBS = yaml.safe_load(TEXT)["jobs"] if yaml else {}
# The newest major versions in autumn 2026, as far as known. All run on Node.js 24; the runners no longer have 20, on which those before ran.
ACTIONS = {"actions/checkout@v7", "actions/cache/restore@v6", "actions/cache/save@v6", "actions/upload-artifact@v7",
           "actions/download-artifact@v8"}
# Those that GitHub has for public repositories (actions/runner-images). The Windows ones are named by their version: MSVC's is theirs, and
# the MSI needs WiX 3, which both servers have.
IMAGES = {"ubuntu-latest", "windows-2022", "windows-2025", "windows-11-arm"}


def rows_of(job):
    """Returns what a job is run for: one set of values of its matrix after the other."""
    matrix = dict(job.get("strategy", {}).get("matrix", {}))
    extra = matrix.pop("include", [])
    rows = [dict(zip(matrix, values)) for values in itertools.product(*matrix.values())] if matrix else []
    return rows + extra or [{}]


def with_values(text, row):
    return re.sub(r"\$\{\{ matrix\.(\w+) \}\}", lambda found: str(row[found[1]]), text)


def steps(name):
    return JOBS[name]["steps"]


def named(job, name):
    return next(step for step in steps(job) if step.get("name") == name)


@unittest.skipIf(yaml is None, "NO PYYAML: not tested")
class Actions(unittest.TestCase):
    def test_each_action_is_of_a_version_that_exists(self):
        used = {step["uses"] for job in JOBS.values() for step in job["steps"] if "uses" in step}
        self.assertEqual(used, ACTIONS)

    def test_each_image_exists(self):
        used = {with_values(job["runs-on"], row) for job in JOBS.values() for row in rows_of(job)}
        self.assertEqual(used, IMAGES)

    def test_each_job_has_an_end_and_lets_its_siblings_live(self):
        for name, job in JOBS.items():
            self.assertIn("timeout-minutes", job, name)
            if "strategy" in job:
                self.assertIs(job["strategy"]["fail-fast"], False, name)

    def test_what_a_job_downloads_was_uploaded_by_one_that_it_waits_for(self):
        for name, job in JOBS.items():
            uploaded = {with_values(step["with"]["name"], row) for other in job.get("needs", []) for step in steps(other)
                        for row in rows_of(JOBS[other]) if step.get("uses", "").startswith("actions/upload-artifact@")}
            for step in job["steps"]:
                for row in rows_of(job):
                    if step.get("uses", "").startswith("actions/download-artifact@"):
                        self.assertIn(with_values(step["with"]["name"], row), uploaded, name)

    def test_no_two_artifacts_of_a_run_have_one_name(self):
        names = [with_values(step["with"]["name"], row) for job in JOBS.values() for row in rows_of(job) for step in job["steps"]
                 if step.get("uses", "").startswith("actions/upload-artifact@")]
        self.assertEqual(sorted(set(names)), sorted(names))
        self.assertGreater(len(names), 10)

    def test_a_cache_is_saved_even_if_something_fails(self):
        for name, job in JOBS.items():
            restored = [step for step in job["steps"] if step.get("uses", "").startswith("actions/cache/restore@")]
            saved = [step for step in job["steps"] if step.get("uses", "").startswith("actions/cache/save@")]
            for step in saved:
                self.assertIn("!cancelled()", step["if"], name)
                origin = [other for other in restored if other["with"]["path"] == step["with"]["path"]]
                self.assertEqual(len(origin), 1, name)
                self.assertIn(step["with"]["key"], (origin[0]["with"]["key"],
                                                    f"${{{{ steps.{origin[0].get('id')}.outputs.cache-primary-key }}}}"), name)
            if name != "lint":  # which reads those of another job
                self.assertEqual(len(saved), len(restored), name)


@unittest.skipIf(yaml is None, "NO PYYAML: not tested")
class Facts(unittest.TestCase):
    def test_presets_exist_and_are_of_the_system(self):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())
        wanted = {row["preset"] for row in rows_of(JOBS["windows"])}
        self.assertEqual(wanted, {"windows", "windows-ci"}, "both ways to build, and both versions of Visual Studio")
        for kind in ("configure", "build", "test"):
            self.assertLessEqual(wanted, {entry["name"] for entry in presets[f"{kind}Presets"]})
        ninja = next(entry for entry in presets["configurePresets"] if entry["name"] == "windows-ci")
        self.assertEqual(ninja["generator"], "Ninja")
        enter = named("windows", "Enter Visual Studio's developer environment")
        self.assertEqual(enter["if"], "matrix.preset == 'windows-ci'", "Ninja doesn't look for the compiler")

    def test_files_exist(self):
        files = re.findall(r"\b((?:packaging|exporter|config)[\\/][\w\\/.-]+\.\w+|scripts/\w+)\b", TEXT)
        self.assertGreater(len(files), 6)
        self.assertEqual([name for name in files if not (ROOT / name.replace("\\", "/")).is_file()], [])

    def test_what_the_windows_build_is_said_to_make_is_what_it_makes(self):
        made = {name for name in re.findall(r"\$env:BUILT\\([\w.]+)", TEXT) if "." in name}
        self.assertEqual(made, {"winperf_exporter.exe", "winperf_exporter_perf.dll", "winperf_exporter_trial.dll", "winperf_installer.dll"})
        lists = "".join((ROOT / name / "CMakeLists.txt").read_text() for name in ("service", "service/selftest/trial", "exporter/counters/win", "packaging/windows"))
        for target in ("winperf_exporter", "winperf_exporter_perf", "winperf_exporter_trial", "winperf_installer"):
            self.assertRegex(lists, rf'\({target} PROPERTIES [^)]*OUTPUT_DIRECTORY "\$<1:\$\{{PROJECT_BINARY_DIR\}}>"')

    def test_python_scripts_are_of_the_version_that_windows_images_have(self):
        """Python 3.9 on windows-2022."""
        scripts = re.findall(r"\bpython (packaging\\[\w\\]+\.py)", TEXT)
        self.assertEqual(len(scripts), 1)
        for path in ((ROOT / scripts[0].replace("\\", "/")).parent).glob("*.py"):
            ast.parse(path.read_text(), feature_version=(3, 9))

    def test_options_of_scripts_exist(self):
        for script, arguments in re.findall(r"run: (scripts/\w+)(.*)", TEXT):
            help_text = subprocess.run([ROOT / script, "--help"], capture_output=True, text=True, timeout=60).stdout
            for option in re.findall(r"--[a-z-]+", arguments):
                self.assertIn(option, help_text, script)

    def test_options_of_selftest_exist(self):
        known = (ROOT / "docs/cli.md").read_text().split("## winperf_exporter selftest\n")[1].split("\n## ")[0]
        used = set(re.findall(r"--[a-z]+", "\n".join(line for line in TEXT.splitlines() if " selftest --" in line or "$more =" in line)))
        self.assertEqual(used, {"--list", "--out", "--with", "--msi", "--undo"})
        self.assertEqual([option for option in used if f"\n  {option}" not in known], [])

    def test_the_sentence_of_undo_is_the_commands(self):
        sentence = re.search(r"\$told -notcontains '([^']+)'", TEXT)[1]
        self.assertTrue(f'"{sentence}\\n"' in (ROOT / "service/commands/selftest.cc").read_text(), sentence)

    def test_metrics_that_an_installed_exporter_must_have_are_documented(self):
        names = re.search(r"foreach \(\$name in ((?:'winperf_\w+'(?:, )?)+)\)", TEXT)[1].strip("'").split("', '")
        page = (ROOT / "docs/metric-list.md").read_text()
        self.assertEqual([name for name in names if f"\n{name} " not in page], [])


@unittest.skipIf(yaml is None, "NO PYYAML: not tested")
class AfterAFailure(unittest.TestCase):
    def test_a_run_on_windows_tells_about_everything(self):
        """Only what makes the executable stops those after it."""
        bare = [step["name"] for step in steps("windows") if "run" in step and "cancelled()" not in step.get("if", "")]
        self.assertEqual(bare, ["Read the baseline and the image's version", "Prepare vcpkg", "Fetch uPlot and esbuild for the page",
                                "Enter Visual Studio's developer environment", "Configure", "Build"])
        self.assertIn("always()", [step.get("if") for step in steps("windows") if step.get("uses") == "actions/upload-artifact@v7"])

    def test_warnings_stop_no_build_and_fail_the_job(self):
        self.assertIn("-D WINPERF_WERROR=OFF", named("windows", "Configure")["run"])
        check = named("windows", "No warnings")
        self.assertIn("throw", check["run"])
        log = re.search(r"Tee-Object -FilePath (\S+)", named("windows", "Build")["run"])[1]
        self.assertIn(f"Get-Content {log} ", check["run"])

    def test_what_counts_as_a_warning(self):
        pattern = re.search(r"Select-String '(\S+ \S+)'", named("windows", "No warnings")["run"])[1]
        for line in (r"D:\a\x.cc(12): warning C4244: '=': conversion", r"x.obj : error LNK2019: unresolved", r"x.rc(3): warning RC4005 : x",
                     r"x.cc(1): fatal error C1083: Cannot open include file"):
            self.assertTrue(re.search(pattern, line), line)
        for line in ("[12/900] Building CXX object warning.cc.obj", "ninja: error: x", "    0 Warning(s)"):
            self.assertFalse(re.search(pattern, line), line)

    def test_a_selftest_runs_whatever_failed_before(self):
        job = JOBS["selftest"]
        self.assertIn("!cancelled()", job["if"])
        self.assertEqual(set(job["needs"]), {"packages", "windows"})
        self.assertNotIn("scripts/test", json.dumps(steps("packages")), "a test that fails would leave nothing to try")
        self.assertEqual({step.get("if") for step in job["steps"][2:]}, {"${{ !cancelled() }}", "always()"})
        self.assertEqual(job["steps"][-1]["if"], "always()")
        self.assertEqual({row["image"] for row in rows_of(job)}, {"windows-2022", "windows-2025", "windows-11-arm"})

    def test_the_program_is_kept_before_its_tests_run(self):
        order = [step.get("name") or step.get("with", {}).get("name") for step in steps("windows")]
        self.assertLess(order.index("program-${{ matrix.image }}"), order.index("Test"))


if __name__ == "__main__":
    unittest.main()
