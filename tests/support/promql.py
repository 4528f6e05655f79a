"""Which series a query in PromQL asks for. It is no parser: it knows the words that are no metrics, and where lists of labels
are, and trusts that the query is well-formed."""

import re

TOKEN = re.compile(r"""
    (?P<blank> \s+ | \#[^\n]*)
  | (?P<text> "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' | `[^`]*`)
  | (?P<range> \[[^\]]*\])
  | (?P<number> (?:0x[0-9a-fA-F]+ | \d+(?:\.\d*)?(?:[eE][-+]?\d+)? | \.\d+) (?:[smhdwy]|ms)?(?:\d+(?:[smhdwy]|ms))*\b)
  | (?P<word> [a-zA-Z_:][\w:]*)
  | (?P<sign> .)
""", re.VERBOSE | re.DOTALL)
GROUPING = {"by", "without", "on", "ignoring", "group_left", "group_right"}
AGGREGATIONS = {"sum", "min", "max", "avg", "group", "stddev", "stdvar", "count", "count_values", "bottomk", "topk", "quantile"}
OTHER_WORDS = {"and", "or", "unless", "atan2", "bool", "offset", "inf", "nan"}


def tokens_of(query):
    return [(match.lastgroup, match.group()) for match in TOKEN.finditer(query) if match.lastgroup != "blank"]


def end_of(tokens, start, closing):
    return next(i for i in range(start, len(tokens)) if tokens[i] == ("sign", closing)) + 1


def selectors_of(query):
    """Each selector, such as windows_os_info{job="a"}, as it is written, without blanks outside of texts."""
    tokens = tokens_of(query)
    found = []
    i = 0
    while i < len(tokens):
        kind, text = tokens[i]
        following = tokens[i + 1] if i + 1 < len(tokens) else None
        if kind == "word" and text.lower() in GROUPING:
            i = end_of(tokens, i, ")") if following == ("sign", "(") else i + 1
        elif (kind, text) == ("sign", "{"):
            end = end_of(tokens, i, "}")
            found.append("".join(token for _, token in tokens[i:end]))
            i = end
        elif kind != "word" or following == ("sign", "(") or text.lower() in AGGREGATIONS | OTHER_WORDS:
            i += 1
        else:
            end = end_of(tokens, i, "}") if following == ("sign", "{") else i + 1
            found.append("".join(token for _, token in tokens[i:end]))
            i = end
    return found


def metric_of(selector):
    return selector.partition("{")[0]
