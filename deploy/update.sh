#!/usr/bin/env bash
# Updates this table from a release (made with `deploy/release.sh --wheels`) in a folder or on a USB stick, without
# a network. `install.sh` of the new release does the work: beside the old version, checked, with a way back.
set -euo pipefail

readonly label=STATIONMSTR
readonly stick=${STATIONMASTER_STICK:-/dev/disk/by-label/$label}
readonly place=/run/stationmaster-update/stick
readonly current=${STATIONMASTER_ROOT:-}/opt/stationmaster/current

say() { printf 'update: %s\n' "$*"; }
die() {
    printf 'update: %s\n' "$@" >&2
    exit 1
}

usage() {
    cat <<'USAGE'
update.sh [FOLDER]
    updates this table from the newest release in FOLDER, or on the stick with the label STATIONMSTR, without a network
USAGE
}

case ${1:-} in
--help | -h)
    usage
    exit
    ;;
-*)
    usage >&2
    printf 'update: there is no option %s\n' "$1" >&2
    exit 2
    ;;
esac

aside=$(mktemp -d -p /var/tmp stationmaster-update-XXXXXX)
mounted=no
leave() {
    [ $mounted = no ] || umount "$place" || true
    rm -rf "$aside"
}
trap leave EXIT

folder=${1:-}
[ -z "$folder" ] || [ -d "$folder" ] || die "There is no folder $folder."
if [ -z "$folder" ]; then
    [ -e "$stick" ] || die "There is no stick with the label $label. Put it in, wait five seconds, and start anew."
    # Where the house has mounted it for its backups, it is read there.
    folder=$(findmnt --noheadings --first-only --output TARGET --source "$(readlink -f "$stick")" || true)
    if [ -z "$folder" ]; then
        mkdir -p "$place"
        mount -o ro,nosuid,nodev,noexec "$stick" "$place" || die "The stick cannot be read; copy the release to another one."
        mounted=yes
        folder=$place
    fi
fi

# The newest release in the folder, or the folder itself.
find_release() {
    local found
    if compgen -G "$folder/stationmaster-*.whl" >/dev/null; then
        printf '%s\n' "$folder"
        return
    fi
    found=$(find "$folder" -mindepth 2 -maxdepth 2 -name 'stationmaster-*.whl' -printf '%h\n' | sort -V | tail -n 1)
    [ -n "$found" ] || die "There is no release in $folder: a folder with stationmaster-VERSION.whl, SHA256SUMS and wheels."
    printf '%s\n' "$found"
}

# A stick that was forgotten in the table, with what it was once updated from, is no update.
refuse_older() {
    local wheel=("$release"/stationmaster-*.whl) offered used
    offered=${wheel[0]##*/stationmaster-} offered=${offered%%-*}
    used=$(readlink "$current" || true) used=${used#versions/} used=${used%-*}
    [ -n "$used" ] && [ "$offered" != "$used" ] || return 0
    if [ "$(printf '%s\n' "$offered" "$used" | sort -V | tail -n 1)" = "$used" ]; then
        die "The release is version $offered, older than $used, which is in use. Nothing was changed." \
            "Back to the version before: sudo /opt/stationmaster/current/deploy/install.sh --back"
    fi
}

release=$(find_release)
refuse_older
say "copying $release"
cp -R "$release/." "$aside"
cd "$aside"
sha256sum --quiet --strict -c SHA256SUMS || die "Files of the release are missing or changed, see above. Nothing was changed; copy it once more."
# A stick may not say which files are programs.
chmod 755 deploy/*.sh
say "handing over to the release's own installer"
if ./deploy/install.sh --unattended --offline; then
    say "done; the stick can be taken out"
else
    die "The update was not made; the version in use is as it was, or was put back. The reason stands above."
fi
