# --- Main.

# files_of_a_join: for --dry-run.
files_of_a_join() {
  [ -z "$READDRESS" ] || say "end   all pods of this host"
  for file in pki/exaplane-ca.crt kubelet.json kubelet.conf.d/00-exaplane-host.conf exaplane/ bootstrap.kubeconfig kubelet.kubeconfig kube-proxy.kubeconfig kube-proxy.json; do
    say "write /etc/kubernetes/$file"
  done
  say "write $CNI_FOLDER/10-exaplane.conflist"
  [ -z "$CONTAINERD_MISSING" ] || say "write $CONTAINERD_FILE"
  if needs_network; then say "start exaplane-network, which keeps routes, entries and rules"; fi
  if [ "$NEIGHBORS" = KernelProxy ] && [ -n "$PREFIX" ]; then say "make  entries of the kernel for $(pod_addresses) addresses of $PREFIX on $(uplink)"; fi
  [ ! "$FIREWALL" = Managed ] || say "make  table inet exaplane of nftables; open: TCP $FIREWALL_TCP 10250, UDP ${FIREWALL_UDP:-none}"
  bridged || say "make  a route that ends packets for addresses of no pod"
  [ -z "$INTERFACE" ] || say "make  rules of routes $EGRESS and $((EGRESS + 1)): packets of pods leave by $INTERFACE"
  for file in /etc/sysctl.d /etc/modules-load.d; do [ ! -d $file ] || say "write $file: one file of exaplane"; done
  sysctls | while read -r name value; do say "set   $name = $value"; done
  if systemd_runs; then
    if [ -n "$CONTAINERD_MISSING" ] || [ -e "$STATE/unread" ]; then say "start containerd again"; fi
    for program in kubelet kube-proxy heartbeats; do say "write /etc/systemd/system/exaplane-$program.service, enable and start"; done
  else
    containerd_answers || say "start containerd"
    say "start kubelet, kube-proxy and heartbeats in the background; pid files in $RUN, logs in $LOGS"
  fi
  [ ! "$SOURCE" = RequestedPrefix ] || say "start client: dhcpcd, which keeps the lease of the prefix; write $STATE/dhcpcd"
  [ -z "$PREFIX" ] || say "annotate Node $NODE: exaplane.io/pod-prefix=$PREFIX"
}

# checks: all of them, so that one run shows all that is wrong. What needs an answer of the API waits for one.
checks() {
  check_tools
  have curl || bad 10 tools "missing: curl." "Install the package curl."
  [ "$FIRST_FAILURE" -eq 0 ] || return 0
  check_host
  check_name
  check_program kubelet
  check_program kube-proxy
  check_containerd
  check_cni
  check_modules
  check_sysctls
  check_cgroups
  check_swap
  check_max_pods
  check_client
  check_resolver
  checks_before=$FIRST_FAILURE
  FIRST_FAILURE=0
  check_api
  if [ "$FIRST_FAILURE" -eq 0 ]; then check_token; fi
  [ "$checks_before" -eq 0 ] || FIRST_FAILURE=$checks_before
  check_address
  own_of_prefix
  check_interface
  check_uplink
  find_prefix
  check_delivery
  check_nat64
  if have check_hints; then check_hints; fi
}

# wrong_option PROBLEM: ends the script.
wrong_option() {
  complain "$1; run 'sh join.sh --help' (exit code 2)"
  exit 2
}

MODE=join PREFIX='' PREFIX_FOUND='' PREFIX_MOVED='' READDRESS='' NODE=$(uname -n | tr '[:upper:]' '[:lower:]')
while [ $# -gt 0 ]; do
  case $1 in
    --prefix=*) PREFIX=${1#*=} ;;
    --node-name=*) NODE=${1#*=} ;;
    --prefix | --node-name)
      [ $# -ge 2 ] || wrong_option "$1 needs a value"
      if [ "$1" = --prefix ]; then PREFIX=$2; else NODE=$2; fi
      shift
      ;;
    --undo | --dry-run | --preflight)
      [ "$MODE" = join ] || wrong_option "$1 and --$MODE exclude each other"
      MODE=${1#--}
      ;;
    --help | -h)
      usage
      exit 0
      ;;
    *) wrong_option "unknown option '$1'" ;;
  esac
  shift
done

[ "$(id -u)" = 0 ] || { complain "FAIL  the script needs root. Run 'sudo sh join.sh' (exit code 3)"; exit 3; }
WORK=$(mktemp -d "${TMPDIR:-/tmp}/exaplane-join.XXXXXX") || exit 1
trap 'rm -rf "$WORK"' EXIT
trap 'fail 1 "the script was ended by a signal." "Run the script again."' HUP INT TERM
mkdir "$WORK/no-ca"
# The kept copy has the CAs of its time, and the host may have others since.
[ "$0" != "$STATE/join.sh" ] || CA_PEM="$(cat /etc/kubernetes/pki/exaplane-ca.crt)
"
printf '%s' "$CA_PEM" >"$WORK/ca.crt"

if [ "$MODE" = join ] || [ "$MODE" = undo ]; then
  have flock || { complain "FAIL  flock is missing. Install util-linux (exit code 10)"; exit 10; }
  exec 9>/run/exaplane-join.lock
  flock -n 9 || { complain "FAIL  another copy of this script, or a change of heartbeats or kubelet, runs on this host. Wait for its end (exit code 3)"; exit 3; }
  trap 'rm -rf "$WORK" /run/exaplane-join.lock' EXIT
fi

if [ "$MODE" = undo ]; then
  undo_node=$(cat "$STATE/node" 2>/dev/null || printf '%s' "$NODE")
  undo_all || fail 43 "not everything could be removed." "Check the lines above, and run 'sh join.sh --undo' again."
  undo_starter
  say "done  nothing of the join is left on this host. Delete the Node with 'kubectl delete node $undo_node'"
  exit 0
fi

STARTED=$(now)
checks
client_end
if [ "$FIRST_FAILURE" -ne 0 ]; then
  if [ "$MODE" = join ] && [ -n "$PREFIX_MOVED" ] && [ -e "$NODE_CERTIFICATE" ] && report_prefix "$PREFIX_MOVED"; then
    # Heartbeats look for it once the Node is deleted.
    printf '%s\n' "$PREFIX_MOVED" >"$STATE/moved"
    complain "note  the annotation exaplane.io/pod-prefix of Node $NODE says $PREFIX_MOVED now, so the operator names the move"
  fi
  complain "FAIL  this host cannot join yet; nothing was changed. Correct the lines above that begin with FAIL (exit code $FIRST_FAILURE)"
  exit "$FIRST_FAILURE"
fi
case $MODE in
  preflight) say "done  this host can join pool $POOL" ;;
  dry-run) files_of_a_join ;;
  *)
    join
    say "done  node $NODE is Ready after $(($(now) - STARTED)) s, with pod addresses of ${CIDRS% }"
    ;;
esac
