# Steps about the tuning model. Sourced by steps.sh.

step_kubernetes() { build_testbed && testbed binaries kube "$KUBERNETES"; }

tuning_processes() { # VERSION brief|whole, options of JUnit…
  ensure_store
  build_testbed && testbed binaries kube "$1" && build_kubectl_discovery "$1" && build_informers "$1"
  EXA_STORE=$("$2" store_command) EXA_KUBE=$EXA_CACHE/kube-$1 junit testbed/tuning '.*ProcessTest' "${@:3}"
}

# Classes that wait for clocks, and do not use the shared kube-apiserver, say that they may run beside the others.
step_tuning_processes() {
  tuning_processes "$KUBERNETES" brief "$BRIEF" --exclude-tag=long --config=junit.jupiter.execution.parallel.enabled=true \
    --config=junit.jupiter.execution.parallel.config.strategy=fixed --config=junit.jupiter.execution.parallel.config.fixed.parallelism=2 \
    --config=junit.jupiter.execution.parallel.config.fixed.max-pool-size=2
}

# Storms, two thousand definitions at their pace, seats held by thousands of watches, two thousand informers: on a machine with nothing else to do.
step_tuning_long() {
  local module
  build_kwok
  module=$(cd "$EXA_KUBE_MODULE" && go list -mod=readonly -modfile="mods/kwok-${KWOK%.*}.mod" -m -f '{{.Dir}}' sigs.k8s.io/kwok)
  EXA_KWOK=$EXA_CACHE/kwok-$KWOK EXA_KWOK_STAGES=$module/kustomize/stage tuning_processes "$KUBERNETES" whole --include-tag=long
}

step_tuning_older() { tuning_processes "${!VERSION}" brief "$BRIEF" --exclude-tag=long; }

# Logs of a million lines, and logs that are cut in many places: the part of `exactl lists` that units do less of.
step_audit_logs() { junit tuning '.*\.(PlantedCulpritsTest|OtherHabitsTest|FieldHabitsTest)' -Dlines=1000000 -Dseeds="$SEEDS"; }

step_audit_logs_long() {
  step_audit_logs
  junit tuning '.*\.AuditFormsTest' -Dapart=150 -Ddamaged=40
}

# Derived inputs: what the model says about the control planes of the cluster's tests, and where tests give its answers to real components.
step_model_answers() { answers testbed/e2e io.exaplane.e2e.ModelAnswers "${KUBERNETES%.*}"; }

step_tested_answers() { EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES answers testbed/tuning io.exaplane.testbed.tuning.Asked; }

answers() { # MODULE, class, arguments
  local module=$EXA_HOME/$1
  [ -e "$module/target/test.classpath" ] && [ -e "$EXA_HOME/testbed/machine/target/test.classpath" ] || step_java >&2
  "$JAVA_HOME/bin/java" "$BRIEF" -cp "$module/target/test-classes:$module/target/classes:$(cat "$module/target/test.classpath"):$(cat "$EXA_HOME/testbed/machine/target/test.classpath")" "${@:2}"
}

# The alerts: promtool takes the rules of each version, and each alert fires and stays quiet as its cases say.
step_alerts() {
  build_promtool
  EXA_PROMTOOL=$EXA_CACHE/promtool-$PROMETHEUS junit testbed/tuning '.*AlertsPromtoolTest' "$BRIEF"
}

# The dashboards and monitors: a real Prometheus finds real processes by the generated configuration, and every query has an answer.
step_dashboards() {
  ensure_store
  ensure_scheduler
  ensure_operator
  build_testbed && testbed binaries kube "$KUBERNETES" && build_prometheus
  EXA_STORE=$(brief store_command) EXA_SCHEDULER=$(brief scheduler_command) EXA_OPERATOR=$(brief operator_command) EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES \
    EXA_CRDS=$EXA_HOME/crds/generated EXA_SAMPLE=$EXA_HOME/config/samples/controlplane.yaml \
    EXA_PROMETHEUS=$EXA_CACHE/prometheus-$PROMETHEUS junit testbed/tuning '.*DashboardsPrometheusTest' "$BRIEF"
}
