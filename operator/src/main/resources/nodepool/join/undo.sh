# --- Undo: the way back, in the opposite order.

# undo_all: removes what a join made, and says what could not be removed; true if nothing is left.
undo_all() {
  undo_left=
  if ! joined; then return 0; fi
  # First: it may start the kubelet again.
  stop heartbeats
  stop kube-proxy
  stop kubelet
  undo_containers
  stop containerd
  undo_shims
  undo_client
  undo_network
  undo_folders
  undo_cgroups
  undo_sysctls
  if [ -n "$undo_left" ]; then
    complain "left: $undo_left"
    return 1
  fi
  undo_containerd
  undo_files
}

# of_kubernetes: no process that never ends, such as one of a dead volume, may keep this script.
of_kubernetes() { timeout 30 ctr --address "$(containerd_socket)" --namespace k8s.io "$@" 2>/dev/null; }

# undo_containers: ends every container of Kubernetes, and gives back its network namespace. A busy containerd may refuse
# some at first, so all that is left is tried again.
undo_containers() {
  containers_end=$(($(now) + 30))
  until containerd_answers; do
    # Only a containerd that this script started must answer.
    alive containerd && [ "$(now)" -lt "$containers_end" ] || return 0
    pause
  done
  until containers_left=$(of_kubernetes containers list --quiet) && [ -z "$containers_left" ]; do
    for container in $containers_left; do
      of_kubernetes containers info "$container" | flat |
        awk -F '\t' '$1 ~ /\.linux\.namespaces\[[0-9]+\]\.path$/ && $2 ~ /netns/ { print $2 }' >>"$WORK/netns"
      of_kubernetes tasks delete --force "$container" >/dev/null
      of_kubernetes containers delete "$container" >/dev/null
    done
    if [ "$(now)" -ge "$containers_end" ]; then
      undo_left="$undo_left containers of Kubernetes;"
      break
    fi
    pause
  done
  [ -e "$WORK/netns" ] || return 0
  sort -u "$WORK/netns" | while IFS= read -r netns; do
    umount "$netns" 2>/dev/null
    rm -f "$netns"
  done
}

