"""Copies what ninja prints to standard output, and shows on descriptor 3 how far the build is: ninja | build_progress.py

NINJA_STATUS must be "[%f/%t] %e ". A terminal gets one line that is rewritten in place, anything else a line after
every 30 seconds of building.
"""

import os
import re
import sys

PAUSE = 30  # seconds
STATUS = re.compile(r"\[(\d+)/(\d+)\] ([\d.]+) ")


def duration(seconds):
    """Returns "1 min 20 s" or "20 s"."""
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def progress(line):
    """Returns the seconds so far and "[312/540], 1 min 20 s left" for a line with ninja's status, otherwise None."""
    found = STATUS.match(line)
    if not found or int(found[1]) == 0:
        return None
    done, total, elapsed = int(found[1]), int(found[2]), float(found[3])
    return elapsed, f"[{done}/{total}], {duration(elapsed * (total - done) / done)} left"


def show(lines, copy, user, is_terminal):
    """Copies the lines, and writes progress for the user after the word "build", which the line already has."""
    shown = 0
    for line in lines:
        copy.write(line)
        copy.flush()
        found = progress(line)
        if found is None:
            continue
        elapsed, text = found
        if is_terminal:
            user.write(f"\r\033[Kbuild     {text}")
        elif elapsed - shown >= PAUSE:
            shown = elapsed
            user.write(f"{text}\nbuild     ")
        user.flush()
    if is_terminal:
        user.write("\r\033[Kbuild     ")
        user.flush()


if __name__ == "__main__":
    sys.stdin.reconfigure(errors="replace")
    sys.stdout.reconfigure(errors="replace")
    with os.fdopen(3, "w") as user:
        show(sys.stdin, sys.stdout, user, os.isatty(3))
