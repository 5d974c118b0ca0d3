# --- The host's network for pods: who answers solicitations, by which interface packets leave, what is let in.

# Number of the table of routes for packets of pods, and of the first of both rules; the probe's are below.
EGRESS=1080

# needs_network: whether something must be kept: entries, routes, a firewall, or a look at the prefix.
needs_network() {
  ! bridged || [ "$FIREWALL" = Managed ] || [ "$NEIGHBORS" = KernelProxy ] || [ -n "$INTERFACE" ] || [ ! "$SOURCE" = StaticPrefix ]
}

# pod_addresses: how many addresses pods may get if the kernel has an entry for each: twice as many as pods, so that none
# is used again at once.
pod_addresses() {
  pod_room=$(capacity "$PREFIX_LENGTH")
  pod_wanted=$((2 * $(setting maxPods "$MAX_PODS")))
  if [ "$pod_wanted" -lt "$pod_room" ]; then echo "$pod_wanted"; else echo "$pod_room"; fi
}

# assignment NAME VALUE: for a shell.
assignment() { printf "%s='%s'\n" "$1" "$(printf '%s' "$2" | sed "s/'/'\\\\''/g")"; }

# host_settings: what $STATE/network.sh must know. The token is not among that.
host_settings() {
  assignment SERVER "$SERVER"
  assignment POOL "$POOL"
  assignment NODE "$NODE"
  assignment PREFIX "$PREFIX"
  assignment PREFIX_LENGTH "$PREFIX_LENGTH"
  assignment POOL_PREFIXES "$POOL_PREFIXES"
  assignment SOURCE "$SOURCE"
  assignment FOUND "$(cat "$STATE/found" 2>/dev/null)"
  assignment DELEGATED_FILE "$DELEGATED_FILE"
  assignment METADATA_URL "$METADATA_URL"
  assignment METADATA_SESSION "$METADATA_SESSION"
  assignment INTERFACE "$INTERFACE"
  assignment POD_LINK "$POD_LINK"
  assignment POD_CIDRS "$CIDRS"
  assignment NEIGHBORS "$NEIGHBORS"
  assignment FIREWALL "$FIREWALL"
  assignment UPLINK "$(uplink)"
  assignment EGRESS "$EGRESS"
}

# network_program: runs as long as the node does. It asks the API when it begins, and when the prefix has moved.
network_program() {
  cat <<'EOF'
#!/bin/sh
# Written by join.sh. Keeps what the kernel forgets, and tells the operator of another prefix.
set -u
umask 077
LC_ALL=C
export LC_ALL
PATH=${PATH:-}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
. /etc/kubernetes/exaplane/settings.sh
. /etc/kubernetes/exaplane/lib.sh
TOLD='' NAP='' PAUSE=5
trap '[ -z "$NAP" ] || kill "$NAP" 2>/dev/null; exit 0' HUP INT TERM

neighbors() {
  [ -e "$STATE/neighbors" ] || return 0
  [ "$(ip -6 neigh show proxy dev "$UPLINK" | wc -l)" -ge "$(wc -l <"$STATE/neighbors")" ] || ip -6 -batch "$STATE/neighbors"
}

egress() { [ -z "$INTERFACE" ] || [ -z "$PREFIX" ] || egress_on "$PREFIX" "$EGRESS"; }

# ends: without a bridge, packets for an address of no pod would go back to the router.
ends() {
  [ "$POD_LINK" = PointToPoint ] || return 0
  for cidr in $POD_CIDRS; do ip "$(family_of "$cidr")" route replace prohibit "$cidr" metric 4096 || return 1; done
}

firewall() {
  [ -e "$STATE/firewall.nft" ] || return 0
  nft list table inet exaplane >/dev/null 2>&1 || nft -f "$STATE/firewall.nft"
}

kept() {
  firewall
  code=$?
  neighbors || code=1
  egress || code=1
  ends || code=1
  return $code
}

tell() {
  [ -n "$FOUND" ] || return 0
  found=$(found_prefixes)
  [ -n "$found" ] && [ "$(printf '%s\n' "$found" | wc -l)" -eq 1 ] || return 0
  if [ "$found" != "$PREFIX" ]; then
    echo "$found" >"$STATE/moved"
  elif [ -e "$STATE/moved" ] && own_node && [ -n "$(node_cidrs)" ]; then
    # A host whose Node was deleted must join again, whatever prefix it has by then.
    rm -f "$STATE/moved"
  fi
  [ "$found" != "$TOLD" ] || return 0
  own_node || return 0
  if [ "$(node_field ".metadata.annotations.exaplane.io/pod-prefix")" != "$found" ]; then
    report_prefix "$found" || return 0
    echo "the host has the prefix $found, the Node has $PREFIX: told the operator"
  fi
  TOLD=$found
}

look() {
  WORK=$(mktemp -d "${TMPDIR:-/tmp}/exaplane-network.XXXXXX") || return 1
  mkdir "$WORK/no-ca"
  cp /etc/kubernetes/pki/exaplane-ca.crt "$WORK/ca.crt"
  PAUSE=60
  kept || PAUSE=5
  tell
  rm -rf "$WORK"
}

if [ "${1:-}" = once ]; then
  kept
  exit
fi
while :; do
  look
  sleep "$PAUSE" &
  NAP=$!
  wait "$NAP"
done
EOF
}

