"""A peer of the process protocol with a compiler of three passes, for f32 modules of one computation.

`tidy` renames the module, which is right; `reorder` swaps the operands of a subtract, which is wrong; without `lower`
the compiler crashes. With the setting code=slow it compiles the output of the passes correctly.

usage: pass_peer.py [emitter]. With `emitter` no pass is wrong, but the code generated after them.
"""

import json
import os
import re
import sys

import numpy as np

OPS = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "negate": np.negative}


def tidy(hlo):
    return hlo.replace("HloModule m", "HloModule tidy")


def reorder(hlo):
    return re.sub(r"subtract\((%\w+), (%\w+)\)", r"subtract(\2, \1)", hlo)


def lower(hlo):
    return hlo.replace("HloModule tidy", "HloModule lowered")


PASSES = {"tidy": tidy, "reorder": reorder, "lower": lower}


def compiled(request, hlo, is_emitter_wrong):
    """Returns the text after the passes, and the passes that changed it."""
    options = request.get("options", {})
    off = options.get("disable_passes", [])
    if "lower" in off:
        os._exit(3)
    ran = []
    for name, run in PASSES.items():
        before, hlo = hlo, run(hlo) if name not in off and not (is_emitter_wrong and name == "reorder") else hlo
        if hlo != before:
            ran.append({"name": name, "before": before, "after": hlo})
    if is_emitter_wrong and options.get("settings", {}).get("code") != "slow":
        hlo = reorder(hlo)
    return hlo, ran


def evaluate(hlo, arguments):
    """Returns the value of the root."""
    values = {}
    for root, name, op, operands in re.findall(r"(ROOT )?(%\w+) = f32\[\d*\]\S* (\w+)\(([^)]*)\)", hlo):
        if op == "parameter":
            values[name] = arguments[int(operands)]
        else:
            values[name] = OPS[op](*(values[operand] for operand in operands.split(", ")))
        if root:
            return values[name]
    raise ValueError("no root")


def answer(request, is_emitter_wrong):
    if "trace" in request:
        return {"passes": compiled(request, request["trace"], is_emitter_wrong)[1], "settings": {"code": "slow"}}
    hlo, _ = compiled(request, request["hlo"], is_emitter_wrong)
    inputs = request["inputs"][0]
    result = evaluate(hlo, [np.frombuffer(bytes.fromhex(value["data_hex"]), "<f4") for value in inputs])
    shape = re.search(r"ROOT[^=]*= (f32\[\d*\])", request["hlo"])[1]
    return {"outputs": [{"shape": shape, "data_hex": result.astype("<f4").tobytes().hex()}]}


def main():
    for message in map(json.loads, sys.stdin):
        if "bye" in message:
            return
        if "hello" in message:
            reply = {"hello": 1, "name": "passes", "version": "1", "options": True}
        else:
            try:
                reply = {"id": message["id"], "status": "ok", **answer(message, "emitter" in sys.argv)}
            except (KeyError, ValueError) as error:
                reply = {"id": message["id"], "status": "unsupported", "message": repr(error)}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
