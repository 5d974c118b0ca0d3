# --- The client that asks a DHCPv6 server for a prefix: dhcpcd, kept by this script, for one interface and one prefix.

requested() { [ "$SOURCE" = RequestedPrefix ]; }

# from_prefix: whether the host takes its own address from the prefix.
from_prefix() { requested && [ "$HOST_ADDRESS" = FromPrefix ]; }

# requested_sysctls: an address that the prefix replaces is not made (RFC 9762). Kernels before 6.12 make it.
requested_sysctls() {
  from_prefix && [ -n "$(uplink)" ] || return 0
  [ ! -e "/proc/sys/net/ipv6/conf/$(uplink)/ra_honor_pio_pflag" ] || echo "net/ipv6/conf/$(uplink)/ra_honor_pio_pflag 1"
}

# client_config HOOK: dhcpcd sets no address and no route, and leaves router advertisements to others. The server knows the
# host by the MAC address, so a disk that is made anew gets the same prefix.
client_config() {
  printf 'ipv6only\nnoipv6rs\nnoconfigure\nduid ll\nscript %s\ntimeout 0\ninterface %s\nia_pd 1/::/%s\n' "$1" "$(uplink)" "$REQUESTED_LENGTH"
}

# client_hook FILE: what dhcpcd runs when something happens. The FILE has what the server delegates, one prefix a line,
# and is empty once a lease has ended. Packets for addresses of no pod end here.
client_hook() {
  printf '#!/bin/sh\n# Written by join.sh of pool %s. dhcpcd runs this file.\n' "$POOL"
  assignment FILE "$1"
  assignment HOST_ADDRESS "$HOST_ADDRESS"
  assignment MODE "$(ip -d -o link show dev "$(uplink)" | sed -n 's/.* addrgenmode \([a-z0-9_]*\).*/\1/p')"
  cat <<'EOF'
LC_ALL=C
export LC_ALL
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# dhcpcd turns link-local addresses of the kernel off, and makes none itself here.
[ -z "$MODE" ] || ip link set dev "$interface" addrgenmode "$MODE"

# prefixes FIELD: those whose lifetime of that name is not over.
prefixes() {
  awk -v field="$1" 'BEGIN {
    for (i = 1; i <= 8; i++) {
      name = "new_dhcp6_ia_pd1_prefix" i
      if (ENVIRON[name "_" field] + 0 > 0) printf "%s/%s ", ENVIRON[name], ENVIRON[name "_length"]
    }
  }'; }

# first PREFIX: its first address; nothing if the prefix has no room for a group of its own.
first() { case $1 in *::/*) echo "${1%/*}1/128" ;; *:0/*) echo "${1%0/*}1/128" ;; esac; }

case $reason in
  BOUND6 | REBIND6 | REBOOT6 | RENEW6)
    new=$(prefixes pltime)
    [ -n "$new" ] || new=$(prefixes vltime)
    ;;
  # A cable that is out ends no lease.
  EXPIRE6) [ "$ifcarrier" != down ] && new='' || exit 0 ;;
  RELEASE6) new='' ;;
  *) exit 0 ;;
esac
for prefix in $(cat "$FILE" 2>/dev/null); do
  case " $new" in *" $prefix "*) continue ;; esac
  ip -6 route delete unreachable "$prefix" metric 4097 2>/dev/null
  [ "$HOST_ADDRESS" != FromPrefix ] || ip -6 address delete "$(first "$prefix")" dev "$interface" 2>/dev/null
done
for prefix in $new; do
  ip -6 route replace unreachable "$prefix" metric 4097
  [ "$HOST_ADDRESS" != FromPrefix ] || ip -6 address replace "$(first "$prefix")" dev "$interface" nodad
done
mkdir -p "${FILE%/*}"
printf '%s' "$new" | tr ' ' '\n' >"$FILE.new" && mv -f "$FILE.new" "$FILE"
EOF
}

# client_start FOLDER OPTION…: a program that becomes dhcpcd. Its notes are in the FOLDER, and it knows nothing of another
# dhcpcd of the host.
client_start() {
  printf '#!/bin/sh\n# Written by join.sh of pool %s.\nset --%s\n' "$POOL" "$(quoted "$@" "$(uplink)")"
  cat <<'EOF'
mkdir -p /run/dhcpcd
exec unshare --mount sh -c 'folder=$1
shift
for notes in /var/lib/dhcpcd /var/db/dhcpcd; do [ ! -d "$notes" ] || mount --bind "$folder" "$notes" || exit 1; done
mount -t tmpfs tmpfs /run/dhcpcd && exec dhcpcd -6 -B -f "$folder/dhcpcd.conf" "$@"' sh "$@"
EOF
}

# check_client: asks the server once, unless the client of an earlier join has a lease. Sets DELEGATED_FILE to the answer.
check_client() {
  requested || return 0
  client_link=$(uplink)
  if ! have dhcpcd || ! have unshare; then
    bad 10 client "missing: dhcpcd or unshare." "Install dhcpcd (Debian: dhcpcd-base) and util-linux."
  elif [ -z "$client_link" ] || ! ip link show dev "$client_link" >/dev/null 2>&1; then
    bad 29 client "the host has no IPv6 default route${INTERFACE:+ on $INTERFACE}, so no interface to ask on." "Check router advertisements, or set spec.addresses.interfaceName of NodePool $POOL."
  elif alive client; then
    client_say "$(last_words client)"
  elif grep -q '^ *[0-9]*: [0-9A-F]*:0222 ' /proc/net/udp6; then
    bad 38 client "another DHCPv6 client listens on UDP port 546." "Turn DHCPv6 off there, or let that client write the prefix into a file, with the source DelegatedPrefix."
  else
    client_ask
  fi
}

# client_ask: the lease stays at the server, which gives the same one to the join. A prefix is for one interface.
client_ask() {
  mkdir -m 0755 "$WORK/dhcpcd"
  DELEGATED_FILE=$WORK/requested
  client_hook "$DELEGATED_FILE" >"$WORK/dhcpcd/hook"
  chmod 0755 "$WORK/dhcpcd/hook"
  client_config "$WORK/dhcpcd/hook" >"$WORK/dhcpcd/dhcpcd.conf"
  client_start "$WORK/dhcpcd" -1 >"$WORK/client.sh"
  timeout 30 sh "$WORK/client.sh" >"$WORK/client.log" 2>&1 9>&-
  client_say "$(tail -n 3 "$WORK/client.log" | printable)"
}

# client_say LOG: the outcome.
client_say() {
  if [ -s "$DELEGATED_FILE" ]; then
    ok client "the server on $client_link delegates $(tr '\n' ' ' <"$DELEGATED_FILE")"
  else
    warn client "no server on $client_link has delegated a prefix: $(printf '%s' "$1" | tr '\n' ' ')"
  fi
}

# client_back: takes back what the question put on the host.
client_back() {
  [ -e "$WORK/dhcpcd/hook" ] || return 0
  reason=RELEASE6 interface=$client_link sh "$WORK/dhcpcd/hook" 2>/dev/null
  rmdir /run/dhcpcd 2>/dev/null
}

# client_end: the same, unless a join follows.
client_end() { [ "$MODE" = join ] && [ "$FIRST_FAILURE" -eq 0 ] || client_back; }

# own_of_prefix: the host is known by its address of the prefix.
own_of_prefix() {
  from_prefix || return 0
  for own in $(cat "$DELEGATED_FILE" 2>/dev/null); do
    own_found=$(address_at "$own" 1)
    [ -n "$(ip -6 -o address show to "$own_found" 2>/dev/null)" ] || continue
    ADDRESS=$own_found
    ok address "$ADDRESS, the first one of $own"
  done
}

# start_client: keeps the lease from now on.
start_client() {
  requested || return 0
  step 'prefix client'
  client_back
  DELEGATED_FILE=/run/exaplane/requested
  make_folder "$STATE/dhcpcd"
  put "$STATE/dhcpcd/dhcpcd.conf" 0644 "$(client_config "$STATE/dhcpcd/hook")"
  client_changed=$CHANGED
  put "$STATE/dhcpcd/hook" 0755 "$(client_hook "$DELEGATED_FILE")"
  put "$STATE/client.sh" 0644 "$(client_start "$STATE/dhcpcd")"
  start_unit client "$client_changed$CHANGED"
  client_wait=$(($(now) + 60))
  until [ -s "$DELEGATED_FILE" ]; do
    alive client && [ "$(now)" -lt "$client_wait" ] || fail 31 "dhcpcd ended, or no server has delegated a prefix in 60 s: $(last_words client)." "Check the DHCPv6 server, and the relay."
    pause
  done
  client_found=$(requested_prefixes)
  [ -z "$PREFIX_FOUND" ] || [ "$client_found" = "$PREFIX" ] ||
    fail 31 "the server delegated $PREFIX a moment ago, and delegates $client_found now." "Let the server keep the prefix of a host for as long as the lease lives, and run the script again."
}

# undo_client: gives the prefix back to the server.
undo_client() {
  client_back
  [ -e "$STATE/client.sh" ] || return 0
  client_file=/run/exaplane/requested
  if alive client; then
    if systemd_runs; then alive_pid=$(systemctl show --property=MainPID --value exaplane-client.service); fi
    kill -ALRM "$alive_pid" 2>/dev/null
    client_wait=$(($(now) + 10))
    while [ -s "$client_file" ] && [ "$(now)" -lt "$client_wait" ]; do pause; done
  fi
  stop client
  [ ! -s "$client_file" ] || reason=RELEASE6 interface=$(sed -n 's/^interface //p' "$STATE/dhcpcd/dhcpcd.conf") sh "$STATE/dhcpcd/hook"
  rm -f "$client_file"
  rmdir /run/dhcpcd 2>/dev/null
  return 0
}
