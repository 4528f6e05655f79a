#!/usr/bin/env python3
"""Tests the scripts' options and what they say of their progress, and scripts/test, scripts/lint, scripts/compare-queries and
scripts/run --simulated with substitutes for clang-format, clang-tidy, ctest and the exporter, and what scripts/compare-pages takes
for a difference.

    scripts_test.py SOURCE_DIRECTORY [unittest arguments]
"""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()

class Options(unittest.TestCase):
    def refused(self, script, *arguments):
        """Returns the exit code and the first line on standard error, without the seconds that it begins with."""
        result = subprocess.run([ROOT / "scripts" / script, *arguments], capture_output=True, text=True, timeout=60)
        return result.returncode, re.sub(r"^\[ *\d+ s\] ", "", result.stderr.splitlines()[0])

    def test_help_is_the_comment_at_the_top(self):
        for script in ("lint", "msvc", "newer", "package", "run", "test"):
            result = subprocess.run([ROOT / "scripts" / script, "--help"], capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, 0, script)
            lines = result.stdout.splitlines()
            self.assertTrue(lines[0].startswith(f"Usage: scripts/{script} ["), lines[0])
            self.assertTrue(lines[-1].endswith("."), lines[-1])
            self.assertNotIn("shellcheck", result.stdout)

    def test_wrong_options_are_named(self):
        for script in ("lint", "msvc", "newer", "package", "run", "test"):
            self.assertEqual(self.refused(script, "--frmat=x"), (2, f"{script}: unknown option '--frmat'"))
        self.assertEqual(self.refused("test", "--filter"), (2, "test: --filter requires a value"))
        self.assertEqual(self.refused("run", "--port=http"), (2, "run: --port requires a number, not 'http'"))

    def test_a_configuration_file_that_does_not_exist(self):
        for arguments in ((), ("--simulated",)):
            self.assertEqual(self.refused("run", *arguments, "--config=/nowhere/x.yaml"),
                             (1, "error: there is no configuration file /nowhere/x.yaml"))


# Serves nothing; says what it was started with, and ends by Ctrl-C.
SIMULATED = r'''
trap 'echo stopped; exit 0' INT
echo "server: $WINPERF_SIMULATOR; arguments: $*"
echo >"$HOME/listening"
while true; do sleep 0.1; done'''
# The exporter's status, for a script that waits until it is ready.
CURL = '[[ ! -e $HOME/listening ]] || echo -n 200'


