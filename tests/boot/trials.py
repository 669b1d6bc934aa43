"""What is done to the installed table, and what must come of it. A trial returns what it found, in words."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2

from tests.boot.machine import LABEL, MODEL, Board, Wrong, copy_card, make_stick
from tests.boot.releases import BROKEN, LATER, NOW, make_release

UNIT = "stationmaster.service"
DROP_INS = f"/etc/systemd/system/{UNIT}.d"
GAMES = "/var/lib/stationmaster"
CONFIG = "/etc/stationmaster/config.toml"
AS_USER = f"setpriv --reuid stationmaster --regid stationmaster --init-groups env HOME={GAMES}"
STICK = "/media/usb"
HANG_S = 60
"""What the board's watchdog waits here, in place of 14 s: systemd is slow on this processor."""
UP_S = 240.0
"""The kiosk's start on the emulated processor, with much to spare."""
RESUME = (0.757, 0.89)
"""Where the first page at 1024x600 has the button that goes on with the parked game; parts of the screen."""
WRITABLE = {"/media", "/mnt", "/run/stationmaster", "/tmp", "/var/tmp", GAMES}
"""Where the kiosk may write if it has the rights: /tmp and /var/tmp are its own."""
PROBED = (
    "/boot /dev /etc /etc/stationmaster /home /opt/stationmaster "
    "/proc/sys /root /run /sys /usr /var/lib /var/log"
)
PROBE = f"""#!/usr/bin/python3
import ctypes, os, socket, time
for folder in "{PROBED} {" ".join(sorted(WRITABLE))}".split():
    try:
        with open(folder + "/probe", "w"):
            pass
        os.unlink(folder + "/probe")
        print("can write", folder)
    except OSError:
        pass
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_PACKET):
    try:
        socket.socket(family, socket.SOCK_DGRAM)
        print("has a socket", family)
    except OSError:
        pass
for device in ("/dev/dri/card0", "/dev/input/event0", "/dev/tty1"):
    os.close(os.open(device, os.O_RDONLY))
    print("opens", device)
for device in ("/dev/vda", "/dev/mem", "/dev/watchdog0"):
    try:
        os.open(device, os.O_RDONLY)
        print("opens", device)
    except OSError:
        pass
try:
    os.open("/dev/input/event0", os.O_WRONLY)
    print("writes to an input device")
except OSError:
    pass
if ctypes.CDLL(None).adjtimex((ctypes.c_long * 64)()) == -1:
    print("may not ask for the clock")
try:
    time.clock_settime(time.CLOCK_REALTIME, time.time())
    print("sets the clock")
except OSError:
    pass
for n in range(3000):
    print("a flood", n)
"""


def must(right: bool, why: str) -> None:
    """Something has to be so."""
    if not right:
        raise Wrong(why)


