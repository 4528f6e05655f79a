#!/usr/bin/env python3
"""Changes the sources in one small place at a time and looks whether a test notices.

Call it through scripts/mutate. Each worker has a copy of the sources and a build of its own in the cache folder; the sources
of the project are never touched. A mutant is built and shown to the tests of its room first, then to all others."""

import argparse
import collections
import concurrent.futures
import contextlib
import dataclasses
import fcntl
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import mutants

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ROOMS = ("collectors", "exporter", "config", "service")
EQUIVALENT = ROOT / "tests/mutation/equivalent.txt"
SHORTEST_TIMEOUT = 20
TIMES_OF_BASELINE = 5
MOST_MEMORY = 4 << 30
# The library's checks end a mutant that reads beyond an end or a value that isn't there, as the sanitizers do in other builds.
COMPILER_OPTIONS = "-O1 -D_GLIBCXX_ASSERTIONS"


def product_files(root=ROOT):
    return [path.relative_to(root) for room in ROOMS for path in sorted((root / room).rglob("*"))
            if path.suffix in (".cc", ".h") and "win" not in path.relative_to(root).parts]


def room_of(path):
    return "/".join(part for part in path.parent.parts if part != "posix")


@dataclasses.dataclass(frozen=True)
class Candidate:
    file: pathlib.Path
    text: str
    mutant: mutants.Mutant

    def key(self):
        return (str(self.file), self.mutant.key(self.text))

    def __str__(self):
        return f"{self.file}:{self.mutant.line(self.text)}: {self.mutant.kind}: {self.key()[1]}"


def candidates(room, root=ROOT):
    found = []
    for file in product_files(root):
        if room_of(file) == room:
            text = (root / file).read_text()
            found += [Candidate(file, text, mutant) for mutant in mutants.mutants(text)]
    return found


def drawn(room, seed, root=ROOT):
    """Yields the room's mutants in an order by dice, in which the kinds take turns."""
    dice = random.Random(f"{seed} {room}")
    kinds = collections.defaultdict(list)
    for candidate in candidates(room, root):
        kinds[candidate.mutant.kind].append(candidate)
    for found in kinds.values():
        dice.shuffle(found)
    while kinds:
        for kind in dice.sample(sorted(kinds), len(kinds)):
            yield kinds[kind].pop()
            if not kinds[kind]:
                del kinds[kind]


@dataclasses.dataclass
class Test:
    name: str
    command: list
    environment: dict
    folder: pathlib.Path  # of the source's tests
    seconds: float = 60  # that it takes without a change

    def passes(self):
        """Returns whether the test passes in time. A mutant may loop for ever and take all memory while it does."""
        timeout = max(SHORTEST_TIMEOUT, TIMES_OF_BASELINE * self.seconds)
        with tempfile.TemporaryDirectory(prefix="winperf-mutant-") as temporary:
            test = subprocess.Popen(
                ["timeout", "--kill-after=1", "--signal=KILL", f"{timeout}", "prlimit", f"--as={MOST_MEMORY}", *self.command],
                env=os.environ | self.environment | {"TMPDIR": temporary}, cwd=self.folder, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            # Its number stays its own until it has been waited for; until then its group may be ended.
            os.waitid(os.P_PID, test.pid, os.WEXITED | os.WNOWAIT)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(test.pid, signal.SIGKILL)
            return test.wait() == 0


def linker_options():
    """A mutant that survives its room's tests links all executables again; gold needs half of the usual linker's time."""
    return ["-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=gold"] if shutil.which("ld.gold") else []


def locked(folder):
    """Makes a folder, and keeps others out of it as long as the result lives."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = open(folder / "lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"another run is using {folder}; stop that run first")
    return lock


def copy_sources(to):
    """Makes a folder hold the project's files, and no others but those of a build in it."""
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard", "-z"], check=True,
                            stdout=subprocess.PIPE).stdout.decode().split("\0")
    wanted = {name for name in listed if name and (ROOT / name).is_file()}
    for folder in to.iterdir() if to.exists() else []:
        for path in folder.rglob("*") if folder.is_dir() and folder.name != "build" else [folder]:
            if path.is_file() and str(path.relative_to(to)) not in wanted:
                path.unlink()
    for name in wanted:
        copy, original = to / name, ROOT / name
        if not copy.exists() or copy.read_bytes() != original.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(original, copy)
            shutil.copymode(original, copy)


