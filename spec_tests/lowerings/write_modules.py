"""Writes the modules of real programs into a folder: python -m spec_tests.lowerings.write_modules FOLDER [PATTERN].

Each program whose name the regular expression finds gets FOLDER/GROUP.NAME/module.hlo, and inputs.json with the values
of its parameters. `assay fuzz --from FOLDER` starts from the modules; `assay check --corpus FOLDER` judges a backend on
them. The last lines count the programs that are left out: those with the module of an earlier one, those that are too
large, and those that JAX does not lower, with JAX's reasons.
"""

import argparse
import collections
import dataclasses
import hashlib
import json
import pathlib
import re

from assay._values import Writer
from spec_tests.lowerings.programs import NotLowered, all_programs, lowered


# Programs whose exact results take minutes: Cholesky factors of 200 columns, transforms over several dimensions of
# 57,120 elements. Smaller ones of the same kinds are among the programs.
TOO_LARGE = re.compile(r"^(cholesky\.shape_complex\d+_200_200_|fft\..*_14_15_16_17_.*fftlengths_\d+_\d+)")


@dataclasses.dataclass
class Written:
    """The names of programs by what became of them."""

    modules: list = dataclasses.field(default_factory=list)
    doubles: list = dataclasses.field(default_factory=list)
    too_large: list = dataclasses.field(default_factory=list)
    not_lowered: dict = dataclasses.field(default_factory=dict)  # with the reason

    def __str__(self):
        text = f"{len(self.modules)} modules, {len(self.doubles)} programs with the module of another one"
        if self.too_large:
            text += f"\n{len(self.too_large)} too large: {', '.join(self.too_large)}"
        for reason, count in collections.Counter(self.not_lowered.values()).most_common():
            names = [name for name, why in self.not_lowered.items() if why == reason]
            text += f"\n{count} not lowered, as {names[0]}: {reason}"
        return text


def write_modules(programs, folder):
    """Writes the modules of programs into a folder."""
    written, seen = Written(), set()
    for program in programs:
        if TOO_LARGE.search(program.name):
            written.too_large.append(program.name)
            continue
        try:
            module, values = lowered(program)
        except NotLowered as error:
            written.not_lowered[program.name] = str(error)
            continue
        digest = hashlib.sha256(module.encode()).digest()
        if digest in seen:
            written.doubles.append(program.name)
            continue
        seen.add(digest)
        write_module(folder / program.name, module, values)
        written.modules.append(program.name)
    return written


def write_module(folder, module, values):
    """Writes a module and the values of its parameters, in the form of a program that a corpus holds."""
    folder.mkdir(parents=True, exist_ok=True)  # of an earlier night
    (folder / "module.hlo").write_text(module)
    with Writer(str(folder), inline=True) as writer:
        (folder / "inputs.json").write_text(json.dumps({"inputs_per_device": writer.devices([values])}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("pattern", nargs="?", default="", type=re.compile)
    options = parser.parse_args()
    chosen = [program for program in all_programs() if options.pattern.search(program.name)]
    print(write_modules(chosen, options.folder))


if __name__ == "__main__":
    main()
