# --- Processes: units where systemd runs, else processes with a pid file each.

RUN=/run/exaplane
LOGS=/var/log/exaplane

# began PID: when a process started, in ticks since boot; nothing for one that has ended. A number may be used again.
began() { sed -n 's/^.*) \([^Z]\) /\1 /p' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20; }

# alive PROGRAM: whether what this script started runs.
alive() {
  if systemd_runs; then
    systemctl --quiet is-active "exaplane-$1.service"
    return
  fi
  [ -r "$RUN/$1.pid" ] || return 1
  read -r alive_pid alive_began <"$RUN/$1.pid" || return 1
  [ -n "$alive_began" ] && [ "$(began "$alive_pid")" = "$alive_began" ]
}

# start PROGRAM COMMAND…: in the background, unless the program runs.
start() {
  start_name=$1
  shift
  if alive "$start_name"; then return 0; fi
  make_folder "$RUN"
  make_folder "$LOGS"
  : >>"$LOGS/$start_name.log"
  # Pods read files that kubelet and containerd make. The lock must not outlive this script.
  umask 022
  nohup "$@" >>"$LOGS/$start_name.log" 2>&1 </dev/null 9>&- &
  start_pid=$!
  umask 077
  note "$RUN/$start_name.pid"
  printf '%s %s\n' "$start_pid" "$(began $start_pid)" >"$RUN/$start_name.pid"
}

# start_unit PROGRAM CHANGED: as a unit, or in the background. A program whose files changed starts again.
start_unit() {
  if systemd_runs; then
    put "/etc/systemd/system/exaplane-$1.service" 0644 "$(unit "$1")"
    [ -z "$CHANGED" ] || systemctl daemon-reload
    systemctl --quiet enable "exaplane-$1.service"
    if [ -n "$2$CHANGED" ]; then systemctl restart "exaplane-$1.service"; else systemctl start "exaplane-$1.service"; fi ||
      fail 1 "systemctl could not start exaplane-$1.service." "Check 'journalctl --unit exaplane-$1'."
    return 0
  fi
  [ -z "$2" ] || stop "$1"
  start "$1" sh "$STATE/$1.sh"
}

# stop PROGRAM: asks it to end, and ends it after ten seconds.
stop() {
  if systemd_runs && [ -e "/etc/systemd/system/exaplane-$1.service" ]; then
    systemctl --quiet disable --now "exaplane-$1.service"
    return 0
  fi
  alive "$1" || return 0
  kill -TERM "$alive_pid" 2>/dev/null
  stop_end=$(($(now) + 10))
  while alive "$1" && [ "$(now)" -lt "$stop_end" ]; do pause; done
  if alive "$1"; then kill -KILL "$alive_pid" 2>/dev/null; fi
  while alive "$1"; do pause; done
}

# last_words PROGRAM: the end of its log.
last_words() {
  if systemd_runs; then
    journalctl --unit "exaplane-$1" --lines 5 --no-pager --output cat 2>/dev/null | printable
  else
    tail -n 5 "$LOGS/$1.log" 2>/dev/null | cut -c 1-400 | printable
  fi
}

# start_containerd: one that runs starts again to read the file of this script, also if a former run ended in between. Without
# systemd, the file was written while no containerd ran.
start_containerd() {
  containerd_verb=start
  [ ! -e "$STATE/unread" ] || ! systemd_runs || containerd_verb=restart
  if [ $containerd_verb = restart ] || ! containerd_answers; then
    if systemd_runs; then
      systemctl $containerd_verb containerd.service || fail 13 "systemctl could not start containerd.service." "Check 'journalctl --unit containerd'."
    else
      start containerd containerd
    fi
    containerd_end=$(($(now) + 30))
    until containerd_answers; do
      [ "$(now)" -lt "$containerd_end" ] || fail 13 "containerd does not answer at $(containerd_socket) after 30 s: $(last_words containerd)." "Check containerd's log and $CONTAINERD_FILE."
      pause
    done
  fi
  rm -f "$STATE/unread"
}
