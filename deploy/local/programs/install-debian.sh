#!/bin/sh
# Installs the packages given as arguments. Requires root. Does not start or enable their daemons: we start our own
# processes with their own ports and data.
set -eu
export DEBIAN_FRONTEND=noninteractive

policy=/usr/sbin/policy-rc.d
no_cluster=/etc/postgresql-common/createcluster.d/no-main-cluster.conf
remove=''
trap 'for file in $remove; do rm -f "$file"; done' EXIT

if [ ! -e "$policy" ]; then
  remove="$remove $policy"
  printf '#!/bin/sh\nexit 101\n' > "$policy"
  chmod 755 "$policy"
fi
if [ ! -e "$no_cluster" ]; then
  remove="$remove $no_cluster"
  mkdir -p "$(dirname "$no_cluster")"
  echo 'create_main_cluster = false' > "$no_cluster"
fi

install() {
  apt-get install --yes --no-install-recommends -o APT::Status-Fd=1 "$@"
}
install "$@" || {
  apt-get update
  install "$@"
}

if [ -d /run/systemd/system ]; then
  for package in "$@"; do
    systemctl disable --quiet "$package.service" || true
  done
fi
