#!/usr/bin/env bash
# Builds what `make test-camera` runs on: libcamera with its virtual camera, and the real picamera2 beside it. Once;
# the result (about 100 MB) is kept outside the checkout. Prints the folder on the last line.
#
# libcamera is taken as a Debian source package through this machine's own apt settings: the same mirror, the same
# signatures, a newer suite. apt's own lists and sources are left as they are.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

readonly version=0.7.2-1
readonly suites='sid forky'
readonly cache=${STATIONMASTER_CAMERA_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/stationmaster/camera}
readonly prefix=$cache/libcamera
readonly project=$PWD
# Without libudev libcamera gives up on a machine that has no media devices at all.
readonly libraries=(gcc g++ libc6-dev dpkg-dev libyaml-dev libgnutls28-dev libjpeg-dev libyuv-dev libudev-dev
    libcap-dev)

say() { printf 'camera: %s\n' "$*" >&2; }
die() { printf 'camera: %s\n' "$@" >&2; exit 1; }

# What the cache was made from. Another Python cannot load its extension modules.
fingerprint() {
    .venv/bin/python -c 'import sys; print(sys.version_info[:2])'
    cat tests/camera/build.sh tests/camera/requirements.txt | sha256sum
}

system_libraries() {
    local missing=() sudo=() package
    for package in "${libraries[@]}"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    [ "$(id -u)" -eq 0 ] || sudo=(sudo -n)
    say "these Debian packages are missing: ${missing[*]}"
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" \
        >&2 || die "Install them with: sudo apt-get install ${missing[*]}"
}

# This machine's Debian mirrors, from apt itself.
mirrors() {
    apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' |
        awk '$1 == "Debian" && $2 == "Debian" {print $3}' | sort -u
}

fetch_source() {
    local apt=$cache/apt mirror suite found
    mkdir -p "$apt"/{lists/partial,cache/archives/partial}
    cp /var/lib/dpkg/status "$apt/status"
    found=$(mirrors)
    [ -n "$found" ] || die "apt knows no Debian mirror yet; run: sudo apt-get update"
    for mirror in $found; do
        for suite in $suites; do
            printf 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' \
                "$mirror" "$suite"
        done
    done > "$apt/sources.list"
    cat > "$apt/apt.conf" <<END
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State::lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
END
    say "fetching the source of libcamera $version"
    (
        export APT_CONFIG=$apt/apt.conf
        apt-get update -qq >&2
        cd "$cache"
        apt-get source -qq --download-only "libcamera=$version" >&2
        rm -rf source
        dpkg-source --no-check -x "libcamera_$version.dsc" source >&2
    ) || die "The source of libcamera $version cannot be fetched; the suites asked were: $suites."
}

build_libcamera() {
    say "building libcamera: about 7 minutes of computing time"
    PATH=$cache/venv/bin:$PATH meson setup "$cache/source/build" "$cache/source" --prefix="$prefix" \
        --libdir=lib --buildtype=release -Dpipelines=virtual -Dipas= -Dpycamera=enabled -Dcam=disabled \
        -Dqcam=disabled -Dlc-compliance=disabled -Dgstreamer=disabled -Dv4l2=disabled -Ddocumentation=disabled \
        -Dtest=false -Dtracing=disabled > "$cache/meson.log" 2>&1 ||
        die "meson stopped; see $cache/meson.log"
    PATH=$cache/venv/bin:$PATH ninja -C "$cache/source/build" install > "$cache/ninja.log" 2>&1 ||
        die "the build stopped; see $cache/ninja.log"
    rm -rf "$cache/source" "$cache/apt" "$cache"/libcamera_*
}

# picamera2 and the tools to build with, beside the project's own packages: numpy and the rest come from .venv.
python_packages() {
    .venv/bin/python -m venv --clear "$cache/venv"
    beside_the_project
    "$cache/venv/bin/python" -m pip install -q --disable-pip-version-check -r tests/camera/requirements.txt >&2 ||
        die "picamera2 cannot be installed into $cache/venv."
}

# The checkout may have moved since the cache was made.
beside_the_project() {
    local there
    there=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    printf 'import site; site.addsitedir(%s)\n' "'$there'" \
        > "$("$cache/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/project.pth"
}

mkdir -p "$cache"
exec 9> "$cache/lock"
flock 9
if [ "$(cat "$cache/made-from" 2>/dev/null)" != "$(fingerprint)" ]; then
    rm -f "$cache/made-from"
    system_libraries
    python_packages
    [ -d "$cache/source" ] || fetch_source
    rm -rf "$cache/source/build"
    build_libcamera
    fingerprint > "$cache/made-from"
fi
beside_the_project
printf '%s\n' "$cache"
