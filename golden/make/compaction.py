"""Golden files with the parts that differ only in a few words written once (docs/golden_format.md#repeated-parts)."""

import collections
import re

from golden.witness.element_types import DTYPES
from golden.witness.hlo.expansion import expanded, expanded_lines

WIDTH = 120
# A block may have this many names, and alternatives for this share of the words of its arguments.
MOST_NAMES = 4
MOST_OTHER_WORDS = 0.5
TOKEN = re.compile(r"[A-Za-z0-9.+]+|.")
COMPUTATION = re.compile(r"(?:ENTRY )?([\w.-]+) (?:\(.*\) -> .* )?\{$")
VALUES = re.compile(r"(//! +row)( .*)|(//! +(?:arg|want|infeed|outfeed) +\S+)(.*)")


class Unlike(Exception):
    """Texts that have no common form."""


class Form:
    """The common form of texts, each a list of lines: the same tokens, but for names and alternatives."""

    def __init__(self, texts):
        self.names = {}  # by the tokens that a name stands for, one of each text
        self.words = self.others = 0  # of arguments
        lines = list(zip(*texts, strict=True))
        self.lines = [self._line(line) for line in lines]
        values = list(zip(*self.names))
        if len(set(values)) < len(texts) or self.others > MOST_OTHER_WORDS * self.words:
            raise Unlike
        names = self._names()
        self.lines = [re.sub(r"\$(\d)", lambda place: names[int(place[1])], line) for line in self.lines]
        # Names such as $T are as wide as the places that they replace.
        if any(len(new) > max(WIDTH, 1.5 * max(map(len, old))) for new, old in zip(self.lines, lines)):
            raise Unlike
        self.values = [" ".join(value) for value in values]
        self.heading = f"//! for {' '.join(names)}:"

    def _line(self, lines):
        if len(set(lines)) == 1:
            return lines[0]
        split = [VALUES.fullmatch(line) for line in lines]
        if not any(split):
            return self._text(lines)
        if not all(split):
            raise Unlike
        texts, words = zip(*((found[1] or found[3], (found[2] or found[4]).split()) for found in split))
        return " ".join([self._text(texts), *self._words(texts[0], words)])

    def _text(self, lines):
        """Returns a text with a name for each token that differs."""
        tokens = [TOKEN.findall(line) for line in lines]
        if len(set(map(len, tokens))) > 1:
            raise Unlike
        return "".join(same[0] if len(set(same)) == 1 else self._name(same) for same in zip(*tokens))

    def _name(self, tokens):
        if not all(token[0].isalnum() for token in tokens):
            raise Unlike
        place = self.names.setdefault(tokens, len(self.names))
        if place >= MOST_NAMES:
            raise Unlike
        return f"${place}"

    def _words(self, directive, texts):
        """Returns words, with alternatives for those that differ."""
        if len(set(map(len, texts))) > 1:
            raise Unlike
        is_argument = "want" not in directive and "outfeed" not in directive
        for words in zip(*texts):
            is_argument = is_argument and words[0] != "->"
            is_other = len(set(words)) > 1
            self.words += is_argument
            self.others += is_argument and is_other
            yield "|".join(words) if is_other else words[0]

    def _names(self):
        """Returns a name for each place: T, U and V for element types, N, M and K for numbers, else A, B and C."""
        letters = {"types": "TUVW", "numbers": "NMKL", "words": "ABCD"}
        used = collections.Counter()
        names = []
        for tokens in self.names:
            kind = "types" if all(t in DTYPES for t in tokens) else "numbers" if all(map(str.isdigit, tokens)) else "words"
            names.append("$" + letters[kind][used[kind]])
            used[kind] += 1
        return names

    def block(self):
        """Returns the lines of the block."""
        headings = [self.heading]
        for place, value in enumerate(self.values):
            value += "," if place + 1 < len(self.values) else ""
            if len(headings[-1]) + len(value) >= WIDTH:
                headings.append(self.heading)
            headings[-1] += f" {value}"
        return [*(heading.rstrip(",") for heading in headings), *with_long_rows(self.lines), "//! end"]


def with_long_rows(lines):
    """Returns the lines with several rows in each line that has room for them."""
    result = []
    for line in lines:
        is_row = line.startswith("//! row ") and bool(result) and result[-1].startswith("//! row ")
        longer = result[-1] + ";" + line.removeprefix("//! row") if is_row else ""
        if is_row and len(longer) <= WIDTH:
            result[-1] = longer
        else:
            result.append(line)
    return result


def form_of(texts):
    """Returns the form of texts; None if they have none."""
    try:
        return Form(texts)
    except Unlike:
        return None


def signature(text):
    """Returns what texts of one form have in common: the numbers of their tokens and words."""
    return tuple(len(line.split()) if VALUES.fullmatch(line) else len(TOKEN.findall(line)) for line in text)


