#!/usr/bin/env bash
# The command `stationmaster` of an installed table: of the version in use, about this table's games.
set -euo pipefail
export STATIONMASTER_HOME=${STATIONMASTER_HOME:-/var/lib/stationmaster}
exec /opt/stationmaster/current/venv/bin/stationmaster "$@"
