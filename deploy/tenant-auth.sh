#!/bin/sh
# Runs a command of the service with the settings of the server on this machine:
#
#   sudo -u tenant-auth tenant-auth doctor
#
# Install it as /usr/local/bin/tenant-auth. TENANT_AUTH_ENV is the path of another env file.
set -eu
set -a
DATA_DIR=/var/lib/tenant-auth
. "${TENANT_AUTH_ENV:-/etc/tenant-auth/env}"
set +a
exec /opt/tenant-auth/current/node_modules/.bin/tenant-auth "$@"
