"""The program under test: build/tools/assay, or what the environment variable ASSAY names."""

import functools
import json
import os
import pathlib
import subprocess
import tempfile

from oracle.arrays import Array

ROOT = pathlib.Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "golden"
ASSAY = os.environ.get("ASSAY", str(ROOT / "build" / "tools" / "assay"))


class RunFailed(Exception):
    """assay did not run a module; the message has its exit status and what it said."""


@functools.cache
def op_table():
    """What `assay ops --json` says of each op."""
    ran = subprocess.run([ASSAY, "ops", "--json"], check=True, capture_output=True, text=True)
    return json.loads(ran.stdout)["ops"]


def evaluate(text, arguments, *flags):
    """The result on each device: an Array, or a list for a tuple. `arguments`: for each device a list of Arrays."""
    return evaluate_with_host(text, arguments, None, *flags)[0]


def evaluate_with_host(text, arguments, infeed, *flags):
    """The same with what the host gives each device, and with what each gives it; without a host, infeed is None."""
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
    """What a command of assay makes of a module on standard input: its finished process."""
    return subprocess.run([ASSAY, command, "-"], input=text, capture_output=True, text=True, check=False)


def to_json(array):
    """An Array in the form that --inputs takes; a list is a tuple."""
    if isinstance(array, list):
        return {"tuple": list(map(to_json, array))}
    return {"shape": array.shape, "data_hex": array.bytes().hex()}


def from_json(value):
    """An Array, or a list for a tuple; a token is an empty one."""
    if "tuple" in value:
        return [from_json(element) for element in value["tuple"]]
    if "token" in value:
        return []
    return Array.from_bytes(value["shape"], bytes.fromhex(value["data_hex"]))


def flatten(value):
    """The Arrays of a result, in order."""
    return [leaf for element in value for leaf in flatten(element)] if isinstance(value, list) else [value]
