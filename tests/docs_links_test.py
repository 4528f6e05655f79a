#!/usr/bin/env python3
"""What the documents point to exists: links with their anchors, file paths, metric names, decision records.

    docs_links_test.py SOURCE_DIRECTORY [unittest arguments]

Every check is a function that returns its findings. The class Documents runs them on this repository and expects none;
the class SelfTest runs them on made-up documents with one thing spoiled, and expects exactly that.
"""

import functools
import json
import pathlib
import posixpath
import re
import sys
import unittest
import urllib.parse

from markdown_pages import CODE_SPAN, anchors, headings, section, slug, split_fences, targets
from repository_files import file_names

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()

# The page with metric names and examples in PromQL. The README may repeat its queries. Beside it there are pages whose names
# and queries tests/packaging/shipped_queries_test.py tries in a real Prometheus.
METRICS = "docs/metrics.md"
OWN_METRICS = "docs/own-metrics.md"  # its tables leave out the prefix
FACTS = "docs/facts.md"  # has those that come from no counter
METRIC_LIST = "docs/metric-list.md"  # what a command has made, which a test compares
TRIED = re.compile(r"docs/(runbooks|(recipes|collectors)/[a-zA-Z_-]+)\.md|packaging/(prometheus|grafana)/README\.md")
README = "README.md"
DOCUMENTS = "docs/README.md"  # the list of documents
DECISIONS = "docs/adr/README.md"  # the list of decision records
COLLECTORS = "docs/collectors/README.md"  # the list of collector sets
OWN_PREFIX = "winperf_exporter_"
# Has names that have changed, and queries before and after. The same test tries the latter.
CHANGED_NAMES = "docs/from-0.1.md"

ADR_FILE = re.compile(r"docs/adr/(\d{4})-[a-z0-9-]+\.md")
ADR_SECTIONS = ["Status", "Context", "Decision", "Consequences"]
ADR_STATUS = re.compile(r"(Proposed|Accepted|Superseded by \[ADR \d{4}\]\(\S+\))\.?")

# Made by the build from a file that is in the repository.
GENERATED = {"service/console/version.h": "service/console/version.h.in"}

PLACEHOLDER = re.compile(r"[*?<>{}\[\]$…]|\.\.\.|\bN{2,}|NAME|FILE|DIR")
METRIC = re.compile(r"\b(winperf_[a-z0-9_]*[a-z0-9])(?![\w<*])")


class Repository:
    """The names of its files, and the text of its documents by name."""

    def __init__(self, files, texts):
        self.files = set(files)
        self.texts = texts
        self.folders = {folder for name in self.files for folder in parents(name)}
        self.top_folders = {name.split("/")[0] for name in self.folders}

    def has(self, path):
        return path in self.files or path in self.folders

    @functools.cached_property
    def stems(self):
        return {re.sub(r"(?<=[^/])\.[^/]*$", "", name) for name in self.files}


def parents(name):
    parts = name.split("/")[:-1]
    return ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]


def read_repository(root):
    names = file_names(root)
    texts = {name: (root / name).read_text(encoding="utf-8") for name in names if name.endswith(".md")}
    return Repository(names, texts)


# --- the checks -----------------------------------------------------------------------------------------

def resolve(page, target):
    """(file or folder, anchor) of a link into the repository; None of one that leads elsewhere."""
    if re.match(r"[a-z][a-z0-9+.-]*:|//", target, re.I):
        return None
    path, _, anchor = target.partition("#")
    path = urllib.parse.unquote(path)
    there = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
    return there, anchor


def dead_links(repository):
    found = []
    for page, text in sorted(repository.texts.items()):
        for target in targets(text):
            place = resolve(page, target)
            if place is None:
                continue
            there, anchor = place
            if not repository.has(there):
                found.append(f"{page}: the link {target} leads to no file")
            elif anchor and anchor not in anchors(repository.texts.get(there, "")):
                found.append(f"{page}: the link {target} leads to no heading of {there}")
    return found


def paths_of(text, top_folders):
    """Words in code, inline or fenced, that begin with a folder of the repository."""
    outside, blocks = split_fences(text)
    code = [match[2] for match in CODE_SPAN.finditer(outside)]
    code += [line for _, lines in blocks for line in lines]
    first = "|".join(map(re.escape, sorted(top_folders)))
    whole = re.compile(rf"(?<![\w/.\\-])(?:\./)?((?:{first})/[^\s`'\"(),;|]*)")
    paths = (re.sub(r"(:\d+|#[\w-]+)?[.:]*$", "", path) for piece in code for path in whole.findall(piece))
    return list(dict.fromkeys(paths))


