# --- Heartbeats: a loop that fetches how often this node is to say that it lives.

HEARTBEATS_DROPIN=$KUBELET_DROPINS/01-exaplane-heartbeats.conf

# heartbeats_start: the loop. Of the ConfigMap it takes numbers alone, so nobody changes more of a kubelet by it.
heartbeats_start() {
  printf '#!/bin/sh\nset --%s\n' "$(quoted "$SERVER" "$NODE" "exaplane-heartbeats-$POOL" "$HEARTBEATS_DROPIN" "$STATE" "$NODE_CERTIFICATE" "$RUN" "$LOGS")"
  cat <<'PROGRAM'
SERVER=$1 NODE=$2 CONFIG_MAP=$3 DROPIN=$4 STATE=$5 KEY=$6 RUN=$7 LOGS=$8
PAUSE=60 LOOKS=0 FAILED='' NAP=''
NUMBER='[1-9][0-9]\{0,5\}'
umask 022
LC_ALL=C
export LC_ALL
trap '[ -z "$NAP" ] || kill "$NAP" 2>/dev/null; exit 0' TERM INT HUP
say() { printf '%s %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$*"; }
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
    --cert "$KEY" --key "$KEY" --request "$ask_method" "$@" "$SERVER$ask_path" </dev/null 2>/dev/null)
}
value() { printf '%s' "$ANSWER" | tr -d ' \t\n' | sed -n "s/.*\"$1\":\"\($2\)\".*/\1/p"; }
tell() {
  ask PATCH "/api/v1/nodes/$NODE" --header 'Content-Type: application/merge-patch+json' \
    --data "{\"metadata\": {\"annotations\": {\"exaplane.io/heartbeats\": \"$(cat "$STATE/heartbeats")\"}}}"
}
began() { sed -n 's/^.*) \([^Z]\) /\1 /p' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20; }
restart() {
  if [ -d /run/systemd/system ] && command -v systemctl >/dev/null 2>&1; then
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
  nohup sh "$STATE/kubelet.sh" >>"$LOGS/kubelet.log" 2>&1 </dev/null 9>&- &
  pid=$!
  printf '%s %s\n' "$pid" "$(began "$pid")" >"$RUN/kubelet.pid"
  nap 5
  [ -n "$(began "$pid")" ]
}
take() {
  lease=${wanted%%-*} report=${wanted##*-} update=${wanted#*-}
  rm -f "$DROPIN.before"
  [ ! -e "$DROPIN" ] || cp "$DROPIN" "$DROPIN.before"
  printf '{"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", "nodeLeaseDurationSeconds": %s, "nodeStatusUpdateFrequency": "%ss", "nodeStatusReportFrequency": "%ss"}\n' \
    "$lease" "${update%-*}" "$report" >"$DROPIN.new" && mv -f "$DROPIN.new" "$DROPIN" || return
  if restart; then
    printf '%s\n' "$wanted" >"$STATE/heartbeats"
    say "the kubelet has the heartbeats $wanted"
    tell
  else
    FAILED=$wanted
    if [ -e "$DROPIN.before" ]; then mv -f "$DROPIN.before" "$DROPIN"; else rm -f "$DROPIN"; fi
    say "the kubelet did not start with the heartbeats $wanted; it has those of before"
    restart
  fi
  rm -f "$DROPIN.before"
}
look() {
  ask GET "/api/v1/namespaces/kube-system/configmaps/$CONFIG_MAP?resourceVersion=0" || return
  wanted=$(value heartbeats "$NUMBER-$NUMBER-$NUMBER") released=$(value releasedPercent '[0-9]\{1,3\}') seconds=$(value secondsBetweenLooks '[1-9][0-9]\{0,3\}')
  PAUSE=${seconds:-$PAUSE}
  [ -n "$wanted" ] && [ "$wanted" != "$(cat "$STATE/heartbeats")" ] && [ "$wanted" != "$FAILED" ] || return
  [ $(($(number_of "$NODE $wanted") % 100)) -lt "${released:-0}" ] || return
  exec 9>/run/exaplane-join.lock
  if flock -n 9; then take; fi
  exec 9>&-
}
until tell; do nap 5; done
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
