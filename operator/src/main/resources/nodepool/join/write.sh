# --- Writing files. What this script makes is noted in $STATE/created, so that --undo deletes that and no more.

note() { printf '%s\n' "$1" >>"$STATE/created"; }

# make_folder PATH: with its parents.
make_folder() {
  [ ! -d "$1" ] || return 0
  make_folder "${1%/*}"
  mkdir "$1" || fail 1 "the folder $1 cannot be made." "Check the file system."
  chmod 0755 "$1"
  note "$1"
}

# begin: the folder of notes itself, and what undo must know of the time before.
begin() {
  [ ! -e "$STATE/created" ] || return 0
  for begin_folder in /etc/kubernetes "$STATE"; do
    [ -d "$begin_folder" ] || mkdir -m 0755 "$begin_folder" || fail 1 "the folder $begin_folder cannot be made." "Check the file system."
    begin_made="${begin_made:-}$begin_folder
"
  done
  printf '%s' "$begin_made" >"$STATE/created" || fail 1 "the file $STATE/created cannot be written." "Check the file system."
  # Folders that kubelet and the CNI plugins make.
  for begin_folder in /var/lib/kubelet /var/lib/cni /var/log/pods /var/log/containers; do
    if [ -d "$begin_folder" ]; then
      find "$begin_folder" -mindepth 1 -maxdepth 1 >>"$STATE/kept"
    else
      printf '%s\n' "$begin_folder" >>"$STATE/born"
    fi
  done
  for begin_name in $(sysctls | cut -d ' ' -f 1) vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys kernel/keys/root_maxbytes; do
    [ ! -r "/proc/sys/$begin_name" ] || printf '%s %s\n' "$begin_name" "$(cat "/proc/sys/$begin_name")" >>"$STATE/sysctls"
  done
  printf '%s %s\n' "$SERVER" "$POOL" >"$STATE/server"
  printf '%s\n' "$NODE" >"$STATE/node"
  [ -z "$PREFIX" ] || printf '%s\n' "$PREFIX" >"$STATE/prefix"
  [ -z "$PREFIX_FOUND" ] || printf 'yes\n' >"$STATE/found"
}

# put PATH MODE CONTENT: writes the file unless it says that already; CHANGED is set if it was written.
put() {
  CHANGED=
  if [ -e "$1" ] && [ "$(cat "$1")" = "$3" ]; then return 0; fi
  make_folder "${1%/*}"
  [ -e "$1" ] || note "$1"
  { printf '%s\n' "$3" >"$1.new" && chmod "$2" "$1.new" && mv -f "$1.new" "$1"; } || fail 1 "the file $1 cannot be written." "Check the file system."
  CHANGED=yes
}

# quoted TEXT…: each as a word of a shell.
quoted() {
  for quoted_word in "$@"; do
    printf " '%s'" "$(printf '%s' "$quoted_word" | sed "s/'/'\\\\''/g")"
  done
}

# pod_resolv_conf: the file of resolvers that the kubelet gives pods.
pod_resolv_conf() { if [ -n "$NAT64_RESOLVERS" ]; then echo "$STATE/resolv.conf"; else resolv_conf; fi; }

# containerd_file: the least that a node needs. containerd 2 also reads version 2. Mirrors of registries are files in certs.d.
containerd_file() {
  file_systemd=false
  ! systemd_runs || [ "$(setting cgroupDriver systemd)" = cgroupfs ] || file_systemd=true
  file_cri='[plugins."io.containerd.grpc.v1.cri".'
  cat <<EOF
version = 2
${file_cri}cni]
bin_dir = "$(cni_bin)"
conf_dir = "$CNI_FOLDER"
${file_cri}registry]
config_path = "/etc/containerd/certs.d"
${file_cri}containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
${file_cri}containerd.runtimes.runc.options]
SystemdCgroup = $file_systemd
EOF
}

# write_containerd: the copy tells --undo whether the file is still the one of this script, and "unread" that containerd has not
# started since.
write_containerd() {
  : >"$STATE/unread"
  put "$STATE/containerd.toml" 0644 "$(containerd_file)"
  make_folder "${CONTAINERD_FILE%/*}"
  cp -p "$STATE/containerd.toml" "$CONTAINERD_FILE" || fail 1 "the file $CONTAINERD_FILE cannot be written." "Check the file system."
  # What containerd said of its configuration before.
  rm -f "$WORK/containerd.toml"
}

# host_dropin: what only this host knows. Its name sorts first, so that users' files win.
host_dropin() {
  dropin_driver=cgroupfs
  ! systemd_runs || [ "$(containerd_setting SystemdCgroup)" != true ] || dropin_driver=systemd
  printf '{"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", "cgroupDriver": "%s", "resolvConf": "%s"}' "$dropin_driver" "$(pod_resolv_conf)"
}

