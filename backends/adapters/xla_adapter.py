"""XLA:CPU, StableHLO's interpreter and PJRT plugins, as peers of the process protocol (docs/process_protocol.md).

    python xla_adapter.py               XLA:CPU with its default options
    python xla_adapter.py --stablehlo   StableHLO's reference interpreter
    python xla_adapter.py --plugin F.so the device of a PJRT plugin

XLA's own parser reads the HLO text and converts it to StableHLO, the form that jaxlib compiles. A module that this
conversion changes is unsupported (xla_peers/hlo_difference.py).
"""

import argparse

from xla_peers.pjrt import Pjrt
from xla_peers.session import serve
from xla_peers.stablehlo_interpreter import StableHlo


def main():
    """Answers requests on standard input."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    others = parser.add_mutually_exclusive_group()
    others.add_argument("--stablehlo", action="store_true", help="StableHLO's interpreter instead of XLA:CPU")
    others.add_argument("--plugin", metavar="FILE", help="a PJRT plugin, a shared object, instead of XLA:CPU")
    arguments = parser.parse_args()
    serve(StableHlo if arguments.stablehlo else lambda: Pjrt(arguments.plugin))


if __name__ == "__main__":
    main()
