"""Reads the reference pages about windows_exporter's metrics: each metric with its type, its labels and its counters.

The pages are written for people: tables of several shapes, sentences, {a,b} for several names. Nothing here knows the
project's own tables. What isn't understood is an error, so that no row is lost.
"""

import dataclasses
import itertools
import re

CURRENT, LEGACY = "windows_exporter", "windows_exporter_legacy"
TYPES = {"C": "counter", "G": "gauge"}
# {a,b} after an underscore is a choice of names, after a whole name it is the labels.
NAME = re.compile(r"windows_\w*(?:(?<=_)\{[\w,]+\}\w*)*")
MENTION = re.compile(rf"(?:(?P<counter>[^;:.`{{}}]+?) -> )?`?(?P<name>{NAME.pattern})(?P<labels>\{{[\w,]+\}})?`?"
                     r"(?P<type>(?:,? [CG]\b|,? ?=1|,? 0/1| = )?)(?P<rest>(?:,? is|,) declared)?")
# Tables that are not about metrics, by their first line.
OTHER_TABLES = ("| subject |", "| key |", "| object | name in the tag |", "| metric | change | release |")


@dataclasses.dataclass(frozen=True)
class Row:
    page: str
    line: int
    section: str
    profile: str
    name: str                     # ends in * if the page doesn't say all names
    type: str | None              # None: the page doesn't say it
    labels: frozenset | None      # names; None: the page doesn't say them
    values: tuple = ()            # (label, value) of those that are fixed
    counter: str = ""             # empty: none, or the page doesn't say it

    def __str__(self):
        return f"{self.page}:{self.line}: {self.name}{dict(self.values) or ''}"


class PageError(Exception):
    pass


def cells_of(line):
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def choices(text):
    """Each of the names that a_{b,c}_d stands for."""
    parts = re.split(r"(?<=_)\{([\w,]+)\}", text)
    parts[1::2] = [part.split(",") for part in parts[1::2]]
    parts[::2] = [[part] for part in parts[::2]]
    return ["".join(combination) for combination in itertools.product(*parts)]


def labels_of(cell):
    """'core, state="c1"' as names and fixed values."""
    cell = re.sub(r" \([^)]*\)", "", cell).split(";")[0].strip()
    if cell in ("", "-"):
        return frozenset(), ()
    if not re.fullmatch(r'[a-z_]+(="[^"]*")?(, ?[a-z_]+(="[^"]*")?)*', cell):
        raise PageError(f"labels {cell!r}")
    found = re.findall(r'([a-z_]+)(?:="([^"]*)")?', cell)
    return frozenset(name for name, _ in found), tuple((name, value) for name, value in found if value)


def type_of(cell):
    word = re.match(r"(counter|gauge|[CG])\b|", cell)[0]
    return TYPES.get(word, word or None)


