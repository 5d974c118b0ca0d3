# The launcher's tests: every tier ends with one line that counts them. Sourced by exa.

PASSED=0 FAILED=0 SKIPPED=0 SKIPS=""

# budgeted SECONDS NAME COMMAND…: a step with the time that it should take; a slow machine is told, not failed.
budgeted() {
  local budget=$1 name=$2 start=$SECONDS status=0
  shift 2
  step "$name" "$@" || status=$?
  [ $((SECONDS - start)) -le "$budget" ] || echo "  ! slower than its budget of $budget s"
  return $status
}

count() { # passed failed skipped
  PASSED=$((PASSED + $1)) FAILED=$((FAILED + $2)) SKIPPED=$((SKIPPED + $3))
}

# check SECONDS NAME COMMAND…: a step that is a test by itself.
check() {
  if budgeted "$@"; then count 1 0 0; else count 0 1 0; fi
}

cmd_test() {
  local tier=${1:-default}
  [ $# -le 1 ] || fail "'test' takes one option; got '$*'" "run './exa test', './exa test --fast' or './exa test --long', which includes the others"
  case $tier in default | --fast | --long) ;; *) fail "unknown option '$tier'" "run './exa test', './exa test --fast' or './exa test --long'" ;; esac
  [ "$tier" = --fast ] || need_root test
  lock
  trap last_line EXIT
  LOGS=$EXA_CACHE/test-logs
  rm -rf "$LOGS" && mkdir -p "$LOGS"
  step "Tools" prepare_tools || exit 1
  fast_tests
  [ "$tier" = --fast ] || store_tests
  [ "$tier" = --fast ] || tuning_tests "$KUBERNETES"
  [ "$tier" = --fast ] || scheduler_tests "$KUBERNETES" 2000
  [ "$tier" = --fast ] || pool_tests
  [ "$tier" != --long ] || long_pool_tests
  [ "$tier" = --fast ] || check 60 "exactl simulate: 100,000 pods on 100,000 nodes" large_simulation
  [ "$tier" != --long ] || long_store_tests
  [ "$tier" != --long ] || long_tuning_tests
  [ "$tier" != --long ] || tuning_tests $KUBERNETES_TUNED
  [ "$tier" != --long ] || budgeted 1200 "The engine beside its readable reference, a million pods" \
    java_tests dist-scheduler/engine test -pl dist-scheduler/engine -Dtest=ReferenceTest -Dscenarios=5000 -Dalike=100 || true
  [ "$tier" != --long ] || budgeted 1200 "The engine in several parts beside one, and by indexes beside asking each node, twice 5,000 clusters" \
    java_tests dist-scheduler/engine test -pl dist-scheduler/engine -Dtest=SplitTest,ChoiceTest -Dscenarios=5000 || true
  [ "$tier" != --long ] || budgeted 900 "The engine with shards beside one, 10,000 clusters" \
    java_tests dist-scheduler/tree test -pl dist-scheduler/tree -am -Dtest=GatherTest -Dsurefire.failIfNoSpecifiedTests=false -Dscenarios=10000 || true
  [ "$tier" != --long ] || { scheduler_tests "$KUBERNETES" 20000 && scheduler_tests "$KUBERNETES_PREVIOUS" 20000 && scheduler_tests "$KUBERNETES_BEFORE_PREVIOUS" 20000; }
  [ "$tier" = --fast ] || cluster_tests "$tier"
  report_skips
  ENDED=yes
  [ "$FAILED" -eq 0 ]
}

# last_line: counts also when a step ended the whole run.
last_line() {
  [ -n "${ENDED:-}" ] || [ "$FAILED" -gt 0 ] || count 0 1 0
  printf '%d passed, %d failed, %d skipped\n' "$PASSED" "$FAILED" "$SKIPPED"
}

fast_tests() {
  check 10 "Shell scripts parse" scripts_parse
  # What a step of several tests found is in the counts; the next one runs all the same.
  budgeted 120 "Go: vet and tests" go_tests || true
  budgeted 300 "Java: format, units, architecture, generated files" java_tests . verify || true
}

