# exactl's launcher: its jars, kept by the hash of their sources. Sourced by exa.

# ensure_cli sets CLI_HOME to a folder with exactl's jars.
ensure_cli() {
  local hash version partial
  find_java
  hash=$(cd "$EXA_HOME" && find pom.xml tuning/pom.xml tuning/src/main dist-scheduler/engine/pom.xml dist-scheduler/engine/src/main dist-scheduler/cel/pom.xml dist-scheduler/cel/src/main apply/pom.xml apply/src/main cli/pom.xml cli/src/main -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c1-16)
  CLI_HOME=$EXA_CACHE/cli-$hash
  [ -d "$CLI_HOME" ] && return
  echo "  · building exactl with Maven" >&2
  partial=$(partial_of "$CLI_HOME") || return
  maven --quiet package dependency:copy-dependencies -pl tuning,dist-scheduler/engine,dist-scheduler/cel,apply,cli -DskipTests -Dspotless.check.skip -DincludeScope=runtime -DoutputDirectory="$partial" >"$EXA_CACHE/cli-build.log" 2>&1 ||
    fail "exactl does not build: $(grep -m 1 ERROR "$EXA_CACHE/cli-build.log")" "see $EXA_CACHE/cli-build.log"
  # By their whole names: the engine has a jar of tests, too.
  version=$(project_version)
  cp "$EXA_HOME"/{tuning/target/exaplane-tuning,dist-scheduler/engine/target/exaplane-scheduler-engine,dist-scheduler/cel/target/exaplane-scheduler-cel,apply/target/exaplane-apply,cli/target/exaplane-cli}-"$version".jar "$partial/" || fail "exactl's jars can't be copied into the cache" "make room on the disk of $EXA_CACHE"
  drop_old 'cli-*' -type d
  keep_partial "$partial" "$CLI_HOME"
}

# Of 'apply': Java would begin with a 64th of the machine's memory, and use all of it before the first collection. A collection leaves little free memory: with --watch, exactl
# asks for one when the heap has grown.
APPLY_FLAGS="-Xms32m -XX:NewSize=16m -XX:MaxNewSize=16m -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=20 -XX:-ShrinkHeapInSteps"

# cmd_exactl COMMAND…: becomes exactl. The class archive is made by the first run and halves the start of the others. 'apply' has its own: one of another command
# lacks most of its classes.
cmd_exactl() {
  local compiler='' archive=classes heap=''
  ensure_cli
  if [ "${1:-}" = apply ]; then
    archive=apply
    heap=$APPLY_FLAGS
  fi
  # What ends within a second is not worth the second compiler; a log of gigabytes, a cluster of a hundred thousand nodes and a load of minutes are.
  [ "${1:-}" = lists ] || [ "${1:-}" = simulate ] || [ "${1:-}" = bench ] || [ "${1:-}" = trace ] || compiler=-XX:TieredStopAtLevel=1
  # The memory access is protobuf's, which CEL brings.
  exec "$JAVA_HOME/bin/java" --sun-misc-unsafe-memory-access=allow -XX:+AutoCreateSharedArchive -XX:SharedArchiveFile="$CLI_HOME/$archive.jsa" -Xlog:cds=off -Xlog:cds+dynamic=off \
    $compiler -XX:+UseSerialGC $heap ${EXA_JAVA_OPTIONS:-} -cp "$CLI_HOME/*" io.exaplane.cli.Exactl "$@"
}

# cmd_pool top NAME[.NAMESPACE] …: asks the root in charge of a SchedulerPool here, whichever pod that is. All else is exactl's.
cmd_pool() {
  if [ "${1:-}" != top ] || [ $# -lt 2 ] || [ "${2#-}" != "$2" ]; then
    cmd_exactl pool "$@"
  fi
  . "$EXA_HOME/testbed/launch/cluster.sh"
  need_cluster
  local name namespace leader line forward told='^Forwarding from [^ ]*:([0-9]+) -'
  control_plane "$2"
  leader=$(kube --namespace="$namespace" get schedulerpool "$name" --output=jsonpath='{.status.leader}') || exit 1
  [ -n "$leader" ] || fail "no root of SchedulerPool $name in namespace $namespace is in charge" "see './exa kubectl --namespace=$namespace describe spool $name'"
  shift 2
  exec {forward}< <(exec "$EXA_CACHE/kube-$KUBERNETES/kubectl" --kubeconfig="$EXA_STATE/kubeconfig" --namespace="$namespace" port-forward "pod/$leader" :10260 2>&1)
  # shellcheck disable=SC2064 # the process of now
  trap "kill $! 2>/dev/null || true" EXIT
  read -r line <&"$forward" || line=
  [[ $line =~ $told ]] || fail "pod $leader can't be asked: $line" "see './exa kubectl --namespace=$namespace get pod $leader'"
  (cmd_exactl pool top --address="http://127.0.0.1:${BASH_REMATCH[1]}" "$@")
}

# cmd_here COMMAND…: of the cluster here if there is one and no other is named.
cmd_here() {
  local command=$1
  shift
  if [ -r "$EXA_STATE/kubeconfig" ] && [[ " $* " != *" --kubeconfig"* ]] && [[ " $* " != *" --context"* ]]; then
    # Behind the names of commands.
    if [ "$command" = bench ] && [ $# -gt 0 ]; then
      set -- "$1" --kubeconfig="$EXA_STATE/kubeconfig" "${@:2}"
    else
      set -- --kubeconfig="$EXA_STATE/kubeconfig" "$@"
    fi
  fi
  cmd_exactl "$command" "$@"
}

# cmd_plugin COMMAND…: becomes exactl under the name that kubectl's users call it by.
cmd_plugin() {
  EXA_JAVA_OPTIONS="-Dexactl.name=kubectl-exaplane ${EXA_JAVA_OPTIONS:-}" cmd_exactl "$@"
}
