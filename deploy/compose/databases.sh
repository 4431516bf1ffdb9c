#!/bin/sh
# The PostgreSQL image runs this once. It creates a role and a database for each service that owns one.
set -eu
for name in identity profile provider_auth friendship events console; do
  psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --set name="$name" --set password="$DATABASE_PASSWORD" <<'SQL'
create role :"name" login password :'password';
create database :"name" owner :"name";
revoke all on database :"name" from public;
SQL
done
