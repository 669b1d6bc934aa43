#!/usr/bin/env bash
# Makes a Raspberry Pi with Raspberry Pi OS Lite (64-bit) into a table, and brings it up to date. Called again it
# repairs what is broken. docs/appliance.md tells what it does; `install.sh --help` how it is called.
#
# Everything of the program lies in /opt/stationmaster/versions/VERSION, and `current` beside it is a link to the one
# in use. A new version is made beside the old one, checks itself, and only then the link is turned. When the kiosk
# does not come up with it, the link is turned back.
set -euo pipefail

# A folder that stands for / (for tests and for images), and where a Raspberry Pi says that it is one.
readonly root=${STATIONMASTER_ROOT:-}
readonly model_file=${STATIONMASTER_MODEL_FILE:-/proc/device-tree/model}
readonly os_release=$root/etc/os-release

readonly home=$root/opt/stationmaster
readonly settings=$root/etc/stationmaster
readonly data=$root/var/lib/stationmaster
readonly command=$root/usr/local/bin/stationmaster
readonly units_folder=$root/etc/systemd/system
readonly user=stationmaster
readonly service=stationmaster.service
readonly units=(stationmaster.service stationmaster-safe.service stationmaster-update.service)
# Drop-ins: what is written into the journal of the system is bounded; the board restarts when Linux hangs.
readonly journald=$root/etc/systemd/journald.conf.d/stationmaster.conf
readonly watchdog=$root/etc/systemd/system.conf.d/stationmaster.conf
readonly room_kb=1500000
# A kiosk that falls over right after its first page has not come up.
readonly settle_s=10
readonly groups=(video render input gpio tty)
readonly libraries=(ca-certificates python3 python3-venv libzbar0 libgl1 libegl1 libgles2 libgbm1 libdrm2
    libgl1-mesa-dri libmtdev1 libudev1 util-linux)
readonly pi_parts=(python3-picamera2 python3-libcamera python3-lgpio)

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly here

mode=install unattended=no dry=no offline=no purge=no start=yes

usage() {
    cat <<'USAGE'
install.sh [--unattended] [--dry-run] [--offline] [--no-start]
    installs, brings up to date or repairs; --offline takes everything from this folder and nothing from a network
install.sh --back [--dry-run]
    back to the version before
install.sh --uninstall [--purge] [--unattended] [--dry-run]
    removes the program; games and settings stay unless --purge is given
USAGE
}

say() { printf 'install: %s\n' "$*"; }
die() {
    printf 'install: %s\n' "$@" >&2
    exit 1
}

# Do something, or only say it.
run() {
    if [ $dry = yes ]; then
        printf 'would run: %s\n' "$*"
    else
        "$@"
    fi
}

read_call() {
    while [ $# -gt 0 ]; do
        case $1 in
        --unattended) unattended=yes ;;
        --dry-run) dry=yes ;;
        --offline) offline=yes ;;
        --no-start) start=no ;;
        --uninstall) mode=uninstall ;;
        --purge) purge=yes ;;
        --back) mode=back ;;
        --help | -h)
            usage
            exit
            ;;
        *)
            usage >&2
            printf 'install: there is no option %s\n' "$1" >&2
            exit 2
            ;;
        esac
        shift
    done
    if [ $purge = yes ] && [ $mode != uninstall ]; then
        printf 'install: --purge belongs to --uninstall\n' >&2
        exit 2
    fi
}

# ---- what is supported

of_os() { sed -n "s/^$1=\"\\{0,1\\}\\([^\"]*\\)\"\\{0,1\\}\$/\\1/p" "$os_release" 2>/dev/null | head -n 1; }
is_pi() { [ -r "$model_file" ] && grep -qa 'Raspberry Pi' "$model_file"; }
has_systemd() { [ -d /run/systemd/system ] || [ -n "$root" ]; }

