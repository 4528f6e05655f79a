"""What compile_tables says of tables that are wrong: the file, the line, and what is wrong.

Usage: compile_tables_test.py COMPILE_TABLES FOLDER_OF_PROFILES
"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

tool, profiles = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))

head = "collector cpu\n\nobject Processor Information\ninstance {core}\n"
row = "windows_cpu_time_total | counter | % Idle Time | | mode=\"idle\"\n"

# What a table holds, the line that is wrong, and a part of the message.
wrong = [
    ("object Memory\n", 1, "the first line is: collector NAME"),
    ("collector cpu\nwindows_x | gauge | A\n", 2, "a row comes after the object"),
    ("collector cpu\ninstance {a}\n", 2, "belongs between an object and its rows"),
    (head + row + "object |\n", 6, "an object is a name"),
    (head + row + "object A | b=c\n", 6, "an object is a name"),
    (head + row + "object Memory\n\nobject System\n", 6, "has no rows"),
    (head + "windows_x | gauge | A |\n" + "skip B\n", 6, "belongs between an object and its rows"),
    (head + row + "collector memory\n", 6, "a table is about one collector"),
    (head + "object Memory\ninstance {a}\n", 5, "the object before this line has no rows"),
    (head + "windows_x | gauge | A | / 0\n", 5, "nothing is divided by 0"),
    (head + "windows_x | gauge | A | start * 3\n", 5, "neither a factor nor an offset"),
    (head + "instance {a}{b}\n", 5, "a part of a name is"),
    (head + "instance {a:loud}\n", 5, "a part of a name is"),
    (head + "instance {a} {b:first} {}\n", 5, "come before all others"),
    (head + "instance {} {b:number}\n", 5, "come before all others"),
    (head + "instance {a\n", 5, "a part of a name is"),
    (head + "only first\n", 5, "either 'instance' or 'only'"),
    (head + "nothing known\n", 5, "neither a statement nor a row"),
    (head + "cpu_time | gauge | A\n", 5, "is not the name of a metric"),
    (head + "windows_x | timer | A\n", 5, "the type is counter or gauge, not 'timer'"),
    (head + "windows_x | gauge\n", 5, "the counter is missing"),
    (head + "windows_x | gauge | -\n", 5, "the counter is missing"),
    (head + "windows_x | gauge | A | instances\n", 5, "needs no counter"),
    (head + "windows_x | gauge | A | times 3\n", 5, "'times 3' is not a value"),
    (head + "windows_x | gauge | A | * 3 * 4\n", 5, "is not a value"),
    (head + "windows_x | gauge | A | state x\n", 5, "is not a value"),
    (head + "windows_x | gauge | A | | mode=idle\n", 5, "labels are written"),
    (head + "windows_x | gauge | A | | | a note | more\n", 5, "at most six columns"),
    (head + row + row, 6, "line 5 has the same series"),
    (head + row + "windows_cpu_time_total | gauge | B | | mode=\"b\"\n", 6, "is a counter in another row"),
    (head + row + "# no end of line", 6, "the last line does not end"),
    (head + "windows_x | gauge | A \0\n", 5, "a character that is no text"),
    (head + "value_label a\n", 5, "value_label LABEL = COUNTER"),
    ("collector cpu\nreads A | what=\"b\"\n", 2, "'what' is no option of this statement"),
    ("collector cpu\nreads A | include=b\n", 2, "options are written name="),
    ("collector cpu\nreads A | include=\"b\" | more\n", 2, "this statement has fewer columns"),
    ("collector cpu\ntopic nothing\n", 2, "'nothing' is no topic of facts"),
    ("collector cpu\nolder A\n", 2, "it is written older NAME"),
    ("collector cpu\nolder cpu\n", 1, "cpu has a table"),
    (head + row + "reads A\n", 6, "this belongs before the first object"),
]


def written(folder, profile, tables):
    (folder / profile).mkdir()
    for name, text in tables.items():
        (folder / profile / name).write_bytes(text)


def compiled(text, legacy="collector memory\nobject Memory\nwindows_y | gauge | B\n", name="cpu.table", source="windows_exporter.cc"):
    """Returns the exit code, the errors and a source that the tables become."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        written(folder, "windows_exporter", {name: text.encode()})
        written(folder, "windows_exporter_legacy", {"memory.table": legacy.encode()})
        output = folder / "out"
        output.mkdir()
        result = subprocess.run([tool, folder, output], capture_output=True, text=True, timeout=60)
        made = output / source
        return result.returncode, result.stderr, made.read_text() if made.exists() else ""


