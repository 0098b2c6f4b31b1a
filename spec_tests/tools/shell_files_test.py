"""The manual page and the completions have every command and option, and the shells use them."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from spec_tests.tools.command_line import ASSAY, ROOT


def output_of(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def options_of(command):
    """Returns the names of the options in the help of a command."""
    return re.findall(r"^  (--[a-z-]+)", output_of(ASSAY, command, "--help"), re.M)


class ShellFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        output_of(sys.executable, "-m", "tools.installed.shell_files", ASSAY, cls.folder, cwd=ROOT)
        lists = (ROOT / "tools/meson.build").read_text()
        names = re.findall(r"^  '(\w+)',", lists[lists.index("commands = [") : lists.index("]")], re.M)
        cls.options = {name.replace("_", "-"): options_of(name.replace("_", "-")) for name in names}
        assert len(cls.options) > 20

    def test_no_argument_has_the_name_of_an_option(self):
        """CLI11 refuses both from version 2.4 on."""
        for command, options in self.options.items():
            words = output_of(ASSAY, command, "--help").partition("Usage:")[2].partition("\n")[0].split()
            self.assertFalse({f"--{word.strip('[].')}" for word in words} & set(options), command)

    def text(self, name):
        return (self.folder / name).read_text()

    def test_the_manual_page_has_every_option_in_the_section_of_its_command(self):
        sections = dict(re.findall(r"^\.SH ASSAY ([A-Z-]+)\n(.*?)(?=^\.SH )", self.text("assay.1"), re.M | re.S))
        self.assertEqual(list(sections), [command.upper() for command in self.options])
        for command, options in self.options.items():
            shown = re.findall(r"^\\&  (\\-\\-[a-z\\-]+)", sections[command.upper()], re.M)
            self.assertEqual([option.replace("\\", "") for option in shown], options, command)

    def test_zsh_and_fish_have_every_option_of_every_command(self):
        rows = dict(re.findall(r"^  ([a-z-]+)\)\n(.*?);;$", self.text("_assay"), re.M | re.S))
        lines = re.findall(r"__fish_seen_subcommand_from ([a-z-]+)' -l ([a-z-]+)", self.text("assay.fish"))
        self.assertEqual(set(rows), set(self.options))
        for command, options in self.options.items():
            self.assertEqual(re.findall(r"'\*(--[a-z-]+)\[", rows[command]), options, command)
            self.assertEqual([f"--{option}" for of, option in lines if of == command], options, command)

    def completed_by_bash(self, *words):
        """Returns the words that bash offers for the last one."""
        code = 'source "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _assay; printf "%s\\n" "${COMPREPLY[@]}"'
        return output_of("bash", "-c", code, "bash", self.folder / "assay.bash", "assay", *words).split()

    def test_bash_completes_commands(self):
        self.assertEqual(self.completed_by_bash(""), [*self.options, "--help", "--version"])
        self.assertEqual(self.completed_by_bash("com"), ["compare"])

    def test_bash_completes_every_option_of_every_command(self):
        for command, options in self.options.items():
            self.assertEqual(self.completed_by_bash(command, "--"), options, command)
        self.assertEqual(self.completed_by_bash("check", "--quick", "--rep"), ["--repeat", "--report"])

    def test_bash_completes_the_words_of_an_option(self):
        formats = ["stablehlo", "stablehlo-source", "hlo", "npz", "pytest"]
        self.assertEqual(self.completed_by_bash("export", "--format", ""), formats)
        self.assertEqual(self.completed_by_bash("export", "--format", "=", "n"), ["npz"])
        self.assertEqual(self.completed_by_bash("export", "--format", "="), formats)
        self.assertEqual(self.completed_by_bash("check", "--profile", "xla-w"), ["xla-wide"])
        self.assertEqual(self.completed_by_bash("diff", "m.hlo", "--backend", "s"), ["simd", "stablehlo"])

    def test_bash_offers_nothing_of_its_own_where_files_are_expected(self):
        for words in (("run", ""), ("check", "--report", ""), ("check", "--report", "-")):
            self.assertEqual(self.completed_by_bash(*words), [], words)

    @unittest.skipUnless(shutil.which("fish"), "needs fish")
    def test_fish_completes(self):
        code = f"source {self.folder / 'assay.fish'}; complete -C 'assay export --format n'; complete -C 'assay compa'"
        self.assertEqual(output_of("fish", "--no-config", "-c", code).split()[:2], ["npz", "compare"])

    @unittest.skipUnless(shutil.which("zsh"), "needs zsh")
    def test_zsh_reads_its_file(self):
        output_of("zsh", "-n", self.folder / "_assay")
