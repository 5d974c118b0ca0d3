# Steps about the tuning model. Sourced by steps.sh.

step_kubernetes() { build_testbed && testbed binaries kube "$KUBERNETES"; }

tuning_processes() { # VERSION brief|whole, options of JUnit…
  ensure_store
  build_testbed && testbed binaries kube "$1" && build_kubectl_discovery "$1"
  EXA_STORE=$("$2" store_command) EXA_KUBE=$EXA_CACHE/kube-$1 junit testbed/tuning '.*ProcessTest' "${@:3}"
}

step_tuning_processes() { tuning_processes "$KUBERNETES" brief --exclude-tag=long; }

# Storms, two thousand definitions at their pace, seats held by thousands of watches: half an hour, on a machine with nothing else to do.
step_tuning_long() { tuning_processes "$KUBERNETES" whole --include-tag=long; }

step_tuning_older() { tuning_processes "${!VERSION}" brief --exclude-tag=long; }

# What the model says about the control planes of the cluster's tests; a derived input.
step_model_answers() {
  local module=$EXA_HOME/testbed/e2e
  [ -e "$module/target/test.classpath" ] || step_java >&2
  "$JAVA_HOME/bin/java" "$BRIEF" -cp "$module/target/test-classes:$(cat "$module/target/test.classpath")" io.exaplane.e2e.ModelAnswers "${KUBERNETES%.*}"
}
