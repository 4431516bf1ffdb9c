#!/bin/sh
# Prints fresh secrets for deploy/compose.yaml. What is encrypted under a ENCRYPTION_KEY that is lost cannot be read again.
set -eu
umask 077
for name in POSTGRES_PASSWORD DATABASE_PASSWORD REDIS_PASSWORD NATS_PASSWORD; do
  # A letter first: NATS reads a value that begins with a digit as a number.
  echo "$name=p$(openssl rand -hex 16)"
done
for name in ENCRYPTION_KEY CURSOR_KEY; do echo "$name=$(openssl rand -base64 32)"; done
