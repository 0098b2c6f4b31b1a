"""Both ends of warm_python.py. The end `start` runs for each program, and imports little."""

import json
import os
import socket
import sys

STANDARD_FILES = (0, 1, 2)
READ_AT_IMPORT = ("JAX_", "XLA_", "PYTHON")  # the first letters of variables that Python and its packages read once


def start(address, *arguments):
    """Runs a program on the server, and ends as it does."""
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(address)
        socket.send_fds(server, [b"."], STANDARD_FILES)
        request = {"arguments": arguments, "environment": dict(os.environ), "folder": os.getcwd()}
        server.sendall(json.dumps(request).encode())
        server.shutdown(socket.SHUT_WR)
        status = int(server.recv(16))
    if status < 0:
        os.kill(os.getpid(), -status)
    os._exit(status)


def read_request(connection):
    """Returns a request and its standard files."""
    _, files, _, _ = socket.recv_fds(connection, 1, len(STANDARD_FILES))
    with connection.makefile("rb") as stream:
        return json.load(stream), files


def serve(listener):
    """Forks a process for each request. Returns the request and its files in the forked process alone."""
    import contextlib
    import selectors
    import warnings

    with selectors.DefaultSelector() as selector, listener:
        selector.register(listener, selectors.EVENT_READ)
        test = os.pidfd_open(os.getppid())
        selector.register(test, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is listener:
                    connection, _ = listener.accept()
                    request, files = read_request(connection)
                    with warnings.catch_warnings(action="ignore"):  # this process has no thread
                        child = os.fork()
                    if child == 0:
                        return request, files
                    for file in files:
                        os.close(file)
                    selector.register(os.pidfd_open(child), selectors.EVENT_READ, (child, connection))
                elif key.fileobj == test:  # it was killed
                    raise SystemExit
                else:
                    child, connection = key.data
                    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
                    selector.unregister(key.fileobj)
                    os.close(key.fileobj)
                    with connection, contextlib.suppress(BrokenPipeError):  # a test may have ended `start`
                        connection.send(str(status).encode())


def read_at_import(environment):
    return {name: value for name, value in environment.items() if name.startswith(READ_AT_IMPORT)}


def take_over(request, files):
    """Gives this process the standard files, the variables and the folder of a request."""
    for standard, file in zip(STANDARD_FILES, files):
        os.dup2(file, standard)
        os.close(file)
    given, own = read_at_import(request["environment"]), read_at_import(os.environ)
    if given != own:
        raise SystemExit(f"the variables of the server must be those of the program: {own}, found {given}")
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])


def run(arguments):
    """Runs what the arguments of a Python name."""
    import runpy
    import types

    while arguments[0] in ("-u", "-B"):
        del arguments[0]
    if arguments[0] == "-c":
        _, code, *sys.argv[1:] = arguments
        sys.argv[0] = "-c"
        sys.path.insert(0, "")
        sys.modules["__main__"] = types.ModuleType("__main__")
        exec(compile(code, "<string>", "exec"), vars(sys.modules["__main__"]))
    elif arguments[0] == "-m":
        sys.argv = arguments[1:]
        sys.path.insert(0, os.getcwd())
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        sys.path.insert(0, os.path.dirname(os.path.abspath(arguments[0])))
        runpy.run_path(arguments[0], run_name="__main__")


def import_and_serve(listener, executable, *packages):
    """Imports the packages, and runs a program in each forked process as in a Python of the name `executable`."""
    import gc
    import importlib

    del sys.path[0]
    for package in packages:
        importlib.import_module(package)
    gc.freeze()  # no forked process visits, and so copies, the packages' objects when it ends
    request, files = serve(socket.socket(fileno=int(listener)))
    take_over(request, files)
    sys.executable = executable
    run(request["arguments"])


if __name__ == "__main__":
    {"start": start, "serve": import_and_serve}[sys.argv[1]](*sys.argv[2:])
