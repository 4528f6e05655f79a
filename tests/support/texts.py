"""The texts that people read, out of the repository's files: sentences of documents, messages, help and HELP in string literals, and
comments."""

import pathlib
import re

PRODUCT = ("collectors/", "config/", "exporter/", "packaging/", "service/")
# Their words are windows_exporter's, Windows' or a test's, or a program has written them.
WRITTEN = re.compile(r"docs/(metric-list|conformance|fault-tables|cli)\.md|docs/(adr|collectors)/|CHANGELOG\.md|tests/|"
                     r"collectors/catalog/base_names\.inc|exporter/mapping/(name_table|words)|exporter/profiles/compile/")

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<end>[^(\s]*)\((?P<raw>.*?)\)(?P=end)"|"(?P<text>(?:\\.|[^"\\\n])*)"|\'(?:\\.|[^\'\\\n])+\'', re.S)
ESCAPE = {"n": "\n", "t": " ", "r": " "}


def plain(text):
    """A document without its code, tables' bars, links and marks."""
    text = re.sub(r"(?ms)^(```|~~~).*?^\1\s*$", "", text)
    text = re.sub(r"(?m)^ {4,}\S.*$", lambda found: "" if "|" not in found[0] else found[0], text)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"!?\[([^\]]*)\]\([^)\s]*\)", r"\1", text)
    return re.sub(r"[*_]{2}|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)", "", text)


def blocks(text):
    """Paragraphs, items of lists and cells of tables, each in one line."""
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.|#+|>) )", plain(text)):
        lines = [line for line in paragraph.splitlines() if not re.fullmatch(r"\s*\|[-:| ]+\|\s*", line)]
        if lines and all(line.lstrip().startswith("|") for line in lines):
            for line in lines:
                yield from (cell.strip() for cell in re.split(r"(?<!\\)\|", line))
        else:
            yield " ".join(re.sub(r"^\s*(?:[-*+>]|\d+\.|#+) +", "", line).strip() for line in lines)


def literals_and_comments(source):
    """The string literals of C++, those that stand next to each other joined, and the comments."""
    literals, comments, last_end = [], [], None
    for token in TOKEN.finditer(source):
        if token["text"] is None and token["raw"] is None:
            if token[0].startswith("/"):
                text = re.sub(r"(?m)^\s*(//+|\*)\s?|^/\*|\*/$", "", token[0]).strip()
                if comments and last_end is not None and source[last_end:token.start()].strip() == "" and comments[-1][1] == last_end:
                    comments[-1] = (comments[-1][0] + " " + text, token.end())
                else:
                    comments.append((text, token.end()))
                last_end = token.end()
            continue
        text = token["raw"] if token["raw"] is not None else re.sub(r"\\(.)", lambda found: ESCAPE.get(found[1], found[1]), token["text"])
        if literals and source[literals[-1][1]:token.start()].strip() == "":
            literals[-1] = (literals[-1][0] + text, token.end())
        else:
            literals.append((text, token.end()))
    return [text for text, _ in literals], [text for text, _ in comments]


def is_prose(text):
    """At least three words, and neither a path nor JSON."""
    return len(re.findall(r"[A-Za-z][a-z']+", text)) >= 3 and " " in text.strip() and not re.search(r'\\[A-Z]|[{\[]"', text)


def texts(files):
    """Yields (kind, file, text) of {file: its content}. Kinds: docs, help, HELP, log, error (all other messages), alert, comment."""
    for name, content in sorted(files.items()):
        suffix = pathlib.PurePosixPath(name).suffix
        if WRITTEN.match(name):
            continue
        if suffix == ".md":
            yield from (("docs", name, block) for block in blocks(content) if is_prose(block))
        elif name.startswith(PRODUCT) and suffix in (".cc", ".h", ".inc"):
            literals, comments = literals_and_comments(content)
            yield from ((kind_of(name), name, literal) for literal in literals if is_prose(literal))
            yield from (("comment", name, comment) for comment in comments if is_prose(comment))
        elif name.endswith("messages.mc"):
            yield from (("log", name, line) for line in content.splitlines() if is_prose(line) and not line.startswith(";"))
        elif name.startswith("packaging/prometheus/") and suffix in (".yml", ".yaml"):
            found = re.findall(r"(?m)^\s*(?:summary|description): (.+)$", content)
            yield from (("alert", name, text.strip("'\"")) for text in found if is_prose(text))


def kind_of(name):
    """What the string literals of a source are."""
    if re.search(r"metrics|families|_part\.cc|own_|exporter_registry", name) and name.startswith(("exporter/text/", "exporter/profiles/")):
        return "HELP"
    if name.startswith("service/commands/"):
        return "help"
    return "log" if name.startswith("service/log/") else "error"


def sentences(text):
    """Without what a format leaves open."""
    text = re.sub(r"\s+", " ", text.replace("`", "")).strip()
    return [part for part in re.split(r"(?<=[.!?])\s+(?=[A-Z\"'])", text) if is_prose(part)]
