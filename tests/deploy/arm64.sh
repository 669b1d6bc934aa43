#!/usr/bin/env bash
# Runs what is pinned for a Raspberry Pi under qemu-user: a Debian chroot for arm64, the pinned wheels installed into it
# from outside, everything imported, the rule cases, and a round of the headless demo.
#
#   tests/deploy/arm64.sh [FOLDER]      FOLDER keeps the base system (default ~/.cache/stationmaster/arm64)
#
# It needs root, mmdebstrap, arch-test, qemu-user-static and a network. The base system takes 8 to 20 minutes once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

readonly suite=trixie python=3.13
readonly base=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/stationmaster/arm64}
readonly parts=python3,python3-venv,libzbar0,libgl1,libegl1,libgles2,libmtdev1,ca-certificates
readonly rule=/usr/lib/binfmt.d/qemu-aarch64.conf

die() {
    printf 'test-arm64: %s\n' "$@" >&2
    exit 1
}
step() { printf '\n== %s (%s s)\n' "$*" "$SECONDS"; }

[ "$(id -u)" -eq 0 ] || die "this needs root, for the chroot"
for tool in mmdebstrap arch-test qemu-aarch64-static; do
    command -v $tool >/dev/null || die "$tool is missing: apt-get install mmdebstrap arch-test qemu-user-static"
done
if ! arch-test arm64 >/dev/null; then
    [ -e /proc/sys/fs/binfmt_misc/register ] || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    cat "$rule" >/proc/sys/fs/binfmt_misc/register || die "the kernel takes no rule for arm64; see $rule"
fi

if [ ! -e "$base/usr/bin/python3" ]; then
    step "the base system, once"
    mkdir -p "$(dirname "$base")"
    rm -rf "$base"
    mmdebstrap --architectures=arm64 --variant=apt --include=$parts $suite "$base" 2>&1 | tail -n 2
fi

step "the release and the pinned wheels, from outside"
release=$(mktemp -d)
trap 'rm -rf "$release"; umount "$base/proc" 2>/dev/null || true' EXIT
deploy/release.sh --into "$release" >/dev/null
rm -rf "$base/opt/stationmaster" "$base/opt/cases"
mkdir -p "$base/opt/stationmaster" "$base/opt/cases"
platforms=()
for one in manylinux_2_{39,36,34,31,28,27,26,24,17} manylinux2014; do platforms+=(--platform "${one}_aarch64"); done
pip=(.venv/bin/python -m pip --disable-pip-version-check install --quiet --no-deps --only-binary :all:
    --python-version "$python" --implementation cp "${platforms[@]}" --target "$base/opt/stationmaster")
"${pip[@]}" --require-hashes -r deploy/requirements.txt -r deploy/requirements-pi.txt
"${pip[@]}" --no-index "$release"/stationmaster-*.whl
mkdir "$base/opt/cases/conformance"
cp -R tests/conformance/railway_boom "$base/opt/cases/conformance"
cp -R tests/fixtures "$base/opt/cases"

mountpoint -q "$base/proc" || mount -t proc proc "$base/proc"
inside() {
    chroot "$base" env -i PATH=/usr/bin:/bin HOME=/root LANG=C.UTF-8 PYTHONPATH=/opt/stationmaster "$@"
}
step "the machine"
inside python3 -c 'import platform, sys; print(platform.machine(), sys.version)'
step "everything is imported, every game opened"
inside python3 -m ui.cli selfcheck --games-dir /root/games
step "the system's camera package and our wheels agree on NumPy"
inside python3 -c 'import numpy, simplejpeg; print(numpy.__version__, len(simplejpeg.encode_jpeg(numpy.zeros((16, 16, 3), "uint8"))))'
step "the second opinion on tags loads"
inside python3 -c 'import pyzbar.pyzbar; print("libzbar is there")'
step "SDL's drivers for the screen"
inside python3 - <<'PYTHON'
import ctypes, glob

sdl = ctypes.CDLL(glob.glob("/opt/stationmaster/Kivy.libs/libSDL2-2-*")[0])
sdl.SDL_GetVideoDriver.restype = ctypes.c_char_p
print([sdl.SDL_GetVideoDriver(n).decode() for n in range(sdl.SDL_GetNumVideoDrivers())])
PYTHON
step "the rule cases"
inside python3 -m ui.cli case /opt/cases/conformance/railway_boom | tail -n 1
step "a round of the demo"
inside python3 -m ui.cli demo --rounds 1 --players 2 --headless --quiet --out /root/demo | tail -n 3
step "done"
