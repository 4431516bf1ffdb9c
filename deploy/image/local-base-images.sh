#!/bin/sh
# Makes the two base images of deploy/Dockerfile from files of this machine, under their upstream names, for a machine that
# reaches no registry. They are for checking the Dockerfile only; do not use images built on them.
#   local-base-images.sh <storage> <node binary> <build image's name> <base image's name>
set -eu
storage=$1 node=$2 build_image=$3 base_image=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/machine-files.sh"

# What of glibc no program names, and modules load.
libraries=$(dirname "$(ldd "$node" | grep -o '/[^ ]*/libc\.so\.6')")
with_glibc() {
  for name in librt.so.1 libresolv.so.2 libnss_dns.so.2 libnss_files.so.2; do
    [ ! -f "$libraries/$name" ] || cp -L --parents "$libraries/$name" "$1"
  done
}

# As gcr.io/distroless/cc: glibc, libstdc++, certificates, no shell.
skeleton "$work/base"
ldd "$node" | grep -o '/[^ ]*' | while read -r library; do cp -L --parents "$library" "$work/base"; done
with_glibc "$work/base"
commit "$work/base" "$base_image" --user=65532

# As docker.io/library/node: a shell, a few tools, node and npm.
skeleton "$work/build"
mkdir -p "$work/build/bin"
cp -L /bin/sh "$work/build/bin/sh"
with_libraries "$work/build" /bin/sh
with_glibc "$work/build"
for tool in env cp rm mkdir mv cat chmod ln ls uname; do with_libraries "$work/build" "$(command -v "$tool")"; done
with_libraries "$work/build" "$node"
cp -L "$node" "$work/build/usr/local/bin/node"
rm -f "$work/build$node"
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
mkdir -p "$work/build/usr/local/lib/node_modules"
cp -rL "$npm" "$work/build/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/build/usr/local/bin/npm"
for own in /etc/npmrc /etc/hosts /etc/resolv.conf; do [ ! -f "$own" ] || cp -L "$own" "$work/build/etc/"; done
# npm uses this machine's certificates.
commit "$work/build" "$build_image" --env=NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
