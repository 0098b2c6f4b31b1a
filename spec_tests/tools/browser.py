"""A headless chromium for tests of pages, which is driven by the DevTools protocol over a pipe."""

import importlib.util
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import time

CHROMIUM = shutil.which("chromium")
AXE = importlib.util.find_spec("axe_core_python")
CODES = {"Tab": 9, "Enter": 13, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "/": 191}
LONGEST = 120  # seconds for a page to load


class Browser:
    """One page. `errors` has the exceptions that no script caught."""

    def __init__(self, home):
        requests, self.to = os.pipe()
        self.answers, replies = os.pipe()
        self.buffer, self.ids, self.session, self.errors = b"", itertools.count(1), {}, []
        words = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", f"--user-data-dir={home}"]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$0" "$@" 3<&{requests} 4>&{replies}', *words], pass_fds=(requests, replies),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": str(home)})  # fmt: skip
        os.close(requests)
        os.close(replies)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = {"sessionId": self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        self.call("Runtime.enable")
        self.call("Page.enable")

    def close(self):
        os.close(self.to)
        os.close(self.answers)
        self.process.wait()

    def _message(self):
        while b"\0" not in self.buffer:
            read = os.read(self.answers, 1 << 20)
            if not read:
                raise EOFError("chromium has ended")
            self.buffer += read
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method, **params):
        """Returns the result of a method of the protocol."""
        number = next(self.ids)
        os.write(self.to, json.dumps({"id": number, "method": method, "params": params, **self.session}).encode() + b"\0")
        while (message := self._message()).get("id") != number:
            if message.get("method") == "Runtime.exceptionThrown":
                self.errors.append(message["params"]["exceptionDetails"])
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']}")
        return message["result"]

    def run(self, script):
        """Returns the value of an expression in the page; waits for a promise."""
        done = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in done:
            raise RuntimeError(done["exceptionDetails"])
        return done["result"].get("value")

    def wait(self, condition):
        """Waits until an expression is true in the page."""
        end = time.monotonic() + LONGEST
        while not self.run(f"!!({condition})"):
            if time.monotonic() > end:
                raise TimeoutError(condition)
            time.sleep(0.02)

    def open(self, page, address="", width=1200, height=900, **media):
        """Loads a file. `media` are media features with _ for -, or `media` itself: "print"."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        features = [{"name": name.replace("_", "-"), "value": value} for name, value in media.items() if name != "media"]
        self.call("Emulation.setEmulatedMedia", media=media.get("media", ""), features=features)
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=pathlib.Path(page).as_uri() + address)
        self.wait("location.protocol === 'file:' && document.readyState === 'complete'")

    def press(self, key):
        text = {"Enter": "\r", "/": "/"}.get(key, "")
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=CODES[key],
                      text=text if kind == "keyDown" else "")  # fmt: skip

    def choose_file(self, selector, path):
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", files=[str(path)], nodeId=node)

    def is_too_wide(self):
        return self.run("document.documentElement.scrollWidth > document.documentElement.clientWidth")

    def violations(self):
        """Returns the rules of axe-core that the page breaks, each with its elements."""
        axe = pathlib.Path(AXE.submodule_search_locations[0], "axe.min.js").read_text()
        self.run(f"{axe};0")
        return self.run("axe.run().then(({violations}) => violations.map((one) => [one.id, ...one.nodes.map((node) => node.html)]))")
