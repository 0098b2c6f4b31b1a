"""A peer of the process protocol that computes add, tanh and dot of f32 arrays, and misbehaves on request.

usage: scripted_peer.py BEHAVIOUR [LOG]. Each start appends to LOG how many files and children its parent has; other
records go to LOG.heard.
"""

import array
import glob
import json
import math
import os
import re
import signal
import subprocess
import sys
import time

# Behaviours that change the right reply alone.
REPLIES = {
    "wrong-id": lambda reply: {**reply, "id": reply["id"] + 1},
    "text-id": lambda reply: {**reply, "id": str(reply["id"])},
    "padded": lambda reply: {**reply, "padding": "p" * int(sys.argv[1].partition(":")[2])},
    "wrong-shape": lambda reply: {**reply, "outputs": [{"shape": "f32[3]", "data_hex": "00" * 12}]},
    "wrong-type": lambda reply: {**reply, "outputs": [{**reply["outputs"][0], "shape": "s32[2]"}]},
    "wrong-count": lambda reply: {**reply, "outputs": [{**reply["outputs"][0], "data_hex": "0000803f"}]},
    "huge-shape": lambda reply: {**reply, "outputs": [{"shape": "f32[1000000000000]", "data_file": "/dev/zero"}]},
    "no-file": lambda reply: {**reply, "outputs": [{"shape": "f32[2]", "data_file": "/none"}]},
    "no-outputs": lambda reply: {"id": reply["id"], "status": "ok"},
    "two-devices": lambda reply: {**reply, "outputs": reply["outputs"] * 2},
    "no-status": lambda reply: {"id": reply["id"]},
    "refusing": lambda reply: {"id": reply["id"], "status": "error", "message": "it is illegal"},
    "unsupported": lambda reply: {"id": reply["id"], "status": "unsupported", "message": "no rule for this"},
    "error": lambda reply: {"id": reply["id"], "status": "error", "message": "lowering failed"},
}


