#!/usr/bin/python3
"""Opens documents in the language server, some of which it refuses or crashes over, and looks at what it answers.

Call: language-server.py FSM-LSP-SERVER
"""

import json
import resource
import subprocess
import sys

KERNEL = "// param T = i32\nfsm.kernel @k(%n: ${T}) {\n  fsm.return\n}\n"
REFUSED = "\nmodule attributes {fsm.a = array<index>} {\n}\n"
# MLIR aligns the resource to 1 GiB, for which the server has no room, and aborts.
CRASHES = 'module {\n}\n{-# dialect_resources: { builtin: { x: "0x0000004001020304" } } #-}\n'
# An error at the end of a line, and one behind what ends a line only to some.
RETURNS = 'module {\r\n}\r\n "abc\r\n'
LONE_RETURN = "\rn"
CRASHED = "the compiler crashed; please report this source"
ROOM = 1_000_000_000


def uri(name):
    return f"file:///{name}.mlir"


def opened(name, text):
    document = {"uri": uri(name), "languageId": "mlir", "version": 1, "text": text}
    return {"method": "textDocument/didOpen", "params": {"textDocument": document}}


def changed(name, text):
    document = {"uri": uri(name), "version": 2}
    return {"method": "textDocument/didChange", "params": {"textDocument": document, "contentChanges": [{"text": text}]}}


def hover(number, name):
    place = {"textDocument": {"uri": uri(name)}, "position": {"line": 1, "character": 14}}
    return {"id": number, "method": "textDocument/hover", "params": place}


def frame(message):
    data = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(data), data)


def answers(server, messages):
    """The exit code, and what the server writes, message for message."""
    start = {"id": 0, "method": "initialize", "params": {"processId": 1, "rootPath": "/", "capabilities": {}}}
    everything = [start, *messages, {"id": 99, "method": "shutdown"}, {"method": "exit"}]
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    done = subprocess.run([server], input=b"".join(map(frame, everything)), stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, preexec_fn=limit, timeout=60, check=False)
    found, rest = [], done.stdout
    while rest:
        header, _, rest = rest.partition(b"\r\n\r\n")
        length = int(header.split(b":")[1])
        found.append(json.loads(rest[:length]))
        rest = rest[length:]
    return done.returncode, found


def diagnostics(found, name):
    """The last diagnostics of a document, as (line, column, message)."""
    lists = [message["params"]["diagnostics"] for message in found
             if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri(name)]
    return [(entry["range"]["start"]["line"], entry["range"]["start"]["character"], entry["message"]) for entry in lists[-1]]


def response(found, number):
    return next(message for message in found if message.get("id") == number)


def check(what, got, expected):
    if got == expected:
        return 0
    print(f"FAIL {what}: expected {expected}, got {got}")
    return 1


def main():
    server = sys.argv[1]
    code, found = answers(server, [
        opened("good", KERNEL), opened("refused", REFUSED), opened("crashes", KERNEL), changed("crashes", CRASHES),
        hover(1, "good"), changed("refused", KERNEL), changed("crashes", KERNEL), hover(2, "crashes"),
        opened("again", CRASHES), opened("last", REFUSED), hover(3, "good"),
        opened("returns", RETURNS), opened("good returns", KERNEL.replace("\n", "\r\n")), opened("lone", ""),
        changed("lone", LONE_RETURN), opened("open", KERNEL.replace(" = i32", ""))])
    failed = check("exit code", code, 0)
    failed += check("refused", [message for message in found if "array of integers" in json.dumps(message)][:1] != [], True)
    failed += check("mended", diagnostics(found, "refused"), [])
    failed += check("mended after a crash", diagnostics(found, "crashes"), [])
    failed += check("crashed", diagnostics(found, "again"), [(0, 0, CRASHED)])
    place = diagnostics(found, "last")
    failed += check("place", place, [(1, 33, "expected an array of integers or floats, got one of 'index'")])
    failed += check("returns", diagnostics(found, "returns"), [(2, 6, "expected '\"' in string literal")])
    failed += check("good returns", diagnostics(found, "good returns"), [])
    expected = "expected a line to end with '\\n' or '\\r\\n', got '\\r' alone"
    failed += check("lone return", diagnostics(found, "lone"), [(0, 0, expected)])
    failed += check("no default", diagnostics(found, "open"), [])
    told = [message["params"]["message"] for message in found if message.get("method") == "window/showMessage"]
    failed += check("stand-in", told, [f"parameters without a default: this document is looked at with T = f32 ({uri('open')})"])
    crashes = [message for message in found if CRASHED in json.dumps(message)]
    failed += check("crashes that are told", len(crashes), 2)
    for number in (1, 2, 3):
        answer = response(found, number).get("result")
        failed += check(f"hover {number}", "fsm.kernel" in json.dumps(answer), True)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