class Table:
    """A table: its cards, the board, the releases on sticks."""

    def __init__(self, base: Path, place: Path) -> None:
        self.base, self._place = base, place
        self.card, self.installed = place / "table.img", place / "installed.img"
        self.board = Board(base, self.card, place)
        self._on = False

    def done(self, name: str) -> bool:
        """Whether the card is installed already, by an earlier call with the same folder."""
        return name == "install" and self.installed.exists()

    def new(self, card: Path) -> Board:
        """Begin with a copy of a card."""
        self.off()
        copy_card(card, self.card)
        return self.board

    def on(self) -> Board:
        """The board, switched on with the installed card."""
        if not self._on:
            if not self.card.exists():
                copy_card(self.installed, self.card)
            self.switch_on()
            self.up()
        return self.board

    def switch_on(self) -> float:
        self._on = True
        return self.board.on()

    def off(self) -> None:
        if self._on:
            self.board.off()
        self._on = False

    def cut(self) -> None:
        self.board.cut()
        self._on = False

    def end(self) -> None:
        """No machine stays behind."""
        self.board.cut()

    def trouble(self, name: str) -> None:
        """Keep what a failed trial leaves, and begin the next one with the installed card."""
        try:
            print(self.board.picture(f"wrong-{name}"))
            print(self.board.ask("journalctl -b --no-pager -n 40 -o short-monotonic", 60)[1], flush=True)
        except (Wrong, AssertionError, OSError) as error:
            print(f"({error})")
        self.cut()
        self.card.unlink(missing_ok=True)

    def stick(self, version: str) -> Path:
        """A stick with a release."""
        image = self._place / f"stick-{version}.img"
        if not image.exists():
            release = self._place / f"release-{version}"
            make_release(release, version, self._place / "wheels")
            make_stick(image, {f"stationmaster-{version}": release})
        return image

    # ---- what is looked at

    def up(self) -> float:
        """Wait until the kiosk has told systemd that it is ready; seconds that took."""
        return self.board.until(f"systemctl is-active --quiet {UNIT}", UP_S)

    def shown(self, *names: str) -> dict[str, str]:
        """What systemd says of the kiosk."""
        said = self.board.run(f"systemctl show -p {','.join(names)} {UNIT}")
        return dict(line.split("=", 1) for line in said.splitlines())

    def lit(self, name: str) -> bool:
        """Whether the screen shows a page: much of it is not black, and there is white writing."""
        picture = cv2.imread(str(self.board.picture(name)))
        return picture is not None and bool((picture > 8).mean() > 0.3 and (picture > 200).any())

    def games(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.as_user("stationmaster games --json"))
        return found

    def pulse(self) -> dict[str, Any]:
        """What the kiosk says of itself."""
        found: dict[str, Any] = json.loads(self.board.run("cat /run/stationmaster/pulse.json"))
        return found

    def as_user(self, line: str) -> str:
        """A line of shell as the kiosk's own user; it has to succeed."""
        return self.board.run(f"{AS_USER} {line}")

    def console(self) -> str:
        """The text on the console of the screen."""
        return self.board.run(
            "iconv -c -f latin1 -t ascii /dev/vcs1 | fold -w $(stty -F /dev/tty1 size | cut -d' ' -f2)"
        )

    def drop_in(self, name: str, text: str) -> None:
        """Something else in the kiosk's service; an empty text takes it away."""
        file = f"{DROP_INS}/{name}.conf"
        if text:
            self.board.run(f"mkdir -p {DROP_INS}; cat >{file} <<'END'\n[Service]\n{text}\nEND")
        else:
            self.board.run(f"rm {file}")
        self.board.run("systemctl daemon-reload", 300)

    def current(self) -> str:
        return self.board.run("readlink /opt/stationmaster/current")


def install(table: Table) -> str:
    """From a stick, on a card that has never seen it, without a network."""
    board = table.new(table.base / "card.img")
    booted = table.switch_on()
    board.run("udevadm settle")
    must(board.run("ls /sys/class/net") == "lo", "there is a network")
    # The processor is emulated: what takes 3 s takes 30.
    table.drop_in("slow", "TimeoutStartSec=600")
    board.run(
        "mkdir -p /etc/systemd/system.conf.d; cd /etc/systemd/system.conf.d; "
        f"printf '[Manager]\\nRuntimeWatchdogSec={HANG_S}s\\n' >z.conf"
    )
    began = time.monotonic()
    with board.stick(table.stick(NOW)):
        board.run(f"mkdir -p {STICK}; mount -o ro /dev/disk/by-label/{LABEL} {STICK}")
        script = f"{STICK}/stationmaster-{NOW}/deploy/install.sh"
        said = board.run(f"STATIONMASTER_MODEL_FILE={MODEL} bash {script} --unattended --offline", 1200)
        board.run(f"umount {STICK}")
    must("is running" in said, said)
    took = time.monotonic() - began
    board.run(f"systemctl is-active --quiet {UNIT} && ! systemctl is-active --quiet getty@tty1")
    must(board.run("systemctl is-enabled stationmaster") == "enabled", "it does not start with the system")
    table.off()
    copy_card(table.card, table.installed)
    return f"booted in {booted:.0f} s, installed and running in {took:.0f} s"


