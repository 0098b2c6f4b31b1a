"""The child of the package: a program that is not assay, and the line that says what a long call is doing."""

import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import assay
import numpy as np
from assay import _progress, _session

from spec_tests.tools.command_line import ASSAY, write_program

MODULE = "HloModule m\nENTRY e { x = f32[4] parameter(0) ROOT r = f32[4] tanh(x) }"


class Program(unittest.TestCase):
    def error_of(self, program, call):
        """Returns the error of a call in a process of its own."""
        code = f"import assay\ntry:\n  {call}\nexcept assay.Error as error:\n  print(error)"
        done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "ASSAY_PROGRAM": program}, text=True,
                              capture_output=True, check=False)  # fmt: skip
        return done.stdout + done.stderr

    def test_another_program_is_blamed_on_its_variable(self):
        with tempfile.TemporaryDirectory() as folder:
            peer = write_program(pathlib.Path(folder, "peer"), f"#!/bin/sh\nexec {ASSAY} serve --backend reference\n")
            for program in ("/bin/false", "/bin/echo", "/bin/cat", "/etc/passwd", "/nowhere/assay", str(peer)):
                with self.subTest(program):
                    said = self.error_of(program, f"assay.evaluate({MODULE!r}, [1, 2, 3, 4])")
                    self.assertTrue(said.startswith(f"usage: ASSAY_PROGRAM={program}: "), said)
            for program in ("/bin/false", "/etc/passwd", "/nowhere/assay"):
                said = self.error_of(program, "assay.check('simd', filter='add/f32/')")
                self.assertTrue(said.startswith(f"usage: ASSAY_PROGRAM={program}: "), said)


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Progress(unittest.TestCase):
    def lines(self, stream, stage, silent=0.0, tqdm=None):
        """Returns what one step writes to standard error, with this module as tqdm."""
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(sys, "stderr", stream), \
             mock.patch.object(_progress, "SILENT", silent), \
             mock.patch.dict(sys.modules, {"tqdm.auto": tqdm}):  # fmt: skip
            file = pathlib.Path(folder, "progress")
            if stage:
                file.write_text(stage)
            with _progress.ProgressLine("judging", str(file)) as line:
                line.step()
        return stream.getvalue()

    def test_a_terminal_gets_a_line_that_is_erased(self):
        shown = self.lines(Terminal(), "sets, dot.5 (line 12)")
        self.assertEqual(shown, "\r\x1b[Kassay: judging for 0 s: sets, dot.5 (line 12)\r\x1b[K")
        self.assertEqual(self.lines(Terminal(), ""), "\r\x1b[Kassay: judging for 0 s\r\x1b[K")
        self.assertLess(len(self.lines(Terminal(), "x" * 500)), 100)

    def test_tqdm_shows_the_line_if_it_is_installed(self):
        tqdm = mock.MagicMock()
        self.assertEqual(self.lines(Terminal(), "sets, dot.5 (line 12)", tqdm=tqdm), "")
        bar = tqdm.tqdm.return_value
        bar.set_description_str.assert_called_once_with("assay: judging: sets, dot.5 (line 12)")
        bar.close.assert_called_once_with()

    def test_nothing_else_gets_a_line(self):
        self.assertEqual(self.lines(io.StringIO(), "sets"), "")
        self.assertEqual(self.lines(Terminal(), "sets", silent=1e9), "")
        with mock.patch.object(sys, "stderr", None), mock.patch.object(_progress, "SILENT", 0.0):
            _progress.ProgressLine("judging", "nowhere").step()

    def test_a_call_that_waits_shows_the_line(self):
        """The child of this session is a pipe that has nothing to read at first."""
        session = object.__new__(_session.Session)
        receiver, sender = os.pipe()
        self.addCleanup(os.close, receiver)
        os.write(sender, b"{}\nrest")
        os.close(sender)
        session.rest, session.replies, session.ready = b"", receiver, mock.Mock()
        session.ready.poll.side_effect = [[], [], [(receiver, 1)]]
        progress = mock.Mock()
        self.assertEqual(session.read_line(None, None, progress), b"{}")
        self.assertEqual(progress.step.call_count, 2)

    def test_the_judge_reports_its_progress(self):
        with mock.patch.object(_session, "_idle", []):
            assay.diff(MODULE, np.float32([0.1, 0.2, 0.3, 0.4]), backend="lawful:xla:1")
            (child,) = _session._idle
            stage = pathlib.Path(child.folder, "progress").read_text()
            child.close()
            child.said.close()
        self.assertRegex(stage, r"^the reference runs, r \(line \d+\)$")
