"""tools/build_progress.py: what tools/dev shows of a build on a terminal and elsewhere, and that the log has everything."""

import io
import unittest

from tools.build_progress import duration, progress, show

LINES = [
    "[0/4] 0.001 Compiling\n",
    "[1/4] 10.000 Compiling C++ object a.o\n",
    "a.cc:1: warning: [2/4] 1.0 is no line of progress\n",
    "[2/4] 35.000 Compiling C++ object b.o\n",
    "[3/4] 64.900 Compiling C++ object c.o\n",
    "[4/4] 64.950 Linking target a\n",
]


class BuildProgressTest(unittest.TestCase):
    def shown(self, is_terminal):
        copy, user = io.StringIO(), io.StringIO()
        show(LINES, copy, user, is_terminal)
        self.assertEqual(copy.getvalue(), "".join(LINES))
        return user.getvalue()

    def test_the_time_left_is_that_of_the_steps_so_far(self):
        self.assertEqual(progress("[312/540] 104.5 Compiling\n"), (104.5, "[312/540], 1 min 16 s left"))
        for line in ("", "ninja: no work to do.\n", "[0/4] 0.1 x\n", "[1/2] Compiling\n"):
            self.assertIsNone(progress(line))
        self.assertEqual([duration(seconds) for seconds in (0.2, 59.4, 59.6, 3600)], ["0 s", "59 s", "1 min 0 s", "60 min 0 s"])

    def test_a_terminal_has_one_line_that_is_written_over(self):
        shown = self.shown(True)
        self.assertNotIn("\n", shown)
        lines = shown.split("\r\033[K")
        self.assertEqual(lines, ["", "build     [1/4], 30 s left", "build     [2/4], 35 s left",
                                 "build     [3/4], 22 s left", "build     [4/4], 0 s left", "build     "])

    def test_elsewhere_there_is_a_line_every_30_seconds_of_building(self):
        self.assertEqual(self.shown(False), "[2/4], 35 s left\nbuild     ")
