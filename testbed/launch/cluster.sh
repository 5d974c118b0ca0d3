# The launcher's commands around the cluster on this machine. Sourced by exa.
. "$EXA_HOME/testbed/launch/binaries.sh"
. "$EXA_HOME/testbed/launch/images.sh"
. "$EXA_HOME/testbed/launch/store.sh"
. "$EXA_HOME/testbed/launch/scheduler.sh"
. "$EXA_HOME/testbed/launch/operator.sh"
. "$EXA_HOME/testbed/launch/store-image.sh"
. "$EXA_HOME/testbed/launch/scheduler-image.sh"

NAMESPACE=exaplane-system

# One command at a time changes the cluster, and none but its own while tests run. Those of tests beside each other wait their turn.
lock() {
  local patience=--nonblock
  [ -z "${EXA_TESTS_LOCKED:-}" ] || patience=--timeout=1800
  lock_tests
  exec 9>"$EXA_CACHE/lock"
  flock "$patience" 9 || fail "another './exa' is changing the cluster" "wait for it to end, or end it"
}

# lock_tests: held by './exa test' with all that it calls, or by one command that changes the cluster.
lock_tests() {
  [ -z "${EXA_TESTS_LOCKED:-}" ] || return 0
  mkdir -p "$EXA_CACHE"
  exec 8>"$EXA_CACHE/test-lock"
  flock --nonblock 8 || fail "another './exa' is running tests or changing the cluster" "wait for it to end, or end it"
}

kube() {
  "$EXA_CACHE/kube-$KUBERNETES/kubectl" --kubeconfig="$EXA_STATE/kubeconfig" "$@"
}

# kube_again …: as kube; a test asks again when the API does not answer, which may be starting or have too much to do.
kube_again() {
  local i tries=1 said
  [ -z "${EXA_TESTS_LOCKED:-}" ] || tries=20
  for i in $(seq "$tries"); do
    { said=$(kube "$@" 2>&1 >&3); } 3>&1 && return 0
    case $said in *refused* | *reset* | *imeout* | *EOF* | *"oo many requests"* | *"oo Many Requests"* | *"unable to handle"*) sleep 2 ;; *) break ;; esac
  done
  printf '%s\n' "$said" >&2
  return 1
}

need_cluster() {
  [ -e "$EXA_STATE/kubeconfig" ] || fail "no cluster is up" "run './exa up'"
  [ -r "$EXA_STATE/kubeconfig" ] || fail "the cluster belongs to root" "run the command with sudo -E"
  [ -x "$EXA_CACHE/kube-$KUBERNETES/kubectl" ] || fail "there is no kubectl in $EXA_CACHE" "run the command as the user that ran './exa up', with the same EXA_CACHE"
}

# need_api: as above, and the API answers.
need_api() {
  need_cluster
  kube_again get --raw=/readyz --request-timeout=10s >/dev/null 2>&1 || fail "the management cluster's API does not answer" "run './exa up', which continues where it stopped"
}

# The cluster without the operator: what the tests share with 'up'.
bring_up_cluster() {
  need_root up
  # The lock is not handed on to what runs after this command.
  step "Tools" prepare_tools &&
    step "Kubernetes $KUBERNETES and etcd $ETCD (the first time takes minutes: they are compiled unless they can be downloaded)" ensure_binaries &&
    step "Local image registry" testbed registry 8>&- 9>&- &&
    step "Images of Kubernetes, etcd and CoreDNS" push_images &&
    step "Management cluster" start_management 8>&- 9>&-
}

# push_images: what nodes of the cluster, and of hosted ones, pull. CoreDNS listens to port 53, with one capability of root.
push_images() {
  build_coredns &&
    testbed images "$KUBERNETES" "$ETCD" "$EXA_CACHE/pause" "$(command -v busybox)" &&
    testbed program-image "$EXA_CACHE/coredns-$COREDNS" "coredns/coredns:v$COREDNS" 0:0
}