class CompileTables(unittest.TestCase):
    def test_a_wrong_line_ends_the_build_with_its_place(self):
        for text, line, message in wrong:
            with self.subTest(text=text):
                code, error, source = compiled(text)
                self.assertEqual(code, 1)
                self.assertRegex(error, rf"(?m)^windows_exporter/cpu\.table:{line}: .*{re.escape(message)}")
                self.assertEqual(source, "")

    def test_all_wrong_lines_are_named_at_once(self):
        code, error, _ = compiled(head + "cpu_time | gauge | A\n" + row + "windows_x | timer | A\n")
        self.assertEqual((code, [line.split(":")[1] for line in error.splitlines()]), (1, ["5", "7"]))

    def test_a_folder_without_rows_is_an_error(self):
        code, error, _ = compiled("collector cpu\n")
        self.assertEqual(code, 1)
        self.assertIn("no tables with rows", error)

    def test_what_names_hold_reaches_the_source(self):
        code, error, source = compiled(
            'collector a\nreports_parts\nreads MSSQL${x}:A "B" [C]; D | part="b"\n'
            'object MSSQL${x}:A "B" [C]; D\ninstance \\??\\{file}\nskip _Global_\nprocess_id\n'
            'value_label parent = Creating Process ID\n'
            'windows_x | gauge | A \\ [B]; C (>0) (-) D | base / 10 - 273.15 | a="b c",d="{e}" | a note\n')
        self.assertEqual((code, error), (0, ""))
        for part in ('{"MSSQL${x}:A \\"B\\" [C]; D", ""}', '"\\\\??\\\\{file}"', '"_Global_"', '"parent", "Creating Process ID", "b"',
                     '"A \\\\ [B]; C (>0)", \'-\', "D", ProfileValue::kBase, 1.0 / 10, -273.15, 0,',
                     '"a=\\"b c\\",d=\\"{e}\\"", "a note"'):
            self.assertIn(part, source)

    def test_what_a_collector_reads_reaches_the_source(self):
        code, error, source = compiled(
            'collector a\ndefault\nolder b | part="x"\nolder c\nreads A (or) B | include="i",exclude="e",prefix="\\d+_",part="x"\nreads C\n'
            'topic service_status | part="x" | a note\nalso os\nmissing it isn\'t read | part="y",default="off"\n' +
            head[len("collector cpu\n"):] + row, source="collectors.cc")
        self.assertEqual((code, error), (0, ""))
        for part in ('{"A|B", "i", "e", "\\\\d+_", "x"},\n    {"C", "", "", "", ""},', '{FactTopic::kServiceStatus, "", "", "x", "a note"}',
                     '{FactTopic::kOs, "", "", "", ""}', '{"it isn\'t read", "y", false}', '{"a", kObjects0, kTopics0, kMissing0, true},\n',
                     '{"b", kObjects1, kTopics1, {}, false},\n    {"c", kObjects2, kTopics2, kMissing2, false},\n    {"memory", {}, {}, {}, false}',
                     'kOfTopics{"", ' + '"", ' * 9 + '"a", '):
            self.assertIn(part, source)

    def test_a_collector_has_one_home_and_so_has_a_topic(self):
        code, error, _ = compiled("collector cpu\ntopic os\n" + head[len("collector cpu\n"):] + row,
                                  "collector memory\ntopic os\nobject A\nwindows_y | gauge | B\n")
        self.assertEqual((code, error), (1, "windows_exporter_legacy/memory.table:2: the topic is that of cpu: write also\n"))
        code, error, _ = compiled(head + row, "collector cpu\nreads B\nobject A\nwindows_y | gauge | B\n")
        self.assertEqual((code, error), (1, "windows_exporter_legacy/memory.table:1: the other table of the collector says what it is\n"))

    def test_no_table_makes_it_crash(self):
        """Each change is a line that is doubled, cut, gone, or has a byte of chance."""
        chance = random.Random(1)
        tables = [path.read_text().splitlines(keepends=True) for path in sorted(profiles.glob("*/*.table"))]
        self.assertGreater(len(tables), 40)
        for lines in tables:
            at = chance.randrange(len(lines))
            line, byte = lines[at], chance.randrange(256)
            cut = chance.randrange(len(line))
            changed = chance.choice([line + line, line[:cut], "", line[:cut] + chr(byte) + line[cut + 1:]])
            code, error, _ = compiled("".join(lines[:at] + [changed] + lines[at + 1:]))
            self.assertIn(code, (0, 1), error)


if __name__ == "__main__":
    unittest.main()
