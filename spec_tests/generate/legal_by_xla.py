"""Checks that XLA's verifier accepts the programs of `assay fuzz`.

    python -m spec_tests.generate.legal_by_xla DRAWN_MODULES [--seed N] [--first N] [--count N] [--jobs N]

XLA's parser does not verify, so XLA:CPU compiles each program and verifies the module before anything else. The
compiler accepts only StableHLO: XLA's own conversion produces it, and converts it back to HLO, which is verified. If
the conversion refuses a program, only the parser reads it, which is counted separately. Each group of programs runs in
a child process: if the compiler ends it, the current program is counted, and the others continue.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
GROUP = 100
# Ops and attributes that jaxlib's XLA lacks: they are newer, or of another dialect.
LACKING = re.compile(
    r"Unknown opcode: (atan|collective-reduce|shuffle)\b"
    r"|unexpected attribute \"(algorithm|has_dynamic_root|is_stable)\""
    r"|AsyncUpdate (and AsyncDone expect a single async op|expects the op shape to be the same as the operand)"
)
REPLICAS = re.compile(r"\breplica_count=(\d+)"), re.compile(r"\bnum_partitions=(\d+)")


def programs(drawn_modules, seed, first, count):
    """Returns the texts of programs of the stream."""
    command = [drawn_modules, str(seed), str(count), "programs", str(first)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=600).stdout.split("\f\n")[:-1]


def normal(message):
    """Returns the first line of a message without the parts that differ between programs."""
    line = str(message).strip().splitlines()[0] if str(message).strip() else "no message"
    line = re.sub(r"%?[\w.-]*\d[\w.-]*|\[[^\]]*\]|\{[^}]*\}|\([^)]*\)|\"[^\"]*\"|'[^']*'", "_", line)
    return re.sub(r"(_\W*){2,}", "_ ", line)[:140]


class Judge:
    """XLA, in this process."""

    def __init__(self):
        from backends.adapters.xla_peers import compiler, jaxlib_api, pjrt, stablehlo_module, values

        values.ArrayShape.dtype = None  # nothing is executed: types that NumPy lacks are welcome
        quick = ("xla_backend_optimization_level", "0"), ("xla_llvm_disable_expensive_passes", "true")
        self.options = compiler.Options(settings=quick)
        self.api, self.module = jaxlib_api, stablehlo_module.Module
        self.peer = pjrt.Pjrt()

    def judge(self, text):
        """Returns the result for a program, and its reason: lacking, refused, read, verified."""
        try:
            self.api.hlo_module_from_text(text)
        except Exception as error:  # jaxlib's are of many kinds
            return ("lacking" if LACKING.search(str(error)) else "refused by the parser"), normal(error)
        counts = [int(found[1]) if (found := pattern.search(text)) else 1 for pattern in REPLICAS]
        try:
            module = self.module(text)
            module.check_unchanged = lambda: None  # whether it means the same is not asked here
            options = self.peer.prepare(module, *counts, self.options)
        except Exception as error:
            return "read, not converted", normal(error)
        devices = self.peer.client.devices()[: counts[0] * counts[1]]
        try:
            self.api.compile_module(self.peer.client, module.bytecode(), devices, options)
        except Exception as error:
            return kind_of(str(error), text), normal(error)
        return "verified", ""


def kind_of(message, text):
    """Classifies an error of the compiler."""
    # The conversion replaces arrays without elements by constants, and their operands become unused.
    if "must have users" in message and re.search(r"[\[,]0[\],]", text):
        return "read, not converted"
    # The verifier runs before the first pass, and after each.
    if "Failed after pipeline-start" in message:
        return "refused by the verifier"
    # The way from StableHLO back to HLO comes before the verifier.
    return "read, not converted" if re.match("UNKNOWN|INVALID_ARGUMENT", message) else "verified, not compiled"


def serve():
    """Judges each text of the input and prints the result."""
    judge = Judge()
    for line in sys.stdin:
        print(json.dumps(judge.judge(json.loads(line))), flush=True)


def judged(texts):
    """Returns the result for each text. Runs them in child processes."""
    results = []
    while len(results) < len(texts):
        rest = texts[len(results) :]
        child = subprocess.run(
            [sys.executable, "-m", "spec_tests.generate.legal_by_xla", "--serve"],
            input="".join(json.dumps(text) + "\n" for text in rest),
            capture_output=True, text=True, cwd=ROOT, check=False,
        )  # fmt: skip
        results += [tuple(json.loads(line)) for line in child.stdout.splitlines() if line.startswith("[")]
        if len(results) < len(texts):
            told = [line for line in child.stderr.splitlines() if re.match(r"F\d{4}|LLVM ERROR", line)]
            results.append(("not known, the compiler died", normal(told[-1].split("] ")[-1] if told else "no word")))
    return results


def main():
    """Prints how many programs are of which kind, and the reasons."""
    if sys.argv[1:] == ["--serve"]:
        return serve()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("drawn_modules")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", metavar="KIND", help="print the texts of this kind")
    given = parser.parse_args()
    texts = programs(given.drawn_modules, given.seed, given.first, given.count)
    groups = [texts[i : i + GROUP] for i in range(0, len(texts), GROUP)]
    counts, reasons = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for group, results in zip(groups, pool.map(judged, groups)):
            for text, (kind, reason) in zip(group, results):
                counts[kind] += 1
                reasons[kind, reason] += 1
                if given.show == kind:
                    print(f"// {reason}\n{text}", flush=True)
    for kind, count in sorted(counts.items()):
        print(f"{count:>7} {kind}")
        for (of_kind, reason), number in reasons.most_common():
            if of_kind == kind and reason:
                print(f"        {number:>6} {reason}")
    return 1 if any(kind.startswith("refused") for kind in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