class Page:
    def __init__(self, path):
        self.name = path.name
        self.lines = path.read_text().splitlines()
        self.rows = []
        self.section = ""
        self.columns = self.deferred = None
        for self.number, line in enumerate(self.lines, 1):
            try:
                self.read(line)
            except PageError as error:
                raise PageError(f"{path}:{self.number}: {error}: {line}") from None

    def read(self, line):
        if line.startswith("## "):
            self.section = line[3:]
        if not line.startswith("|"):
            self.columns = None
            if self.is_about_metrics():
                self.read_prose(line)
        elif self.columns is None:
            self.columns = cells_of(line)
            self.reader = None if line.startswith(OTHER_TABLES) else self.reader_of(self.columns)
        elif self.reader and not line.startswith("|--"):
            cells = cells_of(line)
            if len(cells) != len(self.columns):
                raise PageError(f"{len(cells)} cells under {len(self.columns)}")
            self.reader(dict(zip(self.columns, cells)))

    def is_about_metrics(self):
        # "0. Rules" has the exporter's own metrics in a sentence; 13 and 39 are about names that users choose.
        return bool(self.section) and not re.match(r"(13|38|39|40)\. |Older names", self.section)

    def add(self, name, type, labels, values=(), counter=""):
        profile = LEGACY if self.section == "Older names" else CURRENT
        section = self.section.split(" - ")[0]
        self.rows.append(Row(self.name, self.number, section, profile, name, type, labels, values, counter))

    # --- Tables

    def reader_of(self, columns):
        if columns[0].startswith("metric (prefix `"):
            return self.read_prefixed
        readers = {"old name": self.read_old, "WMI class": self.read_properties}
        if columns[0] in readers:
            return readers[columns[0]]
        if "metric" in columns:
            return self.read_row
        raise PageError("a table of an unknown shape")

    def heading_labels(self):
        found = re.search(r"labels? `(\w+)`", self.section)
        return frozenset(found.groups()) if found else frozenset()

    def read_row(self, row):
        name = row["metric"].strip("`")
        if name.startswith("("):
            return  # "(names of the files)"
        name, own_labels = re.fullmatch(r"(\w+)(?:\{(.*)\})?", name).groups()
        label_column = next((column for column in row if column.startswith("labels")), None)
        if own_labels:
            labels, values = labels_of(own_labels)
        elif label_column:
            labels, values = labels_of(row[label_column])
            if label_column == "labels (+process,process_id)":
                labels |= {"process", "process_id"} if not row[label_column].startswith("owner") else set()
        else:
            labels, values = self.heading_labels(), ()
        type = type_of(row["type"]) if "type" in row else "gauge"  # "all G"
        counter = row.get("counter", "")
        self.add(name, type, labels, values, "" if counter.startswith(("(", "-")) else counter)

    def read_prefixed(self, row):
        column = self.columns[0]
        name = re.search(r"`(.*)`", column)[1] + row[column].strip("`")
        labels, _ = labels_of(row["labels"])
        literal = row["literal labels"]
        # The value is that of the last label.
        values = ((row["labels"].split(",")[-1], literal),) if literal else ()
        self.add(name, type_of(row["type"]), labels, values, "" if row["counter"] == "-" else row["counter"])

    def read_properties(self, row):
        labels, _ = labels_of(row["labels"])
        for name in re.sub(r" \([^)]*\)", "", row["properties -> metric suffix"]).split(", "):
            self.add(row["prefix"].strip("`") + name, "gauge", labels)

    def read_old(self, row):
        text, told = row["old name"], row["type, labels"]
        if "<name>" in text:
            return self.add_without_part(text)
        if "*" in text:
            for name in re.findall(r"windows_\w+\*", text):
                self.add(name, None, None)
            return
        name, own = re.fullmatch(rf"({NAME.pattern})(\{{[\w,]+\}})?", text).groups()
        names = choices(name)
        groups = re.findall(r"\{(.*?)\}", told) or ([own[1:-1]] if own else [""])
        if "same labels" in told:
            groups = [", ".join(self.rows[-1].labels)]
        if len(groups) not in (1, len(names)):
            raise PageError(f"{len(groups)} groups of labels for {len(names)} names")
        more = re.search(r"\(\+(\w+) to ", told)
        for name, group in zip(names, groups * len(names)):
            labels, values = labels_of(group)
            labels |= {more[1]} if more else set()
            (label, several), *_ = values or [("", "")]
            for value in several.split("|"):
                self.add(name, type_of(told), labels, ((label, value),) if value else ())

    def add_without_part(self, text):
        """windows_netframework_<name> without the part of the sub-collector, "as now", without the newer process_id."""
        prefix, count = re.match(r"(\w+)<name>", text)[1], int(re.search(r"\((\d+) names", text)[1])
        self.deferred = (self.number, prefix, count)

    # --- Sentences

    def read_prose(self, line):
        reasons = re.search(r"for the reasons: (.*)\.$", line)
        directions = re.findall(r'direction="(\w+)"', line)
        for found in MENTION.finditer(line):
            if found["rest"] or not (found["labels"] or found["type"]):
                continue
            labels = labels_of(found["labels"][1:-1])[0] if found["labels"] else self.heading_labels()
            type = type_of(found["type"].strip(" ,")) or "gauge"  # 0/1, =1 and times
            values = [()]
            if reasons:
                values = [(("direction", direction), ("reason", reason))
                          for direction in directions for reason in reasons[1].split(", ")]
            for name in choices(found["name"]):
                if name == "windows_exporter_build_info":
                    labels = None
                for pair in values:
                    counter = f"{pair[0][1].title()} {pair[1][1]}" if pair else (found["counter"] or "").strip()
                    self.add(name, type, labels, pair, re.sub(r"^.*`: ", "", counter))


def read_reference(folder):
    """The rows of both pages; or none, if they aren't there."""
    paths = [folder / name for name in ("windows-exporter-metrics.md", "windows-exporter-metrics-2.md")]
    if not all(path.is_file() for path in paths):
        return []
    pages = [Page(path) for path in paths]
    rows = [row for page in pages for row in page.rows]
    number, prefix, count = pages[0].deferred
    parts = re.compile(rf"({prefix})clr[a-z]+?_(\w+)")
    renamed = {}
    for row in rows:
        if match := parts.fullmatch(row.name):
            name = match[1] + match[2]
            renamed.setdefault(name, []).append(dataclasses.replace(
                row, page=paths[0].name, line=number, profile=LEGACY, name=name, labels=row.labels - {"process_id"}))
    if len(renamed) != count:
        raise PageError(f"{paths[0]}:{number}: {count} names are announced, and {len(renamed)} found")
    return rows + [row for same in renamed.values() for row in same]
