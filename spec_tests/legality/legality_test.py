"""Each rule of legality: a module that breaks just that one is refused with its message, and its legal neighbours are
evaluated; and every message of the sources is provoked by a text."""

import functools
import re
import subprocess
import unittest

import legality_texts
from spec_tests.tools.command_line import ASSAY, ROOT


SOURCES = [path for pattern in ("interpreter/ops/**/*.cc", "interpreter/hlo/verif*.cc", "interpreter/types/shape*.cc")
           for path in sorted(ROOT.glob(pattern))]  # fmt: skip
ERROR_CALL = re.compile(r"\b(?:Illegal|IllegalOperands|IllegalShape|illegal|errors\.Add|WrongType)\(")
STRING = re.compile(r'\s*"((?:[^"\\]|\\.)*)"')
# The beginnings of messages that no text causes. The parser or an earlier rule reports the fault in other words, or the
# parser cannot produce it. They are for modules made without the parser.
SAID_BEFORE = [
    "{} has no parameter {}",
    "a constant must have a value",
    "declared {}, the value is {}",
    "dim_labels must have as many spatial dimensions",
    "dimensions must have one entry",
    "dimensions must name one dimension",
    "minor_to_major must have one entry a dimension",
    "needs the computation to run: calls",
    "parameter numbers of {} must be",
    "sizes must be known, found {} from {}",
    "takes one dimension, found {}",
    "the attribute {} cannot be {}",
    "the literal must have the shape of the constant",
    "the name is not unique",
    "the sharding {}: {}",
    "the {} {} must be defined before its use",
    "{} has no result_accuracy",
    "{} has parameter {} twice",
]
PARSER_DOES_IT_RIGHT = [
    "a module must have a name",
    "a module must have an entry computation",
    "a shape must have an element type",
    "an instruction must have an operation",
    'async_execution_thread "{}" must be that of {}',
    "belongs to another computation",
    "belongs to another module",
    "calls itself, by way of {}",
    "calls the entry computation {}",
    "dimension {} of size {} cannot be padded",
    "padded_dimensions must have one width",
    "the attribute {} has a value of the wrong kind",
    "the root is not one of its instructions",
    "{} cannot be read",  # input_output_alias and buffer_donor
    "{} names a computation that is not in the module",
]
NOT_BY_TEXT = SAID_BEFORE + PARSER_DOES_IT_RIGHT


@functools.cache
def diagnostics(module, flags):
    return legality_texts.diagnostics(ASSAY, module, flags)


def without_names(message):
    """Returns the message after the names of the instruction and of its op."""
    return re.sub(r"^(?:module |computation )?[\w.-]*: (?:[a-z0-9-]+: )?", "", message)


def strings_of_call(source, start):
    """Returns the strings among the arguments of the call whose parenthesis opens before `start`, adjacent ones
    joined."""
    strings, depth, at = [], 1, start
    while depth > 0:
        literal = STRING.match(source, at)
        if literal:
            joined = ""
            while literal := STRING.match(source, at):
                joined += literal.group(1)
                at = literal.end()
            strings.append(joined.encode().decode("unicode_escape"))
        else:
            depth += {"(": 1, ")": -1}.get(source[at], 0)
            at += 1
    return strings


def messages_of_sources():
    """Yields the place and the format string of each error in the sources. Strings without a blank are arguments."""
    for path in SOURCES:
        source = re.sub(r"^ *//.*$", "", path.read_text(encoding="utf-8"), flags=re.M)
        for call in ERROR_CALL.finditer(source):
            sentences = [text for text in strings_of_call(source, call.end()) if " " in text]
            if sentences:
                yield path.name, sentences[0]


def pattern_of(format_string):
    parts = re.split(r"(\{\{|\}\}|\{[^{}]*\})", format_string)
    plain = {"{{": r"\{", "}}": r"\}"}
    escaped = (plain.get(part, ".*") if part.startswith(("{", "}")) else re.escape(part) for part in parts)
    return re.compile("".join(escaped))


class Texts(unittest.TestCase):
    maxDiff = None

    def check(self, text):
        # A module that runs is legal.
        run = None
        if not text.errors:
            run = subprocess.run([ASSAY, "run", "-"], input=text.module, capture_output=True, text=True)
            if run.returncode == 0 and not text.flags:
                return
        found = [without_names(message) for message in diagnostics(text.module, text.flags)]
        for i, expected in enumerate(text.errors[: len(found)]):
            if expected.endswith("...") and found[i].startswith(expected[:-3]):
                found[i] = expected
        self.assertEqual(found, text.errors, f"{text.place}\n{text.module}")
        if text.errors:
            return
        # A legal module may still need other inputs, several devices, or a host.
        cannot_go_on = run.returncode in (1, 2) and re.search(
            "target .* is unknown|deadlock|out of range|only 1 run", run.stderr)
        self.assertTrue(run.returncode == 0 or cannot_go_on, f"{text.place}\n{text.module}\n{run.stderr}")


def test_of(path):
    def test(self):
        for text in legality_texts.read(path):
            with self.subTest(text.place):
                self.check(text)

    return test


for file in sorted(legality_texts.FOLDER.glob("*.hlo")):
    setattr(Texts, f"test_{file.stem}", test_of(file))


class Completeness(unittest.TestCase):
    def test_every_message_is_provoked(self):
        found = {message for text in legality_texts.all_texts() if text.errors for message in diagnostics(text.module, text.flags)}
        messages = list(messages_of_sources())
        self.assertGreater(len(messages), 200)
        missing = [
            (place, message) for place, message in messages if not any(map(pattern_of(message).search, found))
        ]
        unreasoned = [pair for pair in missing if not any(pair[1].startswith(beginning) for beginning in NOT_BY_TEXT)]
        self.assertEqual(unreasoned, [], "no text provokes these")
        for beginning in NOT_BY_TEXT:
            self.assertTrue(any(message.startswith(beginning) for _, message in missing), f"provoked: {beginning}")
