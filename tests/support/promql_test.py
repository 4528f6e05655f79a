#!/usr/bin/env python3
"""Which series queries ask for."""

import unittest

from promql import metric_of, selectors_of


class Selectors(unittest.TestCase):
    def test_they_are_found(self):
        for query, selectors in (
                ("up", ["up"]),
                ("time() - a:b{x=~\"}{\", }", ["a:b{x=~\"}{\",}"]),
                ("sum by (a, b) (rate(c{d='e'}[5m] offset -1h30m)) / on(f) group_left (g) h > bool 1e3", ["c{d='e'}", "h"]),
                ("topk(25, a) or -avg without(b) (c) and ignoring (d) e unless {__name__=~`f.`}",
                 ["a", "c", "e", "{__name__=~`f.`}"]),
                ("increase(a{}[1m:] offset 5m) * +Inf # b\n", ["a{}"]),
                ("max_over_time(count(a) [1h:5m]) ^ 0x1f", ["a"])):
            self.assertEqual(selectors_of(query), selectors, query)

    def test_a_selector_has_a_metric(self):
        self.assertEqual([metric_of(selector) for selector in ("up", 'a:b{c="{"}', '{d="e"}')], ["up", "a:b", ""])


if __name__ == "__main__":
    unittest.main()
