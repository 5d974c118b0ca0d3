# --- Checks of what networks often do wrong. They ask the API and the resolvers.

# check_interface: the pool's interface is there, and packets of pods can leave by it.
check_interface() {
  [ -n "$INTERFACE" ] || return 0
  if ! ip link show dev "$INTERFACE" >/dev/null 2>&1; then
    bad 29 interface "this host has no interface $INTERFACE, which spec.addresses.interfaceName of pool $POOL names." "Rename the interface, or correct the pool."
  elif [ -z "$(ip -6 route show default dev "$INTERFACE" 2>/dev/null)" ]; then
    bad 29 interface "$INTERFACE has no IPv6 default route, by which packets of pods would leave." "Check router advertisements of that link, or add the route."
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
  if joined && [ -z "$READDRESS" ]; then
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
    bad 28 delivery "$PREFIX is not routed to this host: the router asks on the link for each address ($delivery_asked solicitations for $delivery_address), and this host would not answer." "Set spec.addresses.neighborDiscovery of NodePool $POOL to KernelProxy, or let the provider route the prefix to this host."
  elif [ "${delivery_asked:-0}" -gt 0 ]; then
    ok delivery "$PREFIX is on the link: the router asks for each address ($delivery_asked solicitations seen), and this host will answer (neighborDiscovery $NEIGHBORS)"
  else
    warn delivery "no answer came back to $delivery_address, and no router asked for it: the prefix may be led elsewhere, the provider may drop packets of it, or a firewall before the API"
  fi
}

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
      [ -e "$file" ] || mount -t tmpfs tmpfs "${file%/*}"
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
        bad 37 nat64 "$name does not answer through $NAT64_PREFIX, at $nat64_one: $(printable <"$WORK/error" | head -n 1)." "Check the translator, and firewalls on the way."
      fi
      return 0
    done
  done
  ok nat64 "names without IPv6 get addresses of $NAT64_PREFIX, and a route leads there"
}
