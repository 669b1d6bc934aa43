#!/usr/bin/env bash
# Makes a folder that `install.sh` installs from: the wheel, the pinned lists, the services, the check sums. With
# --wheels everything that a table needs is in it, and it can be carried on a USB stick to one without a network.
#
#   deploy/release.sh [--into DIR] [--wheels]      the default is dist/stationmaster-VERSION
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly pythons=(3.11 3.13)
readonly platforms=(manylinux_2_28_aarch64 manylinux_2_27_aarch64 manylinux_2_26_aarch64 manylinux_2_17_aarch64 manylinux2014_aarch64)

die() {
    printf 'release: %s\n' "$@" >&2
    exit 1
}

into='' wheels=no
while [ $# -gt 0 ]; do
    case $1 in
    --into)
        [ $# -gt 1 ] || die "--into DIR"
        into=$2
        shift
        ;;
    --wheels) wheels=yes ;;
    *) die "there is no option $1" ;;
    esac
    shift
done

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' pyproject.toml)
into=${into:-dist/stationmaster-$version}
aside=$(mktemp -d)
trap 'rm -rf "$aside"' EXIT

# The builder from the pins, in an environment of its own where the checkout has none.
builder=.venv/bin/python
if ! $builder -c 'import hatchling' 2>/dev/null; then
    /usr/bin/python3 -m venv "$aside/venv"
    builder=$aside/venv/bin/python
    # Each requirement is a line and the lines of hashes after it.
    awk '/^(hatchling|packaging|pathspec|pluggy|trove-classifiers|tomli)==/ { keep = 1 } !/\\$/ && keep { print; keep = 0; next } keep' \
        deploy/requirements-dev.txt >"$aside/builder.txt"
    "$builder" -m pip --disable-pip-version-check --no-input install --quiet --require-hashes -r "$aside/builder.txt"
fi

mkdir -p "$into"
rm -rf "${into:?}"/*
# A build from what lies in the folder may leave nothing behind in it.
$builder -m hatchling build --target wheel --directory "$aside/wheel" >/dev/null
cp "$aside"/wheel/stationmaster-*.whl "$into"
cp deploy/requirements.txt deploy/requirements-pi.txt LICENSE CHANGELOG.md "$into"
mkdir "$into/deploy"
cp -R deploy/install.sh deploy/update.sh deploy/command.sh deploy/safe_screen.py deploy/kiosk.toml deploy/systemd "$into/deploy"

if [ $wheels = yes ]; then
    mkdir "$into/wheels"
    for python in "${pythons[@]}"; do
        options=()
        for platform in "${platforms[@]}"; do options+=(--platform "$platform"); done
        .venv/bin/python -m pip --disable-pip-version-check download --quiet --only-binary :all: --no-deps --require-hashes \
            --python-version "$python" "${options[@]}" --dest "$into/wheels" \
            -r deploy/requirements.txt -r deploy/requirements-pi.txt
    done
fi

(cd "$into" && find . -type f -printf '%P\0' | sort -z | xargs -0 sha256sum) >"$aside/sums"
mv "$aside/sums" "$into/SHA256SUMS"
printf '%s\n' "$into"
