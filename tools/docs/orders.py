"""Prints the orders in which backends add, those of docs/measurements/orders.md.

    python -m tools.docs.orders [BACKEND...]

Without names it measures all of BACKENDS, which `tools/dev peer NAME` installs. The drawing is that of the first row.
"""

import argparse
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BACKENDS = {"xla-cpu@0.4.30": "XLA:CPU of jaxlib 0.4.30", "xla-cpu": "XLA:CPU of jaxlib 0.10.2",
            "stablehlo": "StableHLO's interpreter", "iree-cpu": "IREE's llvm-cpu 3.13.0", "simd": "simd"}  # fmt: skip
SUMS = [("reduce", "f32", 64), ("reduce", "bf16", 64), ("dot", "f32", 64), ("dot", "bf16", 64), ("cumsum", "f32", 64),
        ("matmul", "f32", 32)]  # fmt: skip


def measured(backend, op, element_type, size):
    """Returns the output of `assay order`: the words of its lines by name, and the drawing."""
    words = ["order", "--backend", backend, "--op", op, "--type", element_type, "--size", str(size)]
    run = subprocess.run([ROOT / "build/tools/assay", *words], cwd=ROOT, capture_output=True, text=True)
    if not run.stdout:
        raise SystemExit(f"assay {' '.join(words)}: {run.stderr}")
    drawing = run.stdout.partition("order: ")[2].partition("\n")[2].partition("brackets:")[0].partition("arithmetic:")[0]
    return dict(re.findall(r"^(\w+): (.*)$", run.stdout, re.M)), drawing


def section(backend):
    """Returns the table of a backend, with the tree of its first sum."""
    rows, drawings = [], []
    for op, element_type, size in SUMS:
        lines, drawing = measured(backend, op, element_type, size)
        arithmetic = lines.get("arithmetic", "-")
        checked = lines.get("checked", "-").partition(" random")[0]
        rows.append(f"| `{op}` of {size} {element_type} | {lines['order']} | {arithmetic} | {checked} |\n")
        drawings.append(drawing)
    return (f"## {BACKENDS[backend]}\n\n| sum | order | arithmetic | sums with these bits |\n|---|---|---|---|\n"
            f"{''.join(rows)}\n```\n{drawings[0]}```\n")  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("backends", nargs="*", choices=[[], *BACKENDS], help="all by default")
    for backend in parser.parse_args().backends or BACKENDS:
        print(section(backend), flush=True)


if __name__ == "__main__":
    main()
