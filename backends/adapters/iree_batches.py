"""Compiles the modules of a corpus in batches, for iree_adapter.py to find.

IREE spends most of its time for a small module on preparing its passes. Modules joined to one take half of that time.
This peer declines each module, and keeps the programs of a batch once the batch is full. Modules that do not compile in a
batch are not kept: the adapter compiles each of them alone, so an error is not that of another module.
"""

import pickle

from iree_adapter import Iree, program_of
from xla_peers.in_child import forked
from xla_peers.joined_modules import faulty_modules, joined
from xla_peers.session import serve
from xla_peers.values import Unsupported

SIZE, MOST_CHARACTERS = 24, 1 << 18


class Batches(Iree):
    """IREE as a peer that collects modules."""

    def __init__(self):
        super().__init__()
        self.waiting = []

    def compile(self, module, replicas, partitions):
        """Collects a module, and compiles those that wait once they are enough."""
        text = self.text(module)
        if len(text) < MOST_CHARACTERS and text not in self.waiting and self.programs.find(text) is None:
            self.waiting.append(text)
        if len(self.waiting) >= SIZE or sum(map(len, self.waiting)) > MOST_CHARACTERS:
            texts, self.waiting = self.waiting, []
            self.keep(texts)
        raise Unsupported("collected for a batch")

    def keep(self, texts):
        """Compiles modules as one and keeps its program; without those that fail, or in halves."""
        if len(texts) < 2:
            return
        whole = joined(texts)
        # The fork also loads the program, because an initializer may end the process.
        status, reply, said = forked(self.loadable, whole)
        failure, program = pickle.loads(reply) if status == 0 and reply else (RuntimeError, None)
        faulty = faulty_modules(whole, said)
        rest = [text for number, text in enumerate(texts) if number not in faulty]
        if failure is None and program is not None:
            for number, text in enumerate(texts):
                self.programs.add(text, {"program": program, "function": f"m{number}.main"})
        elif len(rest) < len(texts):
            self.keep(rest)
        else:
            self.keep(texts[: len(texts) // 2])
            self.keep(texts[len(texts) // 2 :])

    def loadable(self, whole):
        """Returns the program of a joined module after loading it; None if it does not compile."""
        program = program_of(whole)
        if program is not None:
            self.loaded(program, "m0.main")
        return program


if __name__ == "__main__":
    serve(Batches)
