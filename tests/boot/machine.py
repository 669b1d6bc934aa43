"""A whole computer under qemu: Debian's kernel and systemd, a screen, a touchscreen, a stick, no network.

It is emulated without the help of the processor, since a test machine is mostly a virtual one itself: about
ten times slower than real. Its processor knows no AVX, which qemu 7.2 gets wrong in code that Mesa makes.
`Board.run` asks an agent inside; `Board.cut` is the plug being pulled.
"""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SUITE = "trixie"
TOOLS = ("qemu-system-x86_64", "mmdebstrap", "mke2fs", "mkfs.vfat", "mcopy", "dpkg-deb")
PACKAGES = "apt-get install qemu-system-x86 mmdebstrap e2fsprogs dosfstools mtools"
SYSTEM = "linux-image-amd64 systemd-sysv udev dbus kmod initramfs-tools login passwd fdisk psmisc"
"""What is on the card before the installer: Debian's kernel and systemd, as on Raspberry Pi OS."""
STUBS = ("python3-picamera2", "python3-libcamera", "python3-lgpio")
CARD_MB, STICK_MB = 4096, 700
LABEL = "STATIONMSTR"
MODEL = "/etc/model"
BOOT_S = 400.0


class Wrong(AssertionError):
    """Something is not as it must be."""


def libraries() -> list[str]:
    """The packages that the installer asks for; without a network they must be on the card already."""
    text = (ROOT / "deploy/install.sh").read_text()
    match = re.search(r"^readonly libraries=\((.*?)\)", text, re.DOTALL | re.MULTILINE)
    if match is None:
        raise Wrong("deploy/install.sh lists no libraries")
    return match[1].split()


def make_base(folder: Path) -> None:
    """Make the card without the product, its kernel and its first file system, into a folder."""
    with tempfile.TemporaryDirectory() as name:
        aside = Path(name)
        debs = []
        for stub in STUBS:
            control = aside / stub / "DEBIAN/control"
            control.parent.mkdir(parents=True)
            control.write_text(
                f"Package: {stub}\nVersion: 0~stub\nArchitecture: all\n"
                "Maintainer: nobody <nobody@localhost>\nDescription: stub\n"
            )
            debs.append(f"{aside / stub}.deb")
            _call("dpkg-deb", "--build", "--root-owner-group", aside / stub, debs[-1])
        unit = aside / "agent.service"
        unit.write_text(
            "[Unit]\nDefaultDependencies=no\nAfter=sysinit.target\n"
            "[Service]\nExecStart=/usr/bin/python3 /usr/local/sbin/agent.py\nRestart=always\nRestartSec=1\n"
            "TasksMax=infinity\n[Install]\nWantedBy=sysinit.target\n"
        )
        (aside / "fstab").write_text("/dev/vda / ext4 defaults,noatime 0 1\n")
        (aside / "model").write_bytes(b"Raspberry Pi 5 Model B (emulated)\0")
        shutil.copy(Path(__file__).with_name("agent.py"), aside)
        root = aside / "root"
        hooks = [
            f"copy-in {' '.join(debs)} /tmp",
            f'chroot "$1" dpkg -i {" ".join(f"/tmp/{stub}.deb" for stub in STUBS)}',
            f"copy-in {aside}/agent.py /usr/local/sbin",
            f"copy-in {unit} /etc/systemd/system",
            f"copy-in {aside}/fstab {aside}/model /etc",
            'chroot "$1" systemctl enable agent.service',
        ]
        _call(
            "mmdebstrap",
            "--variant=minbase",
            f"--include={','.join([*SYSTEM.split(), *libraries()])}",
            *(f"--customize-hook={hook}" for hook in hooks),
            SUITE,
            root,
        )
        folder.mkdir(parents=True, exist_ok=True)
        for part in ("vmlinuz", "initrd.img"):
            (found,) = (root / "boot").glob(f"{part}-*")
            shutil.copy(found, folder / part)
        _call("mke2fs", "-q", "-t", "ext4", "-d", root, folder / "new.img", f"{CARD_MB}M")
        (folder / "new.img").rename(folder / "card.img")


