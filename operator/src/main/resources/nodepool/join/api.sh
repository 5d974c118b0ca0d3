# --- Checks of the way to the API.

SERVER_PORT=${SERVER##*:}
server_host() { printf '%s\n' "$SERVER" | sed 's|^https://||; s|:[0-9]*$||; s|^\[||; s|\]$||'; }

# The family of a literal address; nothing for a name.
server_family() {
  case $(server_host) in
    *:*) echo 6 ;;
    *[!0-9.]*) ;;
    *) echo 4 ;;
  esac
}

resolvers() { sed -n 's/^nameserver[[:space:]]*\([^[:space:]]*\).*/\1/p' "$(resolv_conf)" 2>/dev/null; }

# resolv_conf: the file that pods get. systemd-resolved's usual file names a resolver that pods cannot reach.
resolv_conf() {
  if grep -q '^nameserver[[:space:]]*127\.0\.0\.53' /etc/resolv.conf 2>/dev/null && [ -e /run/systemd/resolve/resolv.conf ]; then
    echo /run/systemd/resolve/resolv.conf
  else
    echo /etc/resolv.conf
  fi
}

# reachable ADDRESS: whether the kernel has a route to it.
reachable() {
  case $1 in *:*) ip -6 route get "${1%%\%*}" >/dev/null 2>&1 ;; *) ip -4 route get "$1" >/dev/null 2>&1 ;; esac
}

# check_resolver: a name that must resolve is asked for; else it is looked at whether a route leads to the resolvers.
check_resolver() {
  resolver_list=$(resolvers | tr '\n' ' ')
  if [ -z "$(server_family)" ] && ! have getent; then
    bad 10 tools "missing: getent." "Install the package with getent (libc-bin, musl-utils)."
  elif [ -z "$(server_family)" ] && ! getent ahosts "$(server_host)" >/dev/null 2>&1; then
    bad 20 resolver "no answer for $(server_host) from '${resolver_list% }'." "Correct the name servers in $(resolv_conf), or the DNS record of the API."
  elif [ -z "$resolver_list" ]; then
    warn resolver "$(resolv_conf) names none: images of registries cannot be found by name"
  else
    for resolver in $resolver_list; do
      reachable "$resolver" || {
        warn resolver "no route leads to $resolver. On an IPv6-only host, take the resolvers of router advertisements (RDNSS)"
        return 0
      }
    done
    ok resolver "${resolver_list% }"
  fi
}

# check_api: asks over each family, and keeps the answer of the one that works. The clock is compared there too.
check_api() {
  API_ADDRESS=
  api_reasons='' api_clock='' api_untrusted=''
  for family in 6 4; do
    [ -z "$(server_family)" ] || [ "$(server_family)" = $family ] || continue
    if ! name_has $family; then
      api_reasons="$api_reasons IPv$family: the name has no address of this family;"
      continue
    fi
    call none GET /version "-$family"
    case $STATUS in
      000)
        api_cause
        api_reasons="$api_reasons IPv$family: $API_CAUSE;"
        ;;
      *)
        API_ADDRESS=$LOCAL_IP API_REMOTE=$REMOTE_IP
        API_DATE=$(sed -n 's/^[Dd]ate: *\(.*GMT\).*/\1/p' "$WORK/head")
        ok api "$SERVER answers over IPv$family, from $LOCAL_IP"
        check_clock
        return 0
        ;;
    esac
  done
  if [ -n "$api_clock" ]; then
    bad 23 clock "the clock says $(date -u), when the certificate of the API is not valid ($api_clock)." "Set the clock, and run a time daemon such as chrony. If the clock is right, renew the certificate of the API."
  elif [ -n "$api_untrusted" ]; then
    bad 22 api "the certificate of $SERVER is refused ($api_untrusted)." "Fetch the pool's join script again; if this persists, something else answers at that address."
  else
    bad 21 api "$SERVER is not reached:$api_reasons" "Check routes and firewalls on the way to port $SERVER_PORT."
  fi
}

# name_has FAMILY: whether the name of the API has an address of the family; a literal address has its own. A host
# without IPv4 sees IPv4 addresses as ::ffff:192.0.2.1.
name_has() {
  [ -z "$(server_family)" ] || return 0
  case $1 in
    6) getent ahosts "$(server_host)" 2>/dev/null | grep -v '^::ffff:' | grep -q '^[^ ]*:' ;;
    *) getent ahosts "$(server_host)" 2>/dev/null | sed 's/^::ffff://' | grep -q '^[0-9.]* ' ;;
  esac
}

# api_cause: API_CAUSE says in words why the last call had no answer.
api_cause() {
  API_CAUSE=$CURL_ERROR
  case $CURL_EXIT in
    6) API_CAUSE='the name has no address of this family' ;;
    7) API_CAUSE="the connection is refused or fails ($CURL_ERROR)" ;;
    28) API_CAUSE="no answer in time, a firewall may drop the packets ($CURL_ERROR)" ;;
    35 | 51 | 58 | 60 | 77)
      case $CURL_ERROR in
        *'not yet valid'* | *'not active'* | *expired*) api_clock=$CURL_ERROR ;;
        *) api_untrusted=$CURL_ERROR ;;
      esac
      ;;
  esac
  case $CURL_EXIT in 7 | 28) reachable_server || API_CAUSE="the host has no route ($CURL_ERROR)" ;; esac
}