def starts(table: Table) -> str:
    """With the power, by itself: a page on the screen, and systemd knows."""
    table.new(table.installed)
    booted = table.switch_on()
    up = table.up()
    state = table.shown("NRestarts", "StatusText", "Type")
    must(state["NRestarts"] == "0" and state["Type"] == "notify", str(state))
    must("first page was drawn" in state["StatusText"], str(state))
    time.sleep(8)
    must(table.lit("first-page"), "nothing was touched, and the screen is dark")
    table.board.run(
        "! systemctl is-active --quiet getty@tty1 && ! systemctl is-active --quiet stationmaster-safe"
    )
    failed = table.board.run("systemctl --failed --plain --no-legend")
    must(failed == "", failed)
    return f"kernel to agent {booted:.0f} s, then {up:.0f} s; {state['StatusText']}"


def limits(table: Table) -> str:
    """The journal is bounded, the board's watchdog is on, the sandbox holds, one kiosk only."""
    board = table.on()
    journal = board.run("journalctl -b -u systemd-journald -o cat")
    must("max 64M" in journal and "max 16M" in journal, journal)
    board.run(f"journalctl -b -o cat | grep -q 'hardware timeout of {HANG_S // 60}min'")
    code, said = board.ask(
        f"{AS_USER} SDL_VIDEODRIVER=offscreen stationmaster kiosk --config {CONFIG}",
        120,
    )
    must(code == 1 and "another kiosk" in said, f"a second kiosk: {code} {said}")
    board.run(f"cat >/usr/local/sbin/probe <<'END'\n{PROBE}END\nchmod 755 /usr/local/sbin/probe")
    table.drop_in("probe", "ExecStartPre=/usr/local/sbin/probe")
    board.run(f"systemctl restart {UNIT}", UP_S)
    table.drop_in("probe", "")
    said = board.run(f"journalctl -u {UNIT} -b -o cat -t stationmaster")
    written = {line.removeprefix("can write ") for line in said.splitlines() if line.startswith("can write")}
    # The kiosk's rights keep it out of the stick's folders until something is mounted there for it.
    must(written == WRITABLE - {"/media", "/mnt"}, f"it can write to {sorted(written)}")
    for word in ("has a socket", "writes to an input", "may not ask", "sets the clock"):
        must(word not in said, said[:500])
    opened = {line.removeprefix("opens ") for line in said.splitlines() if line.startswith("opens")}
    must(opened == {"/dev/dri/card0", "/dev/input/event0", "/dev/tty1"}, f"it opens {sorted(opened)}")
    floods = said.count("a flood")
    # 300, and up to 2.5 times as many while the journal has room (journald's burst_modulate).
    must(0 < floods <= 750, f"{floods} lines of a flood of 3000 are in the journal")
    return f"writes to {', '.join(sorted(written))}; {floods} of 3000 lines kept"


def watchdog(table: Table) -> str:
    """A kiosk that stands still is killed and started anew."""
    board = table.on()
    before = int(table.shown("NRestarts")["NRestarts"])
    look = "iconv -c -f latin1 -t ascii /dev/vcs1 | grep -q STATIONMASTER && touch /run/seen"
    board.run(f"systemd-run -q --unit=look sh -c 'while sleep 0.5; do {look}; done'")
    board.run(f"kill -STOP $(systemctl show -p MainPID --value {UNIT})")
    noticed = board.until(f"test $(systemctl show -p NRestarts --value {UNIT}) -gt {before}", 120)
    up = table.up()
    must(
        "Failed with result 'watchdog'" in board.run(f"journalctl -b -u {UNIT} -o cat"),
        "it was not the watchdog",
    )
    board.until("! systemctl is-active --quiet stationmaster-safe", 20)
    board.run("systemctl stop look")
    # From version 254 of systemd on it is called at every crash, and has nothing to say before the fifth.
    board.run("journalctl -b -o cat | grep -q 'Started stationmaster-safe'")
    board.run("test ! -e /run/seen")
    return f"started anew after {noticed:.0f} s, up {up:.0f} s later; the safe screen stayed dark"


def stops(table: Table) -> str:
    """`systemctl stop` ends it in time, and nothing else comes up."""
    board = table.on()
    began = time.monotonic()
    board.run(f"systemctl stop {UNIT}")
    took = time.monotonic() - began
    state = table.shown("Result", "ActiveState")
    must(state == {"Result": "success", "ActiveState": "inactive"}, str(state))
    must(took < 20, f"it took {took:.0f} s")
    time.sleep(8)
    board.run("! systemctl is-active --quiet stationmaster-safe")
    board.run(f"systemctl start {UNIT}", UP_S)
    return f"{took:.1f} s"


