"""The program under test: build/tools/assay, or the program in the environment variable ASSAY."""

import functools
import json
import os
import pathlib
import subprocess
import tempfile

from golden.witness.arrays import Array

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "golden"
ASSAY = os.environ.get("ASSAY", str(ROOT / "build" / "tools" / "assay"))


def golden_paths():
    """Returns the paths of all golden files: of HLO modules, and of StableHLO programs."""
    return sorted([*GOLDEN.rglob("*.hlo"), *GOLDEN.rglob("*.mlir")])


class RunFailed(Exception):
    """A failed run of assay; the message has its exit status and output."""


@functools.cache
def op_table():
    """Returns the rows of `assay ops --json`."""
    ran = subprocess.run([ASSAY, "ops", "--json"], check=True, capture_output=True, text=True)
    return json.loads(ran.stdout)["ops"]


def evaluate(text, arguments, *flags):
    """Returns the result on each device: an Array, or a list for a tuple. `arguments`: for each device a list of
    Arrays."""
    return evaluate_with_host(text, arguments, None, *flags)[0]


def evaluate_with_host(text, arguments, infeed, *flags):
    """Returns also the values that each device sends to the host. `infeed`: the host's values for each device, None
    without a host."""
    with tempfile.TemporaryDirectory() as folder:
        module, inputs = pathlib.Path(folder, "module.hlo"), pathlib.Path(folder, "inputs.json")
        module.write_text(text)
        inputs.write_text(json.dumps({"inputs_per_device": [list(map(to_json, device)) for device in arguments]}))
        command = [ASSAY, "run", str(module), "--inputs", str(inputs), "--format", "json", *flags]
        outfeed = pathlib.Path(folder, "outfeed.json")
        if infeed is not None:
            pathlib.Path(folder, "infeed.json").write_text(json.dumps(
                {"infeed_per_device": [list(map(to_json, device)) for device in infeed]}))
            command += ["--infeed", folder + "/infeed.json", "--outfeed", str(outfeed)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        given = json.loads(outfeed.read_text())["outfeed_per_device"] if outfeed.exists() else []
    if ran.returncode != 0:
        raise RunFailed(f"exit status {ran.returncode}\n{(ran.stderr or ran.stdout)[:2000]}")
    outputs = [from_json(output) for output in json.loads(ran.stdout)["outputs"]]
    return outputs, [[from_json(value) for value in device] for device in given]


def ask(command, text):
    """Runs a command of assay on a module on standard input; returns the finished process."""
    return subprocess.run([ASSAY, command, "-"], input=text, capture_output=True, text=True, check=False)


def to_json(array):
    """Returns an Array in the form of --inputs; a list is a tuple."""
    if isinstance(array, list):
        return {"tuple": list(map(to_json, array))}
    return {"shape": array.shape, "data_hex": array.bytes().hex()}


def from_json(value):
    """Returns an Array, or a list for a tuple; a token is an empty one."""
    if "tuple" in value:
        return [from_json(element) for element in value["tuple"]]
    if "token" in value:
        return []
    return Array.from_bytes(value["shape"], bytes.fromhex(value["data_hex"]))


def flatten(value):
    """Returns the Arrays of a result, in order."""
    return [leaf for element in value for leaf in flatten(element)] if isinstance(value, list) else [value]
