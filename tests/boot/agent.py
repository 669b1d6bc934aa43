"""Runs inside the machine that is booted: what the test asks for by the virtual serial port, as root."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

PORT = Path("/dev/virtio-ports/agent")


def answer(ask: dict[str, object]) -> dict[str, object]:
    """What a line of shell did: its exit code (-1: it took too long) and what it said."""
    command = ["bash", "-c", str(ask["sh"])]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=float(str(ask["seconds"])),
            check=False,
        )
        code, said = done.returncode, done.stdout
    except subprocess.TimeoutExpired as error:
        code, said = -1, error.stdout or b""
    return {"id": ask["id"], "code": code, "said": said.decode(errors="replace")}


def main() -> None:
    """Answer for ever."""
    with PORT.open("r+b", buffering=0) as port:
        while True:
            line = port.readline()
            if line.endswith(b"\n"):
                port.write(json.dumps(answer(json.loads(line))).encode() + b"\n")
            else:
                time.sleep(0.2)  # Nobody has opened the other end yet.


if __name__ == "__main__":
    main()
