"""tools/dev before it builds: arguments, and machines on which it cannot install packages.

The machines are folders of programs: those of this machine that tools/dev calls, and scripts for the package managers.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from spec_tests.tools.command_line import ROOT, write_program

BASICS = ("awk", "bash", "cat", "df", "dirname", "env", "grep", "uname")


class Machine(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.folder.chmod(0o755)
        (self.folder / "bin").mkdir()
        (self.folder / "tools").mkdir()
        shutil.copy(ROOT / "tools/dev", self.folder / "tools")
        for name in BASICS:
            (self.folder / "bin" / name).symlink_to(shutil.which(name))

    def has(self, name, script="exit 1"):
        """Adds a program to the machine."""
        write_program(self.folder / "bin" / name, f"#!/bin/sh\n{script}\n")

    def dev(self, *arguments, user=None):
        """Returns the exit code of tools/dev on the machine, and what it prints."""
        done = subprocess.run(["tools/dev", *arguments], cwd=self.folder, env={"PATH": f"{self.folder}/bin"}, user=user,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip
        return done.returncode, done.stdout

    def test_names_the_packages_of_each_system(self):
        names = {"dnf": "dnf install gcc-c++ meson", "pacman": "pacman -S gcc meson", "brew": "brew install gcc meson"}
        for manager, begin in names.items():
            with self.subTest(manager):
                self.has(manager, "echo called >&2")
                code, printed = self.dev("check")
                self.assertEqual(code, 1)
                self.assertIn(f"by hand, on a system that is not tested: {begin} ", printed)
                self.assertIn("tools/dev: c++ is not installed", printed)
                self.assertNotRegex(printed, r" - |called|apt")
                (self.folder / "bin" / manager).unlink()
        self.assertIn("Debian's names: g++ meson ninja-build ", self.dev("check")[1])

    def test_a_row_of_packages_has_a_name_for_each_system_and_a_use(self):
        lists = re.findall(r"packages\+?='\n?([^']*)'", (ROOT / "tools/dev").read_text())
        rows = [line.split() for text in lists for line in text.splitlines() if line]
        self.assertGreater(len(rows), 20)
        for row in rows:
            self.assertGreater(len(row), 4, row)
            self.assertRegex(" ".join(row[:4]), r"^[a-z]\S+(?: (?:-|[a-z]\S+)){3}$")

    def test_a_user_who_may_not_install_gets_one_line_for_root(self):
        self.has("apt-get", "echo called")
        self.has("dpkg-query", "echo installed meson")
        user = 65534 if os.geteuid() == 0 else None
        for sudo in (False, True):
            with self.subTest(sudo=sudo):
                if sudo:
                    self.has("sudo")
                code, printed = self.dev("check", user=user)
                self.assertEqual(code, 1)
                self.assertRegex(printed, r"as root: apt-get install g\+\+ ninja-build [a-z0-9 +-]+\n$")
                self.assertNotIn("called", printed)

    def test_arguments_that_a_command_does_not_take(self):
        for arguments in (["build", "--fast"], ["asan", "x"], ["format", "--chek"], ["test", "types", "--all"],
                          ["wheel", "x"], ["cross", "arm"]):  # fmt: skip
            code, printed = self.dev(*arguments)
            self.assertEqual((code, printed), (1, f"tools/dev: {arguments[0]} does not take {arguments[-1]}: "
                                                  "tools/dev help lists what it takes\n"))  # fmt: skip
        self.assertEqual(self.dev("--version"), (1, "tools/dev: no command --version: tools/dev help lists them\n"))
        self.assertEqual(self.dev("help")[1], self.dev("--help")[1])