# start_management: its own copy of the store stays when the sources change. The words of Java in a run of tests are in another file: 'testbed up' replaces a store that runs with the
# file of the other kind. The programs in Go collect their heaps less often in such a run.
start_management() {
  local own=$EXA_STATE/store words
  [ -z "${EXA_BRIEF_PODS:-}" ] || local -x GOGC=$FRUGAL
  words=$own/$(brief_tag java).args
  ensure_store
  if [ ! -e "$own/java.args" ]; then
    mkdir -p "$EXA_STATE" && rm -rf "$own" "$own.partial" && cp -a "$STORE_HOME" "$own.partial" && store_arguments "$own.partial" "$own" "-XX:AOTCache=\"$own/store.aot\"" >"$own.partial/java.args" && mv "$own.partial" "$own" || return
  fi
  [ "$words" = "$own/java.args" ] || { brief_pods && cat "$own/java.args"; } >"$words" || return
  EXA_STORE="$JAVA_HOME/bin/java @$words" testbed up "$KUBERNETES" "$ETCD"
}

prepare_tools() {
  install_packages
  find_java
  build_testbed
}

ensure_binaries() {
  testbed binaries etcd "$ETCD" && testbed binaries kube "$KUBERNETES" && build_provisioner
}

cmd_up() {
  lock
  local start=$SECONDS
  { bring_up_cluster && step "Operator image" ensure_operator_image && step "Store image" ensure_store_image && step "Scheduler image" ensure_scheduler_image && step "Operator" install_operator && step "Control plane demo" apply_sample; } ||
    fail "'up' failed" "fix the problem named above and run './exa up' again; 'up' continues where it stopped. To start over, run './exa down' first"
  what_next $((SECONDS - start))
}

install_operator() {
  kube apply --server-side --force-conflicts --filename="$EXA_HOME/crds/generated" >/dev/null &&
    kube wait --for=condition=Established --timeout=300s crd/controlplanes.exaplane.io crd/storeshards.exaplane.io crd/schedulerpools.exaplane.io crd/controlplanetasks.exaplane.io crd/nodepools.exaplane.io >/dev/null || return
  local brief=()
  [ -z "${EXA_BRIEF_PODS:-}" ] || brief=(-e "s|^( *)- env:\$|&\n\1  - name: JDK_JAVA_OPTIONS\n\1    value: $BRIEF|")
  # A tag that is a hash never changes its image.
  sed -E "${brief[@]}" -e "s|imagePullPolicy: Always|imagePullPolicy: IfNotPresent|; s|$OPERATOR_IMAGE:[0-9A-Za-z.-]*|$OPERATOR_IMAGE:$(operator_tag)|; s|$STORE_IMAGE:[0-9A-Za-z.-]*|$STORE_IMAGE:$(store_tag)|; s|$SCHEDULER_IMAGE:[0-9A-Za-z.-]*|$SCHEDULER_IMAGE:$(scheduler_tag)|" "$EXA_HOME/config/manifests/operator.yaml" |
    kube apply --server-side --force-conflicts --filename=- >/dev/null || return
  kube --namespace="$NAMESPACE" rollout status deployment/exaplane-operator --timeout=600s >/dev/null ||
    fail "the operator did not become ready in 10 minutes" "check './exa logs' and './exa kubectl -n $NAMESPACE describe pods'"
}

apply_sample() {
  kube apply --filename="$EXA_HOME/config/samples/controlplane.yaml" || return
  wait_available demo default 600
}

# wait_available NAME NAMESPACE SECONDS: waits, showing each change of what is being done.
wait_available() {
  local end=$((SECONDS + $3)) state last=""
  while [ $SECONDS -lt "$end" ]; do
    state=$(kube --namespace="$2" get controlplane "$1" --output=jsonpath='{range .status.conditions[?(@.type=="Available")]}{.status}{end} {range .status.conditions[?(@.type=="Progressing")]}{.reason}: {.message}{end}' 2>/dev/null || true)
    if [ "$state" != "$last" ] && [ "${state#* }" != "" ]; then
      printf '  · %s\n' "${state#* }"
      last=$state
    fi
    case $state in "True AsExpected"*) return 0 ;; esac
    sleep 1
  done
  kube --namespace="$2" get controlplane "$1" --output=wide || true
  fail "control plane $1 is not Available after $3 s" "check './exa kubectl describe controlplane $1' and './exa logs'"
}