# reachable_server: whether a route leads to the API in the family that was asked; a name counts as reachable.
reachable_server() { [ -z "$(server_family)" ] || reachable "$(server_host)"; }

check_clock() {
  [ -n "$API_DATE" ] || {
    warn clock "the API sent no date to compare with"
    return 0
  }
  clock_off=$(($(now) - $(seconds_of "$API_DATE")))
  if [ "$clock_off" -gt 60 ] || [ "$clock_off" -lt -60 ]; then
    bad 23 clock "the clock is $clock_off s off the API's ($API_DATE); at most 60 s are allowed." "Set the clock, and run a time daemon such as chrony."
  else
    ok clock "$clock_off s off the API's"
  fi
}

# check_token: a node that has its certificate needs no token any more.
check_token() {
  if [ -e "$NODE_CERTIFICATE" ] && own_node; then
    ok token "not needed: the node has its certificate"
    return 0
  fi
  if [ -e "$NODE_CERTIFICATE" ] && [ "$STATUS" = 404 ]; then
    ok token "not needed: the node has its certificate. The Node was deleted, and is made again"
    return 0
  fi
  if [ -e "$NODE_CERTIFICATE" ] && [ "$STATUS" = 401 ]; then
    bad 27 certificate "the API refuses the certificate of this node: $(answer_message)." "Run 'sh join.sh --undo', and join again with a script that holds a new token."
    return 0
  fi
  call token GET "/apis/certificates.k8s.io/v1/certificatesigningrequests?limit=1"
  case $STATUS in
    200) ok token "is accepted" ;;
    401)
      # The API says the same of both.
      if [ "$(now)" -ge "$TOKEN_EXPIRES" ]; then
        bad 25 token "the bootstrap token has expired $(($(now) - TOKEN_EXPIRES)) s ago." "Fetch the join script of NodePool $POOL again: the operator makes a new token."
      else
        bad 24 token "the API does not know the bootstrap token." "Fetch the join script of NodePool $POOL again; another cluster may have the address $SERVER now."
      fi
      ;;
    403) bad 24 token "the bootstrap token may not ask for a certificate: $(answer_message)." "Fetch the join script of NodePool $POOL again; if this persists, check the ClusterRoleBinding exaplane-node-bootstrapper." ;;
    *) bad 21 token "the API answered $STATUS: $(answer_message) $CURL_ERROR." "Check the control plane of pool $POOL." ;;
  esac
}

# check_address: sets ADDRESS, the node's own: the one from which the API is reached, if it has the cluster's family.
check_address() {
  ADDRESS=
  case $(cluster_family)$API_ADDRESS in
    6*:* | 4*.*) ADDRESS=$API_ADDRESS ;;
    6*) ADDRESS=$(source_of -6 2000::1) ;;
    *) ADDRESS=$(source_of -4 192.0.2.1) ;;
  esac
  case $ADDRESS in
    '' | fe80:* | ::1 | 127.*)
      bad 26 address "the host has no global IPv$(cluster_family) address with a route." "Give the host an address that stays, and a default route."
      return 0
      ;;
  esac
  if [ "$(cluster_family)" = 6 ] && ip -6 -o address show scope global temporary 2>/dev/null | awk '{ sub(/\/.*/, "", $4); print $4 }' | grep -qxF "$ADDRESS"; then
    bad 26 address "$ADDRESS is a temporary address, which changes each day." "Set net.ipv6.conf.all.use_tempaddr to 0 and take the address away."
    return 0
  fi
  address_others=$(host_addresses | grep -vF "$ADDRESS/" | cut -d / -f 1 | tr '\n' ' ')
  if [ "$(cluster_family)" = 6 ] && [ -n "$address_others" ]; then
    ok address "$ADDRESS, from which the API is reached; not ${address_others% }"
  else
    ok address "$ADDRESS"
  fi
}

source_of() { ip "$1" route get "$2" 2>/dev/null | sed -n 's/.* src \([^ ]*\).*/\1/p' | head -n 1; }

# check_uplink: what is no error by itself, but breaks networks later.
check_uplink() {
  UPLINK=''
  [ -n "$ADDRESS" ] || return 0
  UPLINK=$(ip -o address show to "$ADDRESS" 2>/dev/null | awk '{ print $2; exit }')
  UPLINK_MTU=$(ip -o link show dev "${UPLINK%%@*}" 2>/dev/null | sed -n 's/.* mtu \([0-9]*\).*/\1/p')
  if [ "${UPLINK_MTU:-1500}" -lt 1280 ]; then
    warn uplink "$UPLINK has an MTU of $UPLINK_MTU; IPv6 needs 1280"
  else
    ok uplink "$UPLINK, MTU ${UPLINK_MTU:-unknown}"
  fi
}
