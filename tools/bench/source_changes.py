"""Finds the changes of one operator or constant that a C++ source allows.

The tokenizer recognizes comments, text and directives. It relies on clang-format: a binary operator has blanks on both
sides; brackets, references and pointers with the same character do not.
"""

import dataclasses
import re

TOKEN = re.compile(
    r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<directive>^[ \t]*\#(?:[^\n\\]|\\.)*)
  | (?P<text>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')
  | (?P<number>\d(?:'?[\w.]|(?<=[eEpP])[+-])*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<blank>\s+)
  | (?P<mark2><=>|<<=|>>=|->|::|\+\+|--|&&|\|\||[=!<>+\-*/%&|^]=|<<|>>|.)
    """,
    re.X | re.S | re.M,
)

BINARY = {
    "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"],
    "+=": ["-="], "-=": ["+="], "*=": ["+="], "/=": ["*="],
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
    "&&": ["||"], "||": ["&&"], "&": ["|"], "|": ["&"], "^": ["&"], "<<": [">>"], ">>": ["<<"],
}  # fmt: skip
UNARY = {"++": ["--"], "--": ["++"], "!": [""]}
WORDS = {"true": ["false"], "false": ["true"], "min": ["max"], "max": ["min"], "floor": ["ceil"], "ceil": ["floor"]}
# Parts of an error message, and expressions that the compiler checks, do not contribute to values.
MESSAGES = re.compile(r"^(Illegal\w*|format|print|Fail|EvaluationError|static_assert|\w*Message\w*)$")


@dataclasses.dataclass(frozen=True)
class Change:
    path: str
    line: int
    column: int
    offset: int
    before: str
    after: str

    def apply(self, text):
        end = self.offset + len(self.before)
        assert text[self.offset : end] == self.before
        return text[: self.offset] + self.after + text[end:]


@dataclasses.dataclass
class Token:
    kind: str
    text: str
    offset: int


def tokens_of(text):
    for match in TOKEN.finditer(text):
        kind = match.lastgroup if match.lastgroup != "mark" else "text"
        yield Token({"mark2": "operator"}.get(kind, kind), match[0], match.start())


def other_numbers(text):
    """Returns the literals with the value plus one, minus one and zero that differ from the number."""
    match = re.fullmatch(r"(0x[0-9a-fA-F']+|[\d']+|[\d']*\.\d*|\d+\.)([uUlLzZ]*|[fF]?)", text)
    if not match:
        return []
    digits, suffix = match[1].replace("'", ""), match[2]
    if "." in digits:
        value = float(digits)
        others = [value + 1, value - 1, 0.0]
    else:
        value = int(digits, 0) if digits.startswith("0x") else int(digits)
        others = [value + 1, value - 1, 0]
    literals = [f"({other})" if other < 0 else f"{other}{suffix}" for other in others if other != value]
    return list(dict.fromkeys(literals))


def alternatives(tokens, i):
    """Returns the possible replacements of token i."""
    token = tokens[i]
    if token.kind == "number":
        return other_numbers(token.text)
    if token.kind == "word":
        return WORDS.get(token.text, [])
    if token.kind != "operator" or (i > 0 and tokens[i - 1].text == "operator"):
        return []
    if token.text in UNARY:
        return UNARY[token.text]
    in_blanks = 0 < i < len(tokens) - 1 and tokens[i - 1].kind == tokens[i + 1].kind == "blank"
    return BINARY.get(token.text, []) if in_blanks else []


def changes_of(path, text):
    """Returns the changes of one file, in order."""
    tokens = [token for token in tokens_of(text) if token.kind != "comment"]
    changes, enclosing, previous = [], [], ""
    for i, token in enumerate(tokens):
        if token.text in ("(", "{"):
            enclosing.append(previous)  # the function of a call
        elif token.text in (")", "}") and enclosing:
            enclosing.pop()
        is_left_out = any(MESSAGES.match(name) for name in enclosing)
        if not is_left_out and token.kind in ("number", "word", "operator"):
            line = text.count("\n", 0, token.offset) + 1
            column = token.offset - text.rfind("\n", 0, token.offset)
            for after in alternatives(tokens, i):
                changes.append(Change(path, line, column, token.offset, token.text, after))
        if token.kind == "word":
            previous = token.text
    return changes