class Peer:
    def __init__(self, behaviour, log):
        self.behaviour, _, self.argument = behaviour.partition(":")
        self.log = log
        self.requests = 0

    def send(self, message):
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()

    def serve(self):
        if self.log:
            parent = os.getppid()
            children = [pid for path in glob.glob(f"/proc/{parent}/task/*/children") for pid in open(path).read().split()]
            with open(self.log, "a") as log:
                log.write(f"{len(os.listdir(f'/proc/{parent}/fd'))} {len(children)} {os.getpid()}\n")
        for line in sys.stdin:
            message = json.loads(line)
            if "bye" in message:
                if self.behaviour == "slow-bye":
                    time.sleep(0.3)
                self.tell("bye")
                if self.behaviour == "deaf":
                    time.sleep(1000)
                return
            if "hello" in message:
                self.hello()
            else:
                self.requests += 1
                self.answer(message)

    def tell(self, word):
        if not self.log:
            return
        with open(self.log + ".heard", "a") as heard:
            heard.write(f"{word}\n")

    def hello(self):
        hello = {"hello": 1, "name": "scripted", "version": "1", "ops": None, "types": None, "max_devices": 1}
        if self.behaviour == "die-at-hello":
            sys.exit("no device")
        if self.behaviour == "old-hello":
            hello["hello"] = 0
        if self.behaviour == "nameless":
            del hello["name"]
        if self.behaviour == "no-hello":
            time.sleep(1000)
        if self.behaviour == "picky":
            hello |= {"ops": ["add", "tuple"], "types": ["f32"]}
        if self.behaviour == "hello-with":
            hello |= json.loads(self.argument)
        if self.behaviour == "terminal":
            hello |= {"name": "\x1b[31mred\nline\x9b", "version": "v" * 100_000}
        if self.behaviour == "garbage-hello":
            print("Welcome!", flush=True)
        if self.behaviour.startswith("files"):
            hello["files"] = True
        self.send(hello)

    def value(self, value):
        """Returns the numbers of a value, and the file that it came in. Each test starts peers: they do without
        NumPy."""
        path = value.get("data_file")
        data = open(path, "rb").read() if path else bytes.fromhex(value["data_hex"])
        return array.array("f", data), path

    def compute(self, hlo, arguments):
        opcode = re.search(r"ROOT[^=]*=[^=]*?\b([a-z]+)\(", hlo)[1]
        if opcode == "add":
            return array.array("f", map(float.__add__, *arguments))
        if opcode == "tanh":
            return array.array("f", map(math.tanh, arguments[0]))
        if opcode == "dot":
            total = array.array("f", [0])
            pairs = list(zip(*arguments))
            # Rounded after each step, which no exact sum is; from the end, as no plain loop is.
            for a, b in reversed(pairs):
                total[0] += array.array("f", [a * b])[0]
            return total
        if opcode == "negate":
            return array.array("f", map(float.__neg__, arguments[0]))
        raise ValueError(opcode)

    def answer(self, request):
        number = request["id"]
        if self.log:
            self.tell(f"request {number}")
        act = getattr(self, self.behaviour.replace("-", "_"), lambda reply, _: REPLIES.get(self.behaviour, dict)(reply))
        arrays, paths = zip(*map(self.value, request["inputs"][0]))
        result = self.compute(request["hlo"], arrays)
        if self.behaviour == "lie":
            result[int(self.argument)] += 1
        if self.behaviour == "off":
            codes = array.array("i", result.tobytes())
            result = array.array("f", array.array("i", [code + int(self.argument) for code in codes]).tobytes())
        data = result.tobytes()
        if self.behaviour.startswith("files") and (paths[0] is None) != (len(data) <= 1 << 16):
            self.send({"id": number, "status": "error", "message": f"{len(data)} bytes came in {paths[0]}"})
            return
        shape = "f32[]" if " dot(" in request["hlo"] else request["inputs"][0][0]["shape"]
        output = {"shape": shape, "data_hex": data.hex()}
        if self.behaviour == "files-both-ways" and paths[0]:
            path = os.path.join(os.path.dirname(paths[0]), "answer")
            with open(path, "wb") as file:
                file.write(data)
            output = {"shape": shape, "data_file": path}
        reply = act({"id": number, "status": "ok", "outputs": [output]}, request)
        if reply is not None:
            self.send(reply)

    def die(self, reply, request):
        if self.argument in request["hlo"]:
            os.kill(os.getpid(), signal.SIGSEGV)
        return reply

    def verifying(self, reply, request):
        """Refuses the one illegal module of the tests."""
        return REPLIES["refusing"](reply) if "ROOT %r = f32[1,2]" in request["hlo"] else reply

    def obliging(self, reply, request):
        """Returns any requested shape."""
        reply["outputs"][0]["shape"] = re.search(r"ROOT[^=]*= (f32\[[\d,]*\])", request["hlo"])[1]
        return reply

    def talkative(self, reply, request):
        """Writes messages on each request, and on the second one many before it exits."""
        print(f"about {reply['id']}", file=sys.stderr, flush=True)
        if reply["id"] == 2:
            for i in range(20):
                print(f"line {i}", file=sys.stderr, flush=True)
            sys.exit(1)
        return reply

    def mixed_up(self, reply, request):
        """Right on an instruction alone; of two it returns the operand of the first."""
        if request["hlo"].count(" add(") + request["hlo"].count(" negate(") > 1:
            reply["outputs"] = [request["inputs"][0][0]]
        return reply

    def leave(self, reply, request):
        print("out of cheese\xff", file=sys.stderr)
        sys.exit(7)

    def hang(self, reply, request):
        if self.argument in request["hlo"]:
            subprocess.Popen(["sleep", "1000"])
            time.sleep(1000)
        return reply

    def garbage(self, reply, request):
        print("}{ not json", flush=True)

    def deep(self, reply, request):
        print('{"id": ' + "[" * 100_000 + "]" * 100_000 + "}", flush=True)

    def flood(self, reply, request):
        while True:
            sys.stdout.write("x" * 65536)

    def flood_errors(self, reply, request):
        while True:
            sys.stderr.write("x" * 65536)

    def chatter(self, reply, request):
        sys.stderr.write("chatter\n" * 1_000_000)
        return reply

    def quiet(self, reply, request):
        os.close(2)
        before = self.parent_ticks()
        time.sleep(1.5)
        self.tell(f"parent computed {self.parent_ticks() - before}")
        return reply

    @staticmethod
    def parent_ticks():
        """Returns the processor time of the parent, in hundredths of a second."""
        with open(f"/proc/{os.getppid()}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def late(self, reply, request):
        self.send({**reply, "id": reply["id"] - 1, "outputs": []})
        return reply

    def stale(self, reply, request):
        while True:
            self.send({**reply, "id": 0})
            time.sleep(0.1)

    def stale_flood(self, reply, request):
        while True:
            os.write(1, b'{"id": 0}\n' * 1000)

    def cut(self, reply, request):
        os.write(1, json.dumps(reply)[:20].encode())
        sys.exit(0)

    def leave_child(self, reply, request):
        """Starts a child that keeps the pipes, and leaves the group if told to."""
        if os.fork() == 0:
            if self.argument == "setsid":
                os.setsid()
            self.tell(f"child {os.getpid()}")
            time.sleep(1000)
        while "child" not in open(self.log + ".heard").read():
            time.sleep(0.01)
        os._exit(5)

    def other_file(self, reply, request):
        """Returns a data_file that is none of the request's."""
        path = self.argument
        if path == "pipe":
            path = self.log + ".pipe"
            os.mkfifo(path)
        return {**reply, "outputs": [{"shape": "f32[2]", "data_file": path}]}

    def files_bad(self, reply, request):
        """Returns the same, but in the folder of the request."""
        path = os.path.join(os.path.dirname(request["inputs"][0][0]["data_file"]), "answer")
        if self.argument == "pipe":
            os.mkfifo(path)
        elif self.argument == "link":
            os.symlink(request["inputs"][0][0]["data_file"], path)
        return {**reply, "outputs": [{**reply["outputs"][0], "data_file": path, "data_hex": None}]}

    def terminal(self, reply, request):
        print("\x1b]0;title\x07", file=sys.stderr, flush=True)
        return {"id": reply["id"], "status": "error", "message": "\x1b[2Jclear\nsecond\x00" + "m" * 1_000_000}


if __name__ == "__main__":
    Peer(*(sys.argv[1:] + [""])[:2]).serve()