def missing_paths(repository):
    found = []
    for page, text in sorted(repository.texts.items()):
        for path in paths_of(text, repository.top_folders):
            name = path.rstrip("/")
            if PLACEHOLDER.search(name) or repository.has(GENERATED.get(name, name)) or name in repository.stems:
                continue
            found.append(f"{page}: there is no {path}")
    return found


def bad_decision_records(repository):
    names = sorted(name for name in repository.texts if name.startswith("docs/adr/") and name != DECISIONS)
    found = [f"{name}: a decision record is called NNNN-words-of-its-title.md"
             for name in names if not ADR_FILE.fullmatch(name)]
    names = [name for name in names if ADR_FILE.fullmatch(name)]
    for expected, name in enumerate(names, 1):
        number, text = ADR_FILE.fullmatch(name)[1], repository.texts[name]
        if int(number) != expected:
            found.append(f"{name}: the number after {expected - 1:04} is {expected:04}")
        all_headings = headings(text)
        titles = [heading for level, heading in all_headings if level == 1]
        if len(titles) != 1 or not re.match(rf"ADR {number}: \S", titles[0]):
            found.append(f"{name}: its title is # ADR {number}: and the decision")
        sections = [heading for level, heading in all_headings if level == 2]
        if sections != ADR_SECTIONS:
            found.append(f"{name}: its sections are {', '.join(ADR_SECTIONS)}, not {', '.join(sections)}")
            continue
        found += [f"{name}: {title} is empty" for title in ADR_SECTIONS if not section(text, title).strip()]
        if not ADR_STATUS.fullmatch(section(text, "Status").strip()):
            found.append(f"{name}: its status is Proposed, Accepted, or Superseded by a link to a decision record")
    return found


def unlisted_documents(repository):
    """Decision records and collector sets in their lists; other pages of docs/ and the top folder in the list of documents."""
    records, sets = ({name for name in repository.texts if name.startswith(posixpath.dirname(page) + "/")} - {page}
                     for page in (DECISIONS, COLLECTORS))
    others = {name for name in repository.texts if name.startswith("docs/") or "/" not in name} - records - sets - {README, DOCUMENTS}
    return [f"{page} does not list {name}" for page, wanted in ((DOCUMENTS, others), (DECISIONS, records), (COLLECTORS, sets))
            for name in sorted(wanted and wanted - listed(repository, page))]


def listed(repository, page):
    places = [resolve(page, target) for target in targets(repository.texts[page])]
    return {place[0] for place in places if place}


def known_metrics(texts):
    """Those that docs/metrics.md names in full, and the exporter's own."""
    own = re.findall(r"^\| (.*?) \|", texts[OWN_METRICS], re.M)
    return set(METRIC.findall(texts[METRICS])) | {OWN_PREFIX + name for cell in own for name in re.findall(r"`(\w+)[`{]", cell)}


def strange_metrics(repository, not_metrics):
    known = known_metrics(repository.texts) | set(METRIC.findall(repository.texts.get(FACTS, ""))) | not_metrics
    return [f"{page}: {name} is not on {METRICS}" for page, text in sorted(repository.texts.items())
            if page not in (METRIC_LIST, CHANGED_NAMES) and not TRIED.fullmatch(page)
            for name in sorted(set(METRIC.findall(text)) - known)]


def promql_lines(text):
    return [line.strip() for language, lines in split_fences(text)[1] if language == "promql"
            for line in lines if line.strip()]


def strange_queries(repository):
    known = set(promql_lines(repository.texts[METRICS]))
    found = [f"{README}: this line is not among the queries of {METRICS}: {line}"
             for line in promql_lines(repository.texts[README]) if line not in known]
    return found + [f"{page}: examples in PromQL belong in {METRICS}" for page, text in sorted(repository.texts.items())
                    if page not in (README, METRICS) and not TRIED.fullmatch(page) and promql_lines(text)]


def words_of_cmake(repository, root):
    """Targets and functions of CMake's begin like metrics."""
    files = [name for name in repository.files if name.endswith(("CMakeLists.txt", ".cmake"))]
    return {word for name in files for word in METRIC.findall((root / name).read_text(encoding="utf-8"))}