class RunSimulated(unittest.TestCase):
    """scripts/run --simulated, with substitutes for the exporter and for everything that builds."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.project = self.folder / "project"
        self.tools = self.folder / "bin"
        for name in ("bash", "env", "python3", "sed", "grep", "head", "tail", "mkdir", "nproc", "dirname", "cut", "awk", "tee",
                     "realpath", "sleep", "timeout"):
            self.script(self.tools / name, f'exec {shutil.which(name)} "$@"')
        for name in ("run", "lib.sh"):
            (self.project / "scripts").mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "scripts" / name, self.project / "scripts")
        self.script(self.tools / "cmake", 'echo "$*" >>"$BUILT"')
        self.script(self.tools / "dpkg-query", "echo installed")
        self.script(self.tools / "curl", CURL)
        self.script(self.project / "packaging/deps/build_deps.sh", 'echo "dependencies: $*" >>"$BUILT"')
        self.script(self.project / "build/linux-release/tests/simulator/winperf_exporter_simulated", SIMULATED)
        self.configuration = self.project / "tests/simulator/server/server.yaml"
        self.configuration.parent.mkdir(parents=True)
        shutil.copy(ROOT / self.configuration.relative_to(self.project), self.configuration)

    def script(self, file, text):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!{shutil.which('bash')}\n{text}\n")
        file.chmod(0o755)

    def lines_until_interrupted(self, *arguments):
        """Returns the exit code and all output of a run that Ctrl-C ends when it is ready."""
        with subprocess.Popen([self.project / "scripts/run", "--simulated", *arguments], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, start_new_session=True, env={
                                  "PATH": str(self.tools), "HOME": str(self.folder), "BUILT": str(self.folder / "built"),
                                  "XDG_CACHE_HOME": str(self.folder / "cache")}) as run:
            lines = []
            for line in run.stdout:
                lines.append(line.rstrip())
                if "ready: http://127.0.0.1:" in line:
                    run.send_signal(signal.SIGINT)
            return run.wait(timeout=60), lines

    def test_it_is_built_natively_and_ended_by_ctrl_c(self):
        code, lines = self.lines_until_interrupted("--port=0")
        self.assertEqual(code, 0, lines)
        built = (self.folder / "built").read_text()
        self.assertIn("dependencies: native", built)
        self.assertIn("--build --preset linux-release --target winperf_exporter_simulated", built)
        self.assertNotIn("mingw", built)
        port = re.search(r"ready: http://127\.0\.0\.1:(\d+)/metrics ", "\n".join(lines))[1]
        self.assertIn(f"server: server; arguments: run --config {self.configuration} --listen 127.0.0.1:{port}", lines)
        self.assertEqual(lines[-1], "stopped")

    def built_badly(self, ending):
        """Returns the exit code and all output of a run whose build writes bytes that are no text, and then this."""
        self.script(self.tools / "cmake", f"[[ $1 != --build ]] || {{ printf 'a\\0b\\n'; {ending} }}")
        done = subprocess.run([self.project / "scripts/run", "--simulated", "--port=0"], capture_output=True, text=True, timeout=60,
                              start_new_session=True, env={"PATH": str(self.tools), "HOME": str(self.folder), "BUILT": os.devnull,
                                                           "XDG_CACHE_HOME": str(self.folder / "cache")})
        return done.returncode, done.stdout + done.stderr

    AGAIN = "To repeat: cmake --build --preset linux-release --target winperf_exporter_simulated"

    def test_a_build_that_fails_shows_its_errors(self):
        code, output = self.built_badly("echo 'x.cc:1: error: wrong'; exit 1;")
        self.assertEqual(code, 1)
        self.assertIn("x.cc:1: error: wrong", output)
        self.assertRegex(output, "error: building linux-release failed; .*" + self.AGAIN)
        self.assertNotIn("binary file matches", output)

    def test_a_build_that_is_stopped_is_no_error(self):
        code, output = self.built_badly("echo 'x.cc:1: error: half'; echo 'ninja: build stopped: interrupted by user.'; exit 2;")
        self.assertEqual(code, 130)
        self.assertIn("stopped. " + self.AGAIN, output)
        self.assertNotIn("error", output)

    def test_ctrl_c_ends_a_build(self):
        code, output = self.built_badly("trap '' INT; kill -INT 0; exit 2;")
        self.assertIn(code, (130, -signal.SIGINT))
        self.assertNotIn("error", output)

    def test_another_configuration(self):
        other = self.folder / "other.yaml"
        other.write_text("interval: 1s\n")
        code, lines = self.lines_until_interrupted("--config", str(other), "--port=0")
        self.assertEqual(code, 0, lines)
        self.assertIn(f"arguments: run --config {other} --listen", "\n".join(lines))


# npm that fetches what it is asked for, or fails.
NPM = r'''
echo "npm $*" >>"$HOME/calls"
[[ -f package-lock.json && ! -e $HOME/offline ]] || exit 1
mkdir -p node_modules/uplot/dist'''


class PagePackages(unittest.TestCase):
    """What scripts do to have the page's packages, with a substitute for npm."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        npm = self.folder / "bin/npm"
        npm.parent.mkdir()
        npm.write_text(f"#!{shutil.which('bash')}\n{NPM}\n")
        npm.chmod(0o755)

    def provided(self):
        """Returns the folder's name and all output."""
        command = f'source "{ROOT}/scripts/lib.sh"; provide_page_packages; echo "folder: $page_packages"'
        result = subprocess.run(["bash", "-c", command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
                                env={"PATH": f"{self.folder}/bin:/usr/bin:/bin", "HOME": str(self.folder),
                                     "XDG_CACHE_HOME": str(self.folder / "cache")})
        self.assertEqual(result.returncode, 0, result.stdout)
        output, _, folder = result.stdout.rstrip("\n").rpartition("folder: ")
        return folder, output

    def calls(self):
        return (self.folder / "calls").read_text().splitlines()

    def test_it_is_fetched_once(self):
        folder, _ = self.provided()
        self.assertTrue(pathlib.Path(folder, "uplot/dist").is_dir(), folder)
        self.assertEqual(self.provided(), (folder, ""))
        self.assertEqual(self.calls(), ["npm ci --ignore-scripts --no-audit --no-fund"])

    def test_without_it_the_build_continues_and_says_so(self):
        (self.folder / "offline").touch()
        folder, output = self.provided()
        self.assertEqual(folder, "")
        self.assertIn("WARNING: THE PAGE HAS NO CHARTS in this build", output)
        (self.folder / "offline").unlink()
        folder, output = self.provided()
        self.assertTrue(pathlib.Path(folder).is_dir())
        self.assertNotIn("WARNING", output)

    def test_it_is_pinned_and_names_no_host(self):
        lock = json.loads((ROOT / "exporter/page/package-lock.json").read_text())
        package = json.loads((ROOT / "exporter/page/package.json").read_text())
        wanted = package["dependencies"] | package["devDependencies"]
        packages = {name.removeprefix("node_modules/"): entry for name, entry in lock["packages"].items() if name}
        # esbuild's others are the program for each kind of machine.
        self.assertEqual({name: entry["version"] for name, entry in packages.items() if not name.startswith("@esbuild/")}, wanted)
        for entry in packages.values():
            self.assertTrue(entry["integrity"].startswith("sha512-"))
            self.assertNotIn("resolved", entry)


# Steps of a script whose clock the test sets.
STEPS = r'''
source "$1/lib.sh"
announce packages "build linux-debug" tests
begin packages
begin "build linux-debug"
SECONDS=$((SECONDS + 200))
[[ $2 != fail ]] || die "no compiler"
begin tests
SECONDS=$((SECONDS + 5))
finish'''


class Progress(unittest.TestCase):
    """What a script says of its steps: how many, which one, and how long each took the last time."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.script = self.folder / "steps"
        self.script.write_text(STEPS)

    def lines(self, how=""):
        result = subprocess.run(["bash", self.script, ROOT / "scripts", how], text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, timeout=60,
                                env=os.environ | {"XDG_CACHE_HOME": str(self.folder / "cache")})
        return [line.split("] ", 1)[1] for line in result.stdout.splitlines()]

    def test_the_first_time_nothing_is_known(self):
        self.assertEqual(self.lines(), [
            "3 steps, for the first time on this machine: packages, build linux-debug, tests",
            "step 1 of 3: packages", "step 2 of 3: build linux-debug", "step 3 of 3: tests"])

    def test_the_second_time_the_times_are_those_of_the_first(self):
        self.lines()
        announced, *steps = self.lines()
        self.assertRegex(announced, r"^3 steps, 3 min 2\d s the last time on this machine: packages \(\d s\), "
                                    r"build linux-debug \(3 min 2\d s\), tests \([5-9] s\)$")
        self.assertRegex(steps[1], r"^step 2 of 3: build linux-debug, 3 min 2\d s the last time$")

    def test_a_step_that_failed_took_no_time(self):
        self.assertEqual(self.lines("fail")[-1], "error: no compiler")
        self.assertRegex(self.lines()[0], r"^3 steps, \d s the last time without the 2 that are new here: "
                                          r"packages \(\d s\), build linux-debug, tests$")


# Writes what ctest would: of two tests, one fails if there is a file `broken`.
CTEST = r'''
echo "$*" >>"$BUILT"
while (($#)); do [[ $1 != --output-junit ]] || junit=$2; shift; done
log=$(dirname "$junit")/Testing/Temporary/LastTest.log
mkdir -p "$(dirname "$log")"
touch "$log"
if [[ -e $HOME/broken ]]; then status=fail failures=1; else status=run failures=0; fi
echo "<testsuite tests='2' failures='$failures' disabled='0' skipped='0'><testcase name='wire_test' status='$status'/>" >"$junit"
echo "<testcase name='blg_test' status='run'/></testsuite>" >>"$junit"
exit $failures'''


class Test(unittest.TestCase):
    """scripts/test, with substitutes for everything that builds and for ctest."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.project = self.folder / "project"
        (self.project / "scripts").mkdir(parents=True)
        for name in ("test", "lib.sh"):
            shutil.copy(ROOT / "scripts" / name, self.project / "scripts")
        self.script("scripts/lint", "echo formatted")
        self.script("scripts/soak", "echo a month has passed")
        self.script("scripts/load", "echo a scraper has waited; exit 1")
        self.script("scripts/msvc", "echo there is no kit; exit 77")
        self.script("packaging/deps/build_deps.sh", 'echo "dependencies: $*" >>"$BUILT"')
        for name, text in (("cmake", 'echo "$*" >>"$BUILT"'), ("ctest", CTEST), ("dpkg-query", "echo installed"),
                           ("prometheus", ""), ("promtool", ""), ("wine", "echo wine-8.0"), ("wineboot", ""),
                           ("wineserver", 'echo "wineserver $*" >>"$BUILT"')):
            self.script(f"../bin/{name}", text)

    def script(self, name, text):
        file = self.project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!{shutil.which('bash')}\n{text}\n")
        file.chmod(0o755)

    def start(self, *arguments):
        self.built = self.folder / "built"
        self.built.write_text("")
        return subprocess.Popen([self.project / "scripts/test", *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                start_new_session=True, env={
                                    "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "HOME": str(self.folder),
                                    "BUILT": str(self.built), "XDG_CACHE_HOME": str(self.folder / "cache")})

    def run_it(self, *arguments):
        """Returns the exit code, all output, and what was built and tested."""
        with self.start(*arguments) as run:
            output, _ = run.communicate(timeout=60)
        return run.returncode, output, self.built.read_text()

    def test_quick_has_neither_trials_nor_other_builds(self):
        code, output, built = self.run_it("--quick")
        self.assertEqual(code, 0, output)
        self.assertIn("--preset linux-debug", built)
        self.assertIn("--label-exclude ^(trial|fuzz)$", built)
        for word in ("linux-asan", "linux-tsan", "mingw"):
            self.assertNotIn(word, built)
        self.assertEqual(output.splitlines()[-1], "2 passed, 0 failed, 0 skipped")

    def test_places_are_tested_alone(self):
        code, output, built = self.run_it("--on", "tsan", "--filter", "wire")
        self.assertEqual(code, 0, output)
        self.assertIn("--preset linux-tsan", built)
        self.assertIn("--tests-regex wire", built)
        self.assertNotIn("linux-asan", built)
        self.assertNotIn("--label-exclude", built)

    def test_what_failed_is_named_with_what_repeats_it(self):
        (self.folder / "broken").touch()
        code, output, _ = self.run_it("--on=asan")
        self.assertEqual(code, 1, output)
        self.assertRegex(output, r"failed:\n +asan: wire_test\n")
        self.assertIn("""scripts/test --on asan --filter "^(wire_test)$"\n""", output)
        self.assertEqual(output.splitlines()[-1], "1 passed, 1 failed, 0 skipped")

    def test_under_wine_they_run_beside_the_others_and_are_shown_after_them(self):
        os.mkfifo(self.folder / "native")  # each end waits for the other
        self.script("../bin/ctest", 'if [[ $* == *mingw* ]]; then read -r _ <"$HOME/native"; else echo >"$HOME/native"; fi' + CTEST)
        code, output, built = self.run_it("--on", "asan", "--on", "wine")
        self.assertEqual(code, 0, output)
        self.assertLess(built.index("--build --preset mingw-release"), built.index("--preset mingw-release --parallel"))
        self.assertLess(output.index("linux-asan: 2 passed"), output.index("mingw-release: 2 passed"))
        self.assertEqual(output.splitlines()[-1], "4 passed, 0 failed, 0 skipped")
        self.assertEqual(built.splitlines()[-2:], ["wineserver --kill", "wineserver --wait"])

    def test_what_failed_under_wine_is_named_with_what_repeats_it(self):
        (self.folder / "broken").touch()
        code, output, _ = self.run_it("--on", "wine")
        self.assertEqual(code, 1, output)
        self.assertIn("""scripts/test --on wine --filter "^(wire_test)$"\n""", output)

    def test_ctrl_c_ends_those_under_wine_too(self):
        for name in ("began", "never"):
            os.mkfifo(self.folder / name)
        self.script("../bin/ctest", 'echo >"$HOME/began"; read -r _ <"$HOME/never"')
        self.script("scripts/bench", 'read -r _ <"$HOME/began"; kill -INT 0')
        with self.start("--on", "wine", "--on", "cost") as run:
            output, _ = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130, output)
        self.assertEqual(self.built.read_text().splitlines()[-2:], ["wineserver --kill", "wineserver --wait"])
        for environment in pathlib.Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                self.assertNotIn(str(self.folder).encode(), environment.read_bytes(), "a process is left")

    def test_long_checks_are_chosen_and_counted(self):
        code, output, _ = self.run_it("--all", "--on", "long", "--filter", "^(soak|load)$")
        self.assertEqual(code, 1, output)
        self.assertRegex(output, r"step 4 of 5: load\na scraper has waited\n")
        self.assertRegex(output, r"step 5 of 5: soak\na month has passed\n")
        self.assertRegex(output, r"just that again:\n +scripts/load --all\n")
        self.assertEqual(output.splitlines()[-1], "1 passed, 1 failed, 0 skipped")

    def test_a_long_check_that_lacks_what_it_needs_is_skipped_and_says_so(self):
        code, output, _ = self.run_it("--all", "--on", "long", "--filter", "^(soak|msvc)$")
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"step 4 of 5: msvc\nthere is no kit\n")
        self.assertEqual(output.splitlines()[-1], "1 passed, 0 failed, 1 skipped")

    def test_unformatted_files_fail_the_run_that_tests_well(self):
        self.script("scripts/lint", "exit 1")
        code, output, _ = self.run_it("--on", "asan")
        self.assertEqual(code, 1, output)
        self.assertRegex(output, r"failed:\n +formatting\n")
        self.assertRegex(output, r"just that again:\n +scripts/lint --fix\n")


