# Shared by the launcher's commands: paths, messages, steps with their time, tools. Sourced, never run.

# shellcheck source=testbed/versions.env
. "$EXA_HOME/testbed/versions.env"
export EXA_CACHE=${EXA_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/exaplane}
export EXA_STATE=${EXA_STATE:-/var/lib/exaplane}
export EXA_KUBE_MODULE=$EXA_HOME/testbed/kube

# Of Java processes that live for seconds, of which tests start hundreds: the second compiler would cost more than it wins.
BRIEF=-XX:TieredStopAtLevel=1

# How much a heap of Go may grow before it is collected, in percent of what is live; 100 without it. A kube-apiserver of a test has 50 MB alive and a machine that computes all the time.
FRUGAL=300

# fail WHAT NEXT: says what went wrong and what to do, and ends.
fail() {
  printf '\nerror: %s\n  next: %s\n' "$1" "$2" >&2
  exit 1
}

# step NAME COMMAND…: runs a step, shows its name at once and its seconds at its end.
step() {
  local name=$1 start=$EPOCHREALTIME status=0
  shift
  printf '▸ %s\n' "$name"
  "$@" || status=$?
  awk -v a="$start" -v b="$EPOCHREALTIME" -v n="$name" -v s="$status" 'BEGIN { printf "  %s %s, %.1f s\n", s ? "✗" : "✓", n, b - a }'
  return "$status"
}

need_root() {
  [ "$(id -u)" = 0 ] || fail "'./exa $1' needs root to create network namespaces, mounts and cgroups" "run the command with sudo -E"
}

# The programs that the test bed calls, and the Debian package that each is in.
PACKAGES="containerd:containerd runc:runc ip:iproute2 nft:nftables conntrack:conntrack socat:socat mvn:maven jq:jq busybox:busybox-static
  /usr/lib/cni/bridge:containernetworking-plugins tayga:tayga ndppd:ndppd dhcpcd:dhcpcd-base"

# Of one step only, and large.
BROWSER="chromium:chromium chromedriver:chromium-driver"

install_browser() { install_packages "$BROWSER"; }

