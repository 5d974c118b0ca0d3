# Steps about the operator as a process, outside the cluster. Sourced by steps.sh.

step_operator_jars() { ensure_operator; }

fleet() { # options of JUnit…
  ensure_store
  ensure_operator
  EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES EXA_STORE=$(whole store_command) EXA_OPERATOR=$(whole operator_command) junit testbed/fleet '.*ProcessTest' "$BRIEF" "$@"
}

step_fleet() { fleet --exclude-tag=long; }

step_fleet_long() { fleet -Xmx2g --include-tag=long; }