# Reports and formats files that contain two blanks in a row, in clang-format's words.
CLANG_FORMAT = r'''
if [[ $1 == --version ]]; then echo "Debian clang-format version 19.1.7"; exit; fi
fix=false failed=false
for argument; do
  case $argument in
    -i) fix=true ;;
    --*) ;;
    *)
      grep -q '  ' "$argument" || continue
      if $fix; then
        sed -i 's/  */ /g' "$argument"
      else
        echo "$argument:1:2: error: code should be clang-formatted [-Wclang-format-violations]" >&2
        failed=true
      fi ;;
  esac
done
! $failed'''
# Reports files that contain the word "defect", and lists what it checks in the file `checked`.
CLANG_TIDY = r'''
if [[ $1 == --version ]]; then echo "Debian LLVM version 19.1.7"; exit; fi
file=${@: -1}
echo "$file" >>"$CHECKED"
echo "1 warning generated." >&2
! grep -q defect "$file" || { echo "$file:1:1: error: a defect [bugprone-test,-warnings-as-errors]"; exit 1; }'''
NO_APT = 'echo "E: Unable to locate package ${@: -1}" >&2; exit 100'


class Lint(unittest.TestCase):
    """scripts/lint in a small repository, with substitutes for the tools and for everything that builds."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.project = self.folder / "project"
        (self.project / "scripts").mkdir(parents=True)
        for name in ("lint", "lib.sh"):
            shutil.copy(ROOT / "scripts" / name, self.project / "scripts")
        self.tools = self.folder / "bin"
        self.tools.mkdir()
        for name in ("bash", "env", "git", "python3", "sed", "grep", "sort", "paste", "xargs", "head", "tail", "mkdir", "nproc",
                     "dirname", "cut", "tee"):
            (self.tools / name).symlink_to(shutil.which(name))
        self.tool("clang-format-19", CLANG_FORMAT)
        self.tool("clang-tidy-19", CLANG_TIDY)
        self.tool("cmake", "exit 0")
        self.tool("dpkg-query", "echo installed")
        self.tool("apt-get", NO_APT)
        self.tool("sudo", '"$@"')
        self.write("packaging/deps/build_deps.sh", "#!/bin/bash\nexit 0\n")
        self.write("scripts/msvc", '#!/bin/bash\necho "checking: $*"\necho "msvc: newest: $# sources good"\nexit "${MSVC:-0}"\n')
        for name in ("packaging/deps/build_deps.sh", "scripts/msvc"):
            (self.project / name).chmod(0o755)
        for name in ("one.cc", "two.cc", "win/three.cc", "four.h"):
            self.write(name, "int x;\n")
        self.write("two.cc", '#include "four.h"\n')
        build = self.project / "build/lint"
        build.mkdir(parents=True)
        (build / "compile_commands.json").write_text(
            "\n".join(f'"file": "{self.project}/{name}"' for name in ("one.cc", "two.cc")))
        self.write(".gitignore", "build/\n")
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("-c", "user.name=x", "-c", "user.email=x@invalid", "commit", "--quiet", "--message", "first")

    def tool(self, name, script):
        file = self.tools / name
        file.write_text(f"#!{shutil.which('bash')}\n{script}\n")
        file.chmod(0o755)

    def write(self, name, text):
        file = self.project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def git(self, *arguments):
        subprocess.run(["git", "-C", self.project, *arguments], check=True, timeout=60)

    def lint(self, *arguments, msvc=0):
        """Returns the exit code, the lines of output, and the names of the files that clang-tidy checked."""
        checked = self.folder / "checked"
        checked.unlink(missing_ok=True)
        result = subprocess.run([self.project / "scripts/lint", *arguments], text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, timeout=60, env={
                                    "PATH": str(self.tools), "HOME": str(self.folder), "CHECKED": str(checked), "MSVC": str(msvc),
                                    "XDG_CACHE_HOME": str(self.folder / "cache")})
        names = sorted(checked.read_text().split()) if checked.exists() else []
        return result.returncode, result.stdout.splitlines(), names

    def test_sound_sources(self):
        code, lines, checked = self.lint("--base", "HEAD")
        self.assertEqual((code, checked), (0, []), lines)
        self.assertEqual(lines[-1], "clang-format: 4 files good (clang-format-19); clang-tidy: nothing to check, no source"
                         " differs from HEAD")

    def test_formatting_is_reported_and_fixed(self):
        self.write("one.cc", "int  x;\n")
        self.write("new.h", "int  y;\n")
        code, lines, _ = self.lint("--format-only")
        self.assertEqual(code, 1)
        self.assertEqual(lines, ["not formatted: new.h", "not formatted: one.cc",
                                 "clang-format: FAILED, 'scripts/lint --fix' formats the files (clang-format-19)"])
        self.assertEqual(self.lint("--format-only", "--fix")[0], 0)
        self.assertEqual((self.project / "one.cc").read_text(), "int x;\n")
        self.assertEqual(self.lint("--format-only")[0], 0)

    def test_only_what_a_change_touches_is_checked_for_defects(self):
        self.write("one.cc", "int x; // defect\n")
        self.git("-c", "user.name=x", "-c", "user.email=x@invalid", "commit", "--quiet", "--all", "--message", "second")
        self.write("two.cc", '#include "four.h"\nint y;\n')
        code, lines, checked = self.lint("--base", "HEAD")
        self.assertEqual((code, checked), (0, ["two.cc"]), lines)
        self.assertIn("clang-tidy: 1 sources good, 0 not checked (clang-tidy-19)", lines[-1])
        code, lines, checked = self.lint()  # the default is HEAD~1, because there is no origin/main
        self.assertEqual((code, checked), (1, ["one.cc", "two.cc"]), lines)
        self.assertIn("one.cc:1:1: error: a defect [bugprone-test,-warnings-as-errors]", lines)
        self.assertNotIn("1 warning generated.", lines)
        self.assertTrue(lines[-1].endswith("clang-tidy: FAILED (clang-tidy-19); msvc: 2 sources good"), lines[-1])

    def test_a_header_is_checked_through_a_source_that_includes_it(self):
        self.write("four.h", "int z;\n")
        self.assertEqual(self.lint("--base", "HEAD")[2], ["two.cc"])
        self.write("one.h", "int z;\n")
        self.assertEqual(self.lint("--base", "HEAD")[2], ["one.cc", "two.cc"])

    def test_what_a_change_touches_is_checked_as_msvc_sees_it(self):
        self.write("win/three.cc", "int z;\n")
        self.write("posix/five.cc", "int z;\n")
        code, lines, _ = self.lint("--base", "HEAD")
        self.assertEqual(code, 0, lines)
        self.assertIn("checking: win/three.cc", lines)
        self.assertIn("; msvc: 1 sources good", lines[-1])
        code, lines, _ = self.lint("--base", "HEAD", msvc=1)
        self.assertEqual(code, 1, lines)
        self.assertIn("; msvc: FAILED", lines[-1])
        code, lines, _ = self.lint("--base", "HEAD", msvc=77)
        self.assertEqual(code, 0, lines)
        self.assertIn("; msvc: NOT CHECKED, because its kit is missing", lines[-1])
        self.assertNotIn("msvc", "\n".join(self.lint("--all")[1]))

    def test_sources_for_windows_are_named_as_not_checked(self):
        self.write("win/three.cc", "int z;\n")
        code, lines, checked = self.lint("--base", "HEAD")
        self.assertEqual((code, checked), (0, []))
        self.assertIn("not checked, because linux-release does not compile them: win/three.cc", "\n".join(lines))
        self.assertIn("clang-tidy: NOT CHECKED, because linux-release compiles none of the 1 sources", lines[-1])
        self.assertEqual(self.lint("--all")[2], ["one.cc", "two.cc"])

    def test_a_tool_that_cannot_be_installed_is_no_good_result(self):
        for name in ("clang-format-19", "clang-tidy-19"):
            (self.tools / name).unlink()
        self.tool("clang-format", CLANG_FORMAT.replace("19.1.7", "14.0.6"))  # formats differently
        self.tool("dpkg-query", "exit 1")
        code, lines, _ = self.lint()
        self.assertEqual(code, 0, lines)
        self.assertEqual(lines[-1], "clang-format: NOT CHECKED, because clang-format-19 could not be installed;"
                         " clang-tidy: NOT CHECKED, because clang-tidy-19 could not be installed")
        self.assertIn("E: Unable to locate package", "\n".join(lines))

    def test_a_folder_without_git(self):
        shutil.rmtree(self.project / ".git")
        code, lines, _ = self.lint()
        self.assertEqual((code, lines), (0, ["NOT CHECKED, because only git knows the project's files, and this is not a git"
                                             " checkout"]))

    def test_wrong_arguments(self):
        code, lines, _ = self.lint("--bse=HEAD")
        self.assertEqual((code, lines[0]), (2, "lint: unknown option '--bse'"))
        self.assertEqual(self.lint("--base")[1][0], "lint: --base requires a value")
        code, lines, _ = self.lint("--base", "nowhere")
        self.assertEqual(code, 1)
        self.assertIn("git has no revision 'nowhere' in this history: name another with --base", lines[-1])


# The last lines of the kit's check, with the findings of the file `found`.
KIT = r'''
echo "$*" >>"$HOME/asked"
cat "$HOME/found" 2>/dev/null && exit "$(<"$HOME/status")"
echo "4 sources in 3 s (2 s of processor time) with microsoft/STL x: 0 errors, 0 errors outside the project, 0 warnings"'''


class Msvc(unittest.TestCase):
    """scripts/msvc, with substitutes for the kit and for everything that builds."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.project, self.kit = self.folder / "project", self.folder / "kit"
        (self.project / "scripts").mkdir(parents=True)
        for name in ("msvc", "lib.sh"):
            shutil.copy(ROOT / "scripts" / name, self.project / "scripts")
        for tag in ("msvc-build-tools-14.51", "vs-2022-17.14"):
            (self.kit / "stl" / tag / "inc").mkdir(parents=True)
        self.script(self.kit / "check.sh", KIT)
        self.script(self.project / "packaging/deps/build_deps.sh", "")
        self.script(self.folder / "bin/dpkg-query", "echo installed")
        self.script(self.folder / "bin/cmake", 'echo "$*" >>"$HOME/built"')
        (self.project / "build/msvc").mkdir(parents=True)
        (self.project / "build/msvc/compile_commands.json").write_text(f'"file": "{self.project}/config/a.cc"')
        self.script(self.folder / "bin/ninja", '''
            [[ $* != *"-t targets all" ]] && echo "$*" >>"$HOME/built" ||
              printf '%s\\n' 'generated/a/version.h: CUSTOM_COMMAND' 'a.o: CXX_COMPILER' ''')

    def script(self, file, text):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!{shutil.which('bash')}\n{text}\n")
        file.chmod(0o755)

    def run_it(self, *arguments, kit=None):
        """Returns the exit code, the last line of output, what was built, and what the kit was asked; keeps all output."""
        for name in ("asked", "built"):
            (self.folder / name).write_text("")
        result = subprocess.run([self.project / "scripts/msvc", *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                timeout=60, env={"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "HOME": str(self.folder),
                                                 "WINPERF_MSVC_CHECK": str(kit or self.kit), "XDG_CACHE_HOME": str(self.folder / "cache")})
        self.output = result.stdout
        return (result.returncode, result.stdout.splitlines()[-1], (self.folder / "built").read_text(),
                (self.folder / "asked").read_text().splitlines())

    def found(self, text, status=0):
        (self.folder / "found").write_text(text)
        (self.folder / "status").write_text(str(status))

    def test_everything_with_each_version_of_the_library(self):
        code, last, built, asked = self.run_it()
        self.assertEqual((code, last), (0, "msvc: msvc-build-tools-14.51: 4 sources good; vs-2022-17.14: 4 sources good"))
        self.assertIn("WINPERF_UNITY=ON", built)
        self.assertIn("generated/a/version.h", built)
        self.assertEqual([line.split()[:2] for line in asked], [["--stl", "msvc-build-tools-14.51"], ["--stl", "vs-2022-17.14"]])
        for line in asked:
            self.assertIn("--more-warnings", line)
            self.assertNotIn("--filter", line)

    def test_some_files_with_the_newest(self):
        code, last, built, asked = self.run_it("config/a.cc", "win/b+c.cc")
        self.assertEqual((code, last), (0, "msvc: newest: 4 sources good"))
        self.assertIn("WINPERF_UNITY=OFF", built)
        self.assertIn("not checked, because a build for Windows does not compile them: win/b+c.cc\n", self.output)
        self.assertIn(r"--filter ^(config/a\.cc|win/b\+c\.cc)$", asked[0])
        self.assertNotIn("--stl", asked[0])

    def test_warnings_errors_and_what_is_found_in_the_text_fail(self):
        sound = "x: 0 errors, 0 errors outside the project, 0 warnings\n"
        text = "found in the text:\n  {}\n\n" + sound
        warned = "warnings:\n{}\n" + sound.replace("0 warnings", "1 warnings")
        macro = "  <command line>:1: 'CPPHTTPLIB_HEADER_MAX_LENGTH' macro redefined [-Wmacro-redefined]  [a.cc and 5 more]\n"
        for found, status, expected in ((sound.replace("0 warnings", "1 warnings"), 0, 1), (sound.replace("x: 0", "x: 2"), 1, 1),
                                        ("check: clang is not installed\n", 1, 1), (sound, 2, 1), (sound, 0, 0),
                                        (text.format("a.cc:3: C4068: an unknown pragma"), 0, 1),
                                        (warned.format(macro), 0, 0), (warned.format("  a.cc:3: unused [-Wunused]\n"), 0, 1),
                                        (warned.format(macro).replace("1 w", "2 w"), 0, 1),
                                        (text.format("collectors/base/hot_loop.h:10: C5030: an unknown attribute"), 0, 0)):
            self.found(found, status)
            code, last, _, _ = self.run_it("--stl", "vs-2022-17.14")
            self.assertEqual(code, expected, found)
            self.assertEqual("FAILED" in last, expected == 1, last)

    def test_without_the_kit_nothing_was_checked_and_that_is_loud(self):
        code, last, built, _ = self.run_it(kit="/nowhere")
        self.assertEqual((code, built), (77, ""))
        self.assertEqual(last, "msvc: NOTHING WAS CHECKED AS MSVC SEES IT, because there is no /nowhere/check.sh: name the kit's folder"
                               " in WINPERF_MSVC_CHECK")


# Prints what it is asked, and one value that tests can change.
EXPORTER = r'''
case " $* " in
  *" list "*) echo '{"countersets": [{"name": "Memory"}, {"name": "Network Interface"}]}' ;;
  *" capture "*) while [[ $1 != --out ]]; do shift; done; echo archive >"$2" ;;
  *broken.zip*) echo "exporter: not a capture" >&2; exit 2 ;;
  *) echo "$*" | sed 's/ [a-z]*:[^ ]*//'; echo "value VALUE" ;;
esac'''


class CompareQueries(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.captures = self.folder / "captures"
        self.captures.mkdir()

    def compare(self, *arguments, old=EXPORTER, new=EXPORTER):
        for name, script in (("old", old), ("new", new)):
            (self.folder / name).write_text(f"#!/bin/bash\n{script}\n")
            (self.folder / name).chmod(0o755)
        result = subprocess.run([ROOT / "scripts/compare-queries", self.folder / "old", self.folder / "new", "--captures",
                                 self.captures, *arguments], capture_output=True, text=True, timeout=60, env=os.environ)
        self.assertEqual(result.stderr, "")
        return result.returncode, result.stdout

    def record(self):
        (self.captures / "logs").mkdir()
        (self.captures / "logs/a.blg").touch()
        (self.captures / "folder").mkdir()
        (self.captures / "folder/sample-0000-00.perf").touch()
        (self.captures / "b.zip").touch()

    def test_identical_output(self):
        self.record()
        code, output = self.compare()
        self.assertEqual(code, 0, output)
        lines = output.splitlines()
        recordings = ("b.zip", "folder", "logs/a.blg", "folder as an archive")
        self.assertEqual([line.rsplit(" queries")[0] for line in lines[:-1]],
                         [f"{name}: {form}: 4" for name in recordings for form in ("json", "table", "prometheus")])
        self.assertTrue(all(line.endswith(" bytes: identical") for line in lines[:-1]), output)
        self.assertRegex(lines[-1], r"^all identical: \d+ bytes$")

    def test_a_difference_in_one_format(self):
        self.record()
        code, output = self.compare(new=EXPORTER.replace(
            'echo "value VALUE"', '[[ $* == *table* ]] && echo "value VALVE" || echo "value VALUE"'))
        self.assertEqual(code, 1)
        self.assertEqual(output.count("DIFFERENT"), 4)
        self.assertIn("folder: table: 4 queries of 2 samples", output)
        self.assertRegex(output, r"query --source \S+folder --path registry Memory \"Network Interface\" --format table:")
        self.assertRegex(output, r"\d+ and \d+ bytes, different from offset \d+ on")
        self.assertRegex(output, r"old: b'.*value VALUE\\n'")
        self.assertRegex(output, r"new: b'.*value VALVE\\n'")
        self.assertTrue(output.endswith("16 queries differ\n"), output)

    def test_a_difference_in_length_and_in_exit_code(self):
        (self.captures / "b.zip").touch()
        code, output = self.compare(new=EXPORTER + "\necho more")
        self.assertEqual(code, 1)
        self.assertIn("b.zip: json: 4 queries", output)
        code, output = self.compare(new=EXPORTER + "\necho lost >&2; exit 3")
        self.assertEqual(code, 1)
        self.assertIn("exit code 0 (no message) and 3 (lost)", output)

    def test_nothing_to_compare(self):
        code, output = self.compare()
        self.assertEqual(code, 2)
        self.assertIn("nothing to compare", output)
        (self.captures / "broken.zip").touch()
        code, output = self.compare()
        self.assertEqual(code, 2)
        self.assertIn("OLD failed: exporter: not a capture", output)

    def test_lists_of_names_and_values(self):
        exporter = r"""
case " $* " in
  *prometheus*) printf '# TYPE a_total counter\na_total{disk="C:",of="x"} 1\na_total{disk="D:",of="x"} 2\n' ;;
  *) echo '{"sequence": 0, "values": [{"object": "A", "instance": "i", "counter": "c", "type": "0x0", "raw": 1, "cooked": null,'\
'"reason": "first_sample"}, {"object": "A", "instance": "i", "counter": "d", "type": "0x0", "raw": 2, "cooked": 7.5}]}' ;;
esac"""
        (self.captures / "b.zip").touch()
        lists = self.folder / "lists"
        code, output = self.compare("--lists", lists, old=exporter, new=exporter.replace('"raw": 1', '"raw": 3'))
        self.assertEqual(code, 0, output)
        self.assertEqual(sorted(path.name for path in (lists / "old").iterdir()),
                         ["b.zip.cells", "b.zip.names", "server.names"])
        self.assertEqual((lists / "old/b.zip.names").read_text(), "a_total counter disk,of\n")
        self.assertEqual((lists / "old/b.zip.cells").read_text(),
                         "0\tA\ti\tc\t0x0\t1\tNone\tfirst_sample\n0\tA\ti\td\t0x0\t2\tNone\t7.5\n")
        self.assertIn("\t3\tNone\tfirst_sample", (lists / "new/b.zip.cells").read_text())


class ComparePages(unittest.TestCase):
    PAGE = ('# HELP a A.\n# TYPE a gauge\na{b="1"} 2\na{b="2"} 3\n# HELP winperf_exporter_x X.\n# TYPE winperf_exporter_x gauge\n'
            "winperf_exporter_x 7\n")

    @classmethod
    def setUpClass(cls):
        loader = importlib.machinery.SourceFileLoader("compare_pages", str(ROOT / "scripts/compare-pages"))
        cls.script = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare_pages", loader))
        cls.enterClassContext(contextlib.ExitStack()).callback(setattr, sys, "dont_write_bytecode", sys.dont_write_bytecode)
        sys.dont_write_bytecode = True
        loader.exec_module(cls.script)

    def compare(self, new, again=PAGE):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            same = self.script.compare("page", *map(self.script.page_lines, (self.PAGE, again, new)))
        return same, said.getvalue().splitlines()

    def test_the_same_page(self):
        self.assertEqual(self.compare(self.PAGE), (True, ["page: 7, of which 3 by name alone: identical"]))

    def test_a_value_that_stands_in_old_may_not_change_and_one_that_moves_may(self):
        new = self.PAGE.replace("} 3", "} 4")
        self.assertEqual(self.compare(new), (False, ["page: 7, of which 3 by name alone: DIFFERENT", '  a{b="2"}: 3 became 4']))
        same, lines = self.compare(new, again=self.PAGE.replace("} 3", "} 5"))
        self.assertTrue(same)
        self.assertIn("of which 4 by name alone", lines[0])

    def test_names_types_helps_and_the_order_count(self):
        for new in (self.PAGE.replace('"2"', '"3"'), self.PAGE.replace("a gauge", "a counter"), self.PAGE.replace("a A.", "a B."),
                    self.PAGE.replace('a{b="1"} 2\na{b="2"} 3', 'a{b="2"} 3\na{b="1"} 2'), self.PAGE + "b 1\n",
                    self.PAGE.replace("winperf_exporter_x 7\n", "")):
            self.assertFalse(self.compare(new)[0], new)

    def test_of_json_each_value_counts_and_what_has_none(self):
        self.assertEqual(list(self.script.leaves({"a": [1, {"b": None}], "c": [], "d": {}})),
                         [(".a[0]", "1"), (".a[1].b", "null"), (".c", "[]"), (".d", "{}")])

    def test_what_is_new_about_the_exporter_is_told(self):
        same, lines = self.compare("winperf_exporter_y 8\n" + self.PAGE.replace("x X.", "x Z.").replace("_x 7", "_x 9"))
        self.assertTrue(same)
        self.assertEqual(lines[1:], ["  new: winperf_exporter_y", "  new: # HELP winperf_exporter_x Z."])


if __name__ == "__main__":
    unittest.main()
