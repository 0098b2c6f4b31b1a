"""Signals that a test sends to assay."""

import signal

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def heed():
    """Undoes in a child what nohup, or the background of a script, does: they ignore signals, and so would assay."""
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)