# Everything that is not as it must be is told at once.
check_machine() {
    local wrong=() id codename machine python free owner_home
    id=$(of_os ID) codename=$(of_os VERSION_CODENAME)
    if [ "$id" = raspbian ]; then
        wrong+=("This is the 32-bit Raspberry Pi OS; the camera's reader and the screen need the 64-bit one. Write Raspberry Pi OS Lite (64-bit) to the card.")
    elif [ "$id" != debian ]; then
        wrong+=("This is ${id:-no known system}; supported are Raspberry Pi OS (64-bit) and Debian.")
    fi
    case $codename in
    bookworm | trixie) ;;
    *) wrong+=("This release is ${codename:-unknown}; supported are bookworm and trixie.") ;;
    esac
    machine=$(dpkg --print-architecture 2>/dev/null || uname -m)
    case $machine in
    arm64 | amd64) ;;
    *) wrong+=("The packages exist for arm64 and amd64; this system is $machine.") ;;
    esac
    if python=$(system_python) && ! "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then
        wrong+=("$python is $("$python" --version 2>&1); the system's own Python must be 3.11, 3.12 or 3.13.")
    fi
    free=$(df -Pk "$(nearest "$home")" | awk 'NR == 2 { print $4 }')
    if [ "$free" -lt $room_kb ]; then
        wrong+=("Only $((free / 1000)) MB are free for $home; $((room_kb / 1000)) MB are needed. Make room, or take a larger card.")
    fi
    owner_home=$(home_of_user)
    if [ -n "$owner_home" ] && [ "$owner_home" != /var/lib/stationmaster ]; then
        wrong+=("The account $user belongs to somebody (its home is $owner_home); the kiosk needs the name for one without a password. Give the person's another name: sudo usermod --login NEW $user, and sudo groupmod --new-name NEW $user.")
    fi
    if systemctl is-enabled --quiet display-manager.service 2>/dev/null; then
        wrong+=("A desktop is set up to start here and would hold the screen. Take Raspberry Pi OS Lite, or call: sudo raspi-config nonint do_boot_behaviour B1, and start anew.")
    fi
    [ ${#wrong[@]} -eq 0 ] || die "${wrong[@]}" "Nothing was changed."
}

# Empty when there is no such account.
home_of_user() { getent passwd $user | cut -d: -f6 || true; }

system_python() { if [ -x /usr/bin/python3 ]; then printf '/usr/bin/python3\n'; else return 1; fi; }

nearest() {
    local path=$1
    while [ ! -d "$path" ]; do path=$(dirname "$path"); done
    printf '%s\n' "$path"
}

need_root() {
    if [ "$(id -u)" -ne 0 ] && [ -z "$root" ] && [ $dry = no ]; then die "This needs root: sudo $0 $*"; fi
}

ask() {
    [ $unattended = no ] && [ $dry = no ] || return 0
    local answer
    printf '%s [y/N] ' "$1"
    read -r answer || answer=
    case $answer in [yYjJ]*) ;; *) die "Nothing was changed." ;; esac
}

# ---- the parts of the system

# Trixie has some libraries under another name, with a wider clock in them.
is_installed() {
    # It fails when only one of the two names is known, and says how that one is all the same.
    { dpkg-query -W -f '${Status}\n' "$1" "$1t64" 2>/dev/null || true; } | grep -q 'install ok installed'
}

install_system_packages() {
    local wanted=("${libraries[@]}") missing=() package
    if is_pi; then
        wanted+=("${pi_parts[@]}")
    else
        say "this is no Raspberry Pi: the packages for its camera and pins are left out (${pi_parts[*]})"
    fi
    for package in "${wanted[@]}"; do
        is_installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    [ $offline = no ] || die "These packages of the system are missing, and --offline was given: ${missing[*]}"
    say "installing with apt-get: ${missing[*]}"
    # Where a power cut has left packages half configured apt-get does nothing before this is done.
    run env DEBIAN_FRONTEND=noninteractive dpkg --configure -a || say "dpkg --configure -a failed; see above"
    run apt-get update -qq || say "apt-get update failed; going on with the package list that is there"
    run env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" ||
        die "apt-get could not install ${missing[*]}; its message stands above. Call this again when it is mended."
}

