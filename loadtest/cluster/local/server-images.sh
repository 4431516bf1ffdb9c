#!/bin/sh
# Makes the images of a cluster without a registry: Postgres, Redis, NATS, DNS and the first process of pods, from programs of
# this machine.
#   server-images.sh <storage> <postgres> <redis-server> <nats-server> <coredns> <pause>
set -eu
storage=$1 postgres=$(readlink -f "$2") redis=$3 nats=$4 coredns=$5 pause=$6
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/../../../deploy/image/machine-files.sh"

# Programs that were linked statically.
for program in "$coredns coredns" "$pause pause"; do
  set -- $program
  mkdir -p "$work/$2"
  cp -L "$1" "$work/$2/$2"
  commit "$work/$2" "localhost/$2:check" --entrypoint="[\"/$2\"]"
done

skeleton "$work/nats"
with_libraries "$work/nats" "$nats"
commit "$work/nats" localhost/nats:check --cmd="$nats"

# Started with arguments that name the program, as dev-deps does.
skeleton "$work/valkey"
with_libraries "$work/valkey" "$redis"
ln -s "$redis" "$work/valkey/usr/local/bin/valkey-server"
commit "$work/valkey" localhost/valkey:check --env=PATH=/usr/local/bin

# PostgreSQL with the parts that it starts and loads, and an entry point like that of the official image.
skeleton "$work/postgres"
echo 'postgres:x:70:70:postgres:/var/lib/postgresql:/bin/sh' >>"$work/postgres/etc/passwd"
prefix=$(dirname "$(dirname "$postgres")")
with_libraries "$work/postgres" /bin/sh "$prefix/bin/postgres" "$prefix/bin/initdb" "$prefix/bin/pg_ctl" "$prefix/bin/psql"
for library in "$prefix"/lib/*.so; do with_libraries "$work/postgres" "$library"; done
for folder in "$prefix/share" "/usr/share/postgresql/$(basename "$prefix")" /usr/lib/locale/C.utf8; do
  [ ! -d "$folder" ] || cp -rL --parents "$folder" "$work/postgres"
done
mkdir -p "$work/postgres/bin" "$work/postgres/var/run/postgresql" "$work/postgres/docker-entrypoint-initdb.d"
[ -e "$work/postgres/bin/sh" ] || cp -L /bin/sh "$work/postgres/bin/sh"
cp "$here/postgres-entrypoint.sh" "$work/postgres/usr/local/bin/docker-entrypoint.sh"
commit "$work/postgres" localhost/postgres:check --env=PATH="$prefix/bin:/usr/local/bin:/usr/bin:/bin" \
  --entrypoint='["/bin/sh", "/usr/local/bin/docker-entrypoint.sh"]'