class Worker:
    """A copy of the sources, and what was built from it."""

    def __init__(self, folder, captures, jobs):
        self.lock = locked(folder)
        self.source, self.build = folder / "source", folder / "build"
        self.captures, self.jobs = captures, jobs
        self.changed = None  # a file, and its text as it was

    def prepare(self):
        copy_sources(self.source)
        self.run("cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                 f"-DCMAKE_CXX_FLAGS_DEBUG={COMPILER_OPTIONS}", *linker_options(), "-DWINPERF_TESTS=ON",
                 "-DWINPERF_WERROR=OFF", "-DWINPERF_DEPS=native", f"-DWINPERF_CAPTURES={self.captures}")
        self.run("ninja", "-C", self.build, "-j", str(self.jobs))
        self.tests = self.find_tests()

    def run(self, *command):
        done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout[-4000:] + f"\n{' '.join(map(str, command))} failed")
        return done.stdout

    def find_tests(self):
        """Returns the tests that run something that was built, each executable once."""
        listed = json.loads(self.run("ctest", "--test-dir", self.build, "--show-only=json-v1"))
        found = {}
        for entry in listed["tests"]:
            command = entry.get("command", [])
            if not any(str(self.build) in word for word in command):
                continue  # it reads texts
            properties = {one["name"]: one["value"] for one in entry.get("properties", [])}
            environment = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
            name = entry["name"]
            if any(word.startswith("--gtest_filter") for word in command):
                name = pathlib.Path(command[0]).name
                command = [command[0], "--gtest_fail_fast", "--gtest_brief=1"]
            folder = pathlib.Path(properties["WORKING_DIRECTORY"])
            found.setdefault(name, Test(name, command, environment, folder))
        return list(found.values())

    def measure(self):
        """Runs all tests on the sources as they are, which has to succeed; their order and timeouts follow from this."""
        for test in self.tests:
            began = time.monotonic()
            if not test.passes():
                sys.exit(f"{test.name} fails without any change, so it can't judge one")
            test.seconds = time.monotonic() - began
        self.tests.sort(key=lambda test: test.seconds)

    def nearest_first(self, room):
        """Returns the room's own tests, and the others."""
        parts = room.split("/")
        for length in range(len(parts), 0, -1):
            folder = self.build / "tests" / "/".join(parts[:length])
            own = [test for test in self.tests if test.folder == folder or folder in test.folder.parents]
            if own:
                return own, [test for test in self.tests if test not in own]
        return [], self.tests

    def keep_nearest(self, rooms):
        """Forgets the tests that are no room's own."""
        own = [test for room in rooms for test in self.nearest_first(room)[0]]
        self.tests = [test for test in self.tests if test in own]

    def judge(self, candidate, near):
        """Returns the test that notices the change; "" if none does; None if the change doesn't compile."""
        self.put(candidate)
        own, others = self.nearest_first(room_of(candidate.file))
        rounds = [(own, self.targets(own))] + ([] if near else [(others, ["all"])])
        for tests, targets in rounds:
            built = subprocess.run(["ninja", "-C", str(self.build), "-j", str(self.jobs), *targets], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
            if built.returncode != 0:
                if " error: " not in built.stdout:
                    raise SystemExit(f"{built.stdout[-2000:]}\nninja failed, but not because of {candidate}")
                return None
            for test in tests:
                if not test.passes():
                    return test.name
        return ""

    def targets(self, tests):
        words = {word for test in tests for word in test.command if word.startswith(str(self.build))}
        return [str(pathlib.Path(word).relative_to(self.build)) for word in sorted(words)]

    def put(self, candidate):
        """Changes one file; the one that was changed before becomes itself again."""
        if self.changed is not None and self.changed[0] != candidate.file:
            self.restore()
        (self.source / candidate.file).write_text(candidate.mutant.applied(candidate.text))
        self.changed = (candidate.file, candidate.text)

    def restore(self):
        if self.changed is not None:
            file, text = self.changed
            (self.source / file).write_text(text)
            self.changed = None


@dataclasses.dataclass
class Score:
    killed: int = 0
    survived: list = dataclasses.field(default_factory=list)
    equivalent: int = 0
    not_built: int = 0

    def judged(self):
        return self.killed + len(self.survived)

    def rate(self):
        return f"{100 * self.killed / self.judged():.0f} %" if self.judged() else "-"


class Run:
    def __init__(self, options, known):
        self.count, self.seeds, self.near, self.known = options.count, options.seed or [1], options.near, known
        self.scores = collections.defaultdict(Score)
        self.lock = threading.Lock()
        self.stopped = False
        self.began = time.monotonic()

    def say(self, text):
        print(f"[{time.monotonic() - self.began:5.0f} s] {text}", flush=True)

    def room(self, worker, room):
        seen = set()
        for seed in self.seeds:
            wanted = self.count
            # Of the copy, since somebody may work on the sources meanwhile.
            worker.restore()
            queue = drawn(room, seed, worker.source)
            while wanted:
                # Those of one file after each other, so that only one file is compiled again.
                batch = sorted((one for _, one in zip(range(wanted), queue)), key=lambda one: str(one.file))
                if not batch:
                    break
                for candidate in batch:
                    if self.stopped:
                        return
                    if candidate.key() not in seen:
                        seen.add(candidate.key())
                        wanted -= self.judge(worker, room, candidate)

    def judge(self, worker, room, candidate):
        """Returns how many mutants were judged: 1, or 0 if this one doesn't count."""
        score = self.scores[room]
        if candidate.key() in self.known:
            score.equivalent += 1
            return 0
        noticed = worker.judge(candidate, self.near)
        with self.lock:
            if noticed is None:
                score.not_built += 1
                return 0
            if noticed:
                score.killed += 1
            else:
                score.survived.append(candidate)
            self.say(f"{'killed by ' + noticed if noticed else 'SURVIVED'}  {candidate}")
        return 1

    def report(self):
        width = max(map(len, self.scores), default=4)
        print(f"\n{'room':<{width}}  mutants  killed  survived  rate  equivalent  not compiled")
        for room, score in sorted(self.scores.items()):
            print(f"{room:<{width}}  {score.judged():>7}  {score.killed:>6}  {len(score.survived):>8}  {score.rate():>5}"
                  f"  {score.equivalent:>10}  {score.not_built:>12}")
        survivors = [candidate for _, score in sorted(self.scores.items()) for candidate in score.survived]
        print(f"\n{len(survivors)} survivors:" if survivors else "\nno survivors")
        for candidate in survivors:
            print(f"  {candidate}")


def parse(arguments):
    parser = argparse.ArgumentParser(prog="scripts/mutate", description=__doc__.split("\n")[0])
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="a folder such as collectors/wire; default: all rooms")
    parser.add_argument("--count", type=int, default=20, help="mutants per room and seed (default: 20)")
    parser.add_argument("--seed", type=int, action="append", help="may be repeated (default: 1)")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="builds at the same time (default: processors)")
    parser.add_argument("--near", action="store_true", help="ask only the tests of the mutant's own room")
    parser.add_argument("--list", action="store_true", help="print all mutants of the rooms and build nothing")
    parser.add_argument("--cache", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    captures = os.environ.get("WINPERF_CAPTURES") or ROOT.parent / "shared/captures"
    parser.add_argument("--captures", type=pathlib.Path, default=captures, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    rooms = sorted({room_of(file) for file in product_files()})
    for room in options.rooms:
        if room.rstrip("/") not in rooms:
            parser.error(f"there is no room \"{room}\"; write one of {', '.join(rooms)}")
    options.rooms = [room.rstrip("/") for room in options.rooms] or rooms
    if options.count < 1 or options.workers < 1:
        parser.error("--count and --workers must be at least 1")
    return options


def main(arguments):
    options = parse(arguments)
    if options.list:
        for room in options.rooms:
            for candidate in candidates(room):
                print(candidate)
        return
    run = Run(options, mutants.equivalent(EQUIVALENT.read_text()))
    count = min(options.workers, len(options.rooms))
    workers = [Worker(options.cache / f"mutation-{number}", options.captures, max(1, os.cpu_count() // count))
               for number in range(count)]
    run.say(f"building {count} copies of the sources below {options.cache}")
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        list(pool.map(Worker.prepare, workers))
        if options.near:
            for worker in workers:
                worker.keep_nearest(options.rooms)
        run.say(f"running {len(workers[0].tests)} tests without a change")
        list(pool.map(Worker.measure, workers))
        free = list(workers)

        def one(room):
            with run.lock:
                worker = free.pop()
            try:
                run.room(worker, room)
            finally:
                worker.restore()
                with run.lock:
                    free.append(worker)
            score = run.scores[room]
            run.say(f"{room}: {score.killed} of {score.judged()} killed ({score.rate()})")
        try:
            list(pool.map(one, options.rooms))
        except BaseException:
            run.stopped = True
            run.say("stopping after the mutants that are being judged")
            raise
    run.report()


if __name__ == "__main__":
    main(sys.argv[1:])
