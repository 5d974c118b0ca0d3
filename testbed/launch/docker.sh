# A Docker engine for one test, out of Debian's package and without its service. Sourced by the steps of tests.

# ensure_dockerd sets DOCKERD to the engine's program: the machine's, or the one of Debian's package docker.io, unpacked into the cache.
ensure_dockerd() {
  local folder=$EXA_CACHE/docker package partial
  DOCKERD=$(command -v dockerd || true)
  [ -z "$DOCKERD" ] || return 0
  DOCKERD=$folder/usr/sbin/dockerd
  [ ! -x "$DOCKERD" ] || return 0
  command -v apt-get >/dev/null 2>&1 || fail "no Docker engine is on this machine" "install one with your package manager"
  echo "  · fetching the Docker engine"
  partial=$(partial_of "$folder") || return
  # apt compares the package with the signed list of its archive. Installed, its service would start.
  { apt-get update -qq && (cd "$partial" && apt-get download -qq docker.io) && package=$(echo "$partial"/*.deb) && dpkg-deb --extract "$package" "$partial" && rm "$package"; } >"$EXA_CACHE/docker.log" 2>&1 ||
    fail "Debian's package docker.io cannot be fetched: $(tail -n 1 "$EXA_CACHE/docker.log")" "see $EXA_CACHE/docker.log, fix the cause, and run the same command again"
  keep_partial "$partial" "$folder"
}

# with_docker COMMAND…: runs a command with a Docker engine that ends with it, however it ends, and leaves nothing. It has no network of its own: containers use
# the host's.
with_docker() {
  ensure_dockerd
  (
    folder=$(mktemp -d /tmp/exaplane-docker-XXXXXX)
    pid=
    trap docker_end EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    "$DOCKERD" --host="unix://$folder/docker.sock" --data-root="$folder/data" --exec-root="$folder/exec" --pidfile="$folder/pid" --bridge=none --iptables=false --ip6tables=false \
      --storage-driver=vfs --exec-opt native.cgroupdriver=cgroupfs >"$EXA_CACHE/dockerd.log" 2>&1 &
    pid=$!
    docker_answers
    DOCKER_HOST="unix://$folder/docker.sock" "$@"
  )
}

# docker_answers waits for the engine PID in FOLDER.
docker_answers() {
  local i
  for i in $(seq 3000); do
    ! curl --silent --fail --output /dev/null --unix-socket "$folder/docker.sock" http://docker/_ping || return 0
    kill -0 "$pid" 2>/dev/null || fail "the Docker engine ended: $(tail -n 1 "$EXA_CACHE/dockerd.log")" "see $EXA_CACHE/dockerd.log"
    [ "$i" -lt 3000 ] || fail "the Docker engine does not answer after 300 s" "see $EXA_CACHE/dockerd.log"
    sleep 0.1
  done
}

# docker_end ends the engine PID, and removes FOLDER. The exit code stays.
docker_end() {
  if [ -n "$pid" ]; then
    kill "$pid" 2>/dev/null || true
    wait "$pid" || true
  fi
  # The engine forgets the network namespace that it mounted. What is still mounted, if umount fails, is not deleted.
  awk -v folder="$folder/" 'index($2, folder) == 1 { print $2 }' /proc/mounts | LC_ALL=C sort -r | xargs -r umount || true
  rm -rf --one-file-system "$folder"
}
