"""Runs an exported suite of assay on a backend, and prints the verdict of each case.

    python run_suite.py BACKEND.py [--suite FOLDER] [--filter TEXT] [--json FILE] [--fork] [--timeout SECONDS]

BACKEND.py defines run(module_text, inputs). `inputs` is the list of the module's arguments as NumPy arrays; `run` returns
the list of its results. It raises NotImplementedError for a module that it does not support. For a module on several
devices both are lists with a list of arrays for each device. The runner needs NumPy and ml_dtypes. It reads and judges
by suite_cases.py.
"""

import argparse
import collections
import importlib.machinery
import importlib.util
import json
import multiprocessing
import pathlib

from suite_cases import VERDICTS, cases_of, read_case, verdict_on, wrong_file

FAILURES = VERDICTS[VERDICTS.index("SUSPECT") :]


def load_backend(path):
    """Returns the function `run` of a Python file. Raises ValueError, with the reason, if there is none."""
    wanted = "expected a Python file that defines run(module_text, inputs)"
    if not pathlib.Path(path).is_file():
        raise ValueError(f"{path}: no such file: {wanted}")
    loader = importlib.machinery.SourceFileLoader("backend", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("backend", loader))
    try:
        loader.exec_module(module)
    except Exception as error:
        raise ValueError(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
    if not callable(getattr(module, "run", None)):
        raise ValueError(f"{path}: no function run: {wanted}")
    return module.run


def judge(suite, case, run):
    """Runs a case. Returns its verdict, and the reason."""
    if "refused" in case:
        return judge_refusal(suite, case, run)
    inputs, outputs = read_case(suite, case)
    try:
        results = run((suite / case["module"]).read_text(), inputs)
    except NotImplementedError as error:
        return "UNSUPPORTED", str(error)
    except Exception as error:
        return "ERROR", f"{type(error).__name__}: {error}"
    return verdict_on(case, outputs, results)


def judge_refusal(suite, case, run):
    """Runs a module that must be refused. A refusal proves nothing if the backend does not run the legal neighbour."""
    try:
        run((suite / case["module"]).read_text(), [])
    except Exception:
        neighbour = case["neighbour"]
        verdict, reason = judge(suite, neighbour, run)
        if verdict == "UNSUPPORTED" or verdict in FAILURES:
            return "UNSUPPORTED", f"a refusal that proves nothing: {neighbour['name']} is {verdict}: {reason}"
        return "EXACT", "refused"
    return "FAIL", "a module that must be refused was run"


def judge_in_child(suite, case, run, seconds):
    """Does the same in a child process: its end is the verdict CRASH, and no verdict after some seconds is TIMEOUT."""
    receive, send = multiprocessing.Pipe(False)
    child = multiprocessing.get_context("fork").Process(target=lambda: send.send(judge(suite, case, run)))
    child.start()
    send.close()
    try:
        verdict = receive.recv() if receive.poll(seconds) else ("TIMEOUT", f"no result after {seconds:g} s")
    except EOFError:
        verdict = "CRASH", "the process ended"
    child.kill()
    child.join()
    return verdict


def parse_arguments():
    """Returns the options, with the chosen cases and the backend's function. Exits with 2 if there are none, or if an
    option or a file of the suite is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("backend", help="a Python file that defines run")
    parser.add_argument("--suite", type=pathlib.Path, default=pathlib.Path(__file__).parent, help="the suite's folder")
    parser.add_argument("--filter", default="", help="only cases whose names contain this text")
    parser.add_argument("--json", type=pathlib.Path, help="write the verdict and the reason of each case to this file")
    parser.add_argument("--fork", action="store_true", help="run each case in a process of its own")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="the longest time of a case; needs --fork")
    options = parser.parse_args()
    if options.timeout is not None and not (options.fork and options.timeout > 0):
        parser.error("--timeout must be a positive number of seconds, and needs --fork")
    if problem := wrong_file(options.suite):
        parser.error(problem)
    options.cases = cases_of(options.suite, options.filter)
    if not options.cases:
        names = [case["name"] for case in cases_of(options.suite)]
        parser.error(f"no case has {options.filter!r} in its name; the suite has {len(names)} cases, such as {names[:1]}")
    try:
        options.run = load_backend(options.backend)
    except ValueError as error:
        parser.error(str(error))
    return options


def main():
    """Prints the verdicts. Returns 1 if there is a FAIL or worse."""
    options = parse_arguments()
    verdicts = {}
    for case in options.cases:
        limit = [options.timeout] if options.fork else []
        verdict, reason = (judge_in_child if options.fork else judge)(options.suite, case, options.run, *limit)
        verdicts[case["name"]] = {"verdict": verdict, "reason": reason}
        if verdict in FAILURES:
            print(f"{case['name']}: {verdict}: {reason[:300]}", flush=True)
    counts = collections.Counter(row["verdict"] for row in verdicts.values())
    print(f"{len(verdicts)} cases: " + ", ".join(f"{counts[name]} {name}" for name in VERDICTS if counts[name]))
    if options.json:
        options.json.write_text(json.dumps(verdicts, indent=1))
    return 1 if any(counts[name] for name in FAILURES) else 0


if __name__ == "__main__":
    raise SystemExit(main())