def copy_card(card: Path, new: Path) -> None:
    """A second card with the same on it."""
    _call("cp", "--sparse=always", "--reflink=auto", card, new)


def make_stick(image: Path, folders: dict[str, Path]) -> None:
    """A stick as shops sell them, with folders of these names on it."""
    with image.open("wb") as file:
        file.truncate(STICK_MB << 20)
    _call("mkfs.vfat", "-F", "32", "-n", LABEL, image)
    for name, folder in folders.items():
        _call("mmd", "-i", image, f"::{name}")
        _call("mcopy", "-s", "-i", image, *sorted(folder.iterdir()), f"::{name}/")


def _call(*words: str | Path) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Wrong(f"{' '.join(map(str, words))[:200]}: {done.stderr[-2000:]}")


class Board:
    """One computer with a card; `base` has its kernel, `place` gets its log, sockets and pictures."""

    def __init__(self, base: Path, card: Path, place: Path) -> None:
        self._base, self._card, self._place = base, card, place
        self._process: subprocess.Popen[bytes] | None = None
        self._agent: socket.socket | None = None
        self._control: socket.socket | None = None
        self._rest = {"agent": b"", "control": b""}
        self._asked = 0
        self._boots = 0

    def on(self) -> float:
        """Switch on, and wait until the agent answers; seconds that took."""
        began = time.monotonic()
        self._boots += 1
        links = {name: self._place / f"{name}.sock" for name in ("agent", "control")}
        for path in links.values():
            path.unlink(missing_ok=True)
        log = self._place / f"console-{self._boots}.log"
        command: list[str | Path] = [
            *(
                "qemu-system-x86_64",
                "-machine",
                "q35,accel=tcg",
                "-cpu",
                "Nehalem",
                "-smp",
                "2",
                "-m",
                "2048",
            ),
            *("-kernel", self._base / "vmlinuz", "-initrd", self._base / "initrd.img"),
            # No console but the screen's for what the kernel says: the kiosk has tty1.
            *("-append", "root=/dev/vda rw console=ttyS0 console=tty0 panic=0 mitigations=off"),
            *("-drive", f"file={self._card},format=raw,if=virtio", "-nic", "none"),
            *("-vga", "none", "-device", "VGA,edid=on,xres=1024,yres=600"),
            *("-display", "none", "-monitor", "none", "-serial", f"file:{log}"),
            *("-device", "virtio-serial", "-device", "virtserialport,chardev=agent,name=agent"),
            *("-chardev", f"socket,id=agent,path={links['agent']},server=on,wait=off"),
            *("-qmp", f"unix:{links['control']},server=on,wait=off"),
            *("-device", "qemu-xhci,id=usb", "-device", "usb-tablet,bus=usb.0", "-device", "i6300esb"),
        ]
        self._process = subprocess.Popen(command, stderr=(self._place / "qemu.log").open("ab"))
        self._rest = {"agent": b"", "control": b""}
        self._control = self._link(links["control"])
        self._agent = self._link(links["agent"])
        self._order("qmp_capabilities")
        self.again()
        return time.monotonic() - began

    def _link(self, path: Path) -> socket.socket:
        for _ in range(200):
            link = socket.socket(socket.AF_UNIX)
            try:
                link.connect(str(path))
            except OSError:
                link.close()
                time.sleep(0.1)
            else:
                return link
        raise Wrong(f"qemu does not start: {(self._place / 'qemu.log').read_text()[-500:]}")

    def cut(self) -> None:
        """Pull the plug: nothing that the machine had in memory reaches the card."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        for link in (self._agent, self._control):
            if link is not None:
                link.close()
        self._process = self._agent = self._control = None

    def off(self) -> float:
        """Switch off as people are told to; seconds that took."""
        began = time.monotonic()
        with suppress(Wrong):
            self.run("systemctl poweroff", seconds=20)
        assert self._process is not None
        try:
            self._process.wait(180)
        except subprocess.TimeoutExpired:
            self.cut()
            raise Wrong("it does not switch off within 180 s") from None
        self.cut()
        return time.monotonic() - began

    # ---- inside

    def ask(self, line: str, seconds: float = 120.0, grace: float = 60.0) -> tuple[int, str]:
        """A line of shell, as root: its exit code and what it said."""
        assert self._agent is not None
        self._asked += 1
        word = json.dumps({"id": self._asked, "sh": line, "seconds": seconds})
        self._agent.sendall(word.encode() + b"\n")
        while True:
            got = self._line(self._agent, "agent", seconds + grace)
            if got["id"] == self._asked:
                return int(got["code"]), str(got["said"]).rstrip("\n")

    def run(self, line: str, seconds: float = 120.0) -> str:
        """The same, where it must succeed: what it said."""
        code, said = self.ask(line, seconds)
        if code:
            raise Wrong(f"{line}\n  exit code {code}: {said[-2000:]}")
        return said

    def again(self, seconds: float = BOOT_S) -> str:
        """Wait for the agent of a machine that starts itself anew: the number of its boot."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with suppress(Wrong):
                return self.ask("cat /proc/sys/kernel/random/boot_id", 10, 5)[1]
        raise Wrong(f"it does not come back within {seconds:.0f} s")

    def _line(self, link: socket.socket, name: str, seconds: float) -> dict[str, Any]:
        end = time.monotonic() + seconds
        while b"\n" not in self._rest[name]:
            link.settimeout(max(0.1, end - time.monotonic()))
            try:
                got = link.recv(1 << 16)
            except TimeoutError:
                raise Wrong(f"the machine's {name} does not answer for {seconds:.0f} s") from None
            if not got:
                raise Wrong("the machine has ended")
            self._rest[name] += got
        line, _, self._rest[name] = self._rest[name].partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found

    def until(self, line: str, seconds: float, pause: float = 1.0) -> float:
        """Wait until a line of shell succeeds; seconds that took."""
        began = time.monotonic()
        while True:
            code, said = self.ask(line)
            if code == 0:
                return time.monotonic() - began
            if time.monotonic() - began > seconds:
                raise Wrong(f"not within {seconds:.0f} s: {line}\n  {said[-1000:]}")
            time.sleep(pause)

    # ---- from outside

    def _order(self, name: str, **arguments: object) -> Any:
        assert self._control is not None
        self._control.sendall(json.dumps({"execute": name, "arguments": arguments}).encode() + b"\n")
        while True:
            got = self._line(self._control, "control", 60)
            if "error" in got:
                raise Wrong(f"{name}: {got['error']}")
            if "return" in got:
                return got["return"]

    def picture(self, name: str) -> Path:
        """What the screen shows."""
        path = self._place / f"{name}.png"
        self._order("screendump", filename=str(path), format="png")
        return path

    def key(self, name: str) -> None:
        """Press a key of a keyboard."""
        self._order("send-key", keys=[{"type": "qcode", "data": name}])

    def tap(self, x: float, y: float) -> None:
        """Touch the screen at a place; 0 to 1 from the left and the top."""
        place = [
            {"type": "abs", "data": {"axis": axis, "value": round(part * 0x7FFF)}}
            for axis, part in (("x", x), ("y", y))
        ]
        self._order("input-send-event", events=place)
        for down in (True, False):
            time.sleep(0.5)
            self._order(
                "input-send-event", events=[{"type": "btn", "data": {"button": "left", "down": down}}]
            )

    @contextmanager
    def stick(self, image: Path) -> Iterator[None]:
        """A stick that is put in, and taken out again."""
        self._order(
            "blockdev-add",
            **{"driver": "raw", "node-name": "stick", "file": {"driver": "file", "filename": str(image)}},
        )
        self._order("device_add", driver="usb-storage", id="stick", drive="stick", bus="usb.0")
        try:
            self.until(f"test -e /dev/disk/by-label/{LABEL}", 60)
            yield
        finally:
            if self._process is not None and self._process.poll() is None:
                self._order("device_del", id="stick")
                self.until(f"test ! -e /dev/disk/by-label/{LABEL}", 60)
                self._order("blockdev-del", **{"node-name": "stick"})
