#!/usr/bin/env python3
"""Checks the rules of the page's sources that no compiler checks: texts never become markup or scripts, nothing is inline or from
elsewhere, and every file is used.

    page_sources_test.py SOURCE_DIRECTORY [unittest arguments]
"""

import html.parser
import pathlib
import posixpath
import re
import runpy
import subprocess
import sys
import tempfile
import types
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
PAGE = ROOT / "exporter/page"
KINDS = (".html", ".js", ".css", ".svg")
WIDEST = 140
LONG_FILE = types.SimpleNamespace(**runpy.run_path(str(ROOT / "scripts/lines"))).LONG_FILE
# What makes markup, a script or a style of a text.
MARKUP = re.compile(r"\b(innerHTML|outerHTML|insertAdjacentHTML|setHTML(Unsafe)?|createContextualFragment|DOMParser|srcdoc|cssText)\b"
                    r"|\bdocument\.write(ln)?\b|\beval\b|\bnew Function\b|\bjavascript:|\bset(Timeout|Interval)\(\s*['\"`]"
                    r"|\bsetAttribute\(\s*['\"`](style|on\w+)\b")
INLINE = re.compile(r"\sstyle\s*=\s*[\"']|<style\b", re.I)
IMPORT = re.compile(r"\b(?:import|export)\b(?:[^'\";]*?\bfrom)?\s*\(?\s*['\"]([^'\"]+)['\"]")


def sources(*kinds):
    """The text of each file, by its path below the folder."""
    return {path.relative_to(PAGE).as_posix(): path.read_text() for path in sorted(PAGE.rglob("*")) if path.suffix in kinds}


def imports(name, text):
    """The files that a module imports, by their paths below the folder."""
    return [posixpath.normpath(posixpath.join(posixpath.dirname(name), other)) for other in IMPORT.findall(text)]


class Index(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.elements, self.inline = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self.inline += [f"{tag} {name}" for name, _ in attributes if name == "style" or name.startswith("on")]
        if tag == "style":
            self.inline.append(tag)

    def handle_data(self, data):
        if self.cdata_elem == "script" and data.strip():
            self.inline.append(f"script: {data.strip()}")

    def addresses(self):
        return [value for _, attributes in self.elements for name, value in attributes.items()
                if name in ("href", "src", "srcset", "action", "data", "poster")]


class Document(unittest.TestCase):
    def setUp(self):
        self.text = (PAGE / "index.html").read_text()
        self.index = Index(self.text)

    def test_nothing_is_inline(self):
        self.assertEqual(self.index.inline, [])

    def test_what_is_inline_is_found(self):
        index = Index('<p style="x" onclick="y">a</p><style>b</style><script>c</script>d<script src="e"></script>\n<p>f</p>')
        self.assertEqual(index.inline, ["p style", "p onclick", "style", "script: c"])

    def test_addresses_are_relative_so_that_a_proxy_may_add_a_path(self):
        addresses = self.index.addresses()
        self.assertGreater(len(addresses), 2)
        self.assertEqual([one for one in addresses if ":" in one or one.startswith(("/", "."))], [])

    def test_the_build_finds_what_it_replaces(self):
        for line in ("@LIBRARY@", "@MODULES@"):
            self.assertEqual(self.text.splitlines().count(line), 1, line)
        self.assertEqual(set(re.findall(r"@\w+@", self.text)), {"@LIBRARY@", "@MODULES@", "@VERSION@"})

    def test_every_style_sheet_and_picture_is_linked(self):
        linked = {one.removeprefix("page/@VERSION@/") for one in self.index.addresses()}
        imported = set(re.findall(r'@import "([^":]+)";', (PAGE / "page.css").read_text()))
        self.assertEqual({name for name in sources(".css", ".svg")} - linked, imported)


class Embedding(unittest.TestCase):
    def test_the_version_does_not_depend_on_where_the_files_are(self):
        def version(library, ours):
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                files = {f"{library}/u.min.js": "1", f"{ours}/main.js": "2", f"{ours}/styles/a.css": "3"}
                for path, text in files.items():
                    (folder / path).parent.mkdir(parents=True, exist_ok=True)
                    (folder / path).write_text(text)
                (folder / "list").write_text(";".join(str(folder / path) for path in files))
                embedded = folder / "embedded.cc"
                subprocess.run(["cmake", "-D", f"LIST={folder / 'list'}", "-D", f"ROOTS={folder / ours}", "-D", f"OUTPUT={embedded}",
                                "-P", str(ROOT / "packaging/cmake/embed_page.cmake")], check=True)
                return re.search(r'version\(\) \{ return "([0-9a-f]{12})"', embedded.read_text())[1]

        self.assertEqual(version("a", "b"), version("b", "a"))
        self.assertEqual(version("a", "b/c"), version("b", "a"))


class Sources(unittest.TestCase):
    def test_texts_are_texts(self):
        """Names come from the machine, and any name may be there: they are set as textContent only."""
        strays = [f"{name}: {found[0]}" for name, text in sources(*KINDS).items() for found in MARKUP.finditer(text)]
        self.assertEqual(strays, [])

    def test_what_makes_markup_is_found(self):
        for text in ("a.innerHTML = b", "document.write(a)", "eval(a)", "new Function(a)", "setTimeout('a')", "x.outerHTML",
                     "a.insertAdjacentHTML('beforeend', b)", "a.setAttribute('style', b)", "a.setAttribute('onclick', b)"):
            self.assertRegex(text, MARKUP)
        for text in ("a.textContent = b", "evaluate(a)", "setTimeout(() => a)", "a.style.width = b", "a.setAttribute('role', b)"):
            self.assertNotRegex(text, MARKUP)

    def test_no_style_is_inline(self):
        strays = [f"{name}: {found[0]}" for name, text in sources(".html", ".js").items() for found in INLINE.finditer(text)]
        self.assertEqual(strays, [])

    def test_nothing_comes_from_elsewhere(self):
        """Names of namespaces are no addresses."""
        elsewhere = re.compile(r"(?:https?:|['\"(=])//(?!www\.w3\.org/)[\w.-]+|@import\s+(?!\"\w)|\bimportScripts\b", re.I)
        strays = [f"{name}: {found[0]}" for name, text in sources(*KINDS).items() for found in elsewhere.finditer(text)]
        self.assertEqual(strays, [])

    def test_every_module_is_imported_and_exists(self):
        modules = sources(".js")
        reached, rest = set(), ["main.js"]
        while rest:
            name = rest.pop()
            self.assertIn(name, modules)
            if name not in reached:
                reached.add(name)
                rest += imports(name, modules[name])
        self.assertEqual(set(modules) - reached, set(), "no module imports it")

    def test_imports_are_found(self):
        text = "import {a} from './a.js';\nimport '../b.js';\nexport {c} from './c/c.js';\nawait import('./d.js');\nimport {\n  e,\n} from './e.js';"
        self.assertEqual(imports("x/y.js", text), ["x/a.js", "b.js", "x/c/c.js", "x/d.js", "x/e.js"])

    def test_files_and_lines_fit_in_the_head(self):
        files = {name: text.splitlines() for name, text in sources(".html", ".js", ".css").items()}
        self.assertEqual([name for name, lines in files.items() if len(lines) > LONG_FILE], [])
        self.assertEqual([f"{name}:{number}" for name, lines in files.items() for number, line in enumerate(lines, 1)
                          if len(line) > WIDEST], [])


if __name__ == "__main__":
    unittest.main()
