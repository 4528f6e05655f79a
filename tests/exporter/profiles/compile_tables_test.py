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
fact = "collector cpu\ntopic os\n"
row = "windows_cpu_time_total | counter | % Idle Time | | mode=\"idle\"\n"

# What a table holds, the line that is wrong, and a part of the message.
wrong = [
    ("object Memory\n", 1, "the first line must be: collector NAME"),
    ("collector memory\n" + row, 1, "the file must be named after its collector"),
    ("collector cpu\nwindows_x | gauge | A\n", 2, "a row must follow the object or the topic"),
    ("collector cpu\ninstance {a}\n", 2, "must be between an object and its rows"),
    (head + row + "object |\n", 6, "an object must be a name"),
    (head + row + "object A | b=c\n", 6, "an object must be a name"),
    (head + row + "object Memory\n\nobject System\n", 6, "has no rows"),
    (head + "windows_x | gauge | A |\n" + "skip B\n", 6, "must be between an object and its rows"),
    (head + row + "collector memory\n", 6, "a table must have exactly one collector"),
    (head + "object Memory\ninstance {a}\n", 5, "the object above has no rows"),
    (head + "windows_x | gauge | A | / 0\n", 5, "division by 0"),
    (head + "windows_x | gauge | A | start * 3\n", 5, "cannot have a factor or an offset"),
    (head + "instance {a}{b}\n", 5, "a part of a name must be"),
    (head + "instance {a:loud}\n", 5, "a part of a name must be"),
    (head + "instance {a} {b:first} {}\n", 5, "must precede all others"),
    (head + "instance {} {b:number}\n", 5, "must precede all others"),
    (head + "instance {a\n", 5, "a part of a name must be"),
    (head + "only first\n", 5, "'instance' or 'only', but not both"),
    (head + "nothing known\n", 5, "neither a statement nor a row"),
    (head + "cpu_time | gauge | A\n", 5, "is not the name of a metric"),
    (head + "windows_x | timer | A\n", 5, "the type must be counter or gauge, not 'timer'"),
    (head + "windows_x | = windows_y | A\n", 5, "only metrics of facts can refer to another metric"),
    (head + "windows_x | gauge\n", 5, "the counter is missing"),
    (head + "windows_x | gauge | -\n", 5, "the counter is missing"),
    (head + "windows_x | gauge | A | instances\n", 5, "needs no counter"),
    (head + "windows_x | gauge | A | times 3\n", 5, "'times 3' is not a value"),
    (head + "windows_x | gauge | A | * 3 * 4\n", 5, "is not a value"),
    (head + "windows_x | gauge | A | state x\n", 5, "is not a value"),
    (head + "windows_x | gauge | A | | mode=idle\n", 5, "labels must be written"),
    (head + "windows_x | gauge | A | | | a note | more\n", 5, "at most six columns"),
    (head + row + row, 6, "line 5 has the same series"),
    (head + row + "windows_cpu_time_total | gauge | B | | mode=\"b\"\n", 6, "is a counter in another row"),
    (head + row + "# no end of line", 6, "the last line has no line break"),
    (head + "windows_x | gauge | A \0\n", 5, "an invalid character"),
    (head + "value_label a\n", 5, "value_label LABEL = COUNTER"),
    ("collector cpu\nreads A | what=\"b\"\n", 2, "'what' is not an option of this statement"),
    ("collector cpu\nreads A | include=b\n", 2, "options must be written name="),
    ("collector cpu\nreads A | include=\"b\" | more\n", 2, "wrong number of arguments"),
    ("collector cpu\ntopic nothing\n", 2, "'nothing' is not a topic of facts"),
    ("collector cpu\nolder A\n", 2, "must be in lower case"),
    ("collector cpu\nolder cpu\n", 2, "cpu has a table"),
    ("collector cpu\nreads\n", 2, "wrong number of arguments"),
    ("collector cpu\ndefault yes\n", 2, "wrong number of arguments"),
    (head + row + "reads A\n", 6, "this must precede the first object"),
    (fact + "windows_f | gauge | a | states no_states | {s} | B\n", 3, "is not the name of a list of states"),
    (fact + "words service_states = a\n", 3, "expected words NAME = WORD, WORD with a unique name"),
    (fact + "words a\n", 3, "expected words NAME = WORD, WORD with a unique name"),
    (fact + "windows_f | gauge | a | often | | B\n", 3, "'often' is not a value"),
    (fact + "windows_f | gauge | a | / 0 | | B\n", 3, "division by 0"),
    (fact + "windows_f | gauge | a | info | | B\n", 3, "this value needs no field"),
    (fact + "windows_f | gauge | - | | | B\n", 3, "the field is missing"),
    (fact + "windows_f | gauge | a | | |\n", 3, "the HELP is missing"),
    (fact + "windows_f | gauge | a | | B | C\n", 3, "labels must be written name,name=field,{name}"),
    (fact + "windows_f | gauge | a | pairs | {b} | C\n", 3, "this value has 2 labels"),
    (fact + "windows_f | gauge | a | | {b} | C\n", 3, "this value has 0 labels"),
    (fact + "windows_f | gauge | a | parts | {b},c | C\n", 3, "with those of the value last"),
    (fact + "windows_f | gauge | - | info | a,b,c,d,e,f,g,h,i | C\n", 3, "at most eight labels"),
    (fact + "windows_f | = windows_g\n", 3, "no row defines windows_g"),
    (fact + "windows_f | gauge | a | | | B\nalso time\nwindows_g | = windows_f\n", 5, "windows_f belongs to another topic"),
    (fact + "windows_f | = windows_g | a\n", 3, "can only have a name"),
    (fact + "windows_f | gauge | a | | | = windows_f\n", 3, "itself refers to the HELP of another metric"),
    (fact + "windows_f | gauge | a | | | B\n" * 2, 4, "windows_f is also in windows_exporter/cpu.table"),
    ("collector cpu\nreads A\nwindows_f | gauge | a\n", 3, "a row must follow the object or the topic"),
]


