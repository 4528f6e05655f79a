#!/usr/bin/env python3
"""Breaks the statements of docs/conformance.md one at a time, and looks whether a test that its row names notices.

Call it as scripts/mutate --conformance. The changes are those of conformance.txt, made in a copy of the sources in the cache
folder. Only the tests that a row names are built and run for it, one after the other, until one fails."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import breakages
import mutate

sys.path.insert(0, str(mutate.ROOT / "tests/support"))
import conformance_page  # noqa: E402

QUERY = ".cmake/api/v1/query/codemodel-v2"


def needs_windows(test):
    """Whether it is one of those that have nothing to show in a build for another system."""
    return "win" in test.parts or test.parts[1] in ("e2e", "formula_pdh", "providers")


class Copy:
    """The sources, and what is built from them. The build is a folder of theirs, as it is for who works on them, so that
    ccache knows what they have compiled."""

    def __init__(self, folder, wine, captures):
        self.lock = mutate.locked(folder)
        self.source = folder / "source"
        self.preset = "mingw-release" if wine else "linux-debug"
        self.build = self.source / "build" / self.preset
        self.wine = wine
        self.runner = [shutil.which("wine") or "wine"] if wine else []
        self.environment = {"WINPERF_CAPTURES": str(captures)}

    def prepare(self):
        mutate.copy_sources(self.source)
        query = self.build / QUERY
        query.parent.mkdir(parents=True, exist_ok=True)
        query.touch()
        self.run("cmake", "--preset", self.preset, f"-DWINPERF_CAPTURES={self.environment['WINPERF_CAPTURES']}",
                 *([] if self.wine else mutate.linker_options()))
        self.executables = {source["path"]: target for target in self.targets() for source in target["sources"]
                            if target["type"] == "EXECUTABLE"}
        listed = subprocess.run(["ctest", "--test-dir", self.build, "--show-only=json-v1"], check=True, stdout=subprocess.PIPE)
        self.listed = json.loads(listed.stdout)["tests"]

    def run(self, *command):
        done = subprocess.run(command, cwd=self.source, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace")
        if done.returncode != 0:
            raise RuntimeError(done.stdout[-4000:])

    def targets(self):
        return [json.loads(path.read_text()) for path in sorted((self.build / ".cmake/api/v1/reply").glob("target-*.json"))]

    def plan(self, names):
        """Returns those of the tests that this build has, each with the targets that it needs. Scripts run the whole program, which
        takes longer to build and to run, so they are asked only where nobody else can be."""
        files = [(name, file) for name in names for file in conformance_page.test_files()[name]
                 if not self.wine or needs_windows(file)]
        return ([found for name, file in files if (found := self.case(name, file))]
                or [found for name, file in files if (found := self.script(name, file))])

    def case(self, name, file):
        """Returns a test of GoogleTest and its target; None if this build has none in that file."""
        target = self.executables.get(str(file))
        if target is None:
            return None
        path = self.build / target["artifacts"][0]["path"]
        # Cases with parameters have a name before and a number behind.
        command = [*self.runner, str(path), f"--gtest_filter={name}:*/{name}/*"]
        return mutate.Test(name, command, self.environment, path.parent), [target["name"]]

    def script(self, name, file):
        """The same of a test in Python."""
        for listed in self.listed:
            command = listed.get("command", [])
            if not any(word.endswith(f"/{file}") for word in command):
                continue
            properties = {one["name"]: one["value"] for one in listed.get("properties", [])}
            environment = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
            words = [*command, *environment.values()]
            paths = {target["artifacts"][0]["path"]: target["name"] for target in self.targets() if target.get("artifacts")}
            needs = [target for path, target in paths.items() if str(self.build / path) in words]
            test = mutate.Test(name, [*command, name.split(".", 1)[1]], environment, pathlib.Path(properties["WORKING_DIRECTORY"]))
            return test, needs
        return None

    def make(self, targets):
        self.run("cmake", "--build", str(self.build), "--target", *sorted(set(targets)))


def judge(copy, breakage, plan):
    """Returns the name of the first test that notices; "" if none does; None if the change doesn't compile."""
    path = copy.source / breakage.file
    text = path.read_text()
    path.write_text(breakage.applied(text))
    try:
        for test, targets in plan:
            copy.make(targets)
            if not test.passes():
                return test.name
        return ""
    except RuntimeError as error:
        print(error)
        return None
    finally:
        path.write_text(text)


def parse(arguments):
    parser = argparse.ArgumentParser(prog="scripts/mutate --conformance", description=__doc__.split("\n")[0])
    parser.add_argument("rows", nargs="*", metavar="ROW", help="such as S004-9; default: all")
    parser.add_argument("--conformance", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--wine", action="store_true", help="break what only a build for Windows shows, under Wine")
    parser.add_argument("--list", action="store_true", help="print the changes and build nothing")
    parser.add_argument("--cache", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--captures", type=pathlib.Path, help=argparse.SUPPRESS,
                        default=os.environ.get("WINPERF_CAPTURES") or mutate.ROOT.parent / "shared/captures")
    options = parser.parse_args(arguments)
    known = {row["id"] for row in conformance_page.rows()}
    for row in options.rows:
        if row not in known:
            parser.error(f'docs/conformance.md has no row "{row}"')
    return options


def main(arguments):
    options = parse(arguments)
    wanted = [one for one in breakages.breakages(breakages.TABLE.read_text())
              if one.wine == options.wine and (not options.rows or one.row in options.rows)]
    if options.list:
        for one in wanted:
            print(f"{one}\n{one.old}\n=>\n{one.new}\n")
        return 0
    rows = {row["id"]: row for row in conformance_page.rows()}
    began = time.monotonic()
    copy = Copy(options.cache / "mutation-conformance", options.wine, options.captures)
    copy.prepare()
    plans = {}
    for row in {one.row for one in wanted}:
        plans[row] = copy.plan(conformance_page.tests_of(rows[row]))
        if not plans[row]:
            sys.exit(f"{row}: this build has none of its tests")
    copy.make([target for plan in plans.values() for _, targets in plan for target in targets])
    for name, test in sorted({test.name: test for plan in plans.values() for test, _ in plan}.items()):
        if not test.passes():
            sys.exit(f"{name} fails without any change, so it can't judge one")
    failed = 0
    for one in sorted(wanted, key=lambda one: one.file):  # so that what is built again is mostly what was
        noticed = judge(copy, one, plans[one.row])
        outcome = f"noticed by {noticed}" if noticed else "NOT BUILT" if noticed is None else "SURVIVED"
        failed += 0 if noticed else 1
        print(f"[{time.monotonic() - began:5.0f} s] {one}: {outcome}", flush=True)
    print(f"\n{len(wanted) - failed} of {len(wanted)} changes noticed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
