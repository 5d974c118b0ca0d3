# Steps about the scheduler, outside the cluster. Sourced by steps.sh.

step_scheduler_jars() { ensure_scheduler; }

# The engine beside a version's kube-scheduler framework, on made-up clusters.
step_oracle() {
  local version=${!VERSION}
  export EXA_ORACLE=$EXA_CACHE/scheduler-oracle-$version
  build_oracle "$version" "$EXA_ORACLE"
  junit testbed/engine '.*OracleTest' -Dscenarios="$SCENARIOS" -Dkubernetes="${version%.*}" --exclude-tag=long
}

scheduler_processes() { # brief|whole CLASSES, options of JUnit…
  ensure_store
  ensure_scheduler
  export EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES
  EXA_STORE=$("$1" store_command) EXA_SCHEDULER=$("$1" scheduler_command) junit testbed/scheduler "${@:2}"
}

step_scheduler_processes() { scheduler_processes brief '.*ProcessTest' "$BRIEF" --exclude-tag=long; }

# Gangs are of the minor before.
step_scheduler_long() {
  build_testbed && testbed binaries kube "$KUBERNETES_PREVIOUS"
  EXA_KUBE_PREVIOUS=$EXA_CACHE/kube-$KUBERNETES_PREVIOUS scheduler_processes whole '.*ProcessTest' --include-tag=long
}

step_scheduler_faults() {
  scheduler_processes whole '.*\.(\w*FaultsProcessTest|TreeProcessTest)' --exclude-methodname='.*#aRootTwoRelays.*' -Dpool.nodes=5000 -Dpool.pods=20000
}

# The default tier's part of what units do less of: other clusters each time.
step_engine_simulations() {
  local status=0
  junit dist-scheduler/engine '.*\.SplitTest' -Dscenarios=50 || status=1
  junit dist-scheduler/engine '.*\.ChoiceTest' -Dscenarios=50 || status=1
  junit dist-scheduler/engine '.*\.GroupChoiceTest' -Dscenarios=200 || status=1
  junit dist-scheduler/tree '.*\.GatherTest' -Dscenarios=40 || status=1
  return $status
}

step_engine_reference() { junit dist-scheduler/engine '.*\.ReferenceTest' -Dscenarios=5000 -Dalike=100; }

step_engine_split() { junit dist-scheduler/engine '.*\.(SplitTest|ChoiceTest|GroupChoiceTest)' -Dscenarios=5000; }

step_engine_gather() { junit dist-scheduler/tree '.*\.GatherTest' -Dscenarios=10000; }

# As many pods of 16 kinds as nodes, through the command line; its goal is 15 s for a hundred thousand, which a busy machine does not keep: the time is printed.
step_simulate() {
  local file=$EXA_STEP_LOGS/cluster-$PODS.json placed start
  # Built, and its class archive made, before the time counts.
  "$EXA_HOME/exa" simulate --help >/dev/null
  jq -nc --argjson count "$PODS" -f "$EXA_HOME/testbed/engine/large-cluster.jq" >"$file"
  start=$SECONDS
  placed=$(EXA_JAVA_OPTIONS=-Xmx3g timeout 600 "$EXA_HOME/exa" simulate -f "$file" --verdicts none | grep -c '"node":"') || true
  rm -f "$file"
  echo "placed $placed of $PODS in $((SECONDS - start)) s"
  [ "$placed" = "$PODS" ]
}