make_user() {
    local group there=()
    if ! getent passwd $user >/dev/null; then
        run useradd --system --user-group --home-dir /var/lib/stationmaster --no-create-home \
            --shell /usr/sbin/nologin --comment "The Stationmaster kiosk" $user
    fi
    # Only what is missing: an update from a stick may not write the system's lists of users.
    for group in "${groups[@]}"; do
        if getent group "$group" >/dev/null && ! id -nG $user 2>/dev/null | grep -qw "$group"; then
            there+=("$group")
        fi
    done
    [ ${#there[@]} -eq 0 ] || run usermod --append --groups "$(IFS=,; printf '%s' "${there[*]}")" $user
}

make_folders() {
    run install -d -m 755 "$home" "$home/versions" "$settings"
    run install -d -m 750 "$data"
    # Whatever a call as root has left there must not lock the kiosk out.
    run chown -R $user:$user "$data"
    if [ ! -e "$settings/config.toml" ]; then
        run install -m 644 "$here/deploy/kiosk.toml" "$settings/config.toml"
        say "settings to begin with are in $settings/config.toml"
    fi
}

# ---- a version

# The release: this folder when it is one; a checkout is made into one first.
find_release() {
    if compgen -G "$here/stationmaster-*.whl" >/dev/null; then
        release=$here
        (cd "$release" && sha256sum --quiet --strict -c SHA256SUMS) ||
            die "Files of this release are missing or changed, see above. Copy it once more."
        return
    fi
    [ -f "$here/pyproject.toml" ] || die "There is no stationmaster-*.whl in $here; this is no release."
    [ $offline = no ] || die "--offline needs a release made with deploy/release.sh --wheels; $here is a checkout."
    if [ $dry = yes ]; then
        printf 'would run: %s\n' "$here/deploy/release.sh"
        release=$here
        return
    fi
    release=$(mktemp -d)
    made_release=$release
    say "making a release of this checkout"
    "$here/deploy/release.sh" --into "$release" >/dev/null || die "The release could not be made; see above."
}

version_id() {
    local wheel=("$release"/stationmaster-*.whl) name
    [ -e "${wheel[0]}" ] || { printf 'of-this-checkout\n'; return; }
    name=${wheel[0]##*/stationmaster-}
    printf '%s-%s\n' "${name%%-*}" "$(cat "${wheel[0]}" "$release"/requirements*.txt | sha256sum | cut -c 1-8)"
}

make_version() {
    local folder=$home/versions/$1 pip python wheels=()
    if [ -f "$folder/.complete" ] && whole "$folder"; then
        say "version $1 is there and whole"
        make_deploy "$folder"
        return
    fi
    say "making version $1 (about 160 MB of packages when none is at hand)"
    if [ $dry = yes ]; then
        printf 'would make: %s\n' "$folder"
        return
    fi
    rm -rf "$folder"
    unfinished=$folder
    install -d -m 755 "$folder"
    python=$(system_python) || die "There is no /usr/bin/python3."
    # The camera's library fits the system's Python only; what pip installs goes before what the system has.
    "$python" -m venv --system-site-packages "$folder/venv"
    pip=("$folder/venv/bin/python" -m pip --disable-pip-version-check --no-input install --quiet)
    if [ -d "$release/wheels" ]; then wheels=(--no-index --find-links "$release/wheels"); fi
    [ $offline = no ] || [ ${#wheels[@]} -gt 0 ] || die "--offline: there is no folder wheels in $release."
    "${pip[@]}" "${wheels[@]}" --ignore-installed --require-hashes -r "$release/requirements.txt" \
        -r "$release/requirements-pi.txt" || die "The packages could not be installed, see above. The version in use is as it was."
    "${pip[@]}" --no-deps --no-index "$release"/stationmaster-*.whl
    make_deploy "$folder"
    sync -f "$folder"
    touch "$folder/.complete"
    unfinished=
}

make_deploy() {
    run install -d -m 755 "$1/deploy"
    run cp -R "$release/deploy/." "$1/deploy/"
}

# Whether every installed file is as its package lists it: a power cut leaves empty files.
whole() {
    "$1/venv/bin/python" - <<'PYTHON'
import base64, hashlib, importlib.metadata, sys

wrong = []
for one in importlib.metadata.distributions(path=[p for p in sys.path if "/opt/stationmaster/" in p]):
    if one.name in ("pip", "setuptools"):
        continue  # They come with the system's Python, which has changed them since their lists were written.
    for file in one.files or ():
        if file.hash is None or file.name.endswith(".pyc"):
            continue
        try:
            digest = hashlib.new(file.hash.mode, file.locate().read_bytes()).digest()
        except OSError:
            digest = b""
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != file.hash.value:
            wrong.append(str(file))
for name in wrong[:5]:
    print(f"install: damaged: {name}", file=sys.stderr)
sys.exit(bool(wrong))
PYTHON
}

# Whether a version can do its work here, and can read the settings and go on with every game that the version in use
# can read and go on with.
self_check() {
    local folder=$home/versions/$1 file=$settings/config.toml before
    [ $dry = no ] || { printf 'would check: %s\n' "$folder"; return; }
    before=$(mktemp)
    what_it_can --config "$file" >"$before" 2>/dev/null || true
    # A version of before knows no --config, and says nothing at all.
    [ -s "$before" ] || what_it_can >"$before" 2>/dev/null || true
    [ -s "$before" ] || printf '{}' >"$before"
    chmod 644 "$before"
    if ! as_kiosk "$folder/venv/bin/stationmaster" selfcheck --games-dir "$data" --config "$file" --before "$before"; then
        rm -f "$before"
        die "Version $1 does not pass its own check, see above. The version in use is as it was."
    fi
    rm -f "$before"
}

what_it_can() {
    as_kiosk "$home/current/venv/bin/stationmaster" selfcheck --games-only --json --games-dir "$data" "$@"
}

# Whether a version can read the settings; it says what is wrong with them. Asked of its modules: before there was a
# command for this, they were there already.
reads_settings() {
    as_kiosk "$home/$1/venv/bin/python" -c 'import sys
from pathlib import Path
from ui.kiosk.config import ConfigFaults, load
try:
    load(Path(sys.argv[1]))
except ConfigFaults as wrong:
    sys.exit("\n".join(wrong.faults))' "$settings/config.toml"
}

as_kiosk() {
    [ -x "$1" ] || return 1
    if [ -n "$root" ]; then "$@"; else
        (cd / && setpriv --reuid $user --regid $user --init-groups env HOME=/var/lib/stationmaster "$@")
    fi
}

# ---- the switch

turn() {
    run ln -sfn "$1" "$home/.$2.new"
    run mv -T "$home/.$2.new" "$home/$2"
    run sync -f "$home"
}

target_of() { readlink "$home/$1" 2>/dev/null || true; }

install_units() {
    local unit
    for unit in "${units[@]}"; do
        run install -m 644 -D "$1/deploy/systemd/$unit" "$units_folder/$unit"
    done
    run install -m 644 -D "$1/deploy/systemd/journald.conf" "$journald"
    if is_pi; then run install -m 644 -D "$1/deploy/systemd/watchdog.conf" "$watchdog"; fi
    # Away first: where an older version has left a link, its target would be written over.
    run rm -f "$command"
    run install -m 755 -D "$1/deploy/command.sh" "$command"
}

# The kiosk answers systemd once its storage is open and its first page is drawn; until then this waits, and then
# whether it stays.
comes_up() {
    run systemctl daemon-reload
    run systemctl enable --quiet $service
    run systemctl reset-failed $service 2>/dev/null || true
    run systemctl restart $service || return 1
    run sleep $settle_s
    [ $dry = yes ] || { systemctl is-active --quiet $service && [ "$(systemctl show --property NRestarts --value $service)" = 0 ]; }
}

switch_to() {
    local new=versions/$1 old
    old=$(target_of current)
    if [ "$old" != "$new" ] && [ -n "$old" ]; then
        keep_copy
        turn "$old" previous
    fi
    turn "$new" current
    install_units "$home/$new"
    if [ $start = no ] || ! has_systemd; then
        say "the services are in place and start with the system"
        enable_offline
        return
    fi
    if comes_up; then
        say "version $1 is running"
        return
    fi
    if [ -z "$old" ] || [ "$old" = "$new" ]; then
        die "The kiosk does not come up. Its last words: journalctl -u stationmaster -n 30"
    fi
    say "version $1 does not come up; going back to ${old#versions/}"
    turn "$old" current
    install_units "$home/$old"
    comes_up || die "The version before does not come up either: journalctl -u stationmaster -n 30"
    die "Version $1 did not come up and was put back; ${old#versions/} is running, and no game was touched."
}

enable_offline() {
    run install -d -m 755 "$units_folder/multi-user.target.wants"
    run ln -sfn "/etc/systemd/system/$service" "$units_folder/multi-user.target.wants/$service"
}

# A copy of all games before a new version touches them; not being able to write one stops the update.
keep_copy() {
    [ -x "$home/current/venv/bin/stationmaster" ] || return 0
    [ $dry = no ] || { printf 'would back up: %s\n' "$data"; return; }
    as_kiosk "$home/current/venv/bin/stationmaster" backup --games-dir "$data" --into "$data/backups" --keep 5 ||
        die "The games could not be backed up, see above. The version in use is as it was."
}

prune() {
    local folder current previous
    current=$(target_of current) previous=$(target_of previous)
    for folder in "$home"/versions/*/; do
        folder=${folder%/}
        case versions/${folder##*/} in
        "$current" | "$previous" | 'versions/*') ;;
        *) run rm -rf "$folder" ;;
        esac
    done
}

# ---- the three ways to call it

do_install() {
    check_machine
    need_root "$@"
    ask "Install Stationmaster into $home, with its own user and services?"
    install_system_packages
    make_user
    make_folders
    find_release
    local id
    id=$(version_id)
    make_version "$id"
    self_check "$id"
    switch_to "$id"
    prune
    [ $dry = yes ] || as_kiosk "$home/current/venv/bin/stationmaster" config "$settings/config.toml" || true
    say "done. Settings: $settings/config.toml. What is missing on this machine: sudo -u $user stationmaster doctor"
}

do_back() {
    need_root "$@"
    local current previous
    current=$(target_of current) previous=$(target_of previous)
    if [ -z "$previous" ] || [ ! -d "$home/$previous" ]; then die "There is no version before this one."; fi
    # Settings that are wrong for both are no reason to stay: the kiosk goes by the last good ones.
    if [ $dry = no ] && ! reads_settings "$previous" && reads_settings "$current" 2>/dev/null; then
        die "Version ${previous#versions/} cannot read $settings/config.toml, see above; nothing was changed. Put the file of before back (config.version-1.toml beside it, where \`stationmaster config --migrate\` was used), then call this again."
    fi
    say "going back from ${current#versions/} to ${previous#versions/}"
    turn "$previous" current
    turn "$current" previous
    install_units "$home/$previous"
    if [ $start = yes ] && has_systemd; then
        comes_up || die "It does not come up: journalctl -u stationmaster -n 30"
    fi
    say "version ${previous#versions/} is in use"
}

do_uninstall() {
    need_root "$@"
    if [ $purge = yes ]; then
        ask "Remove Stationmaster, ALL GAMES in $data and the settings in $settings?"
    else
        ask "Remove Stationmaster? The games in $data and the settings in $settings stay."
    fi
    if has_systemd; then
        run systemctl disable --now --quiet "${units[@]}" 2>/dev/null || true
    fi
    local unit
    for unit in "${units[@]}"; do run rm -f "$units_folder/$unit" "$units_folder/multi-user.target.wants/$unit"; done
    run rm -f "$journald" "$watchdog" "$command"
    run rm -rf "$home"
    if has_systemd; then run systemctl daemon-reload; fi
    if [ $purge = yes ]; then
        run rm -rf "$data" "$settings"
        if [ "$(home_of_user)" = /var/lib/stationmaster ]; then run userdel $user; fi
        say "removed, with all games. Packages of the system stay: apt-get autoremove takes those that nothing needs"
    else
        say "removed. Games are in $data, settings in $settings; calling this again goes on with them"
    fi
}

made_release=''
unfinished=''
clean() {
    # A version that could not be made, on a card that is full, would take the room of the next try.
    local one
    for one in "$made_release" "$unfinished"; do [ -z "$one" ] || rm -rf "$one"; done
}
trap clean EXIT

read_call "$@"
# Two at once would make the same folder. Who is not root is told so below, and cannot hold the lock.
if [ $dry = no ] && { [ "$(id -u)" -eq 0 ] || [ -n "$root" ]; }; then
    install -d -m 755 "$root/run/lock"
    exec 9>"$root/run/lock/stationmaster-install.lock"
    flock -n 9 || die "Another install.sh is at work; wait until it is done."
fi
"do_$mode" "$@"
[ $dry = no ] || say "this was a dry run: nothing was changed"
