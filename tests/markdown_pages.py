"""Markdown as GitHub reads it, as far as the tests of the documents need: fences, headings, anchors, links."""

import re

FENCE = re.compile(r"^ {0,3}(```+|~~~+) *(\w*)")
CODE_SPAN = re.compile(r"(`+)(.+?)\1(?!`)", re.S)
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(\s*<?([^)\s>]*)>?(?:\s+\"[^\"]*\")?\s*\)")
DEFINITION = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)", re.M)
HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*$")


def split_fences(text):
    """The text with its fenced blocks made empty, and the blocks as (language, lines)."""
    outside, blocks, mark = [], [], None
    for line in text.splitlines():
        fence = FENCE.match(line)
        if mark is None and fence:
            mark = fence[1]
            blocks.append((fence[2], []))
        elif mark is not None and fence and line.strip().startswith(mark) and not fence[2]:
            mark = None
        elif mark is not None:
            blocks[-1][1].append(line)
        if mark is None and not fence:
            outside.append(line)
        else:
            outside.append("")
    return "\n".join(outside), blocks


def without_code(text):
    return CODE_SPAN.sub("", split_fences(text)[0])


def headings(text):
    """(level, text) of each heading."""
    found = (HEADING.match(line) for line in split_fences(text)[0].splitlines())
    return [(len(match[1]), match[2]) for match in found if match]


def slug(heading):
    """The anchor that GitHub gives a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"[^\w\- ]", "", text.lower())
    return text.replace(" ", "-")


def anchors(text):
    found, counts = set(), {}
    for _, heading in headings(text):
        base = slug(heading)
        count = counts.get(base, 0)
        counts[base] = count + 1
        found.add(f"{base}-{count}" if count else base)
    return found | set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))


def section(text, title):
    """The lines below the heading `title`, up to the next one of its level or above."""
    lines, level = [], None
    for line, outside in zip(text.splitlines(), split_fences(text)[0].split("\n")):
        heading = HEADING.match(outside)
        if heading and level is None and heading[2] == title:
            level = len(heading[1])
        elif heading and level is not None and len(heading[1]) <= level:
            break
        elif level is not None:
            lines.append(line)
    return "\n".join(lines)


def targets(text):
    plain = without_code(text)
    return LINK.findall(plain) + DEFINITION.findall(plain)
