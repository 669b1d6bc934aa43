"""The installer on a machine of its own: nothing real is called, and everything it does is looked at."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEBIAN = 'ID=debian\nVERSION_CODENAME=bookworm\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n'


class Machine:
    """A folder that stands for /, with stubs for what would change a real machine."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.tools = folder / "tools"
        self.log = folder / "log"
        self.release = folder / "release"
        (self.root / "etc").mkdir(parents=True)
        self.tools.mkdir()
        self.os(DEBIAN)
        self.model = folder / "model"
        self.stub(
            "dpkg", f'case "$1" in --print-architecture) echo arm64;; *) echo "dpkg $*" >>{self.log};; esac'
        )
        # As the real one: it fails because there is no package of the newer name.
        self.stub("dpkg-query", 'echo "install ok installed"; exit 1')
        for name in ("apt-get", "useradd", "usermod", "userdel", "chown", "sync", "sleep"):
            self.stub(name, f'echo "{name} $*" >>{self.log}')
        self.stub("getent", "exit 2")
        self.systemctl()
        self.make_release("0.1.0")

    def os(self, text: str) -> None:
        (self.root / "etc" / "os-release").write_text(text)

    def stub(self, name: str, text: str) -> None:
        path = self.tools / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def systemctl(self, *, bad: str = "", falls: str = "") -> None:
        """While `bad` is the current version the kiosk does not come up; `falls` comes up and falls over."""
        link = self.root / "opt/stationmaster/current"
        self.stub(
            "systemctl",
            f'echo "systemctl $*" >>{self.log}\n'
            'case "$1" in\nis-enabled) exit 1;;\n'
            f'restart) case "$(readlink {link})" in versions/{bad or "-"}-*) exit 1;; esac;;\n'
            f'show) case "$(readlink {link})" in versions/{falls or "-"}-*) echo 1;; *) echo 0;; esac;;\n'
            "esac",
        )

    def make_release(self, version: str) -> None:
        """A release whose wheel is empty: what would make an environment of it is stubbed below."""
        shutil.rmtree(self.release, ignore_errors=True)
        shutil.copytree(
            ROOT / "deploy", self.release / "deploy", ignore=shutil.ignore_patterns("__pycache__", "*.txt")
        )
        for name in ("requirements.txt", "requirements-pi.txt"):
            shutil.copy(ROOT / "deploy" / name, self.release / name)
        (self.release / f"stationmaster-{version}-py3-none-any.whl").write_bytes(version.encode())
        (self.release / "wheels").mkdir()
        self.sign()

    def sign(self) -> None:
        files = sorted(p for p in self.release.rglob("*") if p.is_file() and p.name != "SHA256SUMS")
        sums = [
            f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.relative_to(self.release)}\n" for p in files
        ]
        (self.release / "SHA256SUMS").write_text("".join(sums))

    def call(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Call the release's installer, with a Python whose environments are folders of stubs."""
        script = self.release / "deploy" / "install.sh"
        text = script.read_text()
        python = self.tools / "system-python"
        python.write_text(PYTHON)
        python.chmod(0o755)
        text = text.replace(
            "system_python() { if [ -x /usr/bin/python3 ]; then printf '/usr/bin/python3\\n'; "
            "else return 1; fi; }",
            f"system_python() {{ printf '{python}\\n'; }}",
        )
        assert str(python) in text
        stubbed = self.release.parent / "install.sh"
        stubbed.write_text(text.replace('"${BASH_SOURCE[0]}")/.."', f'"{script}")/.."'))
        return self.bash(stubbed, *words, **more)

    def bash(self, script: Path, *words: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
        """Call a script so that nothing outside this folder can be reached, whatever it finds."""
        return subprocess.run(
            ["bash", script, *words],
            env={
                **os.environ,
                "PATH": f"{self.tools}:{os.environ['PATH']}",
                "STATIONMASTER_ROOT": str(self.root),
                "STATIONMASTER_MODEL_FILE": str(self.model),
                **more,
            },
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    @property
    def current(self) -> str:
        link = self.root / "opt/stationmaster/current"
        return str(link.readlink()).removeprefix("versions/").partition("-")[0] if link.is_symlink() else ""

    @property
    def versions(self) -> list[str]:
        return sorted(p.name.partition("-")[0] for p in (self.root / "opt/stationmaster/versions").iterdir())

    @property
    def said(self) -> str:
        return self.log.read_text() if self.log.exists() else ""


PYTHON = """#!/bin/sh
case "$1 $2" in
"-m venv")
    for last; do :; done
    mkdir -p "$last/bin"
    cp "$0" "$last/bin/python"
    cat >"$last/bin/stationmaster" <<'STUB'
#!/bin/sh
here=$(dirname "$0")
case "$1" in
selfcheck)
    echo "$*" >>"${STATIONMASTER_ROOT}/../asked"
    case "$*" in
    *--games-only*--config*) if [ -e "$here/../unversioned" ]; then exit 2; else echo '{"games": {}}'; fi;;
    *--games-only*) echo '{"games": {}}';;
    *) [ ! -e "$here/../broken" ];;
    esac;;
config) echo "settings are of version 1" >&2;;
backup) echo "backup $*" >>"$here/../../../../data-backed-up";;
esac
STUB
    chmod +x "$last/bin/stationmaster" ;;
"-m pip") [ ! -e "${STATIONMASTER_ROOT}/no-packages" ] ;;
"- "*) [ ! -e "$(dirname "$0")/../damaged" ] ;;
"-c "*)
    if [ -e "$(dirname "$0")/../cannot-read" ]; then echo "there is no setting 'version'" >&2; exit 1; fi ;;
esac
"""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def state(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): str(path.readlink()) if path.is_symlink() else path.read_bytes().hex()
        for path in sorted(folder.rglob("*"))
        if (path.is_file() or path.is_symlink()) and "run/lock" not in str(path)
    }


def test_it_leaves_a_table_with_its_services(machine: Machine) -> None:
    done = machine.call("--unattended")
    assert done.returncode == 0, done.stderr
    root = machine.root
    assert machine.current == "0.1.0"
    assert "useradd --system" in machine.said
    assert 'games = "/var/lib/stationmaster"' in (root / "etc/stationmaster/config.toml").read_text()
    assert (root / "var/lib/stationmaster").stat().st_mode & 0o777 == 0o750
    for unit in ("stationmaster", "stationmaster-safe", "stationmaster-update"):
        assert (root / f"etc/systemd/system/{unit}.service").is_file()
    assert "systemctl restart stationmaster.service" in machine.said
    assert (root / "etc/systemd/journald.conf.d/stationmaster.conf").is_file()


def test_a_second_call_changes_nothing_and_keeps_what_people_set(machine: Machine) -> None:
    machine.call("--unattended")
    config = machine.root / "etc/stationmaster/config.toml"
    config.write_text('name = "Ours"\n')
    (machine.root / "var/lib/stationmaster/a.game").write_bytes(b"game")
    before = state(machine.root)
    done = machine.call("--unattended")
    assert done.returncode == 0, done.stderr
    assert "is there and whole" in done.stdout
    assert state(machine.root) == before


@pytest.mark.parametrize("how", ["damaged", "unfinished", "unit"])
def test_a_second_call_repairs(how: str, machine: Machine) -> None:
    machine.call("--unattended")
    (version,) = (machine.root / "opt/stationmaster/versions").iterdir()
    unit = machine.root / "etc/systemd/system/stationmaster.service"
    if how == "damaged":
        (version / "venv/damaged").touch()
    elif how == "unfinished":
        (version / ".complete").unlink()
        shutil.rmtree(version / "venv/bin")
    else:
        unit.write_text("")
    done = machine.call("--unattended")
    assert done.returncode == 0, done.stderr
    assert (version / ".complete").is_file()
    assert not (version / "venv/damaged").exists()
    assert (version / "venv/bin/stationmaster").is_file()
    assert unit.read_text() == (ROOT / "deploy/systemd/stationmaster.service").read_text()


def test_a_dry_run_changes_nothing(machine: Machine) -> None:
    before = state(machine.root)
    done = machine.call("--dry-run")
    assert done.returncode == 0, done.stderr
    assert "would run: useradd" in done.stdout
    assert state(machine.root) == before
    assert machine.said.replace("systemctl is-enabled --quiet display-manager.service\n", "") == ""


@pytest.mark.parametrize(
    ("os_text", "arch", "says"),
    [
        (DEBIAN.replace("debian", "raspbian"), "armhf", "32-bit Raspberry Pi OS"),
        (DEBIAN.replace("bookworm", "bullseye"), "arm64", "supported are bookworm and trixie"),
        (DEBIAN.replace("ID=debian", "ID=ubuntu"), "arm64", "This is ubuntu"),
        (DEBIAN, "riscv64", "this system is riscv64"),
        ("", "arm64", "no known system"),
    ],
)
def test_what_is_not_supported_is_refused_with_the_reason(
    os_text: str, arch: str, says: str, machine: Machine
) -> None:
    machine.os(os_text)
    machine.stub("dpkg", f"echo {arch}")
    before = state(machine.root)
    done = machine.call("--unattended")
    assert done.returncode == 1
    assert says in done.stderr
    assert "Nothing was changed" in done.stderr
    assert state(machine.root) == before


def test_a_desktop_that_would_hold_the_screen_is_refused(machine: Machine) -> None:
    machine.stub("systemctl", "exit 0")
    done = machine.call("--unattended")
    assert done.returncode == 1
    assert "Raspberry Pi OS Lite" in done.stderr


def test_an_account_that_belongs_to_somebody_is_neither_taken_nor_removed(machine: Machine) -> None:
    person = "stationmaster:x:1000:1000::/home/stationmaster:/bin/bash"
    machine.stub("getent", f'[ "$2" = stationmaster ] && echo {person}')
    done = machine.call("--unattended")
    assert done.returncode == 1
    assert "/home/stationmaster" in done.stderr
    assert machine.call("--uninstall", "--purge", "--unattended").returncode == 0
    assert "userdel" not in machine.said


def test_a_card_without_room_is_refused(machine: Machine) -> None:
    machine.stub("df", "printf 'x\\nx 1 1 1000 1 /\\n'")
    done = machine.call("--unattended")
    assert done.returncode == 1
    assert "1 MB are free" in done.stderr


def test_all_that_is_wrong_is_told_at_once(machine: Machine) -> None:
    machine.os("ID=fedora\nVERSION_CODENAME=x\n")
    machine.stub("dpkg", "echo s390x")
    assert len(re.findall("supported are|exist for", machine.call("--unattended").stderr)) == 3


def test_camera_packages_are_asked_for_on_a_raspberry_pi_alone(machine: Machine) -> None:
    machine.stub("dpkg-query", "exit 1")
    machine.call("--unattended")
    assert "picamera2" not in machine.said
    # What a power cut left half configured is mended first; apt-get refuses otherwise.
    assert machine.said.index("dpkg --configure -a") < machine.said.index("apt-get install")
    machine.model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    machine.call("--unattended")
    assert "python3-picamera2 python3-libcamera python3-lgpio" in machine.said
    assert (machine.root / "etc/systemd/system.conf.d/stationmaster.conf").is_file()


def test_a_library_under_its_newer_name_is_there(machine: Machine) -> None:
    newer = 'for name; do case "$name" in *t64) echo "install ok installed";; esac; done; exit 1'
    machine.stub("dpkg-query", newer)
    assert machine.call("--unattended", "--offline").returncode == 0
    assert "apt-get" not in machine.said


def test_a_new_version_lies_beside_the_old_and_there_is_a_way_back(machine: Machine) -> None:
    for version in ("0.1.0", "0.2.0", "0.3.0"):
        machine.make_release(version)
        done = machine.call("--unattended")
        assert done.returncode == 0, done.stderr
    assert machine.current == "0.3.0"
    assert machine.versions == ["0.2.0", "0.3.0"]
    assert (machine.root / "opt/stationmaster/data-backed-up").read_text().count("--keep 5") == 2
    assert machine.call("--back").returncode == 0
    assert machine.current == "0.2.0"
    assert machine.call("--back").returncode == 0
    assert machine.current == "0.3.0"


def test_a_new_version_is_asked_about_the_settings_and_an_older_one_as_far_as_it_knows(
    machine: Machine,
) -> None:
    done = machine.call("--unattended")
    assert "settings are of version 1" in done.stderr
    (version,) = (machine.root / "opt/stationmaster/versions").iterdir()
    asked = machine.root.parent / "asked"
    for unversioned in (False, True):
        asked.unlink()
        if unversioned:
            (version / "venv/unversioned").touch()
        machine.make_release("0.2.0")
        assert machine.call("--unattended").returncode == 0
        before, *again, own = asked.read_text().splitlines()
        file = f"--config {machine.root}/etc/stationmaster/config.toml"
        assert file in before
        assert len(again) == unversioned
        assert all("--games-only" in one and file not in one for one in again)
        assert file in own
        assert "--before" in own
        machine.call("--back")


@pytest.mark.parametrize(("cannot", "goes"), [("old", False), ("both", True), ("none", True)])
def test_the_way_back_is_not_taken_to_a_version_that_cannot_read_the_settings(
    cannot: str, goes: bool, machine: Machine
) -> None:
    machine.call("--unattended")
    machine.make_release("0.2.0")
    machine.call("--unattended")
    before = state(machine.root)
    for version in (machine.root / "opt/stationmaster/versions").iterdir():
        if cannot == "both" or (cannot == "old" and version.name.startswith("0.1.0")):
            (version / "venv/cannot-read").touch()
    done = machine.call("--back")
    assert (done.returncode == 0) is goes
    assert machine.current == ("0.1.0" if goes else "0.2.0")
    if not goes:
        assert "there is no setting 'version'" in done.stderr
        assert "nothing was changed" in done.stderr
        left = state(machine.root)
        assert {name: text for name, text in left.items() if "cannot-read" not in name} == before


@pytest.mark.parametrize("how", ["bad", "falls"])
def test_a_version_that_does_not_come_up_or_stay_is_put_back(how: str, machine: Machine) -> None:
    machine.call("--unattended")
    machine.make_release("0.2.0")
    machine.systemctl(**{how: "0.2.0"})
    done = machine.call("--unattended")
    assert done.returncode == 1
    assert "was put back" in done.stderr
    assert machine.current == "0.1.0"
    assert machine.said.count("systemctl restart") == 3


@pytest.mark.parametrize("how", ["packages", "check", "changed"])
def test_a_version_that_is_not_whole_never_becomes_the_current_one(how: str, machine: Machine) -> None:
    machine.call("--unattended")
    restarts = machine.said.count("systemctl restart")
    machine.make_release("0.2.0")
    if how == "packages":
        (machine.root / "no-packages").touch()
    elif how == "changed":
        (machine.release / "requirements.txt").write_text("")
    else:
        script = machine.release / "deploy" / "install.sh"
        script.write_text(
            script.read_text().replace(
                'touch "$folder/.complete"', 'touch "$folder/.complete" "$folder/venv/broken"'
            )
        )
        machine.sign()
    done = machine.call("--unattended")
    assert done.returncode == 1
    assert machine.current == "0.1.0"
    assert machine.said.count("systemctl restart") == restarts
    if how == "packages":
        # What could not be made takes no room from the next try.
        assert machine.versions == ["0.1.0"]


def test_without_a_network_everything_comes_from_the_release(machine: Machine) -> None:
    assert machine.call("--unattended", "--offline").returncode == 0
    machine.stub("dpkg-query", "exit 1")
    done = machine.call("--unattended", "--offline")
    assert done.returncode == 1
    assert "libzbar0" in done.stderr
    assert "apt-get" not in machine.said


def test_it_goes_and_the_games_stay(machine: Machine) -> None:
    machine.call("--unattended")
    game = machine.root / "var/lib/stationmaster/a.game"
    game.write_bytes(b"game")
    assert machine.call("--uninstall", "--unattended").returncode == 0
    assert game.read_bytes() == b"game"
    assert (machine.root / "etc/stationmaster/config.toml").is_file()
    left = [p for p in state(machine.root) if "systemd" in p or "opt/" in p or "bin/" in p]
    assert left == []
    assert machine.call("--uninstall", "--purge", "--unattended").returncode == 0
    assert not game.exists()


def test_it_asks_before_it_does_anything(machine: Machine) -> None:
    before = state(machine.root)
    done = machine.call()
    assert done.returncode == 1
    assert "Nothing was changed" in done.stderr
    assert state(machine.root) == before


@pytest.mark.parametrize("words", [("--purge",), ("--what",)])
def test_a_wrong_call(words: tuple[str, ...], machine: Machine) -> None:
    assert machine.call(*words).returncode == 2


@pytest.fixture
def stick(machine: Machine, tmp_path: Path) -> Callable[[str], Path]:
    """A stick with a release whose installer only says that it was called."""

    def made(version: str) -> Path:
        machine.make_release(version)
        script = machine.release / "deploy" / "install.sh"
        script.write_text(f'#!/bin/sh\necho "installer {version} $*"\n')
        machine.sign()
        place = tmp_path / "stick" / f"stationmaster-{version}"
        shutil.copytree(machine.release, place)
        return place.parent

    return made


def test_the_newest_release_on_a_stick_is_handed_over(machine: Machine, stick: Callable[[str], Path]) -> None:
    stick("0.9.0")
    done = machine.bash(ROOT / "deploy" / "update.sh", stick("0.10.0"))
    assert done.returncode == 0, done.stderr
    assert "installer 0.10.0 --unattended --offline" in done.stdout


def test_a_stick_with_a_changed_file_is_refused(machine: Machine, stick: Callable[[str], Path]) -> None:
    folder = stick("0.2.0")
    (folder / "stationmaster-0.2.0" / "requirements.txt").write_text("evil==1\n")
    done = machine.bash(ROOT / "deploy" / "update.sh", folder)
    assert done.returncode == 1
    assert "Nothing was changed" in done.stderr
    assert "installer" not in done.stdout


def test_an_older_release_on_a_stick_is_no_update(machine: Machine, stick: Callable[[str], Path]) -> None:
    machine.make_release("0.10.0")
    assert machine.call("--unattended").returncode == 0
    folder = stick("0.9.0")
    done = machine.bash(ROOT / "deploy" / "update.sh", folder)
    assert done.returncode == 1
    assert "older than 0.10.0" in done.stderr
    assert "installer" not in done.stdout
    assert machine.bash(ROOT / "deploy" / "update.sh", stick("0.10.0")).returncode == 0


def test_how_an_update_is_called(machine: Machine, tmp_path: Path) -> None:
    asked = machine.bash(ROOT / "deploy" / "update.sh", "--help")
    assert (asked.returncode, asked.stdout.startswith("update.sh [FOLDER]")) == (0, True)
    assert machine.bash(ROOT / "deploy" / "update.sh", "--what").returncode == 2
    done = machine.bash(ROOT / "deploy" / "update.sh", tmp_path / "none")
    assert (done.returncode, "There is no folder" in done.stderr) == (1, True)


def test_an_empty_stick_is_told(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = machine.bash(ROOT / "deploy" / "update.sh", tmp_path / "empty")
    assert done.returncode == 1
    assert "no release" in done.stderr
