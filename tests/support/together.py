"""Tests that wait for programs of their own run at the same time: together they take about as long as the longest.

In a module: load_tests = together.load_tests. A test that is named on the command line runs alone.
"""

import concurrent.futures
import contextlib
import unittest

AT_ONCE = 12


def cases(suite):
    for entry in suite:
        if isinstance(entry, unittest.TestCase):
            yield entry
        else:
            yield from cases(entry)


@contextlib.contextmanager
def fixture_of(kind):
    try:
        kind.setUpClass()
        yield
        kind.tearDownClass()
    finally:
        kind.doClassCleanups()


def outcome_of(case):
    outcome = unittest.TestResult()
    case.run(outcome)
    return outcome


class Together(unittest.TestSuite):
    def run(self, result, debug=False):
        with contextlib.ExitStack() as fixtures, concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for kind in {type(case) for case in self._tests}:
                if not getattr(kind, "__unittest_skip__", False):
                    fixtures.enter_context(fixture_of(kind))
            outcomes = list(pool.map(outcome_of, self._tests))
        for outcome in outcomes:
            result.testsRun += outcome.testsRun
            for kind in ("failures", "errors", "skipped", "expectedFailures", "unexpectedSuccesses"):
                getattr(result, kind).extend(getattr(outcome, kind))
        return result


def load_tests(loader, standard, pattern):
    return Together(cases(standard))
