"""The lines that a long command writes about its progress."""

import re

# As tools/progress.cc writes it: "312 of 540 files of cases, 12.5 a second, 18 s left".
PROGRESS = re.compile(r"^\d+ of \d+ [a-z ]+(, [\d.e+]+ a second, [\dhmins ]+ left)?\n", re.M)


def without_progress(stderr):
    """Standard error less the lines of progress: a slow machine sees some, a quick one none."""
    return PROGRESS.sub("", stderr)
