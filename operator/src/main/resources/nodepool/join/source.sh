# --- Where the prefix of this host comes from.

# host_addresses: address/length of every stable global IPv6 address, one a line, without the gateway of pods.
host_addresses() {
  gateway=" $BRIDGE "
  [ "$POD_LINK" = Bridge ] || gateway=' veth.* inet6 [^ ]*/128 '
  ip -6 -o address show scope global 2>/dev/null | grep -v -e ' temporary' -e ' deprecated' -e "$gateway" | awk '{ print $4 }'
}

# link_addresses: those of the pool's interface if the pool names one, else all.
link_addresses() {
  if [ -z "$INTERFACE" ]; then
    host_addresses
  else
    ip -6 -o address show dev "$INTERFACE" scope global 2>/dev/null | grep -v -e ' temporary' -e ' deprecated' | awk '{ print $4 }'
  fi
}

# uplink: the interface of pods' packets: the pool's, or that of the default route.
uplink() {
  if [ -n "$INTERFACE" ]; then
    printf '%s\n' "$INTERFACE"
  else
    ip -6 route get 2000::1 2>/dev/null | sed -n 's/.* dev \([^ ]*\).*/\1/p' | head -n 1
  fi
}

# routed_prefixes: prefixes of the pool that lead nowhere yet: so a host holds a delegated prefix.
routed_prefixes() {
  {
    ip -6 route show type unreachable 2>/dev/null
    ip -6 route show type blackhole 2>/dev/null
  } | awk '{ print ($1 ~ /:/ ? $1 : $2) }' | while IFS= read -r routed; do
    case $routed in */"$PREFIX_LENGTH") if in_pool "$routed"; then network "$routed"; fi ;; esac
  done | sort -u
}

# parts_of_own: a part for pods of each network of the pool in which the host has an address.
parts_of_own() {
  link_addresses | while IFS= read -r own; do
    if [ "${own##*/}" -lt "$PREFIX_LENGTH" ] && in_pool "$own"; then
      part_for_pods "$own" "$PREFIX_LENGTH" "${own%/*}"
    fi
  done | sort -u
}

# own_networks: network and address of the host, for each network of the pool that the link has. A host with DHCPv6 has an
# address of its own alone, and the network by a route of router advertisements, of the kernel or of a daemon.
own_networks() {
  link_addresses | while IFS= read -r own; do
    if [ "${own##*/}" -lt "$PREFIX_LENGTH" ]; then
      if in_pool "$own"; then printf '%s %s\n' "$(network "$own")" "${own%/*}"; fi
      continue
    fi
    ip -6 route show 2>/dev/null | grep -v -e ' via ' -e '^default' -e " dev $BRIDGE " | while IFS=' ' read -r link _; do
      case $link in
        */*)
          if [ "${link##*/}" -lt "$PREFIX_LENGTH" ] && in_pool "$link" && inside "${own%/*}" "$link"; then
            printf '%s %s\n' "$(network "$link")" "${own%/*}"
          fi
          ;;
      esac
    done
  done | sort | awk '$1 != last { print; last = $1 }'
}

static_prefixes() {
  found=$(routed_prefixes)
  [ -n "$found" ] || found=$(parts_of_own)
  printf '%s\n' "$found" | grep .
}

# attempt: how often another part was asked for.
attempt() { cat "$STATE/attempt" 2>/dev/null || echo 0; }

# kept_part NETWORK: the part with which the host joined, if it is of this network: whatever addresses the host gets later.
kept_part() {
  kept_part=$(cat "$STATE/prefix" 2>/dev/null) && [ -e "$STATE/found" ] && inside "$kept_part" "$1" && printf '%s\n' "$kept_part"
}

# derived_prefixes ATTEMPT: of each own network the part that no other host of the link derives. It is never the first
# part, in which routers and addresses that persons chose are, nor one with an address of this host.
derived_prefixes() {
  own_networks | while IFS=' ' read -r derived_network derived_own; do
    if [ "$1" = "$(attempt)" ] && kept_part "$derived_network"; then continue; fi
    derived_try=$1
    while [ "$derived_try" -lt 1000 ]; do
      derived=$(derived_part "$derived_network" "$PREFIX_LENGTH" "$derived_own" "$derived_try")
      if ! inside "${derived_network%/*}" "$derived" && ! holds_own_address "$derived"; then
        printf '%s\n' "$derived"
        break
      fi
      derived_try=$((derived_try + 100))
    done
  done
}

# holds_own_address CIDR: whether an address of this host lies in the CIDR; the bridge's own does not count.
holds_own_address() {
  for prefix_own in $(host_addresses); do
    if inside "${prefix_own%/*}" "$1"; then return 0; fi
  done
  return 1
}

# metadata_text: what the metadata service says. A service without IMDSv2 gets no header.
metadata_text() {
  metadata_mac=$(cat "/sys/class/net/$(uplink)/address" 2>/dev/null)
  metadata_url=$(printf '%s' "$METADATA_URL" | sed "s/{mac}/$metadata_mac/g")
  metadata_token=
  if [ "$METADATA_SESSION" = IMDSv2 ]; then
    metadata_token=$(curl -q --silent --show-error --fail --globoff --noproxy '*' --connect-timeout 2 --max-time 5 --request PUT \
      --header 'X-aws-ec2-metadata-token-ttl-seconds: 300' "$(printf '%s' "$METADATA_URL" | sed 's|^\(http://[^/]*\).*|\1|')/latest/api/token" 2>"$WORK/source") || return 1
    # The token becomes a line of options of curl: an answer must not be able to begin another one.
    metadata_token=$(printf '%s' "$metadata_token" | tr -cd 'A-Za-z0-9=_+/.-')
  fi
  printf 'header = "X-aws-ec2-metadata-token: %s"\n' "$metadata_token" | sed '/: "$/d' |
    curl -q --silent --show-error --fail --globoff --noproxy '*' --connect-timeout 2 --max-time 5 --config - "$metadata_url" 2>"$WORK/source"
}

# delegated_prefixes: what file or metadata service names.
delegated_prefixes() {
  : >"$WORK/source"
  if [ -n "$DELEGATED_FILE" ]; then
    cat "$DELEGATED_FILE" 2>"$WORK/source"
  else
    metadata_text
  fi | delegated_parts
}

# requested_prefixes: what the DHCPv6 server delegates. The words for a lease that has ended are what the operator shows.
requested_prefixes() {
  : >"$WORK/source"
  if [ -e "$DELEGATED_FILE" ] && [ ! -s "$DELEGATED_FILE" ]; then
    echo 'none: the DHCPv6 lease has ended'
  else
    cat "$DELEGATED_FILE" 2>/dev/null | delegated_parts
  fi
}

# delegated_parts: of each prefix on standard input that lies in the pool, the first part of the pool's length.
delegated_parts() {
  sed 's/#.*//' | tr ' \t\r,' '\n\n\n\n' | while IFS= read -r delegated || [ -n "$delegated" ]; do
    delegated=$(network "$delegated") || continue
    [ "${delegated##*/}" -le "$PREFIX_LENGTH" ] || continue
    in_pool "$delegated" || continue
    if kept_part "$delegated"; then continue; fi
    delegated_part=${delegated%/*}/$PREFIX_LENGTH
    if [ "${delegated##*/}" -lt "$PREFIX_LENGTH" ] && holds_own_address "$delegated_part"; then
      delegated_part=$(part_for_pods "$delegated" "$PREFIX_LENGTH" "${delegated%/*}")
    fi
    printf '%s\n' "$delegated_part"
  done | sort -u
}

