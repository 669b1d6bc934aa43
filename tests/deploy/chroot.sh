#!/usr/bin/env bash
# Runs the installer in a clean Debian chroot, twice in a row, with the packages of a Raspberry Pi as stubs, and plays
# the headless demo with what it leaves. It needs root, debootstrap (or a base system made before) and a network.
#
#   tests/deploy/chroot.sh [bookworm|trixie] [BASE]     BASE: a base system that is copied instead of made anew
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

readonly suite=${1:-bookworm} base=${2:-}
place=$(mktemp -d --tmpdir stationmaster-chroot-XXXXXX)
readonly place
# It is / to the kiosk's own user, too.
chmod 755 "$place"

leave() {
    for one in proc sys dev; do umount -R "$place/$one" 2>/dev/null || true; done
    # Never through a mount that is still there.
    if mountpoint -q "$place/proc" || mountpoint -q "$place/dev" || mountpoint -q "$place/sys"; then return; fi
    rm -rf --one-file-system "$place"
}
trap leave EXIT

say() { printf '\n== %s\n' "$*"; }
inside() { chroot "$place" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "${passed[@]}" "$@"; }

# How a package index is reached is the machine's own business, and is passed on.
passed=(STATIONMASTER_MODEL_FILE=/etc/model)
for name in PIP_INDEX_URL PIP_CERT PIP_DEFAULT_TIMEOUT; do
    [ -z "${!name:-}" ] || passed+=("$name=${!name}")
done

say "a clean $suite"
if [ -n "$base" ]; then
    cp -a "$base/." "$place"
else
    debootstrap --variant=minbase --include=ca-certificates "$suite" "$place" >/dev/null
fi
if [ -n "${PIP_CERT:-}" ]; then install -D "$PIP_CERT" "$place$PIP_CERT"; fi
for file in pip.conf apt/apt.conf.d/*proxy*; do
    if [ -e "/etc/$file" ]; then install -D "/etc/$file" "$place/etc/$file"; fi
done
cp /etc/resolv.conf "$place/etc/resolv.conf"
for one in proc sys dev; do
    mkdir -p "$place/$one"
    mount --rbind "/$one" "$place/$one"
    mount --make-rslave "$place/$one"
done
# A board of its own: with this file the installer takes it for a Raspberry Pi.
printf 'Raspberry Pi 5 Model B (a chroot)\0' >"$place/etc/model"

say "the packages that only Raspberry Pi OS has, as stubs"
for package in python3-picamera2 python3-libcamera python3-lgpio; do
    mkdir -p "$place/tmp/$package/DEBIAN"
    printf 'Package: %s\nVersion: 0~stub\nArchitecture: all\nMaintainer: nobody <nobody@localhost>\nDescription: stub\n' \
        "$package" >"$place/tmp/$package/DEBIAN/control"
    inside dpkg-deb --build --root-owner-group "/tmp/$package" "/tmp/$package.deb" >/dev/null
    inside dpkg -i "/tmp/$package.deb" >/dev/null
done

say "what it would do"
deploy/release.sh --into "$place/root/release" >/dev/null
before=$(inside find /etc /opt /usr/local /var/lib -xdev ! -path '/var/lib/apt/*' | sort | sha256sum)
inside /root/release/deploy/install.sh --dry-run | tail -n 5
[ "$before" = "$(inside find /etc /opt /usr/local /var/lib -xdev ! -path '/var/lib/apt/*' | sort | sha256sum)" ]

say "once"
time inside /root/release/deploy/install.sh --unattended
say "twice"
time inside /root/release/deploy/install.sh --unattended

say "a file is emptied, as a power cut does; the third call repairs it"
# shellcheck disable=SC2016
inside sh -c ': >"$(find /opt/stationmaster/versions/*/venv/lib -path "*/site-packages/ui/cli.py")"'
inside /root/release/deploy/install.sh --unattended | tail -n 4

say "another version beside it, and the way back"
printf '\n' >>"$place/root/release/requirements-pi.txt"
(cd "$place/root/release" && find . -type f ! -name SHA256SUMS -printf '%P\0' | sort -z | xargs -0 sha256sum) >"$place/root/sums"
mv "$place/root/sums" "$place/root/release/SHA256SUMS"
one=$(readlink "$place/opt/stationmaster/current")
inside /root/release/deploy/install.sh --unattended | tail -n 3
[ "$one" != "$(readlink "$place/opt/stationmaster/current")" ]
inside /root/release/deploy/install.sh --back
[ "$one" = "$(readlink "$place/opt/stationmaster/current")" ]
inside sh -c 'ls -l /opt/stationmaster /var/lib/stationmaster/backups'

say "the services"
inside env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends systemd >/dev/null
for unit in stationmaster stationmaster-safe stationmaster-update; do
    inside systemd-analyze verify --man=no "/etc/systemd/system/$unit.service"
    inside systemd-analyze security --offline=true --no-pager "/etc/systemd/system/$unit.service" | tail -n 1
done

say "as the kiosk's own user: the demo, the self-check, the doctor"
as_user() { inside setpriv --reuid stationmaster --regid stationmaster --init-groups env HOME=/var/lib/stationmaster "$@"; }
time as_user stationmaster demo --rounds 1 --players 2 --headless --quiet --out /tmp/demo
as_user stationmaster selfcheck --games-dir /var/lib/stationmaster
as_user stationmaster doctor --games-dir /var/lib/stationmaster || true

say "away again; the games stay"
as_user stationmaster new evening --game auction --players 2 --games-dir /var/lib/stationmaster >/dev/null
inside /root/release/deploy/install.sh --uninstall --unattended
inside test -f /var/lib/stationmaster/evening.game
inside test ! -e /opt/stationmaster
inside /root/release/deploy/install.sh --uninstall --purge --unattended
inside test ! -e /var/lib/stationmaster
say "done"