scripts_parse() {
  local file
  for file in "$EXA_HOME"/exa "$EXA_HOME"/testbed/launch/*.sh "$EXA_HOME"/testbed/kube/mods/generate "$EXA_HOME"/testbed/kube/describe/generate "$EXA_HOME"/testbed/suites/*/run "$EXA_HOME"/testbed/suites/etcd/etcd "$EXA_HOME"/testbed/kube/builtin-resources "$EXA_HOME"/benchmarks/peers/run "$EXA_HOME"/benchmarks/peers/scheduler "$EXA_HOME"/benchmarks/peers/pool "$EXA_HOME"/benchmarks/peers/kwok "$EXA_HOME"/benchmarks/peers/tree "$EXA_HOME"/.ci/run; do
    bash -n "$file" || return 1
  done
}

go_tests() {
  local log=$LOGS/go.log status=0
  (cd "$EXA_HOME/testbed/node" && go vet ./... && go test -v ./...) >"$log" 2>&1 || status=$?
  count "$(grep -c '^--- PASS' "$log")" "$(grep -c '^--- FAIL' "$log")" "$(grep -c '^--- SKIP' "$log")"
  [ $status -eq 0 ] && return
  grep -q '^--- FAIL' "$log" || count 0 1 0
  grep -vE '^(---|===) (PASS|RUN)|no test files' "$log" | tail -n 30
  return $status
}

# What the fast tests have looked at is not looked at again, and processes are the launcher's to build.
LOOKED_AT="-Dquarkus.build.skip -Dspotless.check.skip -Denforcer.skip"

# java_tests FOLDER PHASE OPTIONS…: runs Maven and counts what the reports in the folder say.
java_tests() {
  local folder=$EXA_HOME/$1 log status=0
  [ "$1" = . ] || set -- "$@" $LOOKED_AT
  shift
  log=$LOGS/java-$1-$RANDOM.log
  forget_reports
  maven "$@" >"$log" 2>&1 || status=$?
  judge_reports "$folder" "$log" $status
}

forget_reports() {
  find "$EXA_HOME" -path '*/target/surefire-reports/*' -delete
}

# judge_reports FOLDER LOG STATUS: counts what the reports in the folder say of a run of Maven's that ended with that status, and shows what failed.
judge_reports() {
  local folder=$1 log=$2 status=$3 before=$FAILED
  count_reports "$folder"
  [ "$status" -eq 0 ] && [ "$FAILED" -eq "$before" ] && return
  [ "$FAILED" -gt "$before" ] || count 0 1 0
  grep -E '^\[ERROR\]|Tests run:.*FAIL|not within' "$log" | head -n 60
  echo "  the whole log is $log"
  return 1
}

# count_reports FOLDER: adds up the test suites in Surefire's XML.
count_reports() {
  local file totals
  while IFS= read -r file; do
    totals=$(sed -nE 's/.*<testsuite [^>]*/&/p' "$file" | head -n 1)
    [ -n "$totals" ] || totals=$(tr '\n' ' ' <"$file" | grep -oE '<testsuite [^>]*' | head -n 1)
    local tests errors failures skipped
    tests=$(attribute tests "$totals") errors=$(attribute errors "$totals") failures=$(attribute failures "$totals") skipped=$(attribute skipped "$totals")
    count $((tests - errors - failures - skipped)) $((errors + failures)) "$skipped"
    if [ "$skipped" -gt 0 ]; then
      SKIPS+=$(tr '\n' ' ' <"$file" | grep -oE '<testcase name="[^"]*" classname="[^"]*"[^>]*> *<skipped' | sed -E 's/.*name="([^"]*)" classname="([^"]*)".*/\2.\1/')$'\n'
    fi
  done < <(find "$1" -path '*/target/surefire-reports/TEST-*.xml')
}

attribute() { # name text
  sed -nE "s/.* $1=\"([0-9]+)\".*/\1/p" <<<"$2"
}

# peer_suite BUDGET NAME COMMAND…: tests in Go that a peer wrote, run against ours; each of them counts.
peer_suite() {
  local budget=$1 name=$2 log status=0
  shift 2
  log=$LOGS/suite-$RANDOM.log
  budgeted "$budget" "$name" run_to_log "$log" "$@" || status=$?
  count "$(grep -acE '^ *--- PASS' "$log")" "$(grep -acE '^ *--- FAIL' "$log")" 0
  [ $status -eq 0 ] && return
  grep -aqE '^ *--- FAIL' "$log" || count 0 1 0
  # A grep that is cut short must not end the run.
  { grep -aE '^ *--- FAIL|^FAIL|^panic' "$log" || tail -n 5 "$log"; } | cut -c1-300 | head -n 30 || true
  echo "  the whole log is $log"
}

run_to_log() {
  local log=$1
  shift
  "$@" >"$log" 2>&1
}

