"""The queries and rules that documents show, in fences of the languages promql and yaml."""

import itertools
import pathlib
import sys

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from dashboard_files import Query
from markdown_pages import split_fences
from promql import tokens_of


def fences(text, language):
    return ["\n".join(lines) for found, lines in split_fences(text)[1] if found == language]


def queries(name, text):
    """One in each line, without those that are comments."""
    for fence in fences(text, "promql"):
        for line in fence.splitlines():
            if line.strip() and not line.strip().startswith("#"):
                yield Query(f"{name}: query", line.strip(), "filter" if compares(line) else "document")


def compares(query):
    """Whether it leaves out what is well, as "x == 0" does."""
    depth = 0
    for kind, text in tokens_of(query):
        depth += {"{": 1, "}": -1}.get(text, 0) if kind == "sign" else 0
        if kind == "sign" and text in "<>=!" and not depth:
            return True
    return False


def rule_groups(text):
    """The fences in YAML that are rule files."""
    return [fence for fence in fences(text, "yaml") if "groups" in (yaml.safe_load(fence) or {})]


def changed_queries(name, text):
    """Those in the last column of each table whose columns are "query before" and "query now"."""
    for table in text.split("| query before | query now |\n")[1:]:
        for row in itertools.takewhile(lambda row: row.startswith("| "), table.splitlines()[1:]):
            yield Query(f"{name}: query", row.rstrip("| ").rpartition(" | ")[2].strip("`"), "document")


def configurations(text):
    """The fences in YAML that are the program's configuration: they have one of these keys."""
    keys = {"collect", "countersets", "facts", "metrics", "listen"}
    loaded = ((fence, yaml.safe_load(fence)) for fence in fences(text, "yaml"))
    return [fence for fence, content in loaded if isinstance(content, dict) and keys & content.keys()]