def safe_screen(table: Table) -> str:
    """An environment that is broken ends on the safe screen; a key goes back once it is mended."""
    board = table.on()
    python = "$(readlink -f /opt/stationmaster/current)/venv/bin/stationmaster"
    board.run(f"mv {python} /root/kept; systemctl kill -s KILL {UNIT}")
    began = time.monotonic()
    board.until(
        f"systemctl show -p Result {UNIT} | grep -q start-limit-hit || systemctl is-failed --quiet {UNIT}",
        120,
    )
    board.until("systemctl is-active --quiet stationmaster-safe", 30)
    took = time.monotonic() - began
    time.sleep(6)
    must(
        "STATIONMASTER" in (text := table.console()) and "Tap the screen" in text,
        f"the console says: {text!r}",
    )
    must(table.lit("safe-screen") or "Last words" in text, "the safe screen is dark")
    restarts = table.shown("NRestarts")["NRestarts"]
    time.sleep(4)
    board.run(f"mv /root/kept {python}")
    board.key("ret")
    back = table.up()
    board.until("! systemctl is-active --quiet stationmaster-safe", 20)
    return f"there {took:.0f} s after the first crash, {restarts} restarts; back {back:.0f} s after a key"


def settings(table: Table) -> str:
    """Settings that are wrong, without right ones before: at once, told, and a tap goes back."""
    board = table.on()
    board.run(f"cp {CONFIG} /root/config; rm {GAMES}/config.last-good*.toml; echo 'nme = 1' >{CONFIG}")
    board.ask(f"systemctl restart {UNIT}", UP_S)
    board.until("systemctl is-active --quiet stationmaster-safe", 60)
    must(table.shown("NRestarts")["NRestarts"] == "0", "it was started again")
    board.until("iconv -c -f latin1 -t ascii /dev/vcs1 | grep -q \"did you mean 'name'\"", 30)
    board.run(f"cp /root/config {CONFIG}")
    time.sleep(6)
    board.tap(0.5, 0.5)
    back = table.up()
    return f"told on the console; back {back:.0f} s after a tap"


def hangs(table: Table) -> str:
    """Linux hangs: the board starts itself anew."""
    board = table.on()
    boot = board.run("cat /proc/sys/kernel/random/boot_id")
    board.run("sync; nohup sh -c 'sleep 2; echo c >/proc/sysrq-trigger' >/dev/null 2>&1 &")
    began = time.monotonic()
    time.sleep(5)
    now = board.again()
    must(now != boot, "it is the same boot")
    took = time.monotonic() - began
    table.up()
    return f"agent back after {took:.0f} s, with a watchdog of 60 s"


def power(table: Table) -> str:
    """The plug is pulled in the middle of a game: it stands on the first page, and a tap goes on with it."""
    board = table.on()
    play = f"/opt/stationmaster/current/venv/bin/stationmaster kiosk --config {CONFIG}"
    table.drop_in("play", f"ExecStart=\nExecStart={play} --play 1 --game auction")
    board.run(f"systemctl restart {UNIT}", UP_S)
    board.run(f"rm {DROP_INS}/play.conf; sync")
    end = time.monotonic() + 300
    while not (games := table.games()) or games[0]["entries"] < 8:
        must(time.monotonic() < end, f"the virtual people do not play: {games}")
        time.sleep(2)
    before = games[0]
    table.lit("before-the-cut")
    table.cut()
    table.switch_on()
    table.up()
    (after,) = table.games()
    must(after["sound"] and after["name"] == before["name"], f"before {before}, now {after}")
    must(after["entries"] >= before["entries"], f"acknowledged {before['entries']}, now {after['entries']}")
    time.sleep(8)
    must(table.lit("after-the-cut"), "the screen is dark")
    must(not table.pulse()["playing"], "a game goes on by itself")
    board.tap(*RESUME)
    board.until("grep -q '\"playing\":true' /run/stationmaster/pulse.json", 60)
    table.lit("goes-on")
    return f"{before['entries']} entries were told, {after['entries']} are there; a tap goes on"


