"""Finds the small changes of a C++ source that a test should notice.

The source is read as text. Comments, literals of text and preprocessor lines are masked first, so that a change is always one
of code. The project's formatting is relied on: binary operators have blanks around them, template brackets don't."""

import collections
import dataclasses
import re

MASKED = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\''
    r'|^[ \t]*#[^\n]*(?:\\\n[^\n]*)*', re.S | re.M)

LONG_STATEMENT_CHARACTERS = 300


@dataclasses.dataclass(frozen=True)
class Mutant:
    kind: str
    start: int
    end: int
    new: str
    number: int = 1  # among the mutants of a source that have the same key

    def applied(self, text):
        return text[:self.start] + self.new + text[self.end:]

    def line(self, text):
        return text.count("\n", 0, self.start) + 1

    def key(self, text):
        """Names the change without its line number: the statement around it, before and after, each blank as one. Of a
        long statement, such as a table, only the lines that change."""
        begin, end = self.around(text, ";{}")
        if end - begin > LONG_STATEMENT_CHARACTERS:
            begin, end = self.around(text, "\n")
        change = f"{tidy(text[begin:end])} => {tidy(text[begin:self.start] + self.new + text[self.end:end])}".rstrip()
        return change if self.number == 1 else f"{change} (the same, number {self.number})"

    def around(self, text, marks):
        begin = max(text.rfind(mark, 0, self.start) for mark in marks) + 1
        ends = [at for at in (text.find(mark, self.end) for mark in marks) if at != -1]
        return begin, min(ends, default=len(text))


def tidy(text):
    return " ".join(re.sub(r"//[^\n]*", "", text).split())


def mask(text):
    """Returns a text of the same length in which only code is left."""
    return MASKED.sub(lambda match: re.sub(r"[^\n]", "\x01" if match[0][0] in "\"'R" else " ", match[0]), text)


def swapped(kind, pattern, words):
    """Makes a finder that replaces each match of `pattern` (its group 1) by the other word."""
    compiled = re.compile(pattern)

    def find(code):
        for match in compiled.finditer(code):
            if match[1] in words:
                yield Mutant(kind, match.start(1), match.end(1), words[match[1]])
    return find


def both_ways(*pairs):
    return {a: b for pair in pairs for a, b in (pair, pair[::-1])}


BRACKETS = {"(": ")", "[": "]", "{": "}"}


def closing(code, at):
    """Returns where the bracket at `at` is closed."""
    depth = 0
    for i in range(at, len(code)):
        if code[i] in "([{":
            depth += 1
        elif code[i] in ")]}":
            depth -= 1
            if depth == 0:
                return i
    return None


def operand_end(code, at):
    """Returns where the operand that begins at `at` ends: at an operator that binds less, or where its brackets end."""
    while at < len(code):
        if code[at] in "([{":
            closed = closing(code, at)
            if closed is None:
                return None
            at = closed
        elif code[at] in ")]};,?" or code.startswith((" && ", " || ", " : "), at) or code.startswith(("&&\n", "||\n"), at):
            return at
        at += 1
    return None


def operand_start(code, at):
    """Returns where the operand that ends before `at` begins."""
    depth = 0
    for i in range(at - 1, -1, -1):
        if code[i] in ")]}":
            depth += 1
        elif code[i] in "([{":
            if depth == 0:
                return i + 1
            depth -= 1
        elif depth == 0 and (code[i] in ";,?" or code[i - 2:i + 1] in ("&& ", "|| ", "&&\n", "||\n", " = ", " : ")
                             or code[i - 6:i + 1] == "return "):
            return i + 1
    return None


def dropped_conditions(code):
    """a && b becomes a, and b; so does a || b."""
    for match in re.finditer(r"\s(&&|\|\|)\s+", code):
        end = operand_end(code, match.end())
        if end is not None and code[match.end():end].strip():
            yield Mutant("dropped condition", match.start(), end, "")
        start = operand_start(code, match.start())
        if start is not None and code[start:match.start()].strip():
            lead = re.match(r"\s*", code[start:])[0]
            yield Mutant("dropped condition", start, match.end(), lead)


def ignored_conditions(code):
    """if (a) becomes if (false && (a)); a condition with a declaration stays."""
    for match in re.finditer(r"\bif (?:constexpr )?\(", code):
        end = closing(code, match.end() - 1)
        if end is None or "constexpr" in match[0]:
            continue
        condition = code[match.end():end]
        if ";" in condition or re.search(r"[^=!<>]=[^=]", condition):
            continue
        yield Mutant("ignored condition", match.end(), match.end(), "false && (")