# firewall_metadata: adds the address in the pool's URL.
firewall_metadata() {
  firewall_host=$(printf '%s' "$METADATA_URL" | sed 's|^http://\[\{0,1\}||; s|[]/].*||')
  case $firewall_host in
    *:*:*) if network "$firewall_host/128" >/dev/null; then firewall_metadata6="$firewall_metadata6, $firewall_host"; fi ;;
    *[!0-9.:]*) ;;
    *.*.*.*) firewall_metadata4="$firewall_metadata4, ${firewall_host%:*}" ;;
  esac
}

# firewall_rules CIDR…: lets in what a node needs. Pods send from their own addresses alone, and not to the metadata service.
firewall_rules() {
  firewall_tcp=$(printf '%s' "$FIREWALL_TCP 10250" | tr -s ' ' ',' | sed 's/^,//')
  firewall_udp=
  [ -z "$FIREWALL_UDP" ] || firewall_udp="udp dport { $(printf '%s' "$FIREWALL_UDP" | tr -s ' ' ',') } accept"
  firewall_pods=$BRIDGE
  bridged || firewall_pods='veth*'
  firewall_6='fe80::/10, ::/128' firewall_4=0.0.0.0/32
  for cidr in "$@"; do
    case $cidr in *:*) firewall_6="$firewall_6, $cidr" ;; *) firewall_4="$firewall_4, $cidr" ;; esac
  done
  # Of AWS, Google Cloud, Oracle and Scaleway; the one of the pool; and the usual one through a translator.
  firewall_metadata6='fd00:ec2::254, fd20:ce::254, fd00:c1::a9fe:a9fe, fd00:42::42, 64:ff9b::a9fe:a9fe'
  firewall_metadata4=169.254.169.254
  [ -z "$NAT64_PREFIX" ] || firewall_metadata6="$firewall_metadata6, $(address_at "$NAT64_PREFIX" 2852039166)"
  firewall_metadata
  cat <<EOF
table inet exaplane
delete table inet exaplane
table inet exaplane {
  chain input {
    type filter hook input priority filter; policy drop;
    ct state established,related accept
    ct status dnat accept
    iifname "lo" accept
    icmpv6 type { destination-unreachable, packet-too-big, time-exceeded, parameter-problem, echo-request, echo-reply } accept
    icmpv6 type { mld-listener-query, mld-listener-report, mld-listener-done, mld2-listener-report } accept
    icmpv6 type { nd-router-advert, nd-neighbor-solicit, nd-neighbor-advert } accept
    ip protocol icmp accept
    ip6 saddr fe80::/10 udp dport 546 accept
    udp dport 68 accept
    tcp dport { $firewall_tcp } accept
    $firewall_udp
  }
  chain forward {
    type filter hook forward priority filter; policy accept;
    iifname "$firewall_pods" ip6 saddr != { $firewall_6 } drop
    iifname "$firewall_pods" ip saddr != { $firewall_4 } drop
    iifname "$firewall_pods" ip6 daddr { $firewall_metadata6 } drop
    iifname "$firewall_pods" ip daddr { $firewall_metadata4 } drop
  }
}
EOF
}

