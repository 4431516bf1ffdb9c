# Functions for making images of files of this machine. The script that reads them sets $storage, the folder of buildah's images.

# A program with the libraries it needs, in the same places.
with_libraries() {
  root=$1
  shift
  for program in "$@"; do
    cp -L --parents "$program" "$root"
    ldd "$program" 2>/dev/null | grep -o '/[^ ]*' | while read -r library; do cp -L --parents "$library" "$root"; done
  done
}

# The directory becomes the image of that name, with options of `buildah config`.
commit() {
  directory=$1 image=$2
  shift 2
  from=$(buildah --root "$storage" from scratch)
  buildah --root "$storage" add --quiet "$from" "$directory" / >/dev/null
  buildah --root "$storage" config "$@" "$from"
  buildah --root "$storage" commit --quiet "$from" "$image" >/dev/null
  buildah --root "$storage" rm "$from" >/dev/null
}

# What every image has, and two users.
skeleton() {
  mkdir -p "$1/tmp" "$1/etc" "$1/root" "$1/usr/local/bin" "$1/etc/ssl/certs"
  chmod 1777 "$1/tmp"
  printf 'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n' >"$1/etc/passwd"
  printf 'root:x:0:\nnonroot:x:65532:\n' >"$1/etc/group"
  cp -L /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/"
}
