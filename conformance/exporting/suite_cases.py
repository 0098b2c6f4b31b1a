"""The cases of an exported suite of assay: their files, their arrays, and the verdict on the results of a backend."""

import collections
import hashlib
import json
import re

import ml_dtypes
import numpy as np

VERDICTS = ["EXACT", "LEGAL", "SPEC-GAP", "UNSUPPORTED", "WEAK", "UNDECIDED", "SUSPECT", "FAIL", "ERROR", "TIMEOUT", "CRASH"]  # to the worst
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

    def accepts(self, low, high, bits, is_nan):
        """Returns True if a range of accepted numbers contains a number. `low` and `high` are hexadecimal, or "nan"."""
        if low == "nan" or is_nan:
            return low == "nan" and is_nan
        return self.place(int(low, 16) & self.mask) <= self.place(bits) <= self.place(int(high, 16) & self.mask)


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


def read_array(value, stored=None):
    """Returns the type and the array of {"shape": "f32[2]", "data_hex": ...}; `stored` is the array of a .npz file."""
    name, sizes = re.fullmatch(r"(\w+)\[([\d,]*)\].*", value["shape"]).groups()
    kind = Type(name)
    data = bytes.fromhex(value["data_hex"]) if stored is None else np.ascontiguousarray(stored).tobytes()
    return kind, np.frombuffer(data, kind.dtype).reshape([int(size) for size in sizes.split(",") if size])


def read_case(suite, case):
    """Returns the arguments of a case, and for each result its type, its exact value and the ranges of `accept`."""
    stored = np.load(suite / case["npz"]) if "npz" in case else {}
    inputs = [read_array(value, stored.get(f"input_{i}"))[1] for i, value in enumerate(case.get("inputs", []))]
    if (devices := device_count(case)) > 1:
        each = len(inputs) // devices
        inputs = [inputs[d * each : (d + 1) * each] for d in range(devices)]
    outputs = []
    for i, output in enumerate(case.get("outputs", [])):
        ranges = output.get("accept", [])
        if f"accept_{i}" in stored:
            ranges = [accepted_range(*row) for row in stored[f"accept_{i}"].tolist()]
        outputs.append((*read_array(output, stored.get(f"output_{i}")), ranges))
    return inputs, outputs


def accepted_range(element, part, verdict, is_nan, low, high):
    """Returns a row of a .npz file as the files of cases have it."""
    ends = ("nan", "nan") if is_nan else (f"{low:x}", f"{high:x}")
    return element, part, {1: "LEGAL", 2: "SPEC-GAP", 4: "WEAK"}[verdict], *ends


def device_count(case):
    """Returns the number of devices that run the module of a case."""
    return int(np.prod(list(case.get("devices", {"": 1}).values())))


def verdict_on(case, outputs, results):
    """Returns the worst verdict on the results of a case, and the reason."""
    if device_count(case) > 1:
        results = [array for device in results for array in device]
    if len(results) != len(outputs):
        return "FAIL", f"got {len(results)} results, want {len(outputs)}"
    verdicts = [verdict_on_array(case, *output, np.asarray(got)) for output, got in zip(outputs, results)]
    return worst([("EXACT", ""), *verdicts])


def verdict_on_array(case, kind, want, accept, got):
    """Returns the verdict on one array, and the first component with that verdict."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return "FAIL", f"got {got.dtype}{list(got.shape)}, want {want.dtype}{list(want.shape)}"
    got_bits, want_bits, nans = kind.bits(got), kind.bits(want), kind.nans(got)
    differs = np.flatnonzero((got_bits != want_bits) & ~(nans & kind.nans(want)))
    if differs.size and "undecided" in case:
        return "UNDECIDED", case["undecided"]
    ranges = collections.defaultdict(list)
    for element, part, *row in accept:
        ranges[element * kind.parts + part].append(row)
    verdicts = [("EXACT", "")]
    for i in map(int, differs):
        names = [name for name, low, high in ranges[i] if kind.accepts(low, high, int(got_bits[i]), nans[i])]
        reason = f"component {i}: got x{got_bits[i]:x}, want x{want_bits[i]:x}"
        verdicts.append((names[0] if names else "FAIL", reason))
    return worst(verdicts)


def worst(verdicts):
    """Returns the first of the worst verdicts."""
    return max(verdicts, key=lambda verdict: VERDICTS.index(verdict[0]))