what_next() {
  printf '\nUp after %d s.\n\n' "$1"
  kube get controlplanes --all-namespaces
  cat <<'TEXT'

What to try next:
  ./exa kubectl get cpl,shard                            the control plane and its stores
  ./exa kubectl --hosted demo get --raw '/readyz?verbose'   the hosted API, through its kubeconfig Secret
  ./exa host add w1                                      a host joins the hosted cluster as a node
  ./exa kubectl --hosted demo create deployment hello --image=exaplane/busybox:1 -- sh -c 'echo hello; sleep 1000000'
  ./exa kubectl --hosted demo wait --for=condition=Available deployment/hello
  ./exa kubectl --hosted demo logs deployment/hello
  ./exa kubectl annotate cpl demo exaplane.io/allow-deletion=demo   allow the deletion of the control plane first
  ./exa kubectl delete cpl demo                          delete it; the next 'demo' takes over its data
  ./exa down
TEXT
}

cmd_status() {
  need_api
  kube get nodes --output=wide
  kube --namespace="$NAMESPACE" get deployments,pods 2>/dev/null || true
  echo
  kube get controlplanes,storeshards,schedulerpools,nodepools,controlplanetasks --all-namespaces 2>/dev/null || true
  echo
  testbed host list
}

cmd_down() {
  need_root down
  lock
  if [ ! -x "$EXA_CACHE/testbed" ]; then
    [ -d "$EXA_STATE" ] || { echo "Nothing is up."; return; }
    build_testbed
  fi
  step "Removing machines, processes, mounts and networks" testbed down
}

cmd_kubectl() {
  need_cluster
  if [ "${1:-}" = exaplane ]; then
    shift
    . "$EXA_HOME/testbed/launch/cli.sh"
    # A --kubeconfig of the user wins.
    export KUBECONFIG=$EXA_STATE/kubeconfig
    cmd_plugin "$@"
  fi
  if [ "${1:-}" = --hosted ]; then
    [ $# -ge 2 ] || fail "--hosted needs the name of a control plane" "for example './exa kubectl --hosted demo get nodes'"
    # In two steps: a kubeconfig that is not there must never become kubectl's own default.
    local file
    file=$(cmd_kubeconfig "$2") || exit 1
    shift 2
    exec "$EXA_CACHE/kube-$KUBERNETES/kubectl" --kubeconfig="$file" "$@"
  fi
  exec "$EXA_CACHE/kube-$KUBERNETES/kubectl" --kubeconfig="$EXA_STATE/kubeconfig" "$@"
}

# control_plane [NAME[.NAMESPACE]] sets name and namespace of the function that calls it.
control_plane() {
  name=${1:-demo} namespace=default
  case $name in *.*) namespace=${name#*.} name=${name%%.*} ;; esac
}

cmd_kubeconfig() {
  need_cluster
  local name namespace file partial
  control_plane "$@"
  file=$EXA_STATE/kubeconfigs/$namespace-$name
  partial=$file.$$
  mkdir -p "$EXA_STATE/kubeconfigs"
  (umask 077 && kube_again --namespace="$namespace" get secret "$name-admin-kubeconfig" --output=jsonpath='{.data.kubeconfig}' | base64 -d >"$partial") && [ -s "$partial" ] || {
    rm -f "$partial"
    fail "control plane $name in namespace $namespace has no kubeconfig" "see './exa kubectl get cpl --all-namespaces'"
  }
  mv "$partial" "$file"
  echo "$file"
}

cmd_host() {
  local verb=${1:-}
  [ $# -gt 0 ] && shift
  case $verb in
    add) [ $# -ge 1 ] && [ $# -le 2 ] || { [ $# -eq 3 ] && [ "$3" = --without-kube-proxy ]; } ||
      fail "'host add' needs a name for the host, and may have a control plane and then --without-kube-proxy" "for example './exa host add w1' or './exa host add w1 demo.default'" ;;
    remove) [ $# -eq 1 ] || fail "'host remove' needs the name of one host" "see './exa host list'" ;;
    list) [ $# -eq 0 ] || fail "'host list' takes no arguments" "run './exa host list'" ;;
    *) fail "'host' needs add, remove or list; got '$verb'" "for example './exa host add w1'" ;;
  esac
  need_cluster
  [ "$verb" != list ] || { testbed host list; return; }
  need_root "host $verb"
  lock
  [ "$verb" != remove ] || { testbed host remove "$1"; return; }
  local name namespace file version
  control_plane "${2:-}"
  file=$(cmd_kubeconfig "$name.$namespace") || exit 1
  # A kubelet must not be newer than its API.
  version=$(kube_again --namespace="$namespace" get controlplane "$name" --output=jsonpath='{.status.version.current}')
  [ -n "$version" ] || fail "control plane $name in namespace $namespace does not run yet" "wait until './exa kubectl get cpl --all-namespaces' shows it Available"
  testbed binaries kube "$version" || return
  testbed host add "$1" "$version" "$file" ${3:+"$3"} 8>&- 9>&-
}

cmd_kubernetes() {
  [ $# -eq 1 ] || fail "'kubernetes' needs one version" "for example './exa kubernetes $KUBERNETES_PREVIOUS'"
  need_api
  need_root kubernetes
  lock
  step "Tools" prepare_tools && step "Kubernetes $1" testbed binaries kube "$1" &&
    step "Images of Kubernetes $1" testbed images "$1" "$ETCD" "$EXA_CACHE/pause" "$(command -v busybox)" || exit 1
  echo "Control planes can have version $1 now, and be upgraded to it."
}

# cmd_kubelets_image NAME [VERSION]: an image of many kubelets, for docs/bench.md.
cmd_kubelets_image() {
  local version=${2:-$KUBERNETES}
  [ $# -ge 1 ] && [ $# -le 2 ] || fail "'image kubelets' needs the full name of an image or the path of a file, and may have a version of Kubernetes; got $# arguments" "for example './exa image kubelets registry.example.org/exaplane/kubelets:$KUBERNETES $KUBERNETES'"
  case $1 in
    /?*) ;;
    *?/?*:?*) ;;
    *) fail "'image kubelets' needs a full name or a path that begins with /; got '$1'" "for example registry.example.org/exaplane/kubelets:$KUBERNETES" ;;
  esac
  lock
  step "Tools" prepare_tools && step "Kubernetes $version" testbed binaries kube "$version" &&
    step "Image $1" testbed kubelets-image "$version" "$EXA_HOME/benchmarks/kubelets/kubelets.sh" "$1"
}