# Of Java processes that live for seconds, of which there are hundreds: the second compiler would cost more than it wins.
BRIEF=-XX:TieredStopAtLevel=1

# whole COMMAND: the words of a process as users start it, in one line.
whole() {
  "$1" | tr '\n' ' '
}

# brief COMMAND: the words of one that lives for seconds.
brief() {
  "$1" | sed "s|/bin/java\$|& $BRIEF|" | tr '\n' ' '
}

store_tests() {
  step "The store's jars" ensure_store || { count 0 1 0; return; }
  local suite version flag histories=$LOGS/java-histories.log pid
  # They need a core and no clock; Kubernetes' tests wait for clocks a third of the time, and go before.
  forget_reports
  (renice --priority 19 --pid $BASHPID >/dev/null && maven test -pl controlplane-store -Dtest='SimulationTest#couldBeEtcd' -Dhistories=10000 $LOOKED_AT) >"$histories" 2>&1 9>&- &
  pid=$!
  # Each with another flag: what kube-apiserver's cache is spared must be nothing that it needs.
  for suite in 0.36.6 0.37.2,--watch-cache-elide-prev-values; do
    IFS=, read -r version flag <<<"$suite"
    EXA_STORE="$(brief store_command) $flag" peer_suite 900 "Kubernetes' own storage tests, of $version, on the store" \
      "$EXA_HOME/testbed/suites/apiserver/run" $version -v ./pkg/storage/etcd3/... ./pkg/storage/cacher/... ./pkg/storage/storagebackend/factory/
  done
  budgeted 120 "10,000 simulated histories of the store, begun beside them" ended_histories $pid "$histories" || true
  step "etcd $ETCD (the first time takes minutes: it is compiled unless it can be downloaded)" testbed binaries etcd "$ETCD" || { count 0 1 0; return; }
  EXA_STORE=$(whole store_command) EXA_ETCD=$EXA_CACHE/etcd-$ETCD budgeted 900 "The store as a process: beside etcd, killed, full, attacked" \
    java_tests testbed/store verify -pl testbed/store -am -DskipTests=false || true
}

ended_histories() { # pid log
  local status=0
  wait "$1" || status=$?
  judge_reports "$EXA_HOME/controlplane-store" "$2" $status
}

# tuning_tests VERSION…: what the model says, given to the real components of each version.
tuning_tests() {
  local version
  step "The store's jars" ensure_store || { count 0 1 0; return; }
  for version in "$@"; do
    step "Kubernetes $version (the first time takes minutes: it is compiled unless it can be downloaded)" testbed binaries kube "$version" &&
      step "kubectl with discovery that can be set" build_kubectl_discovery "$version" || { count 0 1 0; continue; }
    EXA_STORE=$(brief store_command) EXA_KUBE=$EXA_CACHE/kube-$version budgeted 420 "The model's answers given to Kubernetes $version" \
      java_tests testbed/tuning verify -pl testbed/tuning -am -DskipTests=false -Dtest='*ProcessTest' -Dsurefire.failIfNoSpecifiedTests=false || true
  done
}

# pool_tests: the scheduler's side to the API server, on a real one.
pool_tests() {
  step "The store's jars" ensure_store && step "The scheduler's jars" ensure_scheduler && step "Kubernetes $KUBERNETES" testbed binaries kube "$KUBERNETES" || { count 0 1 0; return; }
  scheduler_processes brief 480 "The scheduler on Kubernetes $KUBERNETES" -Dtest='*ProcessTest' -DargLine=$BRIEF
}

long_pool_tests() {
  scheduler_processes whole 1200 "The scheduler's tree, 100,000 pods on 20,000 nodes" -Dtest='*ProcessTest' -Dpool.groups=long -Dpool.excludedGroups=none
  scheduler_processes whole 5400 "Parts of the scheduler die in the middle of 20,000 pods on 5,000 nodes" -Dtest='*FaultsProcessTest,TreeProcessTest,!TreeProcessTest#aRootTwoRelays*' -Dpool.nodes=5000 -Dpool.pods=20000 -Dpool.excludedGroups=none
}

# scheduler_processes brief|whole BUDGET NAME OPTIONS…: tests of the scheduler's processes on a kube-apiserver of each test's own.
scheduler_processes() {
  local words=$1 budget=$2 name=$3
  shift 3
  EXA_STORE=$($words store_command) EXA_SCHEDULER=$($words scheduler_command) EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES budgeted "$budget" "$name" \
    java_tests testbed/pool verify -pl testbed/pool -am -DskipTests=false -Dsurefire.failIfNoSpecifiedTests=false "$@" || true
}