kubelet_start() {
  printf '#!/bin/sh\n# Written by join.sh of pool %s. Settings belong into %s.\n' "$POOL" "$KUBELET_DROPINS"
  printf 'set --%s\n' "$(quoted --config=/etc/kubernetes/kubelet.json "--config-dir=$KUBELET_DROPINS" --kubeconfig=/etc/kubernetes/kubelet.kubeconfig \
    "--hostname-override=$NODE" "--node-ip=$ADDRESS" "--node-labels=$NODE_LABELS")"
  # The token is gone after the join.
  printf '[ ! -e /etc/kubernetes/bootstrap.kubeconfig ] || set -- "$@" --bootstrap-kubeconfig=/etc/kubernetes/bootstrap.kubeconfig\n'
  printf 'exec%s "$@"' "$(quoted "$(command -v kubelet)")"
}

proxy_start() {
  printf '#!/bin/sh\n# Written by join.sh of pool %s.\nexec%s' "$POOL" \
    "$(quoted "$(command -v kube-proxy)" --config=/etc/kubernetes/kube-proxy.json "--hostname-override=$NODE")"
}

# unit PROGRAM: the file for systemd.
unit() {
  cat <<EOF
[Unit]
Description=$1 of pool $POOL (Exaplane)
Wants=network-online.target containerd.service
After=network-online.target containerd.service

[Service]
ExecStart=/bin/sh $STATE/$1.sh
Restart=always
RestartSec=5
LimitNOFILE=1048576

[Install]
WantedBy=multi-user.target
EOF
}

# proxy_range: pods get the addresses alone for which the kernel has an entry, if it must answer solicitations.
proxy_range() {
  [ "$NEIGHBORS" = KernelProxy ] && [ "$cidr" = "$PREFIX" ] || return 0
  network_range="$network_range, \"rangeStart\": \"$(address_at "$cidr" 2)\", \"rangeEnd\": \"$(address_at "$cidr" $(($(pod_addresses) + 1)))\""
}

# network_file CIDR…: bridge or ptp, and host-local, for the Node's CIDRs. The gateway is the first address, the host's own.
network_file() {
  network_ranges='' network_routes=''
  for cidr in "$@"; do
    network_range="\"subnet\": \"$cidr\""
    proxy_range
    network_ranges="$network_ranges${network_ranges:+, }[{$network_range}]"
    case $cidr in *:*) network_route=::/0 ;; *) network_route=0.0.0.0/0 ;; esac
    network_routes="$network_routes${network_routes:+, }{\"dst\": \"$network_route\"}"
  done
  network_bridge=
  ! bridged || network_bridge="\"bridge\": \"$BRIDGE\", \"isGateway\": true, \"hairpinMode\": true, "
  cat <<EOF
{"cniVersion": "0.4.0", "name": "exaplane", "plugins": [
  {"type": "$(pod_plugin)", $network_bridge"ipMasq": false, "mtu": ${MTU:-${UPLINK_MTU:-1500}},
   "ipam": {"type": "host-local", "dataDir": "/run/exaplane/ipam", "ranges": [$network_ranges], "routes": [$network_routes]}},
  {"type": "portmap", "capabilities": {"portMappings": true}}]}
EOF
}

load_modules() {
  for module in $MODULES; do
    module_there "$module" || modprobe "$module" 2>/dev/null
    module_there "$module" || fail 15 "the kernel module $module cannot be loaded." "Run 'modprobe $module' and check its message."
  done
  # Its limit can be set, and stays after a boot, only if the module is there.
  [ -e /proc/sys/net/netfilter/nf_conntrack_max ] || modprobe nf_conntrack 2>/dev/null
  if [ -d /etc/modules-load.d ]; then put /etc/modules-load.d/exaplane.conf 0644 "$(printf '%s\n' "$MODULES nf_conntrack" | tr ' ' '\n')"; fi
}

set_sysctls() {
  sysctls >"$WORK/sysctls"
  while read -r name value; do
    [ "$(cat "/proc/sys/$name" 2>/dev/null)" = "$value" ] || printf '%s\n' "$value" 2>/dev/null >"/proc/sys/$name" ||
      fail 16 "the sysctl $name cannot be set to $value." "Set the value on the host itself."
  done <"$WORK/sysctls"
  limits >"$WORK/limits"
  while read -r name value; do
    set_limit "$name" "$value"
  done <"$WORK/limits"
  if [ -d /etc/sysctl.d ]; then put /etc/sysctl.d/90-exaplane.conf 0644 "$(sed 's/ / = /' "$WORK/sysctls")"; fi
}

# set_limit NAME LEAST: raises what is lower. A container may not set it; the host's administrator may have.
set_limit() {
  [ -w "/proc/sys/$1" ] || return 0
  if ! grep -qs "^$1 " "$STATE/sysctls"; then
    limit_was=$(cat "/proc/sys/$1")
    [ "$limit_was" -lt "$2" ] || return 0
    printf '%s\n' "$2" 2>/dev/null >"/proc/sys/$1" || return 0
    printf '%s %s\n' "$1" "$limit_was" >>"$STATE/sysctls"
  fi
  printf '%s %s\n' "$1" "$2" >>"$WORK/sysctls"
}
