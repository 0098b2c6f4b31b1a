"""XLA:CPU, StableHLO's interpreter and plugins of PJRT, through jaxlib, as peers of the process protocol (docs/process_protocol.md).

    python xla_adapter.py               XLA:CPU with its default options
    python xla_adapter.py --stablehlo   StableHLO's reference interpreter
    python xla_adapter.py --plugin F.so what a PJRT plugin drives

HLO text goes in through XLA's own parser and its conversion to StableHLO, the form that jaxlib compiles. What that
conversion changes is declined (xla_peers/hlo_difference.py).
"""

from xla_peers.session import main

if __name__ == "__main__":
    main(__doc__)
