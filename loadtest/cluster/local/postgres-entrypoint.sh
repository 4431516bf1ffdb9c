#!/bin/sh
# Like the entry point of the official image, as far as dev-deps uses it: creates the database and runs the scripts at the first
# start, then starts the server with the arguments after `postgres`.
set -eu
umask 077
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s\n' "$POSTGRES_PASSWORD" >/tmp/password
  initdb --pgdata="$PGDATA" --username=postgres --pwfile=/tmp/password --encoding=UTF8 --locale=C.UTF-8 \
    --auth-local=trust --auth-host=scram-sha-256
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl --pgdata="$PGDATA" --options='-c listen_addresses=' --wait start
  for script in /docker-entrypoint-initdb.d/*.sh; do . "$script"; done
  pg_ctl --pgdata="$PGDATA" --mode=fast --wait stop
fi
[ "${1:-}" != postgres ] || shift
exec postgres -c listen_addresses='*' "$@"