def broken_update(table: Table) -> str:
    """A version that passes its own check and does not come up is put back by itself."""
    board = table.on()
    old, games = table.current(), table.games()
    began = time.monotonic()
    with board.stick(table.stick(BROKEN)):
        code, _ = board.ask("systemctl start stationmaster-update", 1800)
    took = time.monotonic() - began
    words = board.run("journalctl -b -u stationmaster-update -o cat")
    must(code != 0, "the update says that it was made")
    must(f"{BROKEN}-" in words and "did not come up and was put back" in words, words)
    must(table.current() == old, table.current())
    table.up()
    must(
        [(g["name"], g["sound"]) for g in table.games()] == [(g["name"], g["sound"]) for g in games],
        "games are not as they were",
    )
    board.run("! systemctl is-active --quiet stationmaster-safe")
    return f"put back after {took:.0f} s"


def update(table: Table) -> str:
    """A later version from a stick; a game that was begun keeps its rules."""
    board = table.on()
    table.as_user("stationmaster new before --game auction --players 2")
    with board.stick(table.stick(LATER)):
        began = time.monotonic()
        code, _ = board.ask("systemctl start stationmaster-update", 1800)
        words = board.run("journalctl -b -u stationmaster-update -o cat")
        must(code == 0, words)
        took = time.monotonic() - began
    must(table.current().startswith(f"versions/{LATER}-"), table.current())
    table.up()
    board.until(f'grep -q \'"version":"{LATER}"\' /run/stationmaster/pulse.json', 60)
    table.as_user("stationmaster new after --game auction --players 2")
    table.as_user("stationmaster act before next_lot A")
    rules = {
        name: json.loads(table.as_user(f"stationmaster export {name}"))["header"]["rules_version"]
        for name in ("before", "after")
    }
    must(rules == {"before": "1", "after": "2"}, str(rules))
    must("stationmaster-backup-" in board.run(f"ls {GAMES}/backups"), "no backup was made")
    return f"{took:.0f} s; a game begun before keeps rules {rules['before']}, a new one has {rules['after']}"


def fresh_card(table: Table) -> str:
    """Everything of this table on a card that has only the program."""
    board = table.on()
    table.as_user("stationmaster new evening --game railway_boom --players 2 --names Annegret,Boris")
    board.run("sed -i 's/^name = .*/name = \"Ours\"/' /etc/stationmaster/config.toml")
    games = table.games()
    stick = table.stick(NOW)
    with board.stick(stick):
        board.run(
            f"mount /dev/disk/by-label/{LABEL} {STICK}; stationmaster backup --into {STICK}; umount {STICK}"
        )
    table.new(table.installed)
    table.switch_on()
    table.up()
    must(table.games() == [], "the fresh card has games")
    with board.stick(stick):
        board.run(f"mount -o ro /dev/disk/by-label/{LABEL} {STICK}; systemctl stop {UNIT}")
        restore = f"stationmaster restore {STICK}/stationmaster-backup-*.zip"
        board.run(f"{restore} --check")
        board.run(f"{restore} --config /etc/stationmaster/config.toml --settings")
        board.run(f"umount {STICK}; systemctl start {UNIT}", UP_S)
    now = table.games()
    must(
        [(g["name"], g["entries"], g["sound"]) for g in now]
        == [(g["name"], g["entries"], g["sound"]) for g in games],
        f"{games}, now {now}",
    )
    must('"Ours"' in board.run("cat /etc/stationmaster/config.toml"), "the settings are not back")
    time.sleep(8)
    must(table.lit("fresh-card"), "the screen is dark")
    return f"{len(now)} games and the settings"


NEEDS = ("install",)
TRIALS: dict[str, Callable[[Table], str]] = {
    one.__name__.replace("_", "-"): one
    for one in (
        install,
        starts,
        limits,
        watchdog,
        stops,
        safe_screen,
        settings,
        hangs,
        power,
        broken_update,
        update,
        fresh_card,
    )
}
