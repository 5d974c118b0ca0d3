# Steps on the cluster. Sourced by steps.sh. The tests call the launcher themselves, so none of these holds the launcher's lock while they run.

# The registry of the run before, whose images nothing names any more, ends with its cluster.
step_images() {
  build_testbed
  build_provisioner
  testbed down
  testbed registry
  push_images
  ensure_operator_image
  ensure_store_image
  ensure_scheduler_image
}

step_cluster_up() {
  start_management
  install_operator
  apply_sample
}

step_cluster_down() {
  build_testbed
  testbed down
  testbed leftovers
}

on_cluster() { # options of JUnit…
  junit testbed/e2e '.*E2E' "$BRIEF" "$@"
}

step_cluster_api() { on_cluster --include-tag=api --exclude-tag=long; }

step_cluster_pool() { on_cluster --include-tag=pool --exclude-tag=long; }

step_cluster_guard() { on_cluster --include-tag=guard --exclude-tag=long; }

# Its control plane and its host end with it: what comes later would share the cores with them.
step_cluster_life() {
  local status=0
  on_cluster --include-tag=life --exclude-tag=long || status=$?
  "$EXA_HOME/exa" host remove "$DEMO_HOST" || true
  kube --namespace="$DEMO_NAMESPACE" patch controlplane demo --type=merge --patch='{"metadata":{"annotations":{"exaplane.io/allow-deletion":"demo"}},"spec":{"storage":{"deletion":"Delete"}}}' &&
    kube --namespace="$DEMO_NAMESPACE" delete controlplane demo --wait=false || true
  return $status
}

# Each class has control planes of its own; they wait beside each other.
step_cluster_own() {
  on_cluster --include-tag=own --exclude-tag=long --config=junit.jupiter.execution.parallel.enabled=true --config=junit.jupiter.execution.parallel.mode.classes.default=concurrent \
    --config=junit.jupiter.execution.parallel.config.strategy=fixed --config=junit.jupiter.execution.parallel.config.fixed.parallelism=2 \
    --config=junit.jupiter.execution.parallel.config.fixed.max-pool-size=2
}

# The seed is the operator's: what changes it has another order of steps, and who runs the same again has the same.
step_cluster_chaos() { on_cluster --include-tag=chaos --exclude-tag=long "-Dexa.seed=$((16#$(operator_tag | cut -c1-8)))"; }

step_cluster_alone() { on_cluster --include-tag=alone --exclude-tag=long; }

step_cluster_long() {
  local version
  for version in "$KUBERNETES_PREVIOUS" "$KUBERNETES_1_35"; do
    testbed binaries kube "$version"
    testbed images "$version" "$ETCD" "$EXA_CACHE/pause" "$(command -v busybox)"
  done
  junit testbed/e2e '.*E2E' --include-tag=long --exclude-tag=full
}

step_cluster_full() { junit testbed/e2e '.*E2E' --include-tag=full; }

# A SchedulerPool of the operator's, on nodes and pods that kwok brings to life. Who makes pods and looks on steps back behind what it looks at: containers have small shares of the cores.
kwok() { # options of JUnit…
  build_kwok
  renice --priority 10 --pid $$ >/dev/null
  EXA_KWOK=$EXA_CACHE/kwok-$KWOK junit testbed/scheduler '.*HostedTest' "$@"
}

step_kwok() { kwok "$BRIEF" --exclude-tag=long; }

step_kwok_long() { kwok --include-tag=long; }