# Storms, two thousand definitions at their pace, seats held by thousands of watches: half an hour, on a machine with nothing else to do.
long_tuning_tests() {
  EXA_STORE=$(whole store_command) EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES budgeted 2400 "Long tests of the model's answers" \
    java_tests testbed/tuning verify -pl testbed/tuning -am -DskipTests=false -Dtest='*ProcessTest' -Dsurefire.failIfNoSpecifiedTests=false -Dtuning.groups=long -Dtuning.excludedGroups=none || true
}

# scheduler_tests VERSION SCENARIOS: the engine beside that version's kube-scheduler framework, on made-up clusters.
scheduler_tests() {
  local version=$1 scenarios=$2 oracle=$EXA_CACHE/scheduler-oracle-$1
  step "kube-scheduler $version as an oracle (the first time takes minutes: it is compiled)" build_oracle "$version" "$oracle" || { count 0 1 0; return; }
  EXA_ORACLE=$oracle budgeted $((100 + scenarios / 25)) "The engine beside kube-scheduler $version, $scenarios clusters" \
    java_tests testbed/scheduler verify -pl testbed/scheduler -am -DskipTests=false -Dtest='*OracleTest' -Dsurefire.failIfNoSpecifiedTests=false -Dscenarios="$scenarios" -Dkubernetes="${version%.*}" || true
}

# large_simulation: a hundred thousand pods of 16 kinds for as many nodes, through the command line; five times its goal of 15 s is the end.
large_simulation() {
  local file=$LOGS/large-cluster.json placed start
  # Built, and its class archive made, before the time counts.
  "$EXA_HOME/exa" simulate --help >"$LOGS/large-simulation.log" 2>&1 || { tail -n 5 "$LOGS/large-simulation.log"; return 1; }
  jq -nc -f "$EXA_HOME/testbed/scheduler/large-cluster.jq" >"$file" || return 1
  start=$SECONDS
  placed=$(EXA_JAVA_OPTIONS=-Xmx3g timeout 75 "$EXA_HOME/exa" simulate -f "$file" --verdicts none 2>"$LOGS/large-simulation.log" | grep -c '"node":"')
  rm -f "$file"
  echo "  took $((SECONDS - start)) s"
  [ "$placed" = 100000 ] || { echo "  placed ${placed:-none} of 100000"; tail -n 5 "$LOGS/large-simulation.log"; return 1; }
}

build_oracle() { # version program
  local tags=
  case $1 in 1.34.*) tags=before136,before135 ;; 1.35.*) tags=before136 ;; esac
  (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -mod=readonly -modfile="mods/kube-${1%.*}.mod" -tags="$tags" -trimpath -ldflags='-s -w' -o "$2" ./scheduler-oracle)
}

build_kubectl_discovery() { # version
  (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -mod=readonly -modfile="mods/kube-${1%.*}.mod" -trimpath -ldflags='-s -w' -o "$EXA_CACHE/kube-$1/kubectl-discovery" ./kubectl-discovery)
}

cluster_tests() {
  export KUBERNETES KUBERNETES_PREVIOUS
  check 120 "OLM bundle: operator-framework's validation" bundle_is_valid
  check 60 "From nothing: what ran is removed" testbed down
  if ! { bring_up_cluster && step "Operator image" ensure_operator_image && step "Store image" ensure_store_image && step "Scheduler image" ensure_scheduler_image && budgeted 90 "Operator" install_operator; }; then
    count 0 1 0
    return
  fi
  # Ryuk, which would clean up behind a killed test, is an image of a registry.
  EXA_STORE_IMAGE=$(store_image) EXA_STORE_IMAGE_TAR=$(store_image_tar) TESTCONTAINERS_RYUK_DISABLED=true TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1 \
    budgeted 120 "The store's image as a container, where a Docker engine runs" java_tests testbed/store test -pl testbed/store -am -DskipTests=false -Dtest=JetcdImageTest -Dsurefire.failIfNoSpecifiedTests=false || true
  check 120 "The sample becomes Available" apply_sample
  # The tests call the launcher themselves.
  exec 9>&-
  budgeted 1500 "Tests on the cluster" java_tests testbed/e2e verify -pl testbed/e2e -am -DskipTests=false -Dtest='*E2E' -Dsurefire.failIfNoSpecifiedTests=false -DargLine=$BRIEF || true
  hosted_pool_tests "" long -DargLine=$BRIEF
  [ "$1" != --long ] || long_tests
  check 60 "Down leaves nothing behind" down_leaves_nothing
}

