"""Runs an exported suite of assay on a backend, and prints the verdict of each case.

    python run_suite.py BACKEND.py [--suite FOLDER] [--filter TEXT] [--json FILE] [--fork] [--timeout SECONDS]

BACKEND.py defines run(module_text, inputs). `inputs` is the list of the module's arguments as NumPy arrays; `run` returns
the list of its results. It raises NotImplementedError for a module that it does not support. For a module on several
devices both are lists with a list of arrays for each device. The runner needs NumPy and ml_dtypes.
"""

import argparse
import collections
import hashlib
import importlib.util
import json
import multiprocessing
import pathlib
import re

import ml_dtypes
import numpy as np

VERDICTS = ["EXACT", "LEGAL", "SPEC-GAP", "UNSUPPORTED", "WEAK", "UNDECIDED", "FAIL", "ERROR", "TIMEOUT", "CRASH"]  # to the worst
NAMES = {"pred": "bool", "s": "int", "u": "uint", "f": "float", "c": "complex", "bf16": "bfloat16"}


class Type:
    """An element type by its HLO name: its NumPy type, and the numbers of its components as unsigned integers."""

    def __init__(self, name):
        letters, digits, rest = re.fullmatch(r"([a-z]+)(\d*)(.*)", name).groups()
        numpy_name = NAMES.get(name) or NAMES[letters] + digits + (rest and f"_{rest}")
        self.dtype = np.dtype(getattr(ml_dtypes, numpy_name, None) or numpy_name)
        self.parts = 2 if letters == "c" else 1
        self.width = int(digits or 8) // self.parts
        self.is_float, self.is_signed = letters in ("f", "bf", "c"), letters == "s"
        self.mask, self.sign = 2**self.width - 1, 2 ** (self.width - 1)
        self.has_sign = name != "f8e8m0fnu"
        self.words = np.dtype(f"u{self.dtype.itemsize // self.parts}")

    def bits(self, array):
        """Returns the bits of each component."""
        return np.ascontiguousarray(array).reshape(-1).view(self.words) & self.words.type(self.mask)

    def nans(self, array):
        """Returns an array of truth values: True for each component that is NaN."""
        if not self.is_float:
            return np.zeros(array.size, bool)
        flat = np.ascontiguousarray(array).reshape(-1)
        with np.errstate(invalid="ignore"):
            return np.isnan(flat.view(flat.real.dtype) if self.parts == 2 else flat)

    def place(self, bits):
        """Returns the place of a number on the line of all numbers of the type: -0 is before +0."""
        negative = bits & self.sign and (self.is_signed or self.is_float and self.has_sign)
        return bits if not negative else bits - 2 * self.sign if self.is_signed else -(bits & (self.sign - 1)) - 1


def read_array(value, stored=None):
    """Returns the type and the array of {"shape": "f32[2]", "data_hex": ...}; `stored` is the array of a .npz file."""
    name, sizes = re.fullmatch(r"(\w+)\[([\d,]*)\].*", value["shape"]).groups()
    kind = Type(name)
    data = bytes.fromhex(value["data_hex"]) if stored is None else np.ascontiguousarray(stored).tobytes()
    return kind, np.frombuffer(data, kind.dtype).reshape([int(size) for size in sizes.split(",") if size])


