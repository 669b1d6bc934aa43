#!/usr/bin/env bash
# Runs our picamera camera on the real picamera2 with libcamera's virtual camera, building these if need be.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

cache=$(tests/camera/build.sh)
readonly prefix=$cache/libcamera
bindings=$(dirname "$(find "$prefix/lib" -path '*/libcamera/__init__.py' -print -quit)")
export STATIONMASTER_VIRTUAL_CAMERA=$prefix/share/libcamera/pipeline/virtual/virtual.yaml
export LD_LIBRARY_PATH=$prefix/lib PYTHONPATH=$(dirname "$bindings"):$PWD
export LIBCAMERA_LOG_LEVELS=${LIBCAMERA_LOG_LEVELS:-*:WARN}
exec "$cache/venv/bin/python" -m pytest -p no:cacheprovider "$@" tests/camera/real_picamera.py