install_packages() { # [PROGRAM:PACKAGE…]
  local entry missing=()
  for entry in ${1:-$PACKAGES}; do
    command -v "${entry%%:*}" >/dev/null 2>&1 || { [ "${entry%%:*}" = /usr/lib/cni/bridge ] && [ -e /opt/cni/bin/bridge ]; } || missing+=("${entry#*:}")
  done
  [ ${#missing[@]} -eq 0 ] && return
  command -v apt-get >/dev/null 2>&1 || fail "these packages are missing: ${missing[*]}" "install them with your package manager (the names are Debian's)"
  echo "  · installing ${missing[*]}"
  mkdir -p "$EXA_CACHE"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$EXA_CACHE/apt.log" 2>&1 ||
    fail "apt-get could not install ${missing[*]}: $(tail -n 1 "$EXA_CACHE/apt.log")" "see $EXA_CACHE/apt.log, fix the cause, and run the same command again"
}

# java_major HOME: 25 of a JDK 25. Its file says it, and a start of javac would be a tenth of a second for each step; a JDK without such a file is asked.
java_major() {
  local major
  major=$(sed -nE 's/^JAVA_VERSION="([0-9]+).*/\1/p' "$1/release" 2>/dev/null) || true
  echo "${major:-$("$1/bin/javac" -version 2>&1 | grep -oE '[0-9]+' | head -n 1)}"
}

# find_java sets JAVA_HOME to a JDK 25 or later.
find_java() {
  local home
  for home in "${JAVA_HOME:-}" /usr/lib/jvm/*25* /opt/*jdk*25* "$HOME"/.sdkman/candidates/java/25*; do
    if [ -x "$home/bin/javac" ] && [ "$(java_major "$home")" -ge 25 ]; then
      export JAVA_HOME=$home PATH=$home/bin:$PATH
      # Maven 3.8 and some of its plugins still use Unsafe; it and javac end before the second compiler has won what it costs: half of the work.
      export MAVEN_OPTS="${MAVEN_OPTS:-} -XX:TieredStopAtLevel=1 --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED"
      return
    fi
  done
  fail "no JDK 25 was found in JAVA_HOME, /usr/lib/jvm, /opt or sdkman" "install Temurin 25 (Adoptium's Debian package is temurin-25-jdk) or set JAVA_HOME to a JDK 25"
}

find_go() {
  local dir
  for dir in "" /usr/local/go/bin /usr/lib/go/bin "$HOME/go/bin"; do
    if [ -z "$dir" ] || [ -x "$dir/go" ]; then
      PATH=${dir:+$dir:}$PATH
      # The test bed's modules say go 1.26; an older go would try to download that toolchain.
      if command -v go >/dev/null 2>&1 && [ "$(GOTOOLCHAIN=local go env GOVERSION 2>/dev/null | sed -E 's/go1\.([0-9]+).*/\1/')" -ge 26 ] 2>/dev/null; then
        export PATH
        return
      fi
    fi
  done
  fail "no Go 1.26 or later was found" "install Go from go.dev/dl into /usr/local/go, or put Go on PATH; Go builds the test bed"
}

# project_version: of this tree, as its poms have it.
project_version() {
  sed -nE '0,/<version>(.*)<\/version>/s//\1/p' "$EXA_HOME/pom.xml" | tr -d ' '
}

# alone NAME COMMAND…: steps beside each other make what they share one after the other, so that none runs a program that another is writing.
alone() {
  local held status=0
  mkdir -p "$EXA_CACHE"
  exec {held}>"$EXA_CACHE/$1.build-lock"
  flock "$held"
  shift
  "$@" || status=$?
  exec {held}>&-
  return $status
}

# drop_old PATTERN [TEST…]: deletes what has been in the cache for more than a day; what was made later may be in use. Another builder may delete the same at the same time.
drop_old() {
  find "$EXA_CACHE" -maxdepth 1 -name "$@" -mtime +0 -exec rm -rf {} + 2>/dev/null || true
}

# partial_of HOME: makes a folder beside HOME in the cache and prints its path. Each builder has its own, so that two may make the same HOME at the same time. What a killed builder
# left is deleted a day later.
partial_of() {
  local partial
  mkdir -p "$EXA_CACHE"
  drop_old '*.partial-*'
  partial=$(mktemp -d "$1.partial-XXXXXX") && chmod 755 "$partial" || fail "no folder can be made beside $1" "make room on the disk of $EXA_CACHE"
  echo "$partial"
}

# keep_partial PARTIAL HOME: gives the folder its name. If another builder was faster, its folder stays: it is made of the same sources.
keep_partial() {
  mv -T "$1" "$2" 2>/dev/null || { [ -d "$2" ] && rm -rf "$1"; } || fail "$1 cannot be renamed to $2" "make room on the disk of $EXA_CACHE"
}

# keep_partial_file PARTIAL FILE: the same for a file, which takes the place of another builder's.
keep_partial_file() { chmod 644 "$1" && mv "$1" "$2"; }

maven() {
  (cd "$EXA_HOME" && mvn --batch-mode --no-transfer-progress -Dstyle.color=never "$@")
}

# class_path HOME FOLDER: the jars of HOME/lib as they are called in FOLDER.
class_path() {
  (cd "$1/lib" && printf '%s\n' *.jar) | LC_ALL=C sort | sed "s|^|$2/|" | paste -sd:
}

# testbed …: the Go program that makes the cluster; built anew when its sources change.
testbed() {
  "$EXA_CACHE/testbed" "$@"
}

build_testbed() {
  find_go
  alone testbed compile_testbed
}

compile_testbed() {
  (cd "$EXA_HOME/testbed/node" && go build -o "$EXA_CACHE/testbed" .) || fail "the test bed's own program does not build" "see the compiler's messages above"
  (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -ldflags='-s -w' -o "$EXA_CACHE/pause" ./pause) || fail "the pause program does not build" "see the compiler's messages above"
}