# shims: the processes of this host's containerd that hold Kubernetes' containers. Those of a containerd in a container
# have another namespace of processes.
shims() {
  grep -ls containerd-shim /proc/[0-9]*/cmdline | while IFS= read -r shim; do
    shim=${shim%/cmdline}
    [ "$(readlink "$shim/ns/pid")" = "$(readlink /proc/self/ns/pid)" ] || continue
    { tr '\000' '\n' <"$shim/cmdline" | awk 'BEGIN { socket = ARGV[1]; ARGV[1] = "" }
      NR == 1 { shim = /(^|\/)containerd-shim[^\/]*$/ }
      option == "-namespace" { of = $0 }
      option == "-address" { at = $0 }
      { option = $0 }
      END { sub(/^\/var\/run\//, "/run/", at); sub(/^\/var\/run\//, "/run/", socket); exit !(shim && of == "k8s.io" && at == socket) }' "$(containerd_socket)"; } 2>/dev/null &&
      printf '%s\n' "${shim#/proc/}"
  done
}

# children PID: its processes.
children() { cat /proc/[0-9]*/stat 2>/dev/null | awk 'BEGIN { of = ARGV[1]; ARGV[1] = "" } { pid = $1; sub(/^.*\) /, ""); if ($2 == of) print pid }' "$1"; }

# undo_shims: a busy containerd may forget a shim before the shim has ended, and a shim that nobody knows runs for ever.
# Each gets time to end by itself, then a signal, then its end with all that it runs.
undo_shims() {
  for shim_signal in 0 TERM KILL; do
    shim_looks=0
    while
      shims_left=$(shims)
      [ -n "$shims_left" ] && [ "$shim_looks" -lt 6 ]
    do
      for shim in $shims_left; do
        if [ "$shim_signal" = KILL ]; then
          for child in $(children "$shim"); do kill -KILL "$child" 2>/dev/null; done
        fi
        kill "-$shim_signal" "$shim" 2>/dev/null
      done
      shim_looks=$((shim_looks + 1))
      pause
    done
  done
  [ -z "$shims_left" ] || undo_left="$undo_left shims of containerd, processes $(printf '%s' "$shims_left" | tr '\n' ' ');"
}

undo_network() {
  undo_host_network
  for family in ip ip6; do
    nft delete table $family kube-proxy 2>/dev/null
  done
  if bridged && [ -e "$CNI_FOLDER/10-exaplane.conflist" ] && ip link show dev "$BRIDGE" >/dev/null 2>&1; then
    ip link delete "$BRIDGE" || undo_left="$undo_left the bridge $BRIDGE;"
  fi
}

# mounts_below FOLDER: the newest first. The kernel writes blanks and backslashes in octal.
mounts_below() {
  awk 'BEGIN { folder = ARGV[1] "/"; ARGV[1] = "" }
    index($5, folder) == 1 {
      path = $5; out = ""
      while ((at = index(path, "\\")) > 0) {
        code = substr(path, at + 1, 3)
        out = out substr(path, 1, at - 1) (code == "040" ? " " : code == "011" ? "\t" : code == "134" ? "\\" : "\\" code)
        path = substr(path, at + 4)
      }
      list = out path "\n" list
    }
    END { printf "%s", list }' "$1" /proc/self/mountinfo
}

# undo_folders: what kubelet and CNI plugins put where this script began; what was there before stays.
undo_folders() {
  [ -e "$STATE/born" ] || [ -e "$STATE/kept" ] || return 0
  mounts_below /var/lib/kubelet | while IFS= read -r mounted; do
    umount "$mounted" 2>/dev/null || umount -l "$mounted"
  done
  # What is still mounted there may be a volume with data.
  if [ -n "$(mounts_below /var/lib/kubelet)" ]; then
    undo_left="$undo_left mounts below /var/lib/kubelet;"
    return 0
  fi
  if [ -e "$STATE/born" ]; then
    while IFS= read -r born; do rm -rf "$born" || undo_left="$undo_left $born;"; done <"$STATE/born"
  fi
  for folder in /var/lib/kubelet /var/lib/cni /var/log/pods /var/log/containers; do
    [ -d "$folder" ] || continue
    find "$folder" -mindepth 1 -maxdepth 1 >"$WORK/found"
    while IFS= read -r found; do
      grep -qxF "$found" "$STATE/kept" 2>/dev/null || rm -rf "$found" || undo_left="$undo_left $found;"
    done <"$WORK/found"
  done
  rm -rf "$RUN/ipam"
  # What the CNI plugins remember of pods of this network.
  for result in /var/lib/cni/results/exaplane-*-eth0; do
    [ -e "$result" ] || continue
    result_pod=${result##*/exaplane-}
    rm -f "$result" "/var/lib/cni/results/cni-loopback-${result_pod%-eth0}-lo"
  done
}

# undo_cgroups: of pods. Each has its folder in every controller of v1. Pods' last processes take a moment to end.
undo_cgroups() {
  cgroup_root=$(setting cgroupRoot '')
  cgroup_end=$(($(now) + 10))
  while :; do
    cgroup_left=
    for cgroup in /sys/fs/cgroup"$cgroup_root"/kubepods* /sys/fs/cgroup/*"$cgroup_root"/kubepods*; do
      [ -d "$cgroup" ] || continue
      find "$cgroup" -depth -type d -exec rmdir {} \; 2>/dev/null
      [ ! -d "$cgroup" ] || cgroup_left=$cgroup
    done
    [ -n "$cgroup_left" ] && [ "$(now)" -lt "$cgroup_end" ] || break
    pause
  done
  [ -z "$cgroup_left" ] || undo_left="$undo_left $cgroup_left;"
}

undo_sysctls() {
  [ -e "$STATE/sysctls" ] || return 0
  while read -r name value; do
    [ "$(cat "/proc/sys/$name" 2>/dev/null)" = "$value" ] || printf '%s\n' "$value" 2>/dev/null >"/proc/sys/$name" || undo_left="$undo_left the sysctl $name;"
  done <"$STATE/sysctls"
}

# undo_starter: what cloud-init or Ignition wrote would join the host again at the next boot. A join that failed keeps
# both files: the unit runs the script again.
undo_starter() {
  if [ -e /etc/systemd/system/exaplane-join.service ]; then
    # A unit that waits for its next try would look for the script for ever.
    ! systemd_runs || systemctl --quiet disable --now exaplane-join.service
    rm -f /etc/systemd/system/exaplane-join.service
    ! systemd_runs || systemctl daemon-reload
  fi
  if [ -e /etc/exaplane/join.sh ]; then
    rm -f /etc/exaplane/join.sh
    rmdir /etc/exaplane 2>/dev/null
  fi
  return 0
}

# undo_containerd: the file that this script wrote, unless somebody has changed the file since.
undo_containerd() {
  [ -e "$STATE/containerd.toml" ] || return 0
  if [ "$(cat "$CONTAINERD_FILE" 2>/dev/null)" = "$(cat "$STATE/containerd.toml")" ]; then
    rm -f "$CONTAINERD_FILE"
    ! systemd_runs || systemctl try-restart containerd.service
  else
    say "note  $CONTAINERD_FILE has changed since the join, and stays"
  fi
}

undo_files() {
  cp "$STATE/created" "$WORK/created"
  rm -f /etc/kubernetes/kubelet.kubeconfig
  rm -rf "$STATE" "$LOGS"
  # The newest first, so that folders come behind what is in them. A folder that holds others' files stays.
  awk '{ list = $0 "\n" list } END { printf "%s", list }' "$WORK/created" | while IFS= read -r created; do
    if [ -d "$created" ]; then rmdir "$created" 2>/dev/null; else rm -f "$created"; fi
  done
  ! systemd_runs || systemctl daemon-reload
}
