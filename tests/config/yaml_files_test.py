#!/usr/bin/env python3
"""What the program ships and writes is YAML for others, too: the example, and the results of migrations.

    yaml_files_test.py [unittest arguments]
"""

import pathlib
import unittest

try:
    import yaml
except ImportError:
    yaml = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "config/winperf_exporter.yaml"
MIGRATED = sorted((ROOT / "tests/config/migration/data").glob("*.expected"))


def configuration_in(text):
    """Behind the messages."""
    return text[text.index("\n{"):]


@unittest.skipIf(yaml is None, "NO PYYAML: not tested")
class YamlFiles(unittest.TestCase):
    def test_the_example(self):
        example = yaml.safe_load(EXAMPLE.read_text(encoding="utf-8"))
        self.assertEqual(example["listen"]["port"], 10182)
        self.assertEqual(example["interval"], "5s")
        self.assertIn("Memory", example["countersets"])

    def test_the_example_without_its_comments_has_the_shape_of_json(self):
        lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
        kept = [line for line in lines if not line.lstrip().startswith("#")]
        self.assertEqual((kept[0], kept[-1]), ("{", "}"))
        self.assertFalse([line for line in lines if line.lstrip().startswith(("//", "/*"))])

    def test_migrated_configurations(self):
        self.assertGreaterEqual(len(MIGRATED), 10)
        for file in MIGRATED:
            with self.subTest(file=file.name):
                config = yaml.safe_load(configuration_in(file.read_text(encoding="utf-8")))
                self.assertIn("windows_exporter", config["metrics"]["profiles"])
                self.assertTrue(config["listen"])
                self.assertTrue({"countersets", "collect"} & set(config))


if __name__ == "__main__":
    unittest.main()
