"""A process that runs a module in turns with others, for tools/bench/modules.py."""

import json
import math
import os
import pathlib
import select
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A turn repeats runs that are shorter than this.
LEAST_SECONDS = 0.02
# A participant that takes longer than this has three turns and does not run the larger sizes.
SLOW_SECONDS = 2
PATIENCE_SECONDS = 60
# Timed runs of the kernels, after the runs that compile and record.
KERNEL_RUNS, FIRST_RUNS = 7, 3


class Participant:
    """A process that has compiled a module. If it does not take part, `missing` says why. Its turns are timed by the
    processors instead of the clock if `by_processor` is true."""

    def __init__(self, name, command, module, folder, missing, by_processor):
        self.name, self.command, self.missing, self.by_processor, self.seconds = name, command, missing, by_processor, []
        self.memory, self.kernel_seconds, self.bytes, self.operations = None, None, None, None
        self.version, self.compile_seconds, self.runs, self.process = None, None, 1, None
        if not (ROOT / command[0]).exists():
            self.missing = f"{command[0]} is not there"
        if self.missing:
            return
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [*command, module, folder], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0,  # select sees what has not been read
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        self.version, self.compile_seconds = self.read(), self.number()
        cold = self.ask(1)
        if not self.missing:
            # The second run is the first one after warming up.
            self.runs = max(1, math.ceil(LEAST_SECONDS / max(1e-9, self.ask(1) if cold < SLOW_SECONDS else cold)))

    def read(self):
        if self.missing:
            return ""
        if not select.select([self.process.stdout], [], [], PATIENCE_SECONDS)[0]:
            self.end(f"no answer in {PATIENCE_SECONDS} s")
            return ""
        line = self.process.stdout.readline().decode().strip()
        if not line:
            self.process.wait()
            self.errors.seek(0)
            words = self.errors.read().decode(errors="replace").strip().splitlines()
            self.end(words[-1][:160] if words else f"ended with {self.process.returncode}")
        return line

    def number(self):
        line = self.read()
        return 0.0 if self.missing else float(line)

    def ask(self, question):
        if self.missing:
            return 0.0
        try:
            self.process.stdin.write(f"{question}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # reading says why
        return self.number()

    def take_turn(self, turn):
        if self.missing or (turn >= 3 and self.seconds[0] > SLOW_SECONDS):
            return
        before = self.processor_seconds() if self.by_processor else 0
        seconds = self.ask(self.runs)
        if self.by_processor and not self.missing:
            seconds = (self.processor_seconds() - before) / self.runs
        if not self.missing:
            self.seconds.append(seconds)

    def processor_seconds(self):
        """Returns the seconds that the threads of the process have run."""
        tasks = pathlib.Path("/proc", str(self.process.pid), "task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9

    def end(self, reason=None):
        self.missing = self.missing or reason
        if self.process and self.process.poll() is None:
            self.process.kill()
        if self.process:
            self.process.wait()

    def finish(self):
        if not self.missing:
            self.memory = int(self.ask("memory"))
        if not self.missing and self.name in ("cuda", "roof"):
            self.bytes = int(self.ask("bytes"))
        if not self.missing and self.name == "roof":
            self.operations = int(self.ask("operations"))
        if not self.missing and self.name == "XLA:GPU":
            self.kernel_seconds = self.ask("execute")
        self.end()

    def as_data(self):
        if self.missing:
            return {"missing": self.missing}
        data = {"version": self.version, "compile_seconds": self.compile_seconds, "seconds": self.seconds,
                "median": statistics.median(self.seconds), "peak_bytes": self.memory}
        for name in ("bytes", "operations"):
            if getattr(self, name) is not None:
                data[name] = getattr(self, name)
        return {**data, "kernel_seconds": self.kernel_seconds} if self.kernel_seconds else data

    def time_kernels(self, module, folder):
        """Measures the time of a run's kernels in a separate process, because timing them slows the run."""
        if self.missing or self.name != "cuda":
            return
        log = pathlib.Path(folder) / "kernels"
        questions = "1\n" * (FIRST_RUNS + KERNEL_RUNS)
        subprocess.run([*self.command, module, folder], cwd=ROOT, input=questions, text=True, check=False,
                       stdout=subprocess.DEVNULL, env={**os.environ, "ASSAY_CUDA_LOG": str(log)})
        self.kernel_seconds = kernel_seconds(log.read_text().splitlines()) if log.exists() else None


def kernel_seconds(lines):
    """Returns the median of the runs in a log of the backend cuda, except the first ones; None if there are no
    others."""
    times = [json.loads(line)["kernel_seconds"] for line in lines][FIRST_RUNS:]
    return statistics.median(times) if times else None
