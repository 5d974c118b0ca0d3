# kubectl's plugin: exactl's jars with a Java runtime of their own, and what krew needs. Sourced by exa and steps.sh.

# plugin_folder FOLDER: puts kubectl-exaplane, the helper for completions, man pages and all that they need into an empty folder.
plugin_folder() {
  find_java
  . "$EXA_HOME/testbed/launch/cli.sh"
  . "$EXA_HOME/testbed/launch/images.sh"
  ensure_cli
  ensure_jre_base || return
  mkdir -p "$1/lib" && cp "$CLI_HOME"/*.jar "$1/lib/" && cp -r "$JRE_HOME" "$1/java" && cp "$EXA_HOME/LICENSE" "$1/" &&
    testbed sbom "$1/lib" "exactl=$(project_version)" "$1/exactl.cdx.json" || return
  sed "s/APPLY_FLAGS/$APPLY_FLAGS/" >"$1/kubectl-exaplane" <<'TEXT'
#!/bin/sh
# Exaplane's plugin for kubectl. It runs from any folder, also through a link.
set -eu
home=$(dirname "$(readlink -f "$0")")
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/exaplane
name=kubectl-exaplane
archive=
heap=
# 'apply' begins with a small heap, and has an archive of its classes: one of another command lacks most of them.
if [ "${1:-}" = apply ]; then
  name=kubectl-exaplane-apply
  heap="APPLY_FLAGS"
fi
# The first run writes its classes into an archive, which halves the start of the others.
if mkdir -p "$cache" 2>/dev/null && [ -w "$cache" ]; then
  archive="-XX:+AutoCreateSharedArchive -XX:SharedArchiveFile=$cache/$name.jsa"
fi
# shellcheck disable=SC2086 # options are words
exec "$home/java/bin/java" --sun-misc-unsafe-memory-access=allow $archive $heap -Xlog:cds=off -Xlog:cds+dynamic=off -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
  -Dexactl.name=kubectl-exaplane ${EXA_JAVA_OPTIONS:-} -cp "$home/lib/*" io.exaplane.cli.Exactl "$@"
TEXT
  cat >"$1/kubectl_complete-exaplane" <<'TEXT'
#!/bin/sh
# kubectl asks this program for the words that can follow.
exec "$(dirname "$(readlink -f "$0")")/kubectl-exaplane" __complete "$@"
TEXT
  chmod 755 "$1/kubectl-exaplane" "$1/kubectl_complete-exaplane"
  # Without the cache of a user, which is for the plugin that they installed.
  XDG_CACHE_HOME=/dev/null "$1/kubectl-exaplane" man "$1/man/man1" >/dev/null
}

# cmd_plugin_archive FOLDER [URL]: the plugin of this machine's architecture as tar.gz, and its manifest for krew, with the URL of the folder that people download from.
cmd_plugin_archive() {
  [ $# -eq 1 ] || [ $# -eq 2 ] || fail "'plugin' needs the name of a folder; got '$*'" "run './exa plugin FOLDER', or './exa plugin FOLDER URL'"
  local version arch name partial sum url
  version=$(project_version)
  case $(uname -m) in x86_64) arch=amd64 ;; aarch64) arch=arm64 ;; *) arch=$(uname -m) ;; esac
  name=kubectl-exaplane-$version-linux-$arch
  partial=$(mktemp -d)
  # shellcheck disable=SC2064 # the folder of now
  trap "rm -rf '$partial'" EXIT
  build_testbed
  plugin_folder "$partial/plugin" || fail "the plugin cannot be put together" "see the messages above"
  mkdir -p "$1" && tar --create --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --directory="$partial/plugin" . | gzip -n >"$1/$name.tar.gz" ||
    fail "$1/$name.tar.gz cannot be written" "name another folder"
  url=${2:-file://$(readlink -f "$1")}
  sum=$(sha256sum "$1/$name.tar.gz" | cut -d ' ' -f 1)
  cat >"$1/exaplane.yaml" <<TEXT
apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: exaplane
spec:
  version: v$version
  shortDescription: See, explain and run hosted control planes
  description: |
    Shows what the ControlPlanes of Exaplane are doing and whose move it is, follows a
    condition to its cause, explains conditions, fields and tuned values, merges logs,
    writes support bundles without secrets, holds or takes back rollouts, and moves Kinds
    to another store.
  platforms:
  - selector: {matchLabels: {os: linux, arch: $arch}}
    uri: $url/$name.tar.gz
    sha256: $sum
    bin: kubectl-exaplane
TEXT
  echo "$1/$name.tar.gz, and for krew $1/exaplane.yaml"
  echo "next: kubectl krew install --manifest=$1/exaplane.yaml --archive=$1/$name.tar.gz"
}
