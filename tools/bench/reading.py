"""Times the readers of modules beside jaxlib's, by turns: a chain of COUNT operations on arrays in each format.

    tools/dev bench reading [COUNT]

Times are milliseconds: the median of seven repetitions, with the range. `locations` has names and places in the source.
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from backends.adapters.xla_peers import jaxlib_api

BENCH = pathlib.Path(__file__).resolve().parents[2] / "build/tools/bench"
REPETITIONS = 7
VERSION = "1.9.0"
# Operations on %a, %b, %m and the previous result %p of type tensor<64x64xf32>.
T = "tensor<64x64xf32>"
OPERATIONS = [
    f"stablehlo.add %p, %a : {T}",
    f"stablehlo.tanh %p : {T}",
    f"stablehlo.dot_general %p, %b, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : ({T}, {T}) -> {T}",
    f"stablehlo.transpose %p, dims = [1, 0] : ({T}) -> {T}",
    f"stablehlo.select %m, %p, %a : tensor<64x64xi1>, {T}",
    f"stablehlo.multiply %p, %b : {T}",
    f"stablehlo.reverse %p, dims = [0] : {T}",
    f"stablehlo.subtract %p, %a : {T}",
]


def program(count):
    """Returns StableHLO text with places in the source."""
    lines = ["module @chain {", f"func.func public @main(%a: {T}, %b: {T}, %m: tensor<64x64xi1>) -> {T} {{"]
    previous = "%a"
    for i in range(count):
        place = f'loc("jit(f)/layer_{i // 10}/op_{i % 10}"("model.py":{i // 10 + 1}:{i % 10 + 1}))'
        lines.append(f"%v{i} = {OPERATIONS[i % len(OPERATIONS)].replace('%p', previous)} {place}")
        previous = f"%v{i}"
    return "\n".join([*lines, f"return {previous} : {T}", "} }"])


def formats(count, folder):
    """Writes the program in each format. Yields a name, the file, and jaxlib's way to read it."""
    context = ir.Context()
    jaxlib_api.load_dialects(context)
    text = ir.Module.parse(program(count), context).operation.get_asm(enable_debug_info=True)
    plain = ir.Module.parse(text, context).operation.get_asm()
    module = jaxlib_api.stablehlo_to_hlo(text.encode())
    proto, hlo = module.as_serialized_hlo_module_proto(), module.to_string()
    artifact = stablehlo.serialize_portable_artifact_str(text, VERSION)
    from_proto = jaxlib_api.HloModule.from_serialized_hlo_module_proto
    for name, ending, content, read in (
        ("StableHLO text", "mlir", plain.encode(), jaxlib_api.stablehlo_to_hlo),
        ("StableHLO text, locations", "mlir", text.encode(), jaxlib_api.stablehlo_to_hlo),
        ("StableHLO bytecode, locations", "mlirbc", artifact, jaxlib_api.stablehlo_to_hlo),
        ("HloModuleProto", "pb", proto, from_proto),
        ("HLO text", "hlo", hlo.encode(), lambda content: jaxlib_api.hlo_module_from_text(content.decode())),
    ):
        path = pathlib.Path(folder) / f"{name.replace(' ', '_')}.{ending}"
        path.write_bytes(content)
        yield name, path, content, read


def seconds_of(read, content):
    start = time.perf_counter()
    read(content)
    return time.perf_counter() - start


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    print("| format | bytes | instructions | assay, ms | jaxlib, ms | ratio |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, path, content, read in formats(count, folder):
            done = subprocess.run([BENCH, "reading", path], capture_output=True, text=True, check=True)
            median, least, most, instructions = map(float, done.stdout.split())
            peer = sorted(seconds_of(read, content) for _ in range(REPETITIONS))
            middle = statistics.median(peer)
            print(f"| {name} | {len(content):,} | {instructions:,.0f} "
                  f"| {median * 1e3:.1f} ({least * 1e3:.1f} to {most * 1e3:.1f}) "
                  f"| {middle * 1e3:.0f} ({peer[0] * 1e3:.0f} to {peer[-1] * 1e3:.0f}) | {middle / median:.1f} |",
                  flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
