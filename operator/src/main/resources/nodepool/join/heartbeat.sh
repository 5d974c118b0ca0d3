# --- Heartbeats: a loop that fetches how often this node is to say that it lives, whether its kubelet is to be upgraded, and
# which CAs it is to trust.

HEARTBEATS_DROPIN=$KUBELET_DROPINS/01-exaplane-heartbeats.conf

# heartbeats_start: the loop. Of the ConfigMap it takes numbers, and CAs that a CA of this host has signed. So nobody changes
# more of a kubelet by it.
heartbeats_start() {
  printf '#!/bin/sh\nset --%s\n' "$(quoted "$SERVER" "$NODE" "$POOL" "$NODE_CERTIFICATE" "$HEARTBEATS_DROPIN" "$(command -v kubelet)" "$(command -v kube-proxy)")"
  cat <<'PROGRAM'
SERVER=$1 NODE=$2 POOL=$3 KEY=$4 DROPIN=$5 KUBELET=$6 PROXY=$7 STATE=/etc/kubernetes/exaplane RUN=/run/exaplane
PAUSE=60 LOOKS=0 FAILED='' UPGRADED='' TRIED='' AGAIN=0 NAP='' NUMBER='[1-9][0-9]\{0,5\}'
CA=/etc/kubernetes/pki/exaplane-ca.crt NEXT=$STATE/next-ca REQUESTS=apis/certificates.k8s.io/v1/certificatesigningrequests SERVED=${KEY%client-*}server-current.pem SERVES=''
trap '[ -z "$NAP" ] || kill "$NAP" 2>/dev/null; exit 0' TERM
say() { printf '%s %s\n' "$(date -u)" "$*"; }
nap() {
  sleep "$1" &
  NAP=$!
  wait "$NAP"
  NAP=
}
number_of() { printf '%s' "$1" | cksum | cut -d ' ' -f 1; }
ask() {
  ask_method=$1 ask_path=$2
  shift 2
  ANSWER=$(curl -q --silent --fail --connect-timeout 5 --max-time 20 --globoff --proto =https --noproxy '*' --cacert "$CA" \
    --cert "$KEY" --key "$KEY" --request "$ask_method" "$@" "$SERVER/$ask_path" </dev/null 2>/dev/null)
}
value() { printf '%s' "$ANSWER" | tr -d ' \t\n' | sed -n "s/.*\"$1\":\"\($2\)\".*/\1/p"; }
have() { cat "$STATE/heartbeats"; }
annotate() { ask PATCH "api/v1/nodes/$NODE" --header 'Content-Type: application/merge-patch+json' --data "{\"metadata\": {\"annotations\": {\"exaplane.io/$1\": \"$2\"$3}}}"; }
tell() {
  told=
  [ ! -e "$STATE/authorities" ] || told=", \"exaplane.io/authorities\": \"$(sha256sum <"$STATE/authorities" | cut -c 1-16)\", \"exaplane.io/authorities-failed\": null"
  annotate heartbeats "$(have)" "$told"
}
locked() {
  exec 9>/run/exaplane-join.lock
  if flock -n 9; then "$@"; fi
  exec 9>&-
}
began() { sed -n 's/^.*) \([^Z]\) /\1 /p' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20; }
restart() {
  if [ -d /run/systemd/system ]; then
    systemctl restart "exaplane-$1.service" && nap 5 && systemctl --quiet is-active "exaplane-$1.service"
    return
  fi
  read -r pid start <"$RUN/$1.pid" || return 1
  left=20
  while [ -n "$start" ] && [ "$(began "$pid")" = "$start" ]; do
    if [ "$left" -gt 0 ]; then kill -TERM "$pid"; else kill -KILL "$pid"; fi 2>/dev/null
    left=$((left - 1))
    nap 1
  done
  nohup sh "$STATE/$1.sh" >>"/var/log/exaplane/$1.log" 2>&1 </dev/null 9>&- &
  pid=$!
  printf '%s %s\n' "$pid" "$(began "$pid")" >"$RUN/$1.pid"
  nap 5
  [ -n "$(began "$pid")" ]
}
use() {
  update=${1#*-}
  printf '{"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", "nodeLeaseDurationSeconds": %s, "nodeStatusUpdateFrequency": "%ss", "nodeStatusReportFrequency": "%ss"}\n' \
    "${1%%-*}" "${update%-*}" "${1##*-}" >"$DROPIN.new" && mv -f "$DROPIN.new" "$DROPIN" && restart kubelet
}
take() {
  if use "$wanted"; then
    printf '%s\n' "$wanted" >"$STATE/heartbeats"
    say "the kubelet has the heartbeats $wanted"
    tell
  else
    FAILED=$wanted
    say "the kubelet did not start with the heartbeats $wanted; it has $(have) again"
    use "$(have)"
  fi
}
# is_new FILE: whether its certificate is of the first CA of the bundle, which is the one that signs now.
is_new() { openssl verify -trusted "$NEXT.first" "$1" >/dev/null 2>&1; }
are_new() { is_new "$KEY" && { [ -z "$SERVES" ] || is_new "$SERVED"; }; }
# A CA that this host trusts must have signed the bundle.
is_signed() {
  rm -f "$NEXT".of*
  awk -v of="$NEXT.of" '/BEGIN/ { n++ } { print >(of n) }' "$CA"
  for one in "$NEXT".of*; do
    if openssl x509 -in "$one" -noout -pubkey >"$NEXT.key" 2>/dev/null && openssl dgst -sha256 -verify "$NEXT.key" -signature "$NEXT.proof" "$NEXT" >/dev/null 2>&1; then return 0; fi
  done
  return 1
}
lament() {
  say "does not follow the CAs of the cluster: $1"
  annotate authorities-failed "$1" ''
}
# Asks for a client certificate as a kubelet does, by the certificate that the host has. Nothing changes before it is there.
certify() {
  (umask 077 && openssl ecparam -name prime256v1 -genkey -noout -out "$NEXT.client") 2>/dev/null || return
  csr=$(openssl req -new -key "$NEXT.client" -subj "/O=system:nodes/CN=system:node:$NODE" 2>/dev/null | base64 -w 0)
  ask POST "$REQUESTS" --header 'Content-Type: application/json' --data "{\"metadata\": {\"generateName\": \"exaplane-\"}, \"spec\": {\"signerName\": \"kubernetes.io/kube-apiserver-client-kubelet\", \"usages\": [\"digital signature\", \"client auth\"], \"request\": \"$csr\"}}" || return
  csr=$(value name '[a-z0-9-]*') left=30
  until ask GET "$REQUESTS/$csr" && value certificate '[^"]*' | base64 -d >"$NEXT.pem" 2>/dev/null && is_new "$NEXT.pem"; do
    [ "$left" -gt 0 ] || return
    left=$((left - 1))
    nap 2
  done
  # The kubelet keeps its certificates so.
  pair=${KEY%current.pem}$(date -u +%Y-%m-%d-%H-%M-%S).pem
  (umask 077 && cat "$NEXT.pem" "$NEXT.client" >"$pair") && rm -f "$NEXT.client" && ln -s "$pair" "$KEY.new" && mv -f "$KEY.new" "$KEY"
}
renew() {
  cmp -s "$NEXT" "$CA" || is_signed || {
    lament 'no CA that this host trusts has signed the bundle'
    return
  }
  # A kubelet reads CAs and its certificate when it starts, and forgets CAs by itself.
  if grep -qvxFf "$CA" "$NEXT" || ! are_new; then : >"$STATE/renewing"; fi
  is_new "$KEY" || certify || {
    AGAIN=$((LOOKS + 10))
    lament 'no client certificate of the new CA'
    return
  }
  TRIED=$text
  cp "$NEXT" "$CA.new" && chmod 0644 "$CA.new" && mv -f "$CA.new" "$CA" || return
  if [ -e "$STATE/renewing" ]; then
    is_new "$SERVED" || rm -f "$SERVED"
    restart kubelet || restart kubelet || {
      lament 'the kubelet did not start'
      return
    }
    rm -f "$STATE/renewing"
    restart kube-proxy
    left=60
    until are_new || [ "$left" -eq 0 ]; do
      left=$((left - 1))
      nap 2
    done
  fi
  settled || lament 'no serving certificate of the new CA yet'
}
settled() {
  cmp -s "$NEXT" "$CA" && [ ! -e "$STATE/renewing" ] && are_new && printf '%s\n' "$text" >"$STATE/authorities" && say 'follows the CAs of the cluster' && tell
}
follow() {
  text=$(value authorities '[^"]*') share=$(value authoritiesReleasedPercent '[0-9]\{1,3\}')
  [ -n "$text" ] && [ "$text" != "$(cat "$STATE/authorities" 2>/dev/null)" ] || return
  if ! openssl version >/dev/null 2>&1; then
    [ "$text" = "$TRIED" ] || lament 'openssl is missing on the host'
    TRIED=$text
    return
  fi
  [ ! -e "$SERVED" ] || SERVES=yes
  printf '%s' "$text" | base64 -d >"$NEXT" && value proof '[^"]*' | base64 -d >"$NEXT.proof" && openssl x509 -in "$NEXT" -out "$NEXT.first" 2>/dev/null || return
  settled && return
  [ "$text" != "$TRIED" ] && [ "$LOOKS" -ge "$AGAIN" ] && [ $(($(number_of "$NODE $text") % 100)) -lt "${share:-0}" ] || return
  locked renew
}
look() {
  ask GET "api/v1/namespaces/kube-system/configmaps/exaplane-heartbeats-$POOL?resourceVersion=0" || return
  wanted=$(value heartbeats "$NUMBER-$NUMBER-$NUMBER") released=$(value releasedPercent '[0-9]\{1,3\}') seconds=$(value secondsBetweenLooks "$NUMBER")
  PAUSE=${seconds:-$PAUSE}
  follow
  [ -n "$wanted" ] && [ "$wanted" != "$(have)" ] && [ "$wanted" != "$FAILED" ] && [ $(($(number_of "$NODE $wanted") % 100)) -lt "${released:-0}" ] || return
  locked take
}
has() { [ "$("$1" --version | sed -n 's/^Kubernetes v//p' | cut -d + -f 1)" = "$2" ]; }
both() { has "$KUBELET" "$1" && has "$PROXY" "$1"; }
bring() {
  said='' log=$STATE/upgrade.log
  # A file, since a pipe would be open as long as a program that the file started.
  (umask 077 && : >"$log")
  both "$1" || timeout -k 30 900 /etc/exaplane/upgrade "$1" >>"$log" 2>&1 </dev/null 9>&- || said="exit code $?: "
  if both "$1" && restart kube-proxy && restart kubelet; then
    UPGRADED=$order
    say "upgraded to $1"
    return
  fi
  said=$(printf '%s' "$1: $said$(tail -c 150 "$log")" | tr -c 'A-Za-z0-9 .:/_-' ' ' | cut -c 1-180)
  say "$said"
  annotate upgrade-failed "$said" ''
}
upgrade() {
  [ -x /etc/exaplane/upgrade ] && ask GET "api/v1/nodes/$NODE?resourceVersion=0" -H 'Accept: application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' || return
  order=$(value 'exaplane.io\/upgrade' '[0-9.]*;Drained;[^"]*')
  [ -z "$order" ] || [ "$order" = "$UPGRADED" ] || [ -n "$(value 'exaplane.io\/upgrade-failed' '[^"]*')" ] || locked bring "${order%%;*}"
}
readdress() {
  # A way back that began must end.
  if [ ! -e "$STATE/returning" ]; then
    [ -e "$STATE/moved" ] && ask GET "api/v1/nodes/$NODE" --no-fail || return
    # Gone, or made again by a kubelet that began meanwhile.
    [ -n "$(value reason NotFound)" ] || { [ -n "$(value kind Node)" ] && ! printf '%s' "$ANSWER" | grep -q '"podCIDR"'; } || return
  fi
  # Upgrades change the kubelet, and not the script.
  version=$("$KUBELET" --version | sed -n 's/^Kubernetes v//p' | cut -d + -f 1 | tr -cd '0-9A-Za-z.-')
  [ -z "$version" ] || sed -i "s/^VERSION='.*/VERSION='$version'/" "$STATE/join.sh"
  sh "$STATE/join.sh" --node-name "$NODE" >"$STATE/readdress.log" 2>&1
  say "joins again with another prefix: exit code $?, see $STATE/readdress.log"
  tell
}
WAIT=5
until tell; do
  nap $((WAIT + $(number_of "$NODE $WAIT") % WAIT))
  [ "$WAIT" -ge 160 ] || WAIT=$((WAIT * 2))
done
nap $(($(number_of "$NODE") % PAUSE + 1))
while :; do
  look
  upgrade
  readdress
  LOOKS=$((LOOKS + 1))
  [ $((LOOKS % 10)) -ne 0 ] || tell
  nap "$PAUSE"
done
PROGRAM
}

# start_heartbeats: a drop-in file that the loop wrote counts more than the pool's file.
start_heartbeats() {
  grep -qxF "$HEARTBEATS_DROPIN" "$STATE/created" || note "$HEARTBEATS_DROPIN"
  [ -e "$HEARTBEATS_DROPIN" ] || printf '%s\n' "$HEARTBEATS" >"$STATE/heartbeats"
  put "$STATE/heartbeats.sh" 0644 "$(heartbeats_start)"
  start_unit heartbeats "$CHANGED"
}