# hosted_pool_tests GROUPS EXCLUDED_GROUPS OPTIONS…: a SchedulerPool of the operator's, on nodes and pods that kwok brings to life.
hosted_pool_tests() {
  step "kwok $KWOK (the first time takes a minute: it is compiled)" build_kwok || { count 0 1 0; return; }
  # Who makes pods and looks on steps back behind what it looks at: containers have small shares of the cores.
  renice --priority 10 --pid $$ >/dev/null
  EXA_KWOK=$EXA_CACHE/kwok-$KWOK budgeted 420 "A scheduler's tree in containers, on a hosted control plane with kwok" \
    java_tests testbed/pool verify -pl testbed/pool -am -DskipTests=false -Dtest='*HostedTest' -Dsurefire.failIfNoSpecifiedTests=false -Dpool.groups="$1" -Dpool.excludedGroups="$2" "${@:3}" || true
  renice --priority 0 --pid $$ >/dev/null
}

build_kwok() {
  [ -x "$EXA_CACHE/kwok-$KWOK" ] ||
    (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -mod=readonly -modfile="mods/kwok-${KWOK%.*}.mod" -trimpath -ldflags='-s -w' -o "$EXA_CACHE/kwok-$KWOK" sigs.k8s.io/kwok/cmd/kwok)
}

# Before there is a cluster: a million nodes want the machine's memory.
long_store_tests() {
  step "etcd $ETCD_NEXT" testbed binaries etcd "$ETCD_NEXT" &&
    EXA_STORE=$(whole store_command) EXA_ETCD=$EXA_CACHE/etcd-$ETCD_NEXT peer_suite 1800 "etcd's own tests, of $ETCD_NEXT, on the store" \
      "$EXA_HOME/testbed/suites/etcd/run" "$ETCD_NEXT" -v || count 0 1 0
  EXA_STORE=$(whole store_command) EXA_ETCD=$EXA_CACHE/etcd-$ETCD budgeted 4500 "Long tests of the store as a process" \
    java_tests testbed/store verify -pl testbed/store -am -DskipTests=false -Dstore.groups=long -Dstore.excludedGroups=none || true
  budgeted 900 "50,000 other histories" java_tests controlplane-store test -pl controlplane-store -Dtest='SimulationTest#couldBeEtcd' -Dfirst=10000 -Dhistories=50000 || true
}

long_tests() {
  step "Kubernetes $KUBERNETES_PREVIOUS" testbed binaries kube "$KUBERNETES_PREVIOUS" &&
    step "Images of Kubernetes $KUBERNETES_PREVIOUS" testbed images "$KUBERNETES_PREVIOUS" "$ETCD" "$EXA_CACHE/pause" "$(command -v busybox)" || count 0 1 0
  hosted_pool_tests long none
  budgeted 8000 "Long tests on the cluster" java_tests testbed/e2e verify -pl testbed/e2e -am -DskipTests=false -De2e.groups=long -De2e.excludedGroups=none || true
}

bundle_is_valid() {
  (cd "$EXA_HOME/olm-bundle/validate" && go run . "$EXA_HOME/olm-bundle/bundle") >"$LOGS/bundle.log" 2>&1 || { cat "$LOGS/bundle.log"; return 1; }
}

down_leaves_nothing() {
  testbed down && testbed leftovers
}

# report_skips: on the CI machine a skip that testbed/expected-skips does not list fails.
report_skips() {
  local name
  while IFS= read -r name; do
    [ -n "$name" ] || continue
    if grep -qxF "$name" "$EXA_HOME/testbed/expected-skips"; then
      echo "  skipped, as expected: $name"
    else
      echo "  skipped: $name"
      [ "${CI:-}" != true ] || { count 0 1 0; echo "  ✗ testbed/expected-skips does not list it"; }
    fi
  done <<<"$SKIPS"
}

cmd_generate() {
  install_packages
  find_java
  maven --quiet spotless:apply
  maven --quiet -pl crds,operator,olm-bundle -am verify -Dexa.generate=true -Dspotless.check.skip
  git -C "$EXA_HOME" status --short -- crds/generated config/manifests olm-bundle/bundle
}
