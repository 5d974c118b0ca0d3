# --- Heartbeats: a loop that fetches how often this node is to say that it lives.

HEARTBEATS_DROPIN=$KUBELET_DROPINS/01-exaplane-heartbeats.conf

# heartbeats_start: the loop. Of the ConfigMap it takes numbers alone, so nobody changes more of a kubelet by it.
heartbeats_start() {
  printf '#!/bin/sh\nset --%s\n' "$(quoted "$SERVER" "$NODE" "$POOL" "$NODE_CERTIFICATE" "$HEARTBEATS_DROPIN")"
  cat <<'PROGRAM'
SERVER=$1 NODE=$2 POOL=$3 KEY=$4 DROPIN=$5 STATE=/etc/kubernetes/exaplane RUN=/run/exaplane
PAUSE=60 LOOKS=0 FAILED='' NAP='' NUMBER='[1-9][0-9]\{0,5\}'
trap '[ -z "$NAP" ] || kill "$NAP" 2>/dev/null; exit 0' TERM
say() { printf '%s %s\n' "$(date -u)" "$*"; }
nap() {
  sleep "$1" &
  NAP=$!
  wait "$NAP"
  NAP=
}
number_of() { number_line=$(printf '%s' "$1" | cksum) && echo "${number_line%% *}"; }
ask() {
  ask_method=$1 ask_path=$2
  shift 2
  ANSWER=$(curl -q --silent --fail --connect-timeout 5 --max-time 20 --globoff --proto =https --noproxy '*' --cacert /etc/kubernetes/pki/exaplane-ca.crt \
    --cert "$KEY" --key "$KEY" --request "$ask_method" "$@" "$SERVER/api/v1/$ask_path" </dev/null 2>/dev/null)
}
value() { printf '%s' "$ANSWER" | tr -d ' \t\n' | sed -n "s/.*\"$1\":\"\($2\)\".*/\1/p"; }
have() { cat "$STATE/heartbeats"; }
tell() {
  ask PATCH "nodes/$NODE" --header 'Content-Type: application/merge-patch+json' --data "{\"metadata\": {\"annotations\": {\"exaplane.io/heartbeats\": \"$(have)\"}}}"
}
began() { sed -n 's/^.*) \([^Z]\) /\1 /p' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20; }
restart() {
  if [ -d /run/systemd/system ]; then
    systemctl restart exaplane-kubelet.service && nap 5 && systemctl --quiet is-active exaplane-kubelet.service
    return
  fi
  read -r pid start <"$RUN/kubelet.pid" || return 1
  left=20
  while [ -n "$start" ] && [ "$(began "$pid")" = "$start" ]; do
    if [ "$left" -gt 0 ]; then kill -TERM "$pid"; else kill -KILL "$pid"; fi 2>/dev/null
    left=$((left - 1))
    nap 1
  done
  nohup sh "$STATE/kubelet.sh" >>/var/log/exaplane/kubelet.log 2>&1 </dev/null 9>&- &
  pid=$!
  printf '%s %s\n' "$pid" "$(began "$pid")" >"$RUN/kubelet.pid"
  nap 5
  [ -n "$(began "$pid")" ]
}
use() {
  update=${1#*-}
  printf '{"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", "nodeLeaseDurationSeconds": %s, "nodeStatusUpdateFrequency": "%ss", "nodeStatusReportFrequency": "%ss"}\n' \
    "${1%%-*}" "${update%-*}" "${1##*-}" >"$DROPIN.new" && mv -f "$DROPIN.new" "$DROPIN" && restart
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
look() {
  ask GET "namespaces/kube-system/configmaps/exaplane-heartbeats-$POOL?resourceVersion=0" || return
  wanted=$(value heartbeats "$NUMBER-$NUMBER-$NUMBER") released=$(value releasedPercent '[0-9]\{1,3\}') seconds=$(value secondsBetweenLooks "$NUMBER")
  PAUSE=${seconds:-$PAUSE}
  [ -n "$wanted" ] && [ "$wanted" != "$(have)" ] && [ "$wanted" != "$FAILED" ] && [ $(($(number_of "$NODE $wanted") % 100)) -lt "${released:-0}" ] || return
  exec 9>/run/exaplane-join.lock
  if flock -n 9; then take; fi
  exec 9>&-
}
WAIT=5
until tell; do
  nap $((WAIT + $(number_of "$NODE $WAIT") % WAIT))
  [ "$WAIT" -ge 160 ] || WAIT=$((WAIT * 2))
done
nap $(($(number_of "$NODE") % PAUSE + 1))
while :; do
  look
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
