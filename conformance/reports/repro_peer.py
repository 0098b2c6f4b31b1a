"""Runs module.hlo on a program that speaks assay's process protocol, without assay.

usage: repro.py [COMMAND [ARGUMENT]...]: another program than the one below
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
recorded = here / "inputs.json"
inputs = [[]] * (devices["replicas"] * devices["partitions"])
if recorded.exists():
    inputs = json.loads(recorded.read_text(encoding="utf-8"))["inputs_per_device"]
given = sys.argv[1:]
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


if ask({"hello": 1, "versions": [1, 2]})["hello"] == 1:
    reply = ask({"id": 1, "hlo": hlo, **devices, "inputs": inputs})
else:
    executable = ask({"id": 1, "compile": hlo, **devices})["executable"]
    reply = ask({"id": 2, "run": executable, "inputs": inputs})
@CHECK@
