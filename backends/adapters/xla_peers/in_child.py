"""Calls that may end the process."""

import os
import pickle
import re
import sys
import tempfile
import traceback

from .values import Unsupported

# The most characters of a child's standard error in a message.
SHOWN = 4000


def forked(function, argument):
    """Runs function(argument) in a fork. Returns its exit status, its reply and its standard error.

    The reply is empty if the call has ended its process, otherwise a pickled pair: an error type or None, and a
    message or the result.
    """
    read, write = os.pipe()
    with tempfile.TemporaryFile() as errors:
        child = os.fork()
        if child == 0:
            os.close(read)
            os.dup2(errors.fileno(), 2)
            _answer(function, argument, write)
        os.close(write)
        with os.fdopen(read, "rb") as file:
            reply = file.read()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        errors.seek(0)
        return status, reply, errors.read().decode(errors="replace")


def in_child(function, argument):
    """Runs function(argument) in a fork, because LLVM ends the process on unknown input. Returns its result."""
    status, reply, said = forked(function, argument)
    if status == 0 and reply:  # without a reply the function itself has ended the process
        failure, value = pickle.loads(reply)
        if failure is None:
            return value
        raise failure(value)
    if fatal := re.search("LLVM ERROR: (.*)", said):
        lacking = re.search("[Uu]nsupported|only supported", fatal.group(1))
        raise (Unsupported if lacking else RuntimeError)(fatal.group(1))
    if status < 0:  # this process crashes likewise
        sys.stderr.write(said)
        sys.stderr.flush()
        os.kill(os.getpid(), -status)
    end = said.strip()[-SHOWN:]
    raise RuntimeError(f"the call ended its process with exit code {status}" + (f":\n{end}" if end else ""))


def _answer(function, argument, write):
    """Writes the outcome of the call, and always ends the process."""
    status = 1
    try:
        try:
            reply = (None, function(argument))
        except Unsupported as error:
            reply = (Unsupported, str(error))
        except Exception as error:
            reply = (RuntimeError, f"{type(error).__name__}: {error}")
        with os.fdopen(write, "wb") as file:
            pickle.dump(reply, file)
        status = 0
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)