# found_prefixes: what this host has for pods by the pool's source, one a line.
found_prefixes() {
  case $SOURCE in
    HostPrefix) derived_prefixes "$(attempt)" ;;
    DelegatedPrefix) delegated_prefixes ;;
    RequestedPrefix) requested_prefixes ;;
    *) static_prefixes ;;
  esac
}

# report_prefix CIDR: says in the Node which prefix the host has now. The operator names the move. Only a host that finds
# its prefix by itself comes back by itself.
report_prefix() {
  report_way=null
  [ ! -e "$STATE/found" ] || report_way='"yes"'
  printf '{"metadata": {"annotations": {"exaplane.io/pod-prefix": "%s", "exaplane.io/readdresses": %s, "exaplane.io/pod-prefix-refused": null}}}' "$1" "$report_way" >"$WORK/patch"
  call node PATCH "/api/v1/nodes/$NODE" --header 'Content-Type: application/merge-patch+json' --data-binary "@$WORK/patch"
  [ "$STATUS" = 200 ]
}

# egress_on CIDR NUMBER: packets from the CIDR leave by the pool's interface, unless a route of their own leads elsewhere.
# NUMBER is that of the table and of the first rule.
egress_on() {
  egress_route=$(ip -6 route show default dev "$INTERFACE" | head -n 1)
  [ -n "$egress_route" ] || {
    echo "$INTERFACE has no default route" >&2
    return 1
  }
  egress_via=$(printf '%s\n' "$egress_route" | sed -n 's/.* via \([^ ]*\).*/\1/p')
  ip -6 route replace default ${egress_via:+via "$egress_via"} dev "$INTERFACE" table "$2" &&
    egress_rule "$2" "$1" main suppress_prefixlength 0 && egress_rule "$(($2 + 1))" "$1" "$2"
}

# egress_rule NUMBER CIDR TABLE…: unless it is there.
egress_rule() {
  egress_number=$1 egress_from=$2
  shift 2
  ip -6 rule show | grep -q "^$egress_number:.*from $egress_from lookup $1" || ip -6 rule add pref "$egress_number" from "$egress_from" lookup "$@"
}

egress_off() { # NUMBER
  ip -6 rule delete pref "$1" 2>/dev/null
  ip -6 rule delete pref "$(($1 + 1))" 2>/dev/null
  ip -6 route flush table "$1" 2>/dev/null
}
: lib-ends