# ndppd_file: answers for an address once a route leads to it: that of the bridge, or one for each pod.
ndppd_file() {
  ndppd_ttl=30000
  bridged || ndppd_ttl=1000
  printf 'route-ttl %s\nproxy %s {\n  router yes\n  timeout 500\n  ttl 30000\n  rule %s {\n    auto\n  }\n}' "$ndppd_ttl" "$(uplink)" "$PREFIX"
}

# pod_resolvers: the file of resolvers for pods if the pool names resolvers with DNS64; the host's own stays.
pod_resolvers() {
  for resolver in $NAT64_RESOLVERS; do printf 'nameserver %s\n' "$resolver"; done
  sed -n -e '/^search[[:space:]]/p' -e '/^options[[:space:]]/p' "$(resolv_conf)" 2>/dev/null
}

kept_neighbors() {
  [ "$NEIGHBORS" = KernelProxy ] && [ -n "$PREFIX" ] || return 0
  put "$STATE/neighbors" 0644 "$(proxy_entries "$PREFIX" "$(pod_addresses)" "$(uplink)")"
  KEPT_CHANGED=$CHANGED
}

# kept_files CIDR…: what $STATE/network.sh reads. Sets KEPT_CHANGED if one is new.
kept_files() {
  KEPT_CHANGED=
  kept_neighbors
  if [ "$FIREWALL" = Managed ]; then
    put "$STATE/firewall.nft" 0644 "$(firewall_rules "$@")"
    [ -z "$CHANGED" ] || nft -f "$STATE/firewall.nft" || fail 1 "nft refuses the rules of the firewall." "Check its message above."
  fi
  put "$STATE/settings.sh" 0644 "$(host_settings)"
  KEPT_CHANGED=$KEPT_CHANGED$CHANGED
  put "$STATE/lib.sh" 0644 "$(sed -n '/^: lib-begins$/,/^: lib-ends$/p' "$0")"
  KEPT_CHANGED=$KEPT_CHANGED$CHANGED
  put "$STATE/network.sh" 0644 "$(network_program)"
  KEPT_CHANGED=$KEPT_CHANGED$CHANGED
}

# start_host_network CIDR…: what must be there before pods are. Other settings than before begin anew.
start_host_network() {
  if [ -e "$STATE/settings.sh" ] && [ "$(cat "$STATE/settings.sh")" != "$(host_settings)" ]; then undo_host_network; fi
  if [ -e "$STATE/ndppd.conf" ] && [ ! "$NEIGHBORS" = Ndppd ]; then undo_host_network; fi
  if needs_network; then
    kept_files "$@"
    sh "$STATE/network.sh" once || fail 1 "the network of pods cannot be made; see the lines above." "Correct the cause, and run the script again."
    start_unit network "$KEPT_CHANGED"
  fi
  start_ndppd
}

start_ndppd() {
  [ "$NEIGHBORS" = Ndppd ] && [ -n "$PREFIX" ] || return 0
  put "$STATE/ndppd.conf" 0644 "$(ndppd_file)"
  network_ndppd=$CHANGED
  put "$STATE/ndppd.sh" 0644 "$(printf '#!/bin/sh\n# Written by join.sh of pool %s.\nexec%s' "$POOL" "$(quoted "$(command -v ndppd)" -c "$STATE/ndppd.conf")")"
  start_unit ndppd "$network_ndppd$CHANGED"
}

# undo_host_network: the way back of start_host_network, but for folders and units.
undo_host_network() {
  [ -d "$STATE" ] || return 0
  stop network
  stop ndppd
  if [ -e "$STATE/firewall.nft" ]; then nft delete table inet exaplane 2>/dev/null; fi
  if [ -e "$STATE/neighbors" ]; then sed 's/replace/delete/' "$STATE/neighbors" | ip -6 -force -batch - 2>/dev/null; fi
  for cidr in $(sed -n "s/^POD_CIDRS='\(.*\)'\$/\1/p" "$STATE/settings.sh" 2>/dev/null); do
    ip "$(family_of "$cidr")" route delete prohibit "$cidr" metric 4096 2>/dev/null
  done
  if grep -q "^INTERFACE='..*'" "$STATE/settings.sh" 2>/dev/null; then
    egress_off "$EGRESS"
  fi
  rm -f "$STATE/neighbors" "$STATE/firewall.nft" "$STATE/settings.sh" "$STATE/ndppd.conf"
}
