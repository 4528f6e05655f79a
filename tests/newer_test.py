#!/usr/bin/env python3
"""Tests scripts/newer with substitutes for debootstrap, apt and everything that builds: what it makes and calls, what it says where
a machine allows no namespaces, and that nothing of it is left after Ctrl-C.

    newer_test.py SOURCE_DIRECTORY [unittest arguments]
"""

import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()

# A Debian that has nothing but its package database.
DEBOOTSTRAP = 'mkdir -p "$3/usr/sbin" "$3/etc/dpkg/dpkg.cfg.d" "$3"/{dev,proc,sys}; echo "debootstrap $2 $4 ${5:-}" >>"$HOME/calls"'
# One that is never finished: it has something mounted, and a process of its own that says its id, until a pipe is closed.
DEBOOTSTRAP_FOR_EVER = r'''
mkdir -p "$3/mounted"
mount -t tmpfs tmpfs "$3/mounted"
touch "$3/mounted/file"
sleep 1000 &
exec 4>"$HOME/started"
# The id that it has outside of its namespace.
# Not before it has become that program.
found=''
until [[ $found ]]; do
  for process in /proc/[0-9]*; do [[ $(tr '\0' ' ' <"$process/cmdline") != 'sleep 1000 ' ]] || found=$process; done
done
echo "$found" >&4
wait'''


class Newer(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.project = self.folder / "project"
        self.tools = self.folder / "bin"
        (self.project / "scripts").mkdir(parents=True)
        for name in ("newer", "lib.sh"):
            shutil.copy(ROOT / "scripts" / name, self.project / "scripts")
        self.script(self.tools / "dpkg-query", 'case "$*" in *admindir*) echo -n 1:0.41.0-3 ;; *) echo installed ;; esac')
        self.script(self.tools / "apt-get", 'echo "Debian|main|https://debian.invalid/debian"')
        self.script(self.tools / "chroot", 'shift; echo "inside: $*" >>"$CALLS"; [[ $* != *"${FAILS:-nothing}"* ]]')
        self.script(self.tools / "debootstrap", DEBOOTSTRAP)
        prefix = self.folder / "prefix/base"
        self.script(self.project / "packaging/deps/build_deps.sh", f'echo "{prefix};{self.folder}/prefix/tests"')
        for name in ("include/httplib.h", "include/fmt/format.h", "include/xcrypt_bcrypt.h", "lib/libxcrypt_bcrypt.a", "lib/libfmt.a",
                     "lib/cmake/fmt/c.cmake", "lib/cmake/httplib/c.cmake", "lib/cmake/xcrypt_bcrypt/c.cmake"):
            (prefix / name).parent.mkdir(parents=True, exist_ok=True)
            (prefix / name).touch()

    def script(self, file, text):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!{shutil.which('bash')}\n{text}\n")
        file.chmod(0o755)

    def environment(self, **more):
        return {"PATH": f"{self.tools}:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(self.folder),
                "CALLS": str(self.folder / "calls"), "XDG_CACHE_HOME": str(self.folder / "cache"), **more}

    def run_it(self, *arguments, **more):
        return subprocess.run([self.project / "scripts/newer", *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=100, env=self.environment(**more))

    def needs_namespaces(self):
        if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], capture_output=True).returncode:
            self.skipTest("NO NAMESPACES: this machine doesn't let this user have any")

    def calls(self):
        return (self.folder / "calls").read_text().splitlines()

    def test_a_machine_without_namespaces_is_told_and_no_success(self):
        self.script(self.tools / "unshare", "exit 1")
        result = self.run_it("native")
        self.assertEqual(result.returncode, 1)
        self.assertIn("error: NOTHING WAS TESTED WITH NEWER SUITES, because this ", result.stdout)
        self.assertFalse((self.folder / "calls").exists())

    def test_wrong_arguments(self):
        for arguments, message in ((["wine10"], "unknown option 'wine10'"),
                                   (["--suite", "../sid"], "--suite requires the name of a suite, not '../sid'"),
                                   (["--filter"], "--filter requires a value")):
            result = self.run_it(*arguments)
            self.assertEqual((result.returncode, result.stdout.splitlines()[0]), (2, f"newer: {message}"))

    def test_a_suite_is_made_once_and_builds_with_its_own_libraries(self):
        self.needs_namespaces()
        for _ in range(2):
            result = self.run_it("native", "--suite", "future", "--filter", "wire")
            self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("native-future: all passed", result.stdout)
        made = [call for call in self.calls() if call.startswith("debootstrap")]
        self.assertEqual(made, ["debootstrap future https://debian.invalid/debian /usr/share/debootstrap/scripts/sid"])
        configured = next(call for call in self.calls() if " cmake -S " in call)
        self.assertIn(f"-S {self.project} -B {self.project}/build/newer-future ", configured)
        recipe = self.folder / "cache/winperf_exporter/roots/recipe"
        for package in ("httplib", "xcrypt_bcrypt"):
            self.assertIn(f"-D{package}_DIR={recipe}/lib/cmake/{package}", configured.split())
        # The other headers would hide the suite's.
        self.assertEqual({path.name for path in (recipe / "include").iterdir()}, {"httplib.h", "xcrypt_bcrypt.h"})
        self.assertNotIn("WINPERF_DEPS", configured)
        tested = next(call for call in self.calls() if "ctest" in call)
        self.assertTrue(tested.endswith("--tests-regex wire"), tested)
        self.assertEqual((self.folder / "cache/winperf_exporter/roots/future/usr/sbin/policy-rc.d").read_text().split()[-1], "101")

    def test_what_fails_fails_the_run(self):
        self.needs_namespaces()
        for part in ("cmake -S", "cmake --build", "ctest"):
            result = self.run_it("native", FAILS=part)
            self.assertEqual(result.returncode, 1, part)
            self.assertIn("native-sid: failed; the complete log is ", result.stdout)

    def test_nothing_is_left_after_ctrl_c(self):
        self.needs_namespaces()
        self.script(self.tools / "debootstrap", DEBOOTSTRAP_FOR_EVER)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            started = self.folder / "started"
            started.unlink(missing_ok=True)
            os.mkfifo(started)
            with subprocess.Popen([self.project / "scripts/newer", "native"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  env=self.environment(), start_new_session=True) as run:
                # Every process below debootstrap has the pipe open: it ends when the last of them does.
                with open(started, encoding="utf-8") as pipe:
                    self.assertRegex(pipe.readline(), r"^/proc/\d+$")
                    if number == signal.SIGINT:
                        os.killpg(run.pid, number)  # as a terminal does
                    else:
                        run.send_signal(number)
                    ended, _, _ = select.select([pipe], [], [], 60)
                    self.assertTrue(ended, f"something is left 60 s after {number.name}")
                    self.assertEqual(pipe.read(), "")
                self.assertEqual(run.wait(60), -9 if number == signal.SIGKILL else 128 + number)
            self.assertNotIn(str(self.folder), pathlib.Path("/proc/mounts").read_text())
            making = self.folder / "cache/winperf_exporter/roots/sid.new"
            self.assertEqual(list((making / "mounted").iterdir()), [], "what was mounted is no longer there")
            self.assertFalse((self.folder / "cache/winperf_exporter/roots/sid").exists(), "a half Debian is not used")


if __name__ == "__main__":
    unittest.main()
