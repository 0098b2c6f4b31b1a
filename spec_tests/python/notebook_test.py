"""Results in a prompt and in a notebook: a short line, and a page of HTML."""

import html.parser
import re
import unittest

import assay
import numpy as np
from assay._html import largest_errors

MODULE = """HloModule m
ENTRY e {
  x = f32[4] parameter(0)
  y = f32[4] floor(x), metadata={op_name="jit(<i>f</i>)" source_file="/home/me/<b>.py" source_line=7}
  ROOT r = (f32[4], f32[4]) tuple(x, y)
}
"""


class Balance(html.parser.HTMLParser):
    """Fails for a tag without its end, and records the names of all tags and attributes."""

    def __init__(self, page):
        super().__init__()
        self.open, self.names = [], set()
        self.feed(page)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.names |= {tag, *(name for name, _ in attributes)}

    def handle_startendtag(self, tag, attributes):
        self.names |= {tag, *(name for name, _ in attributes)}

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class Lines(unittest.TestCase):
    def test_every_result_has_a_line_of_its_type(self):
        found = assay.diff(MODULE, [0.5, -0.5, -1.5, 2], backend="mutant:floor_truncates")
        traced = assay.trace(MODULE.replace("floor", "log"), [1, -1, 0, 2], events=["nan", "inf"])
        report = assay.check("mutant:floor_truncates", filter="floor/f32/")
        with self.assertRaises(assay.Error) as raised:
            assay.evaluate(MODULE.replace("y = f32[4]", "y = f32[5]"), [0.0] * 4)
        error = raised.exception
        for one in (found, *found.outputs, found.outputs[1].metrics, found.first_divergent, found.region,
                    found.first_divergent.source, found.first_divergent.worst, traced, *traced.findings, report,
                    *report.cases, error, error.place):  # fmt: skip
            with self.subTest(type(one).__name__):
                self.assertRegex(repr(one), rf"^<{type(one).__name__} .*>$")
                self.assertLess(len(repr(one)), 200)
        # Both outputs have eight elements; -0.5 and -1.5 are truncated to 0 and -1.
        self.assertRegex(repr(found), r"^<Comparison FAIL: .*; 2 of 8 elements not exact, in 1 of 2 outputs; m on")
        self.assertEqual(repr(error), "<Error 4:3: illegal: y: floor: declared f32[5], inferred f32[4]>")

    def test_a_place_in_a_long_line_is_shown_with_its_surroundings(self):
        place = assay.Place(1, 5000, "x" * 4999 + "!" + "x" * 5000)
        _, line, caret = str(assay.Error("parse", "wrong", place)).split("\n")
        self.assertLess(len(line), 200)
        self.assertEqual(line[caret.index("^")], "!")

    def test_characters_that_a_terminal_obeys_are_shown_as_escapes(self):
        self.assertEqual(repr(assay.Error("backend", "a\u202eb\x1b[2Jc")), "<Error backend: a\\u202eb\\x1b[2Jc>")


class Pages(unittest.TestCase):
    def test_are_whole_and_run_nothing(self):
        peer = "\u202e<script>alert(1)</script>"
        outputs = [np.float32([0.5, -0.5, -1.5, 2]), np.float32([0, 0, -1, 2])]
        found = assay.judge(MODULE, [outputs[0]], outputs, backend="mutant:floor_truncates", name=peer)
        traced = assay.trace(MODULE.replace("floor", "log"), [1, -1, 0, 2], events=["nan", "inf"])
        report = assay.check("mutant:floor_truncates", filter="floor/f32/")
        for one in (found, traced, report):
            page = one._repr_html_()
            names = Balance(re.sub(r"(<path [^>]*)/>", r"\1></path>", page)).names
            self.assertEqual(names & {"script", "b>", "i", "src", "href", "onclick", "onload"}, set())
            self.assertNotIn("\u202e", page)
        page = found._repr_html_()
        for part in (">FAIL</span>", "outside every value", "output 1</td>", "2 of 4", "1 of 2 outputs equal",
                     "/home/me/&lt;b&gt;.py:7 (jit(&lt;i&gt;f&lt;/i&gt;))", "<svg ", "prefers-color-scheme:dark",
                     "<summary>HLO module, 6 lines", "\\u202e&lt;script&gt;"):  # fmt: skip
            self.assertIn(part, page)

    def test_a_plot_has_the_largest_errors(self):
        want = np.ones(4, np.float32)
        got = np.float32([1, np.nextafter(np.float32(1), np.float32(2)), np.nan, 1 + 3 * 2**-23])
        output = assay.judge("HloModule m\nENTRY e { ROOT c = f32[4] constant({1, 1, 1, 1}) }", [], [got]).outputs[0]
        self.assertEqual(output.want.tolist(), want.tolist())
        self.assertEqual(largest_errors(output), [0, 1, np.inf, 3])

    def test_a_long_module_is_cut(self):
        body = "".join(f"  y{i} = f32[] negate(x)\n" for i in range(3000))
        found = assay.diff(f"HloModule m\nENTRY e {{\n  x = f32[] parameter(0)\n{body}  ROOT r = f32[] negate(x)\n}}",
                           1.0, backend="reference")  # fmt: skip
        page = found._repr_html_()
        self.assertLess(len(page), 30_000)
        self.assertRegex(page, r"\.\.\. and \d+ more lines, in the field hlo")
