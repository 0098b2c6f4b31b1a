"""Runs everything that pins one op: python -m tools.tests_of [--list] OP

The goldens on the reference, on its definitions alone and on simd; the comparison of the kernel with the definition;
the legality texts; the tests of spec_tests that name the op; the lines of its page. --list prints the commands and runs
none.
"""

import argparse
import os
import pathlib
import shlex
import subprocess
import sys

from spec_tests.meta.tests_by_op import ops_named, tests_of

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
BACKENDS = ["reference", "reference:plain", "simd"]


def folder_of_tests(path):
    """Returns the name of a C++ test's program: the name of its folder, or simd for simd's tests."""
    return "simd" if path.stem.startswith("simd_") else path.parent.name


def commands_of(op):
    """Yields (description, argument list) pairs."""
    assay = str(BUILD / "tools/assay")
    for backend in BACKENDS:
        yield (f"goldens on {backend}",
               [assay, "check", "--corpus", "golden", "--filter", f"op={op}", "--backend", backend])  # fmt: skip
    yield "kernel and definition", [str(BUILD / "spec_tests/kernels_tests"), "-c", op]
    python = [str(ROOT / ".venv/bin/python"), str(ROOT / "spec_tests/run_python_test.py")]
    for path in sorted((ROOT / "spec_tests/legality").glob("*.hlo")):
        if op in ops_named(path):
            yield (f"legality/{path.name}",
                   [*python, str(path.parent / "legality_test.py"), f"Texts.test_{path.stem}"])  # fmt: skip
    for kind, paths in tests_of(op).items():
        for path in paths:
            name = str(path.relative_to(ROOT / "spec_tests"))
            if path.suffix == ".py":
                yield f"{kind.lower()}: {name}", [*python, str(path)]
            else:
                program = BUILD / "spec_tests" / (folder_of_tests(path) + "_tests")
                yield f"{kind.lower()}: {name}", [str(program), "-#", f"[#{path.stem}]"]
    yield "page", [*python, str(ROOT / "spec_tests/meta/op_pages_test.py"), f"test_{op.replace('-', '_')}"]


def main():
    parser = argparse.ArgumentParser(prog="tools/dev tests-of", description=__doc__.splitlines()[0])
    parser.add_argument("op", help="the mnemonic, such as reduce-window")
    parser.add_argument("--list", action="store_true", help="print the commands, run none")
    options = parser.parse_args()
    if not (ROOT / "golden" / options.op).is_dir():
        sys.exit(f"tests-of: no op {options.op}: golden/ has no folder of this name")
    environment = {**os.environ, "ASSAY": str(BUILD / "tools/assay"), "PYTHONPATH": str(ROOT)}
    failed = []
    for what, command in commands_of(options.op):
        if options.list:
            words = [shlex.quote(str(word).removeprefix(f"{ROOT}/")) for word in command]
            # Python tests need these variables to find the program and their modules.
            needs = ["ASSAY=build/tools/assay", "PYTHONPATH=."] if words[0].endswith("python") else []
            print(*needs, *words)
            continue
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        is_empty = "No test" in done.stdout + done.stderr or "Ran 0 tests" in done.stderr
        passed = done.returncode in (0, 77) or is_empty
        print(f"{'nothing' if is_empty else 'passed ' if passed else 'FAILED '}  {what}", flush=True)
        if not passed:
            failed.append(what)
            print("".join((done.stdout + done.stderr).splitlines(keepends=True)[-40:]))
    if not options.list:
        print(f"{options.op}: {len(failed)} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
