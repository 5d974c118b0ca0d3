# --- Checks that only warn. User data do not have them: nobody reads them there, and clouds limit the length.

check_hints() {
  check_route
  check_mtu
  check_bridges
  check_names
  check_time
  check_firewall
}

# check_firewall: ports on which programs of this host listen now, and that the rules will shut, such as that of SSH.
check_firewall() {
  [ "$FIREWALL" = Managed ] || return 0
  firewall_shut=$(cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk '
    BEGIN { open = ARGV[1]; ARGV[1] = "" }
    function number(hex,   i, out) {
      for (i = 1; i <= length(hex); i++) out = 16 * out + index("0123456789ABCDEF", substr(hex, i, 1)) - 1
      return out
    }
    $4 == "0A" {
      split($2, at, ":"); port = number(at[2])
      if (at[1] ~ /^0*1000000$/ || at[1] ~ /^(0*FFFF0000)?......7F$/ || index(open, " " port " ")) next
      print port
    }' " $FIREWALL_TCP 10250 " | sort -nu | tr '\n' ' ')
  if [ -n "$firewall_shut" ]; then
    warn firewall "shuts TCP ports on which programs of this host listen: ${firewall_shut% }. Add those that others must reach, such as that of SSH, to spec.firewall.tcpPorts of NodePool $POOL"
  else
    ok firewall "shuts no TCP port on which a program listens"
  fi
}

# check_route: how long the default route lives, and that its routers' resolvers are taken.
check_route() {
  [ "$(cluster_family)" = 6 ] || return 0
  route_default=$(ip -6 route show default 2>/dev/null)
  route_left=$(printf '%s\n' "$route_default" | sed -n 's/.* expires \([0-9]*\)sec.*/\1/p' | head -n 1)
  if [ -z "$route_default" ]; then
    warn route "the host has no IPv6 default route: pods reach only what other routes lead to"
  elif [ -n "$route_left" ] && [ "$route_left" -lt 300 ]; then
    warn route "the default route ends in $route_left s unless a router advertises the route again"
  elif printf '%s\n' "$route_default" | grep -q 'proto ra' && ! resolvers | grep -q ':'; then
    warn route "the route is by router advertisement, and no resolver has IPv6: RDNSS is not taken. Run systemd-resolved or rdnssd, or name a resolver with IPv6"
  else
    ok route "$(if [ -n "$route_left" ]; then echo "lives for $route_left s, and longer with each advertisement"; else echo stays; fi)"
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
    warn mtu "packets of $UPLINK_MTU bytes do not reach the API, without an error: a tunnel on the way. Set spec.network.mtu, and the MTU of $UPLINK, to that of the tunnel"
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
