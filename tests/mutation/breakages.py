"""Reads conformance.txt: for each statement of docs/conformance.md, a change of the sources that breaks it."""

import dataclasses
import pathlib
import re

TABLE = pathlib.Path(__file__).resolve().parent / "conformance.txt"
HEAD = re.compile(r"(S\d{3}-\d+)( under Wine)?: (\S+)")


@dataclasses.dataclass(frozen=True)
class Breakage:
    row: str
    file: str
    old: str
    new: str
    wine: bool  # whether it takes a build for Windows, and Wine, to see it

    def applied(self, text):
        if text.count(self.old) != 1:
            raise ValueError(f"{self} is there {text.count(self.old)} times, not once:\n{self.old}")
        return text.replace(self.old, self.new)

    def __str__(self):
        return f"{self.row} in {self.file}"


def breakages(text):
    """Returns those of a table. Each has a line with its row and its file, the lines of the old text with a minus before
    them, and those of the new one with a plus. Blank lines separate them; lines with # are for people."""
    found = []
    for part in re.split(r"\n\s*\n", text):
        lines = [line for line in part.splitlines() if line and not line.startswith("#")]
        if not lines:
            continue
        head = HEAD.fullmatch(lines[0])
        if not head or any(line[0] not in "-+" for line in lines[1:]):
            raise ValueError(f"neither a row and its file nor old and new text:\n{part}")
        old, new = ("\n".join(line[1:] for line in lines[1:] if line[0] == sign) for sign in "-+")
        found.append(Breakage(head[1], head[3], old, new, head[2] is not None))
    return found
