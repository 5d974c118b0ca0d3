# --- Checks of what networks often do wrong. They ask the API and the resolvers.

# check_interface: the pool's interface is there, and packets of pods can leave by it.
check_interface() {
  [ -n "$INTERFACE" ] || return 0
  if ! ip link show dev "$INTERFACE" >/dev/null 2>&1; then
    bad 29 interface "this host has no interface $INTERFACE, which spec.addresses.interfaceName of pool $POOL names." "Rename the interface, or correct the pool."
  elif [ -z "$(ip -6 route show default dev "$INTERFACE" 2>/dev/null)" ]; then
    bad 29 interface "$INTERFACE has no IPv6 default route, by which packets of pods would leave." "Look at router advertisements of that link, or add the route."
  else
    ok interface "packets of pods leave by $INTERFACE"
  fi
}

# check_delivery: whether the prefix is routed to this host, or the router asks for each address on the link. For some
# seconds 'lo' has the last address of the prefix, from which the API is asked: no kernel answers solicitations for an
# address of 'lo', so the answer comes if the prefix is routed, and a solicitation if not.
check_delivery() {
  [ -n "$PREFIX_LENGTH" ] && [ "$FIRST_FAILURE" -eq 0 ] || return 0
  case $API_ADDRESS in
    *:*) ;;
    *)
      warn delivery "not tested: the API is not reached over IPv6"
      return 0
      ;;
  esac
  if joined; then
    ok delivery "not tested again: pods have addresses of $PREFIX"
    return 0
  fi
  delivery_address=$(last_address "$PREFIX")
  delivery_begin || {
    delivery_end
    warn delivery "not tested: $(printable <"$WORK/delivery" | head -n 1)"
    return 0
  }
  call none GET /version -6 --interface "$delivery_address" --connect-timeout 4 --max-time 4
  delivery_asked=$(nft list table ip6 exaplane_probe 2>/dev/null | sed -n 's/.* packets \([0-9]*\) .*/\1/p' | head -n 1)
  delivery_end
  delivery_told
}

delivery_begin() {
  delivery_link=$(uplink)
  trap 'delivery_end; fail 1 "the script was ended by a signal." "Run the script again."' HUP INT TERM
  {
    ip -6 address add "$delivery_address/128" dev lo nodad &&
      { [ -z "$INTERFACE" ] || egress_on "$delivery_address" "$((EGRESS - 2))"; } &&
      ip maddress add "33:33:ff$(hexadecimal "$delivery_address" | sed 's/^.*\(..\)\(..\)\(..\)$/:\1:\2:\3/')" dev "$delivery_link" &&
      nft -f - <<EOF
table ip6 exaplane_probe {
  chain in {
    type filter hook prerouting priority -400; policy accept;
    icmpv6 type nd-neighbor-solicit @th,64,128 0x$(hexadecimal "$delivery_address") counter
  }
}
EOF
  } 2>"$WORK/delivery"
}

delivery_end() {
  nft delete table ip6 exaplane_probe 2>/dev/null
  ip maddress delete "33:33:ff$(hexadecimal "$delivery_address" | sed 's/^.*\(..\)\(..\)\(..\)$/:\1:\2:\3/')" dev "$delivery_link" 2>/dev/null
  [ -z "$INTERFACE" ] || egress_off "$((EGRESS - 2))"
  ip -6 address delete "$delivery_address/128" dev lo 2>/dev/null
  trap 'fail 1 "the script was ended by a signal." "Run the script again."' HUP INT TERM
}

delivery_told() {
  if [ ! "$STATUS" = 000 ]; then
    if [ "$NEIGHBORS" = None ]; then
      ok delivery "$PREFIX is routed to this host"
    else
      ok delivery "$PREFIX is routed to this host: neighborDiscovery $NEIGHBORS is not needed, and does no harm"
    fi
  elif [ "${delivery_asked:-0}" -gt 0 ] && [ "$NEIGHBORS" = None ]; then
    bad 28 delivery "$PREFIX is not routed to this host: the router asks on the link for each address ($delivery_asked solicitations for $delivery_address), and nobody would answer." "Set spec.addresses.neighborDiscovery of NodePool $POOL to KernelProxy, or let the provider route the prefix to this host."
  elif [ "${delivery_asked:-0}" -gt 0 ]; then
    ok delivery "$PREFIX is on the link: the router asks for each address ($delivery_asked solicitations seen), and this host will answer (neighborDiscovery $NEIGHBORS)"
  else
    warn delivery "no answer came back to $delivery_address, and no router asked for it: the prefix may be led elsewhere, the provider may drop packets of it, or a firewall before the API"
  fi
}