def written(folder, profile, tables):
    (folder / profile).mkdir()
    for name, text in tables.items():
        (folder / profile / name).write_bytes(text)


def compiled(text, legacy="collector memory\nobject Memory\nwindows_y | gauge | B\n", source="blocks.cc", legacy_name="memory.table"):
    """Returns the exit code, the errors and a source that the tables become."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        written(folder, "windows_exporter", {"cpu.table": text.encode()})
        written(folder, "windows_exporter_legacy", {legacy_name: legacy.encode()})
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
            'collector cpu\nreports_parts\nreads MSSQL${x}:A "B" [C]; D | part="b"\n'
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
            'collector cpu\ndefault\nolder b | part="x"\nolder c\nreads A (or) B | include="i",exclude="e",prefix="\\d+_",part="x"\nreads C\n'
            'topic service_status | part="x" | a note\nalso os\nmissing it isn\'t read | part="y",default="off"\n' +
            head[len("collector cpu\n"):] + row, source="collectors.cc")
        self.assertEqual((code, error), (0, ""))
        for part in ('{"A|B", "i", "e", "\\\\d+_", "x", },\n    {"C", "", "", "", "", },', '{FactTopic::kServiceStatus, "", "", "x", "a note"}',
                     '{FactTopic::kOs, "", "", "", ""}', '{"it isn\'t read", "y", false}', '{"cpu", kObjects0, kTopics0, kMissing0, true},\n',
                     '{"b", kObjects1, kTopics1, {}, false},\n    {"c", kObjects2, kTopics2, kMissing2, false},\n    {"memory", {}, {}, {}, false}',
                     'kOfTopics{"", ' + '"", ' * 9 + '"cpu", '):
            self.assertIn(part, source)

    def test_what_a_fact_becomes_reaches_the_source(self):
        code, error, source = compiled(
            'collector cpu\nwords w = A b, c\ntopic time\nwindows_t | counter | f | / 8 | x,y=z | "T"\n'
            'also os\nwindows_s | gauge | s | states w | x,{state} | = windows_t\nwindows_p | gauge | p | pairs | {a},{b} | P\n' +
            head[len("collector cpu\n"):] + row,
            "collector memory\ntopic logons\nwindows_u | gauge | - | rows | | U\nalso os\nwindows_v | = windows_s\n"
            "object Memory\nwindows_y | gauge | B\n", source="fact_metrics.cc")
        self.assertEqual((code, error), (0, ""))
        states = 'FactTopic::kOs, FactKind::kStates, "s", {{{"x", "x"}, }}, "state", kW, 1, false},\n'
        for part in ('kW[] = {"A b", "c", };', '{"windows_s", "\\"T\\"", ' + states,
                     '{"windows_p", "P", FactTopic::kOs, FactKind::kPairs, "p", {{}}, "a b", {}, 1, false},\n'
                     '    {"windows_t", "\\"T\\"", FactTopic::kTime, FactKind::kNumber, "f", {{{"x", "x"}, {"y", "z"}, }}, "", {}, 1.0 / 8, true},',
                     '{"windows_v", "\\"T\\"", ' + states +
                     '    {"windows_u", "U", FactTopic::kLogons, FactKind::kRows, "", {{}}, "", {}, 1, false},'):
            self.assertIn(part, source)

    def test_our_own_tables_have_topics_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            written(folder, "winperf", {"os.table": b"topic os\nwinperf_a | gauge | a | | | A\ncollector os\nwindows_b | gauge | b | | | B\n"})
            result = subprocess.run([tool, folder, folder], capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, 1)
            self.assertIn("winperf/os.table:3: a table in winperf can only have topics and their rows", result.stderr)
            self.assertIn("winperf/os.table:4: 'windows_b' is not the name of a metric", result.stderr)

    def help_of(self, text):
        """The exit code and errors, without those about missing profiles, and the source that a table of help becomes."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            written(folder, "windows_exporter", {"cpu.table": (head + row).encode()})
            written(folder, "windows_exporter_legacy", {"memory.table": b"collector memory\nobject Memory\nwindows_y | gauge | B\n"})
            written(folder, "help", {"a.table": text.encode()})
            result = subprocess.run([tool, folder, folder], capture_output=True, text=True, timeout=60)
            made = folder / "help_rows.cc"
            return result.returncode, result.stderr, made.read_text() if made.exists() else ""

    def test_a_wrong_line_of_help_ends_the_build_with_its_place(self):
        sentence = "a sentence must begin with a capital letter, end with a full stop and have at most 120 characters"
        for text, line, message in [
            ("Counter | What it is.\n", 1, "expected COUNTER | SENTENCE after object NAME"),
            ("object A\nCounter | What | it is.\n", 2, "expected COUNTER | SENTENCE"),
            ("object A\nCounter\n", 2, "expected COUNTER | SENTENCE"),
            ("object A\nCounter | what it is.\n", 2, sentence),
            ("object A\nCounter | What it is\n", 2, sentence),
            ("object A\nCounter |\n", 2, sentence),
            ("object A\nCounter | W" + "w" * 119 + ".\n", 2, sentence),
            ("object A|B\nCounter | One.\nobject b\ncounter | Two.\n", 4, "help/a.table:2 has the same counter"),
            ("object A\nparts x | One.\nparts x | Two.\n", 3, "help/a.table:2 has the same counter"),
        ]:
            with self.subTest(text=text):
                code, error, source = self.help_of(text)
                self.assertEqual((code, source), (1, ""))
                self.assertRegex(error, rf"(?m)^help/a\.table:{line}: {re.escape(message)}")

    def test_help_reaches_the_source_in_the_order_of_its_keys(self):
        code, error, source = self.help_of('# Comment\n\nobject B|A\n# of \\ Things | W' + "w" * 118 + '.\nparts x | Parts.\n')
        self.assertEqual((code, error), (0, ""))
        self.assertIn('{"a\\\\# of \\\\ things", "A", "# of \\\\ Things", false, "W' + "w" * 118 + '."},\n'
                      '    {"a\\\\\\\\x", "A", "x", true, "Parts."},\n    {"b', source)

    def test_a_collector_has_one_home_and_so_has_a_topic(self):
        code, error, _ = compiled("collector cpu\ntopic os\n" + head[len("collector cpu\n"):] + row,
                                  "collector memory\ntopic os\nobject A\nwindows_y | gauge | B\n")
        self.assertEqual((code, error), (1, "windows_exporter_legacy/memory.table:2: the topic belongs to cpu; write also\n"))
        code, error, _ = compiled(head + row, "collector cpu\nreads B\nobject A\nwindows_y | gauge | B\n", legacy_name="cpu.table")
        self.assertEqual((code, error), (1, "windows_exporter_legacy/cpu.table:1: the collector is already described in its other table\n"))

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