class Documents(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.repository = read_repository(ROOT)

    def test_there_is_something_to_check(self):
        texts = self.repository.texts
        self.assertGreater(len(texts), 25)
        self.assertGreater(sum(len(targets(text)) for text in texts.values()), 80)
        self.assertGreater(sum(len(paths_of(text, self.repository.top_folders)) for text in texts.values()), 100)
        self.assertGreater(len(known_metrics(texts)), 30)
        self.assertGreater(len(promql_lines(texts[METRICS])), 3)

    def test_links_lead_somewhere(self):
        self.assertEqual(dead_links(self.repository), [])

    def test_paths_exist(self):
        self.assertEqual(missing_paths(self.repository), [])

    def test_generated_files_come_from_ours(self):
        self.assertEqual([source for source in GENERATED.values() if source not in self.repository.files], [])

    def test_decision_records_have_one_form(self):
        self.assertEqual(bad_decision_records(self.repository), [])

    def test_the_lists_have_every_document(self):
        self.assertEqual(unlisted_documents(self.repository), [])

    def test_metrics_are_those_of_one_page(self):
        self.assertEqual(strange_metrics(self.repository, words_of_cmake(self.repository, ROOT)), [])

    def test_queries_are_those_of_one_page(self):
        self.assertEqual(strange_queries(self.repository), [])

    def test_the_changelog_has_the_present_version(self):
        version = json.loads((ROOT / "vcpkg.json").read_text(encoding="utf-8"))["version-semver"]
        entries = [heading for level, heading in headings(self.repository.texts["CHANGELOG.md"]) if level == 2]
        self.assertTrue(entries and entries[0].startswith(version), f"{entries[:1]} is not of {version}")


ADR = """# ADR 0001: We count

## Status

Accepted

## Context

Numbers.

## Decision

We count.

## Consequences

Sums.
"""

SOUND = {
    README: """# It

A [page](docs/metrics.md#labels), its [twin](docs/metrics.md#labels-1), [this](#it) and [theirs](https://example.com/x#y).
`collectors/wire/view.h:12`, `collectors/wire/`, `collectors/wire/view`, `collectors/*/view.h`, `text/plain`.

```sh
collectors/wire/view.h   # [no link](nowhere)
```

```promql
rate(winperf_x_reads_total[5m])
```

## More
""",
    DOCUMENTS: "# Documents\n\n| [metrics.md](metrics.md), [own-metrics.md](own-metrics.md) | [decisions](adr/README.md) |\n",
    DECISIONS: "# Decisions\n\n| [one](0001-we-count.md) |\n",
    METRICS: """# Names

`winperf_x_reads_total`, but `winperf_x_...` and `winperf_x_<hash>_total` are patterns.

## Labels

## Labels

```promql
# how many
rate(winperf_x_reads_total[5m])
```
""",
    OWN_METRICS: """# The exporter's own metrics

| metric | meaning |
|---|---|
| `build_info`, `requests_total{code}` * | one |
""",
    "docs/adr/0001-we-count.md": ADR,
}


class SelfTest(unittest.TestCase):
    def spoiled(self, page="", old="", new="", **texts):
        """The sound documents, one of them with `new` in place of `old`."""
        all_texts = {**SOUND, **texts}
        if page:
            self.assertIn(old, all_texts[page])
            all_texts[page] = all_texts[page].replace(old, new, 1)
        return Repository([*all_texts, "collectors/wire/view.h"], all_texts)

    def findings(self, repository):
        return (dead_links(repository) + missing_paths(repository) + bad_decision_records(repository) +
                unlisted_documents(repository) + strange_metrics(repository, {"winperf_room"}) +
                strange_queries(repository))

    def assert_found(self, repository, *expected):
        found = self.findings(repository)
        self.assertEqual(len(found), len(expected), found)
        for text, words in zip(found, expected):
            self.assertIn(words, text)

    def test_sound_documents_have_no_findings(self):
        self.assert_found(self.spoiled())

    def test_a_link_to_no_file(self):
        self.assert_found(self.spoiled(README, "docs/metrics.md#labels)", "docs/metric.md#labels)"),
                          "README.md: the link docs/metric.md#labels leads to no file")
        self.assert_found(self.spoiled(README, "(#it)", "(../other/x.md)"), "../other/x.md leads to no file")
        self.assert_found(self.spoiled(README, "\n## More", "\n[a]: docs/gone.md\n\n## More"), "docs/gone.md leads to no file")

    def test_a_link_to_no_heading(self):
        self.assert_found(self.spoiled(README, "labels-1", "labels-2"),
                          "labels-2 leads to no heading of docs/metrics.md")
        self.assert_found(self.spoiled(README, "(#it)", "(#that)"), "#that leads to no heading of README.md")

    def test_a_heading_inside_a_fence_is_none(self):
        self.assert_found(self.spoiled(METRICS, "## Labels", "```\n## Labels\n```"), "labels-1 leads to no heading")

    def test_slugs_are_githubs(self):
        for heading, expected in (("What `doctor` prints", "what-doctor-prints"), ("HTTP/JSON, and more!", "httpjson-and-more"),
                                  ("A [link](x.md) -- b", "a-link----b"), ("snake_case Ünder", "snake_case-ünder")):
            self.assertEqual(slug(heading), expected)

    def test_a_path_to_nothing(self):
        self.assert_found(self.spoiled(README, "view.h:12", "views.h:12"), "there is no collectors/wire/views.h")
        self.assert_found(self.spoiled(README, "`collectors/wire/`", "`collectors/wires/`"), "there is no collectors/wires/")
        self.assert_found(self.spoiled(README, "collectors/wire/view.h ", "collectors/wire/vew.h "),
                          "there is no collectors/wire/vew.h")

    def test_a_generated_file_is_not_asked_for(self):
        repository = self.spoiled(README, "`text/plain`", "`service/console/version.h`, `service/other.h`")
        repository.files.add("service/console/version.h.in")
        self.assert_found(Repository(repository.files, repository.texts), "there is no service/other.h")

    def test_a_decision_record_in_another_form(self):
        for old, new, expected in (("# ADR 0001: We", "# 1. We", "its title is # ADR 0001:"),
                                   ("## Context", "## Background", "its sections are"),
                                   ("Numbers.", "", "Context is empty"),
                                   ("Accepted", "Good", "its status is")):
            self.assert_found(self.spoiled("docs/adr/0001-we-count.md", old, new), expected)

    def test_a_comment_inside_a_fence_ends_no_section(self):
        text = SOUND[OWN_METRICS].replace("| metric | meaning |", "```sh\n# a comment\n```\n\n| metric | meaning |")
        self.assertIn("build_info", section(text, "The exporter's own metrics"))
        self.assert_found(self.spoiled(**{OWN_METRICS: text}))

    def test_a_decision_record_with_a_number_left_out(self):
        text = ADR.replace("0001", "0003")
        for name, expected in (("docs/adr/0003-three.md", "0003-three.md: the number after 0001 is 0002"),
                               ("docs/adr/three.md", "three.md: a decision record is called")):
            file = posixpath.basename(name)
            self.assert_found(self.spoiled(DECISIONS, "| [one]", f"| [three]({file}) [one]", **{name: text}), expected)

    def test_a_document_that_its_list_leaves_out(self):
        self.assert_found(self.spoiled(DECISIONS, "[one](0001-we-count.md)", "one"),
                          "docs/adr/README.md does not list docs/adr/0001-we-count.md")
        self.assert_found(self.spoiled(DOCUMENTS, "[decisions](adr/README.md)", "decisions"),
                          "docs/README.md does not list docs/adr/README.md")
        self.assert_found(self.spoiled(**{"SECURITY.md": "# Security\n"}), "docs/README.md does not list SECURITY.md")

    def test_a_metric_of_another_name(self):
        spoiled = self.spoiled(README, "`text/plain`", "`winperf_x_writes_total`, `winperf_exporter_build_info`, "
                               "`winperf_exporter_requests_total{code=\"200\"}`, `winperf_exporter_gone`, `winperf_room`")
        self.assert_found(spoiled, "winperf_exporter_gone is not on", "winperf_x_writes_total is not on")

    def test_a_query_of_another_wording(self):
        self.assert_found(self.spoiled(README, "rate(", "irate("), "not among the queries of docs/metrics.md: irate(")
        self.assert_found(self.spoiled("docs/adr/0001-we-count.md", "Sums.", "```promql\nup\n```"), "examples in PromQL belong")

    def test_pages_that_are_tried_have_queries_of_their_own(self):
        page = {"docs/runbooks.md": "# Runbooks\n\n`winperf_y_total`\n\n```promql\nup\n```\n"}
        self.assert_found(self.spoiled(DOCUMENTS, "| [metrics.md]", "| [books](runbooks.md) | [metrics.md]", **page))


if __name__ == "__main__":
    unittest.main()