# check_mtu: a request that fills packets of the uplink's size passes, which a tunnel without ICMP would swallow.
check_mtu() {
  [ -n "$API_ADDRESS" ] && [ -n "${UPLINK_MTU:-}" ] || return 0
  if [ -n "$MTU" ] && [ "$MTU" -gt "$UPLINK_MTU" ]; then
    warn mtu "spec.network.mtu is $MTU, and $UPLINK takes $UPLINK_MTU: large packets of pods are refused"
    return 0
  fi
  mtu_family=-4
  case $API_ADDRESS in *:*) mtu_family=-6 ;; esac
  call none GET /version $mtu_family --header "X-Padding: $(awk 'BEGIN { srand(1); for (i = 0; i < 6000; i++) printf "%c", 97 + int(26 * rand()) }')" --max-time 6
  mtu_learnt=$(ip $mtu_family route get "$API_REMOTE" 2>/dev/null | sed -n 's/.* mtu \([0-9]*\).*/\1/p' | head -n 1)
  if [ "$STATUS" = 000 ] && [ "$CURL_EXIT" = 28 ]; then
    warn mtu "packets of $UPLINK_MTU bytes do not reach the API, and nobody says so: a tunnel on the way. Set spec.network.mtu, and the MTU of $UPLINK, to that of the tunnel"
  elif [ -n "$mtu_learnt" ] && [ "$mtu_learnt" -lt "${MTU:-$UPLINK_MTU}" ]; then
    warn mtu "the way to the API takes $mtu_learnt bytes, and pods would send ${MTU:-$UPLINK_MTU}. Set spec.network.mtu of NodePool $POOL to $mtu_learnt"
  else
    ok mtu "packets of $UPLINK_MTU bytes reach the API; pods get ${MTU:-$UPLINK_MTU}"
  fi
}

# check_bridges: no other bridge or tunnel of this host takes the packets for its link, or for its pods.
check_bridges() {
  [ -n "$ADDRESS" ] && [ -n "$UPLINK" ] || return 0
  bridges_broad=$(ip -6 route show table main 2>/dev/null | grep -v -e ' via ' -e '^default' -e '^unreachable' -e '^blackhole' -e '^fe80:' -e '^ff' | sed -n 's/^\([^ ]*\) dev \([^ ]*\).*/\1 \2/p' |
    while IFS=' ' read -r bridges_to bridges_link; do
      case $bridges_link in "${UPLINK%%@*}" | lo | "$BRIDGE" | "$INTERFACE") continue ;; esac
      case $bridges_to in */*) ;; *) bridges_to=$bridges_to/128 ;; esac
      if inside "$ADDRESS" "$bridges_to" || { [ -n "$PREFIX" ] && inside "$PREFIX" "$bridges_to"; }; then
        printf ' %s dev %s;' "$bridges_to" "$bridges_link"
      fi
    done)
  if [ -n "$bridges_broad" ]; then
    warn bridges "a route is too broad, and takes packets for the link of this host:${bridges_broad%;}. Give that bridge a narrower network"
  else
    ok bridges "no other route takes the host's network"
  fi
}

# resolved NAME FAMILY: whether the name has an address of the family, from the resolvers of this host. One try of two seconds.
resolved() {
  resolved_list=$(RES_OPTIONS='timeout:2 attempts:1' getent ahosts "$1" 2>/dev/null)
  case $2 in
    6) printf '%s\n' "$resolved_list" | grep -v '^::ffff:' | grep -q '^[^ ]*:' ;;
    *) printf '%s\n' "$resolved_list" | sed 's/^::ffff://' | grep -q '^[0-9.]* ' ;;
  esac
}

# has_ipv4: whether the host reaches servers that have IPv4 alone without a translator.
has_ipv4() { ip -4 route get 192.0.2.1 >/dev/null 2>&1; }

# registries: those of which containerd fetches images here, as far as its configuration says.
registries() {
  {
    containerd_setting sandbox_image | sed -n 's|^\([^/]*\.[^/]*\)/.*|\1|p'
    containerd_setting sandbox | sed -n 's|^\([^/]*\.[^/]*\)/.*|\1|p'
    for registries_folder in /etc/containerd/certs.d/*.*; do
      [ ! -d "$registries_folder" ] || printf '%s\n' "${registries_folder##*/}"
    done
  } | sed 's/:[0-9]*$//' | sort -u
}

# check_names: registries have an address that this host can reach.
check_names() {
  have getent && [ -n "$(resolvers)" ] || return 0
  names_ok='' names_bad=''
  for name in $(registries | head -n 8); do
    if resolved "$name" 6 || { has_ipv4 && resolved "$name" 4; }; then names_ok="$names_ok $name"; else names_bad="$names_bad $name"; fi
  done
  if [ -n "$names_bad" ]; then
    warn registries "no address that this host can reach for:$names_bad. Use a mirror with IPv6, or NAT64 (spec.network.nat64)"
  elif [ -n "$names_ok" ]; then
    ok registries "${names_ok# }"
  fi
}

