# Steps about the operator as a process, outside the cluster. Sourced by steps.sh.

step_operator_jars() { ensure_operator; }

fleet() { # brief|whole, options of JUnit…
  ensure_store
  ensure_operator
  EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES EXA_STORE=$("$1" store_command) EXA_OPERATOR=$("$1" operator_command) junit testbed/fleet '.*ProcessTest' "${@:2}"
}

step_former_operator() { ensure_former_operator; }

# The heap that each control plane keeps is measured beside that of ten: the operator is the one of users.
step_fleet() { fleet whole "$BRIEF" --exclude-tag=long --exclude-tag=life; }

# Rollouts, restarts, a rotation and another bundle, of pods that are ready by word only.
step_life_processes() { fleet brief "$BRIEF" --include-tag=life; }

# With an operator of before, and volumes that grow.
step_fleet_long() {
  ensure_former_operator
  build_provisioner
  EXA_PROVISIONER=$EXA_CACHE/local-provisioner EXA_FORMER=$FORMER_HOME EXA_FORMER_OPERATOR=$(whole former_operator_command) fleet whole -Xmx2g --include-tag=long
}

# A preparation: the kept result of 'console' has the browser's version.
step_browser() { install_browser; }

# The operator's console in Chromium.
step_console() {
  ensure_store
  ensure_operator
  build_testbed && testbed binaries kube "$KUBERNETES"
  EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES EXA_STORE=$(brief store_command) EXA_OPERATOR=$(brief operator_command) junit testbed/console '.*ProcessTest' "$BRIEF"
}

# The script by which hosts join a pool. Its hosts are namespaces whose names begin with exj-.
node_join() { # options of JUnit…
  ensure_store
  build_testbed && testbed binaries kube "$KUBERNETES"
  EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES EXA_STORE=$(brief store_command) junit testbed/join '.*ProcessTest' "$BRIEF" "$@"
}

step_node_join() { node_join --exclude-tag=providers --exclude-tag=networks --exclude-tag=heartbeats --exclude-tag=authorities --exclude-tag=requested --exclude-tag=kubelets; }

step_node_networks() { node_join --include-tag=networks; }

step_node_heartbeats() { node_join --include-tag=heartbeats; }

# Hosts follow a rotation of the CA, with pods that ask the API all the time.
step_node_authorities_long() { node_join --include-tag=authorities; }

step_node_providers() { node_join --include-tag=providers; }

step_node_providers_long() { node_join -Dhosts=2 --include-tag=providers; }

# Many kubelets in one pod, of the image that users make.
step_node_kubelets_long() {
  local image status=0
  build_testbed && testbed binaries kube "$KUBERNETES"
  image=$(mktemp -d)
  testbed kubelets-image "$KUBERNETES" "$EXA_HOME/benchmarks/kubelets/kubelets.sh" "$image/kubelets.tar"
  node_join "-Dkubelets.image=$image/kubelets.tar" --include-tag=kubelets || status=1
  rm -rf "$image"
  return $status
}

step_node_requested_long() { node_join --include-tag=requested; }

# An agent of simulated nodes restarts, all at once and in waves.
agent_waves() { # options of JUnit…
  ensure_store
  build_testbed && testbed binaries kube "$KUBERNETES"
  EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES EXA_STORE=$(brief store_command) junit testbed/join '.*AgentWavesTest' "$@"
}

step_agent_waves() { agent_waves "$BRIEF"; }

# Kubelets of so many nodes renew each 40 s: the model's Lease for them is longer, too.
step_agent_waves_long() { agent_waves -Xmx3g -Dnodes="$NODES" -Dpercent=20 -DrenewalSeconds=40; }

# The operator's units. What they saw of reasons is looked at when all of them have ended.
step_operator_units() {
  local seen status=0
  seen=$(mktemp -d)
  operator_junit '.*Test' "-Dexaplane.reasons=$seen" --exclude-classname='.*(ProcessTest|\.EveryReasonTest)' || status=1
  [ -n "${EXA_TESTS:-}" ] || operator_junit '.*\.EveryReasonTest' "-Dexaplane.reasons=$seen" || status=1
  rm -rf "$seen"
  return $status
}

# A Kind moves between two stores, by the operator's own classes.
step_move_processes() {
  ensure_store
  EXA_STORE=$(brief store_command) operator_junit '.*\.MoveProcessTest'
}

# operator_junit CLASSES OPTION…: test classes of the module operator, with the log manager of its pom.
operator_junit() { junit operator "$1" "$BRIEF" -Djava.util.logging.manager=org.jboss.logmanager.LogManager "${@:2}"; }

# A derived input: the operator's classes that the process tests of moves load, each with the hash of its file. JDK's jdeps knows what a class names.
step_move_classes() {
  local classes=$EXA_HOME/operator/target/classes own=$EXA_HOME/operator/target/test-classes tests=$EXA_HOME/testbed/reshard/target/test-classes
  [ -d "$own" ] && [ -d "$tests" ] || step_java >&2
  "$JAVA_HOME/bin/jdeps" --multi-release base -verbose:class -filter:none "$classes" "$own" "$tests" |
    awk -v roots="$(cd "$own" && echo io/exaplane/operator/move/MoveProcessTest*.class) $(cd "$tests" && find io -name '*.class' | tr '\n' ' ')" '
      $2 == "->" && $1 ~ /^io[.]exaplane[.]/ && $3 ~ /^io[.]exaplane[.]operator[.]/ { uses[$1] = uses[$1] " " $3 }
      END {
        gsub(/[.]class/, "", roots)
        gsub("/", ".", roots)
        count = split(roots, found, " ")
        for (i = 1; i <= count; i++) {
          if (found[i] in seen) continue
          seen[found[i]]
          print found[i]
          more = split(uses[found[i]], named, " ")
          for (j = 1; j <= more; j++) found[++count] = named[j]
        }
      }' | LC_ALL=C sort | tr . / | (cd "$EXA_HOME/operator/target" && while IFS= read -r class; do
    for class in "classes/$class.class" "test-classes/$class.class"; do
      [ ! -e "$class" ] || sha256sum "$class"
    done
  done)
}

# What units of the operator do less of.
step_operator_simulations() {
  maven_units test -pl operator -am -Dspotless.check.skip -Denforcer.skip -Dsurefire.failIfNoSpecifiedTests=false \
    "-Dtest=${EXA_TESTS:-GuardStateTest,RolloutPlanTest,RestoredChildrenTest,UniqueNamesTest}" -Dseeds=200 -DeveryWord=true
}
