"""A Python that has imported its packages before it starts: a stand-in for sys.executable in tests of many processes.

The import of JAX takes more than a second of processor time. A server imports the packages once, and forks a process
for each program. `executable` sends its arguments, variables, folder and standard files to the server, and ends as the
forked process does. Each program has a process of its own, but processes of one server share what Python chooses at its
start: the seed of hashes and the addresses of libraries. A test that needs a start of its own uses sys.executable.

The server must not import what is under test, and never makes a client of JAX.
"""

import pathlib
import shlex
import socket
import subprocess
import sys
import tempfile

from spec_tests import warm_python_server


class WarmPython:
    """A context with a server, and a program that starts Python there.

    The packages read some variables when they are imported: those of a program must equal the server's `environment`.
    """

    def __init__(self, *packages, environment):
        self.packages = packages
        self.environment = environment

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        address = str(pathlib.Path(self.folder.name, "socket"))
        self.executable = str(pathlib.Path(self.folder.name, "python"))
        server = warm_python_server.__file__
        command = [sys.executable, "-IS", server, "start", address]
        pathlib.Path(self.executable).write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
        pathlib.Path(self.executable).chmod(0o755)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(address)
            listener.listen()
            command = [sys.executable, server, "serve", str(listener.fileno()), self.executable, *self.packages]
            self.server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                           env=self.environment, pass_fds=[listener.fileno()])  # fmt: skip
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()
        self.folder.cleanup()
