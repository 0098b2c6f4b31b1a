"""Times `assay diff` on a transformer's step of training, before and after the passes of XLA:CPU.

    tools/dev bench pairs [--width N] [--length N] [--turns N]

Beside it are the runs of both modules on the reference, and a pair whose second module has a planted fault. Seconds are
processor time, so that other work on the machine has little effect. Prints a Markdown table.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from tools.bench.corpus import processor_seconds

ROOT = pathlib.Path(__file__).resolve().parents[2]


def dump(folder, width, length):
    """Compiles the step for the CPU. XLA writes its modules to the folder when the process starts with XLA_FLAGS."""
    import jax
    from spec_tests.plugin.training import gradient_step, transformer

    loss, parameters, tokens = transformer(width=width, length=length)
    jax.jit(gradient_step(loss)).lower(parameters, tokens).compile()


def seconds(*words):
    """Returns the processor seconds of a command of assay, and the first word that it prints."""
    before = processor_seconds()
    run = subprocess.run([ROOT / "build/tools/assay", *words], capture_output=True, text=True)
    used = processor_seconds() - before
    if run.returncode not in (0, 1):
        raise SystemExit(f"assay {' '.join(map(str, words))}: {run.stderr}")
    return used, run.stdout.split(":")[0].split("\n")[0]


def main():
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--width", type=int, default=64, help="of the model (64)")
    parser.add_argument("--length", type=int, default=32, help="tokens of a sequence (32)")
    parser.add_argument("--turns", type=int, default=3, help="how often each is measured (3)")
    parser.add_argument("--dump", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.dump:
        return dump(options.dump, options.width, options.length)
    with tempfile.TemporaryDirectory() as folder:
        flags = f"--xla_dump_to={folder} --xla_dump_hlo_as_text --xla_dump_large_constants=true"
        environment = {**os.environ, "JAX_PLATFORMS": "cpu", "XLA_FLAGS": flags}
        own = [sys.executable, "-m", "tools.bench.pairs", "--dump", folder]
        sizes = ["--width", str(options.width), "--length", str(options.length)]
        subprocess.run([*own, *sizes], check=True, cwd=ROOT, env=environment)
        before, after = (next(pathlib.Path(folder).glob(f"*jit_step*{end}.txt"))
                         for end in (".before_optimizations", "cpu_after_optimizations"))
        faulty = pathlib.Path(folder, "faulty.hlo")
        faulty.write_text(after.read_text().replace(" rsqrt(", " sqrt(").replace(" tanh(", " sine("))
        runs = [sum(seconds("run", module)[0] for module in (before, after)) for _ in range(options.turns)]
        print("\n| a step of training | verdict | s | of two runs |\n|---|---|---|---|")
        print(f"| two runs on the reference | | {statistics.median(runs):.2f} | 1 |")
        for name, module in (("diff: what XLA:CPU compiles", after), ("diff: with a fault", faulty)):
            turns = [seconds("diff", before, module, "--profile", "xla-cpu") for _ in range(options.turns)]
            median = statistics.median(used for used, _ in turns)
            print(f"| {name} | {turns[0][1]} | {median:.2f} | {median / statistics.median(runs):.1f} |")


if __name__ == "__main__":
    main()
