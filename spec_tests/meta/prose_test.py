"""tools/prose.py: which sentences count, and that the tree has none."""

import pathlib
import tempfile
import unittest

from tools import prose


def openings_in(name, text):
    """The sentences that count in a file of this name and text."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, name)
        path.write_text(text)
        return list(prose.openings(path))


class Sentences(unittest.TestCase):
    def test_of_comments_in_cpp(self):
        text = """// Of two types the wider one. It is a copy.
int a = 1;  // What is left
// Which op is
// it? The result is whole. Where it is not,
// this is zero.
const char* text = "// Of no account";
"""
        self.assertEqual(openings_in("a.cc", text), [
            (1, "Of two types the wider one."), (2, "What is left"), (4, "Where it is not, this is zero.")])  # fmt: skip

    def test_of_comments_and_docstrings_in_python(self):
        text = '"""Whether it runs."""\n\n\ndef f():\n    """Returns 1. How is not said."""\n    # Nobody calls it.\n' \
               '    return "Of course."\n'
        self.assertEqual(sorted(openings_in("a.py", text)), [
            (1, "Whether it runs."), (5, "How is not said."), (6, "Nobody calls it.")])  # fmt: skip

    def test_of_pages_without_headings_programs_and_tables(self):
        text = "# What it is\n\nIt runs. Of all\nops it has one.\n\n```\nOf two:\n```\n\n| Of |\n\n- **Whose** it is.\n- What is it?\n"
        self.assertEqual(openings_in("a.md", text), [(3, "Of all ops it has one.")])

    def test_of_build_files(self):
        self.assertEqual(openings_in("meson.build", "# Where it is:\nx = 'Of'\n"), [(1, "Where it is:")])
        self.assertEqual(openings_in("a.json", '"Of two"'), [])

    def test_none_has_a_clause_in_place_of_a_subject(self):
        self.assertEqual(prose.found_in([]), [])
