"""Runs module.hlo on a program that speaks assay's process protocol, without assay.

usage: repro.py [--runs N] [COMMAND [ARGUMENT]...]: compares every element of N runs (20); COMMAND is another program
than the one below
"""
# It failed on @BACKEND@.
import json
import pathlib
import subprocess
import sys

COMMAND, FOLDER = @COMMAND@, @FOLDER@
devices = {"replicas": @REPLICAS@, "partitions": @PARTITIONS@}
here = pathlib.Path(__file__).resolve().parent
hlo = (here / "module.hlo").read_text(encoding="utf-8")
stablehlo = here / "module.stablehlo"
if stablehlo.exists():  # as the backend got it beside the HLO
    devices["stablehlo_hex"] = stablehlo.read_bytes().hex()
recorded = here / "inputs.json"
inputs = [[]] * (devices["replicas"] * devices["partitions"])
if recorded.exists():
    inputs = json.loads(recorded.read_text(encoding="utf-8"))["inputs_per_device"]
given, runs = sys.argv[1:], 20
if given[:1] == ["--runs"]:
    given, runs = given[2:], int(given[1])
peer = subprocess.Popen(given or COMMAND, cwd=None if given else FOLDER or None, stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE, encoding="utf-8")


def ask(message):
    peer.stdin.write(json.dumps(message) + "\n")
    peer.stdin.flush()
    line = peer.stdout.readline()
    if not line:
        sys.exit(f"the backend ended with exit status {peer.wait()}")
    reply = json.loads(line)
    if reply.get("status", "ok") != "ok":
        sys.exit(f"{reply['status']}: {reply.get('message')}")
    return reply


def arrays_of(value):
    """Returns the bytes of the arrays of a value, in order. Tokens have none."""
    if "tuple" in value:
        return [array for part in value["tuple"] for array in arrays_of(part)]
    if "data_file" in value:
        return [pathlib.Path(value["data_file"]).read_bytes()]
    return [bytes.fromhex(value["data_hex"])] if "data_hex" in value else []


request = {"id": 1, "hlo": hlo, **devices, "inputs": inputs}
if ask({"hello": 1, "versions": [1, 2]})["hello"] == 2:
    executable = ask({"id": 1, "compile": hlo, **devices})["executable"]
    request = {"id": 2, "run": executable, "inputs": inputs}


def run():
    """Returns the bytes of each array, device by device."""
    return [arrays_of(value) for value in ask(request)["outputs"]]
@CHECK@
