"""A peer of the process protocol that answers as another one did, whose start takes long.

usage: remembering_peer.py FILE COMMAND...

FILE has the replies so far, by the requests without their numbers. COMMAND is the other peer, whose replies depend on
the request alone. It is started for a request that is not in FILE.
"""

import json
import os
import subprocess
import sys


class Other:
    """The other peer."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, message):
        """Returns its reply to a message."""
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self):
        """Ends it."""
        self.process.stdin.close()
        self.process.wait()


def main():
    """Answers until the messages end."""
    path, *command = sys.argv[1:]
    replies, other, greeting = {}, None, None
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            replies = json.load(file)
    for message in map(json.loads, sys.stdin):
        if "bye" in message:
            break
        greeting = message if "hello" in message else greeting
        key = json.dumps({name: value for name, value in message.items() if name != "id"}, sort_keys=True)
        if key not in replies:
            if other is None:
                other = Other(command)
                first = other.ask(greeting)
            replies[key] = first if message is greeting else other.ask(message)
        named = {"id": message["id"]} if "id" in message else {}
        print(json.dumps(replies[key] | named), flush=True)
    if other is not None:
        other.end()
        with open(path, "w", encoding="utf-8") as file:
            json.dump(replies, file)


main()
