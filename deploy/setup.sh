#!/usr/bin/env bash
# Sets up this checkout: the system's libraries, the environment in .venv, the pinned packages, the project itself.
# `make setup` calls it. It can be called again at any time; when nothing has changed, it does nothing and says nothing.
#
#   PYTHON=python3.13 make setup    takes that Python and no other, and makes .venv anew if it was made with another
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly venv=.venv
readonly ready=$venv/.ready
readonly pins=(deploy/requirements.txt deploy/requirements-dev.txt)
readonly suits='
import platform, sys
if not ((3, 11) <= sys.version_info[:2] < (3, 14) and platform.python_implementation() == "CPython"): sys.exit(1)'

say() { printf 'setup: %s\n' "$*"; }
die() { printf 'setup: %s\n' "$@" >&2; exit 1; }

# What the environment was made from. The folder belongs to it, because the commands in .venv hold its path.
fingerprint() { pwd && cat "${pins[@]}" pyproject.toml deploy/setup.sh | sha256sum; }

# Whether .venv is of the Python that was asked for with PYTHON, if one was.
as_asked() {
    [ -z "${PYTHON:-}" ] && return
    local version='import sys; print(sys.version_info[:2])'
    [ "$("$PYTHON" -c "$version" 2>/dev/null)" = "$("$venv/bin/python" -c "$version" 2>/dev/null)" ]
}

up_to_date() { [ -x $venv/bin/python ] && [ "$(cat $ready 2>/dev/null)" = "$(fingerprint)" ] && as_asked; }

choose_python() {
    local candidate
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        if "$candidate" -c "$suits" 2>/dev/null; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    die "Stationmaster needs CPython 3.11, 3.12 or 3.13; tried: ${PYTHON:-python3, python3.13, python3.12, python3.11}." \
        "On Debian 12 or 13 and on Raspberry Pi OS, 'sudo apt-get install python3 python3-venv' brings a fitting one." \
        "If there is one elsewhere, name it: 'make setup PYTHON=/path/to/python3.12'."
}

check_machine() {
    "$1" -c 'import platform, sys
sys.exit(not (sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64") and sys.maxsize > 2**32
              and platform.libc_ver()[0] == "glibc"))' || die \
        "The pinned packages exist for 64-bit Linux with glibc on x86_64 and aarch64; this system is $(uname -sm)." \
        "On a Raspberry Pi, install the 64-bit Raspberry Pi OS."
}

# What the system must be able to load, the package that brings it on Debian, and what for.
readonly libraries=(
    "libzbar.so.0    libzbar0   pyzbar, which gives the second opinion on a QR code, reads with it."
    "libGL.so.1      libgl1     Kivy, which draws the touchscreen, is linked with it; it brings Mesa's drivers."
    "libEGL.so.1     libegl1    Kivy draws with it where there is no desktop, and into memory for the tests."
    "libGLESv2.so.2  libgles2   Kivy draws with it on a Raspberry Pi without a desktop."
    "libmtdev.so.1   libmtdev1  Kivy reads a touchscreen with it."
)

lib_loads() { "$1" -c "import ctypes; ctypes.CDLL('$2')" 2>/dev/null; }
venv_works() { "$1" -c 'import ensurepip, venv' 2>/dev/null; }

# Installs what the system lacks. OpenCV's headless build, the PDF renderer and the decoders bring their own libraries.
install_system_packages() {
    local python=$1 packages=() sudo=() line library package reason
    for line in "${libraries[@]}"; do
        read -r library package reason <<<"$line"
        lib_loads "$python" "$library" && continue
        say "$package is missing: $reason"
        packages+=("$package")
    done
    if ! venv_works "$python"; then
        say "python3-venv is missing: it makes the environment in $venv."
        packages+=("$("$python" -c 'import sys; print("python3.%d-venv" % sys.version_info[1])')")
    fi
    [ ${#packages[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || die "There is no apt-get here. Install by other means: ${packages[*]}."
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || die "As root, run: apt-get install ${packages[*]}"
        sudo=(sudo)
    fi
    say "installing with apt-get: ${packages[*]}"
    "${sudo[@]}" apt-get update -qq || say "apt-get update failed; going on with the package list that is there."
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${packages[@]}" \
        >/dev/null || die "apt-get could not install ${packages[*]}; its message stands above."
    for line in "${libraries[@]}"; do
        read -r library package reason <<<"$line"
        lib_loads "$python" "$library" || die "$library still does not load, although apt-get has installed $package."
    done
    venv_works "$python" || die "$python still cannot make an environment, although apt-get has installed ${packages[*]}."
}

make_environment() {
    local python=$1
    if "$venv/bin/python" -c "$suits; import pip" 2>/dev/null && as_asked && [ "$(head -n 1 $ready 2>/dev/null || pwd)" = "$PWD" ]; then
        say "bringing $venv up to date"
    else
        say "making $venv with $("$python" --version)"
        "$python" -m venv --clear "$venv"
    fi
    rm -f "$ready"
}

install_packages() {
    local pip=("$venv/bin/python" -m pip --disable-pip-version-check --no-input) file options=()
    for file in "${pins[@]}"; do options+=(-r "$file"); done
    say "installing the pinned packages (about 160 MB when none is at hand)"
    "${pip[@]}" install --quiet --require-hashes "${options[@]}"
    # By itself, because a local project has no hash; without its dependencies, because they have just been installed;
    # without a build environment, because that would be filled with packages that nobody has pinned.
    say "installing stationmaster from this folder"
    "${pip[@]}" install --quiet --no-deps --no-build-isolation -e .
    "${pip[@]}" check >/dev/null || {
        "${pip[@]}" check >&2 || true
        die "The pins do not fit what pyproject.toml asks for. Who changed it calls 'make pins' and then 'make setup'."
    }
}

up_to_date && exit
# Two set-ups at once, in two terminals, would spoil the environment; the second one waits and finds the work done.
exec 9<deploy
flock 9
up_to_date && exit
python=$(choose_python)
check_machine "$python"
install_system_packages "$python"
make_environment "$python"
install_packages
fingerprint >$ready
say "done"
