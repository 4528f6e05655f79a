#!/usr/bin/env python3
"""What instructions.py reads from a profile, and when it complains."""

import unittest

from instructions import ALL, FEW, Cost, dearer, own_instructions, page_rows, read

PROFILE = """\
events: Ir
summary: 1000

ob=(1) build/winperf_work
fl=(1) ???
fn=(1) measured_step
0 10
+3 5
cob=(2) /usr/lib/x86_64-linux-gnu/libc.so.6
cfn=(2) memcpy
calls=1 0
* 400

ob=(2)
fn=(2)
12 400

ob=(3) libdeflate.so.0
fn=(3) deflate
-2 7
ob=(4) /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2
fn=(4) _dl_fixup
7 90
"""


class Instructions(unittest.TestCase):
    def test_those_of_the_c_library_and_of_calls_are_not_counted(self):
        self.assertEqual(own_instructions(PROFILE), 10 + 5 + 7)

    def test_more_than_a_twentieth_is_dearer(self):
        before = Cost("value", 100.0, 60)
        self.assertFalse(dearer(Cost("value", 104.9, 60), before))
        self.assertTrue(dearer(Cost("value", 105.1, 60), before))
        self.assertTrue(dearer(Cost("value", 1.0, 65), before))

    def test_where_nothing_is_allocated_one_allocation_is_dearer(self):
        before = Cost("value", 100.0, 0)
        self.assertFalse(dearer(Cost("value", 100.0, 0), before))
        self.assertTrue(dearer(Cost("value", 100.0, 1), before))

    def test_each_step_that_is_counted_is_recorded(self):
        compiler, costs = read()
        self.assertRegex(compiler, r"^g\+\+ \d")
        self.assertEqual(list(costs), ALL)
        self.assertLessEqual(set(FEW), set(ALL))

    def test_the_page_has_a_row_for_each_step(self):
        rows = page_rows({("v1", "A"): Cost("value", 1234.5, 6), ("v1", "C"): Cost("value", 7.0, 0)})
        self.assertEqual(rows, "| v1, a value | 1,234 (6) | 7 (0) |  |")


if __name__ == "__main__":
    unittest.main()