STATEMENT = re.compile(r"[\w:]++(?:(?:\.|->)\w++|\[[^\]\n]*+\]|\(\))*+(?: [-+|&*/]?= .*|\(.*\)|\+\+)", re.S)
KEYWORD = re.compile(r"(return|throw|delete|using|break|continue|else|static_assert|assert|namespace|if|for|while|switch|case"
                     r"|default|template|class|struct|enum)\b")
COSTS_ONLY = re.compile(r"(\.|->)reserve\(")


def ignored_statements(code):
    """An assignment or a call for its effect is left out."""
    at = 0
    for line in code.splitlines(keepends=True):
        start = at + len(line) - len(line.lstrip())
        at += len(line)
        if not line.strip():
            continue
        if guard := re.match(r"(?:else )?(?:if|for|while) \(", code[start:]):
            closed = closing(code, start + guard.end() - 1)
            start = closed + 2 if closed is not None and closed < at else start
        end = code.find(";", start)
        statement = code[start:end]
        if (end != -1 and code[end + 1:end + 2] == "\n" and not set("{}") & set(statement) and not KEYWORD.match(statement)
                and not COSTS_ONLY.search(statement) and STATEMENT.fullmatch(statement)):
            yield Mutant("ignored statement", start, end, "")


def other_numbers(code):
    """A number becomes another one: n + 1; a power of ten, another factor."""
    for match in re.finditer(r"(?<![\w.'\x01])(\d[\d']*)(e\d+|\.\d+)?(?=[uUlLz]*(?![\w.'\x01]))", code):
        line = code[code.rfind("\n", 0, match.start()) + 1:match.start()]
        if re.search(r"\bcase\b|static_assert|\[\[|template", line):
            continue
        if match[2] and match[2].startswith("e"):
            yield Mutant("other number", match.start(2), match.end(2), f"e{int(match[2][1:]) - 1}")
        elif not match[2]:
            yield Mutant("other number", match.start(1), match.end(1), str(int(match[1].replace("'", "")) + 1))


def hexadecimal(code):
    for match in re.finditer(r"(?<!\w)0x[0-9A-Fa-f']*([0-9A-Fa-f])(?=[uUlL]*(?!\w))", code):
        yield Mutant("other number", match.start(1), match.end(1), f"{int(match[1], 16) ^ 1:X}")


FINDERS = (
    swapped("boundary", r" (<=?|>=?) ", both_ways(("<", "<="), (">", ">="))),
    swapped("comparison", r" ([!=]=) ", both_ways(("==", "!="))),
    swapped("and, or", r"\s(&&|\|\|)\s", both_ways(("&&", "||"))),
    swapped("arithmetic", r"(?<=[\w)\]]) ([-+*/%]) (?=[\w(*-])", {"+": "-", "-": "+", "*": "/", "/": "*", "%": "+"}),
    swapped("arithmetic", r" ([-+]=) ", both_ways(("+=", "-="))),
    swapped("minimum, maximum", r"\b(min|max|min_element|max_element)(?=[(<])",
            both_ways(("min", "max"), ("min_element", "max_element"))),
    swapped("truth", r"\b(true|false)\b", both_ways(("true", "false"))),
    swapped("truth", r"(?<=[( ])(!)(?=[\w(])", {"!": ""}),
    dropped_conditions,
    ignored_conditions,
    ignored_statements,
    other_numbers,
    hexadecimal,
)


def mutants(text):
    """Returns the mutants of a source, each a change in one place, in the order of their places."""
    code = mask(text)
    found = {(m.start, m.end, m.new): m for finder in FINDERS for m in finder(code)}
    numbers = collections.Counter()
    numbered = []
    for place in sorted(found):
        mutant = complete(found[place], code)
        key = mutant.key(text)
        numbers[key] += 1
        numbered.append(dataclasses.replace(mutant, number=numbers[key]))
    return numbered


def equivalent(text):
    """Returns the reasons in the text of equivalent.txt, by file and change."""
    blocks = [block.split("\n") for block in text.strip().split("\n\n") if not block.startswith("#")]
    return {(lines[0], lines[1]): " ".join(lines[2:]) for lines in blocks}


def complete(mutant, code):
    """An ignored condition is closed again."""
    if mutant.kind != "ignored condition":
        return mutant
    end = closing(code, mutant.start - 1)
    return Mutant(mutant.kind, mutant.start, end, mutant.new + code[mutant.start:end] + ")")
