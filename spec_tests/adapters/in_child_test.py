"""in_child: a call that ends its process says why, and ends no other process but by its own signal."""

import os
import signal
import sys
import unittest

from backends.adapters.xla_peers.in_child import in_child
from backends.adapters.xla_peers.values import Unsupported


def ends_with(code, text=""):
    def call(_):
        sys.stderr.write(text)
        sys.stderr.flush()
        os._exit(code)

    return call


def raises(error):
    def call(_):
        raise error

    return call


class InChildTest(unittest.TestCase):
    def test_a_child_returns_a_value(self):
        self.assertEqual(in_child(lambda n: n + 1, 41), 42)

    def test_errors_come_back_as_their_kind(self):
        with self.assertRaisesRegex(Unsupported, "^no rule$"):
            in_child(raises(Unsupported("no rule")), None)
        with self.assertRaisesRegex(RuntimeError, "^ValueError: wrong$"):
            in_child(raises(ValueError("wrong")), None)

    def test_an_exit_says_its_code_and_its_last_words(self):
        with self.assertRaisesRegex(RuntimeError, "exit code 3:\nfatal: something happened$"):
            in_child(ends_with(3, "fatal: something happened\n"), None)
        for code in (7, 0):
            with self.assertRaisesRegex(RuntimeError, f"exit code {code}$"):
                in_child(ends_with(code), None)

    def test_a_fatal_error_of_llvm_is_its_message(self):
        with self.assertRaisesRegex(RuntimeError, "^out of registers$"):
            in_child(ends_with(1, "LLVM ERROR: out of registers\n"), None)
        with self.assertRaisesRegex(Unsupported, "^unsupported type$"):
            in_child(ends_with(1, "LLVM ERROR: unsupported type\n"), None)

    def test_no_exception_lets_the_child_run_on_as_its_parent(self):
        # A child that leaves the call by one of these exceptions would continue after in_child as a second peer.
        for error in (SystemExit(5), KeyboardInterrupt()):
            with self.assertRaisesRegex(RuntimeError, f"exit code 1:\n(.|\n)*{type(error).__name__}"):
                in_child(raises(error), None)
        with self.assertRaisesRegex(RuntimeError, "exit code 1:\n(.|\n)*pickle"):
            in_child(lambda _: (lambda: None), None)

    def test_a_crash_is_the_peers_own(self):
        peer = os.fork()
        if peer == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            try:
                in_child(lambda _: os.kill(os.getpid(), signal.SIGSEGV), None)
            finally:
                os._exit(0)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(peer, 0)[1]), -signal.SIGSEGV)