cmd_image() {
  local name
  if [ "${1:-}" = kubelets ]; then
    shift
    cmd_kubelets_image "$@"
    return
  fi
  [ $# -eq 3 ] || fail "'image' needs the full names of three images, the operator's, the store's and the scheduler's; got $#" "for example './exa image registry.example.org/exaplane/operator:0.1.0 registry.example.org/exaplane/store:0.1.0 registry.example.org/exaplane/scheduler:0.1.0'"
  for name in "$@"; do
    case $name in *?/?*:?*) ;; *) fail "'image' needs full names; got '$name'" "for example registry.example.org/exaplane/operator:0.1.0" ;; esac
  done
  lock
  step "Tools" prepare_tools && step "Operator image $1" push_operator_image "$1" && step "Store image $2" push_store_image "$2" && step "Scheduler image $3" push_scheduler_image "$3" || exit 1
  cat <<TEXT

Pushed. To install them with Helm:
  helm upgrade --install exaplane $EXA_HOME/config/helm/exaplane --namespace $NAMESPACE --create-namespace --set images.operator=$1,images.store=$2,images.scheduler=$3
Or with kubectl (the operator's image is also that of the step in which components wait for each other):
  sed 's|$OPERATOR_IMAGE:[0-9A-Za-z.-]*|$1|; s|$STORE_IMAGE:[0-9A-Za-z.-]*|$2|; s|$SCHEDULER_IMAGE:[0-9A-Za-z.-]*|$3|' $EXA_HOME/config/install/install.yaml | kubectl apply --server-side -f -
TEXT
}

cmd_logs() {
  need_cluster
  local names
  names=$(cd "$EXA_STATE/logs" && ls | sed 's/\.log$//' | tr '\n' ' ')
  if [ $# -eq 0 ]; then
    need_api
    # Of the one that leads; a Lease that nobody holds yet names no pod.
    local leader
    leader=$(kube --namespace="$NAMESPACE" get lease exaplane-operator --output=jsonpath='{.spec.holderIdentity}' 2>/dev/null || true)
    kube --namespace="$NAMESPACE" logs "${leader:-deployment/exaplane-operator}" --tail=200
    echo "Of the test bed's processes: ./exa logs NAME, with NAME one of: $names" >&2
    return
  fi
  [ -e "$EXA_STATE/logs/$1.log" ] || fail "no process named $1" "choose one of: $names"
  exec tail -n 200 "$EXA_STATE/logs/$1.log"
}
