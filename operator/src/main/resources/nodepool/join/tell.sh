# --- What the script says, and how the script ends.

PAGE='See https://exaplane.io/docs/node-join.'
EXIT_CODES='  0  the node is Ready, or --undo, --preflight or --dry-run has ended well
  1  a file or a command of this host failed; the message names the file or the command
  2  an option is wrong
  3  the script does not run as root, or another copy of the script or a change of heartbeats or kubelet runs
 10  a tool is missing
 11  kubelet or kube-proxy is missing
 12  kubelet or kube-proxy has another version than the pool
 13  containerd is missing, or does not answer
 14  a CNI plugin is missing, or another network has been configured
 15  a kernel module is missing
 16  a sysctl is missing, or cannot be set
 17  the host has cgroup v1, which the kubelet refuses
 18  swap is on, which the kubelet refuses
 19  the host belongs to another cluster
 20  the resolver does not answer
 21  the API is not reached; the message names the address family and the cause
 22  the certificate of the API is not signed by the CA of this script
 23  the clock differs from that of the API by more than a minute
 24  the bootstrap token is wrong
 25  the bootstrap token has expired
 26  the host has no stable address of the family of the cluster
 27  the API refuses the certificate of this node
 28  the router asks for each address of the prefix on the link, and the pool has neighborDiscovery None
 29  the interface of the pool is missing, or has no default route
 30  the name of the node is no valid name
 31  no prefix for pods was found, or several were
 32  the prefix is outside of the pool, has another length, or holds the address of the node
 33  maxPods does not fit into the prefix
 34  the operator has refused the prefix, for example because another node uses it
 35  the Node has another prefix since an earlier join
 36  nobody has given the Node its pod CIDRs in time
 37  the resolvers or the translator of NAT64 do not work
 38  another DHCPv6 client runs on the host
 40  the kubelet did not register the Node
 41  kube-proxy does not run
 42  the Node is not Ready in time
 43  --undo could not remove everything'

usage() {
  cat <<EOF
usage: sh join.sh [--prefix PREFIX] [--node-name NAME] [--dry-run | --preflight | --undo] [--help]

Joins this host to the cluster at $SERVER as a node of pool $POOL.
A second run changes nothing. A first join that fails removes everything that it wrote.

  --prefix PREFIX   the IPv6 prefix of this node's pods, as 2001:db8:0:1::/64. Without the option,
                    the prefix is found among the addresses and routes of this host.
  --node-name NAME  the name of the Node; the host's name by default
  --preflight       check this host, one line for each check, and change nothing
  --dry-run         check this host, and list the files and commands of a join
  --undo            remove everything that a join made. Containers of Kubernetes end.

Exit codes:
$EXIT_CODES
EOF
}

say() { printf '%s\n' "$*"; }

# complain TEXT…: to standard error.
complain() { printf '%s\n' "$*" >&2; }

# fail CODE PROBLEM NEXT-ACTION: ends the script. A first join that fails leaves nothing. User data have no next actions: the
# page tells those of each exit code.
fail() {
  complain "FAIL  $2 ${3:-$PAGE} (exit code $1)"
  if [ -n "${ROLLBACK:-}" ]; then
    ROLLBACK=
    complain "undo  the step '${STEP:-start}' failed; everything that this run wrote is removed, as '--undo' does"
    undo_all >&2 || complain "FAIL  not everything could be removed: run 'sh join.sh --undo'"
    # Only a kubelet that ran can have made a Node.
    [ -z "${KUBELET_STARTED:-}" ] ||
      complain "next  if 'kubectl get node $NODE' shows a Node, delete it: kubectl delete node $NODE"
  elif [ -n "${CHANGING:-}" ]; then
    complain "next  the step '${STEP:-start}' failed on a host that had joined before. Run 'sh join.sh' again, or 'sh join.sh --undo'"
  fi
  exit "$1"
}

# step NAME: what is being done, for messages.
step() {
  STEP=$1
  say "step  $1"
}

# One line for each check. The exit code of --preflight is that of the first check that failed.
FIRST_FAILURE=0
ok() { printf 'ok    %-11s %s\n' "$1" "$2"; }
warn() { printf 'warn  %-11s %s\n' "$1" "$2"; }
# bad CODE CHECK PROBLEM NEXT-ACTION
bad() {
  printf 'FAIL  %-11s %s %s (exit code %s)\n' "$2" "$3" "${4:-$PAGE}" "$1"
  [ "$FIRST_FAILURE" -ne 0 ] || FIRST_FAILURE=$1
}

# have COMMAND: whether the command exists.
have() { command -v "$1" >/dev/null 2>&1; }

# pause: a moment between two looks at something that takes seconds. Who waits for long looks seldom: many hosts may
# join at once, and each look is a connection.
PAUSES=0
pause() {
  PAUSES=$((PAUSES + 1))
  if [ "$PAUSES" -gt 20 ]; then sleep 2; else sleep 0.3 2>/dev/null || sleep 1; fi
}

now() { date -u +%s; }
