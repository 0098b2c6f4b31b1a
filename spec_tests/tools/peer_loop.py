"""The loop of a peer of the process protocol."""

import json
import sys


def serve(answer, **greeting):
    """Greets with these fields and replies to requests until the messages end. `answer` returns the fields of a reply to
    one."""
    for message in map(json.loads, sys.stdin):
        if "bye" in message:
            break
        own = {"hello": 1, "version": "1", **greeting} if "hello" in message else {"id": message["id"], **answer(message)}
        print(json.dumps(own), flush=True)