def in_blocks(texts):
    """Returns texts as lists of lines, in blocks where these are shorter. The first text stays first."""
    alike = collections.OrderedDict()
    for text in texts:
        alike.setdefault(signature(text), []).append(text)
    blocks = []
    for left in alike.values():
        while left:
            group, rest, form = [left[0]], [], None
            for text in left[1:]:
                longer = form_of([*group, text])
                form = longer or form
                (group if longer else rest).append(text)
            single = [with_long_rows(text) for text in group]
            block = form.block() if form else []
            is_shorter = form and len(block) < sum(map(len, single))
            blocks += [block] if is_shorter else single
            left = rest
    return blocks


def split(text):
    """Returns the headers, the computations and the cases of a golden file, each a list of lines."""
    head, *cases = re.split(r"^(?=//! case )", text, flags=re.M)
    headers, computations = [], []
    is_inside = False
    for line in head.splitlines():
        if not is_inside and COMPUTATION.match(line):
            computations.append([])
        is_inside = is_inside or bool(COMPUTATION.match(line))
        if is_inside:
            computations[-1].append(line)
            is_inside = line != "}"
        elif line or not computations:
            headers.append(line)
    return headers, computations, [case.splitlines() for case in cases]


def name_of(computation):
    """Returns the name of a computation, given by its lines."""
    return COMPUTATION.match(computation[0])[1]


def entry_of(case):
    """Returns the entry that a case names; an empty name if it names none."""
    return next((line.split()[2] for line in case if line.startswith("//! entry ")), "")


def words_of(lines):
    """Returns the words of lines, among them the names in them."""
    return {word for line in lines for word in re.findall(r"[\w.-]+", line)}


def with_helpers(computations, entries):
    """Returns the computations, each entry of a case together with those before it that only it calls."""
    used = [words_of(body[1:]) for body in computations]
    units, begin = [], 0
    for place, body in enumerate(computations):
        if name_of(body) not in entries:
            continue
        helpers = {name_of(helper) for helper in computations[begin:place]}
        elsewhere = set().union(*used[:begin], *used[place + 1 :])
        unit = computations[begin : place + 1]
        units += [unit] if not helpers & elsewhere else [[one] for one in unit]
        begin = place + 1
    return units + [[one] for one in computations[begin:]]


def is_defined_before_use(lines):
    """True if each computation stands behind those that it calls, as XLA's parser requires."""
    names = {match[1] for line in lines if (match := COMPUTATION.match(line))}
    seen, current = set(), set()
    for line in lines:
        if match := COMPUTATION.match(line):
            current = {match[1]}
        elif line == "}":
            seen |= current
        elif not line.startswith("//!") and (words_of([line]) & names) - seen - current:
            return False
    return True


def compact_computations(computations, entries):
    """Returns the lines of computations, in blocks unless these need another order."""
    bodies = [[body[0].removeprefix("ENTRY "), *body[1:]] for body in computations]
    units = [[line for body in unit for line in body] for unit in with_helpers(bodies, entries)]
    lines = [line for block in in_blocks(units) for line in block]
    written = expanded_lines("\n".join(lines))
    if not is_defined_before_use([line for _, line in written]):
        return [line for body in computations for line in body]
    # Each case names its entry, so any of these can be the module's.
    first = next(number for number, line in written if (found := COMPUTATION.match(line)) and found[1] in entries)
    lines[first - 1] = f"ENTRY {lines[first - 1]}"
    return lines


def meaning(text):
    """Returns what a golden file says, whatever the order of its computations and cases."""
    headers, computations, cases = split(text)
    names = {name_of(body) for body in computations}
    entry = next(name_of(body) for body in computations if body[0].startswith("ENTRY "))
    said = []
    for title, *lines in cases:
        implied = f"on_{title.split()[2]}"
        runs = entry_of(lines) or (implied if implied in names else entry)
        said.append((title, runs, [line for line in lines if not line.startswith("//! entry ")]))
    return headers, sorted([body[0].removeprefix("ENTRY "), *body[1:]] for body in computations), sorted(said)


def compacted(text):
    """Returns a text in blocks, whose order may allow more of them."""
    headers, computations, cases = split(text)
    entry = next(name_of(body) for body in computations if body[0].startswith("ENTRY "))
    entries = {runs for _, runs, _ in meaning(text)[2]} | {entry}
    blocks = [*compact_computations(computations, entries), "", *(line for case in in_blocks(cases) for line in case)]
    return "".join(f"{line}\n" for line in [*headers, *blocks])


def compact(text):
    """Returns the text of a golden file with its repeated parts in blocks. Applied to its own result, expanded, it
    changes nothing."""
    # Blocks put texts in another order, in which more of them may be alike.
    result, before = compacted(text), ""
    while result != before:
        result, before = compacted(expanded(result)), result
    if meaning(expanded(result)) != meaning(text):
        raise ValueError("the compact text says something else")
    return result
