# Steps about the operator as a process, outside the cluster. Sourced by steps.sh.

step_operator_jars() { ensure_operator; }

fleet() { # options of JUnit…
  ensure_store
  ensure_operator
  EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES EXA_STORE=$(whole store_command) EXA_OPERATOR=$(whole operator_command) junit testbed/fleet '.*ProcessTest' "$BRIEF" "$@"
}

step_fleet() { fleet --exclude-tag=long; }

step_fleet_long() { fleet -Xmx2g --include-tag=long; }

# The script by which hosts join a pool. Its hosts are namespaces whose names begin with exj-.
step_node_join() {
  ensure_store
  build_testbed && testbed binaries kube "$KUBERNETES"
  EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES EXA_STORE=$(brief store_command) junit testbed/join '.*ProcessTest' "$BRIEF"
}

# A Kind moves between two stores, by the operator's own classes.
step_move_processes() {
  ensure_store
  EXA_STORE=$(brief store_command) maven_units test -pl operator -am -Dspotless.check.skip -Denforcer.skip -Dsurefire.failIfNoSpecifiedTests=false -Dtest=MoveProcessTest
}

# What units of the operator do less of.
step_operator_simulations() {
  maven_units test -pl operator -am -Dspotless.check.skip -Denforcer.skip -Dsurefire.failIfNoSpecifiedTests=false \
    "-Dtest=${EXA_TESTS:-GuardStateTest,RolloutPlanTest,RestoredChildrenTest,UniqueNamesTest}" -Dseeds=200 -DeveryWord=true
}