# time_servers: those that the daemons of this host are told to ask.
time_servers() {
  {
    sed -n 's/^[[:space:]]*\(server\|pool\)[[:space:]]\{1,\}\([^[:space:]]*\).*/\2/p' /etc/chrony.conf /etc/chrony/chrony.conf /etc/chrony/sources.d/*.sources /etc/ntp.conf /etc/ntpsec/ntp.conf 2>/dev/null
    sed -n 's/^[[:space:]]*\(NTP\|FallbackNTP\)=\(.*\)/\2/p' /etc/systemd/timesyncd.conf /etc/systemd/timesyncd.conf.d/*.conf 2>/dev/null | tr ' ' '\n'
  } | grep . | sort -u
}

# check_time: somebody keeps the clock, and its servers have an address that this host can reach.
check_time() {
  time_bad=
  for time_server in $(time_servers | head -n 6); do
    case $time_server in
      *:* | *[!0-9.]*) ;;
      *)
        has_ipv4 || time_bad="$time_bad $time_server"
        continue
        ;;
    esac
    case $time_server in *:*) continue ;; esac
    have getent || continue
    resolved "$time_server" 6 || { has_ipv4 && resolved "$time_server" 4; } || time_bad="$time_bad $time_server"
  done
  time_state=
  if systemd_runs && have timedatectl; then time_state=$(timedatectl show --property=NTPSynchronized --value 2>/dev/null); fi
  if [ -n "$time_bad" ]; then
    warn time "no address that this host can reach for:$time_bad. Name a time server with IPv6, such as time.cloudflare.com"
  elif [ "$time_state" = no ]; then
    warn time "the clock is not synchronized. Start a time daemon such as chrony"
  elif [ "$time_state" = yes ]; then
    ok time "the clock is synchronized"
  elif [ -z "$(time_servers)" ]; then
    warn time "no time daemon with a server was found. A clock that is off by a minute ends the node's certificates early"
  else
    ok time "servers: $(time_servers | head -n 6 | tr '\n' ' ')"
  fi
}

# asked_resolvers NAME: the IPv6 addresses of the name, from the pool's own resolvers or from those of the host.
asked_resolvers() {
  if [ -z "$NAT64_RESOLVERS" ]; then
    RES_OPTIONS='timeout:2 attempts:1' getent ahostsv6 "$1" 2>/dev/null
  else
    pod_resolvers >"$WORK/resolv.conf"
    # In mounts of its own, without the socket of systemd-resolved.
    # shellcheck disable=SC2016 # for the other shell
    unshare --mount sh -c 'file=$(readlink -f /etc/resolv.conf)
      [ ! -d /run/systemd/resolve ] || mount -t tmpfs tmpfs /run/systemd/resolve
      if [ -e "$file" ]; then mount --bind "$1" "$file"; else cp "$1" "$file"; fi
      RES_OPTIONS="timeout:2 attempts:1" getent ahostsv6 "$2"' sh "$WORK/resolv.conf" "$1" 2>/dev/null
  fi | awk '$1 !~ /^::ffff:/ { print $1 }' | sort -u
}

# check_nat64: the resolvers make addresses of the prefix (RFC 7050 has a name that has IPv4 alone), a route leads to the
# prefix, and a registry with such an address answers.
check_nat64() {
  [ -n "$NAT64_PREFIX" ] || return 0
  nat64_found=$(asked_resolvers ipv4only.arpa)
  if [ -z "$nat64_found" ]; then
    bad 37 nat64 "the resolvers '${NAT64_RESOLVERS:-$(resolvers | tr '\n' ' ')}' give no IPv6 address for ipv4only.arpa: they have no DNS64, or do not answer." "Correct spec.network.nat64.resolvers of NodePool $POOL, or the resolvers of this host."
    return 0
  fi
  nat64_address=
  for nat64_one in $nat64_found; do
    if inside "$nat64_one" "$NAT64_PREFIX"; then nat64_address=$nat64_one; fi
  done
  if [ -z "$nat64_address" ]; then
    bad 37 nat64 "the resolvers translate into $(printf '%s' "$nat64_found" | head -n 1), which is not in $NAT64_PREFIX." "Correct spec.network.nat64.prefix of NodePool $POOL."
  elif ! reachable "$nat64_address"; then
    bad 37 nat64 "no route leads to $NAT64_PREFIX." "Add the route to the translator, or a default route."
  else
    nat64_tried
  fi
}

# nat64_tried: asks a registry through the translator, if one has no IPv6 address of its own.
nat64_tried() {
  for name in $(registries | head -n 8); do
    for nat64_one in $(asked_resolvers "$name"); do
      inside "$nat64_one" "$NAT64_PREFIX" || continue
      if curl -q --silent --output /dev/null --noproxy '*' --connect-timeout 5 --max-time 8 -6 --globoff --resolve "$name:443:[$nat64_one]" "https://$name/v2/" 2>"$WORK/error"; then
        ok nat64 "$name answers through $NAT64_PREFIX"
      else
        bad 37 nat64 "$name does not answer through $NAT64_PREFIX, at $nat64_one: $(printable <"$WORK/error" | head -n 1)." "Look at the translator, and at firewalls on the way."
      fi
      return 0
    done
  done
  ok nat64 "names without IPv6 get addresses of $NAT64_PREFIX, and a route leads there"
}