def verdict_of(case, output, want, kind, got):
    """Returns the verdict of one array, and the number of its first component with that verdict."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return "FAIL", f"got {got.dtype}{list(got.shape)}, want {want.dtype}{list(want.shape)}"
    got_bits, want_bits, nans = kind.bits(got), kind.bits(want), kind.nans(got)
    differs = np.flatnonzero((got_bits != want_bits) & ~(nans & kind.nans(want)))
    if differs.size and "undecided" in case:
        return "UNDECIDED", case["undecided"]
    ranges = collections.defaultdict(list)
    for element, part, verdict, low, high in output.get("accept", []):
        ranges[element * kind.parts + part].append((verdict, low, high))
    worst = ("EXACT", "")
    for i in map(int, differs):
        at = kind.place(int(got_bits[i]))
        verdict = "FAIL"
        for name, low, high in ranges[i]:
            numbers = None if low == "nan" else (kind.place(int(low, 16) & kind.mask), kind.place(int(high, 16) & kind.mask))
            if nans[i] if numbers is None else not nans[i] and numbers[0] <= at <= numbers[1]:
                verdict = name
        if VERDICTS.index(verdict) > VERDICTS.index(worst[0]):
            worst = verdict, f"component {i}: got x{got_bits[i]:x}, want x{want_bits[i]:x}"
    return worst


def judge(suite, case, run):
    """Returns the verdict of a case, and its reason."""
    arrays = np.load(suite / case["npz"]) if "npz" in case else {}
    inputs = [read_array(value, arrays.get(f"input_{i}"))[1] for i, value in enumerate(case.get("inputs", []))]
    devices = int(np.prod(list(case.get("devices", {"": 1}).values())))
    if devices > 1:
        each = len(inputs) // devices
        inputs = [inputs[d * each : (d + 1) * each] for d in range(devices)]
    try:
        results = run((suite / case["module"]).read_text(), inputs)
    except NotImplementedError as error:
        return ("EXACT", "refused") if "refused" in case else ("UNSUPPORTED", str(error))
    except Exception as error:
        return ("EXACT", "refused") if "refused" in case else ("ERROR", f"{type(error).__name__}: {error}")
    if "refused" in case:
        return "FAIL", "a module that must be refused was run"
    results = [np.asarray(array) for device in results for array in device] if devices > 1 else list(map(np.asarray, results))
    outputs = case["outputs"]
    if len(results) != len(outputs):
        return "FAIL", f"got {len(results)} results, want {len(outputs)}"
    verdicts = [("EXACT", "")]
    for i, (output, got) in enumerate(zip(outputs, results)):
        if "npz" in case and f"accept_{i}" in arrays:
            names = {1: "LEGAL", 2: "SPEC-GAP", 4: "WEAK"}
            rows = arrays[f"accept_{i}"].tolist()
            output["accept"] = [[e, p, names[v], *(["nan"] * 2 if n else (f"{a:x}", f"{b:x}"))] for e, p, v, n, a, b in rows]
        kind, want = read_array(output, arrays.get(f"output_{i}"))
        verdicts.append(verdict_of(case, output, want, kind, got))
    return max(verdicts, key=lambda verdict: VERDICTS.index(verdict[0]))


def in_child(judge_case, case, seconds=None):
    """Judges a case in a child process: its end is the verdict CRASH, and no verdict after some seconds is TIMEOUT."""
    receive, send = multiprocessing.Pipe(False)
    child = multiprocessing.get_context("fork").Process(target=lambda: send.send(judge_case(case)))
    child.start()
    send.close()
    try:
        verdict = receive.recv() if receive.poll(seconds) else ("TIMEOUT", f"no result after {seconds:g} s")
    except EOFError:
        verdict = "CRASH", "the process ended"
    child.kill()
    child.join()
    return verdict


def wrong_file(suite):
    """Returns what is wrong with a file of the suite, by the digests of its manifest; an empty text if nothing is."""
    manifest = suite / "manifest.json"
    if not manifest.is_file():
        return f"{manifest}: no such file; --suite must be a folder of assay export"
    digests = json.loads(manifest.read_text())["files"]
    folders = [suite / name for name in ("cases", "modules", "arrays")]
    found = {path.relative_to(suite).as_posix() for folder in folders for path in folder.rglob("*") if path.is_file()}
    for name in sorted(found | set(digests)):
        path = suite / name
        if name not in digests:
            return f"{path}: not a file of the suite: the manifest does not name it"
        if not path.is_file():
            return f"{path}: no such file, but the manifest names it"
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest != digests[name]:
            return f"{path}: differs from the exported file: its SHA-256 must be {digests[name]}, found {digest}"
    return ""


def cases_of(suite, text=""):
    """Returns the cases of a suite whose names contain a text."""
    files = sorted((suite / "cases").rglob("*.json"))
    return [case for file in files for case in json.loads(file.read_text())["cases"] if text in case["name"]]


def load_backend(path):
    """Returns the function `run` of a Python file."""
    spec = importlib.util.spec_from_file_location("backend", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.run


def main():
    """Prints the verdicts. Exits with 1 if there is a FAIL or worse, and with 2 for wrong options or files."""
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
    run, verdicts = load_backend(options.backend), {}
    for case in cases_of(options.suite, options.filter):
        judge_case = lambda case: judge(options.suite, case, run)
        verdict, reason = in_child(judge_case, case, options.timeout) if options.fork else judge_case(case)
        verdicts[case["name"]] = {"verdict": verdict, "reason": reason}
        if VERDICTS.index(verdict) >= VERDICTS.index("FAIL"):
            print(f"{case['name']}: {verdict}: {reason[:300]}", flush=True)
    counts = collections.Counter(row["verdict"] for row in verdicts.values())
    print(f"{len(verdicts)} cases: " + ", ".join(f"{counts[name]} {name}" for name in VERDICTS if counts[name]))
    if options.json:
        options.json.write_text(json.dumps(verdicts, indent=1))
    return 1 if any(counts[name] for name in VERDICTS[VERDICTS.index("FAIL") :]) else 0


if __name__ == "__main__":
    raise SystemExit(main())
