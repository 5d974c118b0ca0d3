#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs many real kubelets in one privileged pod, or on one machine. Each host has namespaces of its network, mounts, processes and names, a
# containerd and an IPv6 prefix, and joins by the join script of a NodePool, unedited. 'sh kubelets.sh --help' tells how.
# Longer than others: one file that a host's namespaces run, too, and that people copy to a machine. The arithmetic of prefixes also stands in the join
# script (address.sh): each of the two files works without the other.
set -u
umask 022
LC_ALL=C
export LC_ALL

BRIDGE=exk-br LINK=exk-v TABLE=exk MARK=.exaplane-kubelets LOCK=/run/exaplane-kubelets.lock
# Kubelets insist on these, and no namespace has its own: each host finds its values in files, and the kernel keeps those of the machine.
KERNEL='vm/overcommit_memory 1
vm/panic_on_oom 0
kernel/panic 10
kernel/panic_on_oops 1
kernel/keys/root_maxkeys 1000000
kernel/keys/root_maxbytes 25000000'

usage() {
  cat <<TEXT
usage: sh kubelets.sh --prefix PREFIX [--count COUNT] [--index NUMBER] [--name NAME] [--join FILE]
                      [--images FOLDER] [--masquerade] [--at-once COUNT] [--folder FOLDER]

Runs COUNT kubelets as nodes of one NodePool, until a TERM ends them. All that they made here is gone then.

  --prefix PREFIX   the IPv6 network for all hosts, for example fd00:2001::/48, inside of the pool's prefixes
  --count COUNT     kubelets here, 10 by default
  --index NUMBER    which part of the network this process takes, 0 by default: several processes share one network
  --name NAME       the names of the nodes are NAME-1 to NAME-COUNT; the name of this host by default
  --join FILE       join.sh of the pool's Secret, /join/join.sh by default
  --images FOLDER   archives of images (*.tar) that each host gets, for clusters without a registry
  --masquerade      packets that leave have the address of this pod, so PREFIX needs no route to this pod
  --at-once COUNT   hosts that join at the same time, 4 by default
  --folder FOLDER   takes the files of the hosts, /exaplane by default; empty, and no overlay itself

Exit codes: 0 after a TERM, if no host had failed or ended; 1 if one had; 2 for an error before any host began.
TEXT
}

say() { printf '%s\n' "$*"; }

# refuse FIELD VALUE RULE ACTION: ends the script before any host begins.
refuse() {
  printf "error: %s: '%s' %s; %s\n" "$1" "$2" "$3" "$4" >&2
  exit 2
}

# number OPTION VALUE LEAST MOST ACTION
number() {
  case $2 in
    '' | *[!0-9]* | 0?* | ???????*) refuse "$1" "$2" "must be a number from $3 to $4" "$5" ;;
  esac
  [ "$2" -ge "$3" ] && [ "$2" -le "$4" ] || refuse "$1" "$2" "must be from $3 to $4" "$5"
}

# plan PREFIX LENGTH INDEX COUNT: the gateway, then number, address and prefix of each host, one a line. The process with this index has COUNT + 1
# parts of that length: the hosts have their addresses in the first, and one of the next each for their pods. Codes: 3 no prefix, 4 bits behind the
# length, 5 too small.
plan() {
  awk '
    function two(n,   out) { out = 1; while (n-- > 0) out *= 2; return out }
    function digit(c) { return index("0123456789abcdef", c) - 1 }
    # hex: an address as 32 digits, or "" for what is no IPv6 address.
    function hex(a,   halves, left, right, l, r, i, out, n) {
      a = tolower(a)
      if (a !~ /^[0-9a-f:]+$/ || a ~ /:::/) return ""
      n = split(a, halves, "::")
      if (n > 2) return ""
      l = halves[1] == "" ? 0 : split(halves[1], left, ":")
      r = n < 2 || halves[2] == "" ? 0 : split(halves[2], right, ":")
      if (n == 1 ? l != 8 : l + r > 7) return ""
      out = ""
      for (i = 1; i <= l; i++) { if (left[i] !~ /^[0-9a-f]+$/ || length(left[i]) > 4) return ""; out = out substr("0000" left[i], length(left[i]) + 1) }
      for (i = l + r; i < 8; i++) out = out "0000"
      for (i = 1; i <= r; i++) { if (right[i] !~ /^[0-9a-f]+$/ || length(right[i]) > 4) return ""; out = out substr("0000" right[i], length(right[i]) + 1) }
      return out
    }
    # ahead: the network of that length, so many networks behind this one.
    function ahead(h, bits, n,   i, d, out) {
      i = int((bits + 3) / 4); n *= two(4 * i - bits); out = substr(h, i + 1)
      for (; i >= 1; i--) { d = digit(substr(h, i, 1)) + n; n = int(d / 16); out = substr("0123456789abcdef", d % 16 + 1, 1) out }
      return out
    }
    # text: as RFC 5952 writes 32 digits.
    function text(h,   i, g, groups, run, best, at, start, out) {
      best = 1; at = 0; run = 0
      for (i = 1; i <= 8; i++) {
        g = substr(h, 4 * i - 3, 4); sub(/^0+/, "", g); groups[i] = g == "" ? "0" : g
        if (g == "") { if (!run++) start = i; if (run > best) { best = run; at = start } } else run = 0
      }
      out = ""
      for (i = 1; i <= 8; i++) {
        if (i == at) { out = out "::"; i += best - 1; continue }
        out = out (out == "" || out ~ /:$/ ? "" : ":") groups[i]
      }
      return out
    }
    BEGIN {
      if (split(ARGV[1], parts, "/") != 2 || parts[2] !~ /^[0-9]+$/ || parts[2] > 128 || (h = hex(parts[1])) == "") exit 3
      bits = ARGV[2] + 0; whole = parts[2] + 0; first = ARGV[3] * (ARGV[4] + 1)
      for (i = 1; i <= 32; i++) {
        left = whole - 4 * (i - 1); d = digit(substr(h, i, 1))
        if (left <= 0 ? d > 0 : left < 4 && d % two(4 - left) > 0) exit 4
      }
      if (whole > bits || first + ARGV[4] + 1 > two(bits - whole)) exit 5
      link = ahead(h, bits, first)
      print text(ahead(link, 128, 1))
      for (i = 1; i <= ARGV[4]; i++) print i, text(ahead(link, 128, i + 1)), text(ahead(h, bits, first + i)) "/" bits
    }' "$1" "$2" "$3" "$4"
}

# --- A host: the first process of its namespaces. It ends with all others of them when one of the node's programs has ended.

# host FOLDER NAME ADDRESS GATEWAY PREFIX LENGTH IMAGES
host() {
  set -e
  folder=$1 name=$2 address=$3 gateway=$4 prefix=$5 length=$6 images=$7
  printf '%s\n' "$name" >/proc/sys/kernel/hostname
  # They are mounts in a pod, and may be links into /run elsewhere.
  for file in hosts resolv.conf; do
    if [ -e "/etc/$file" ]; then cp -L "/etc/$file" "$folder/$file"; fi
  done
  for part in etc var; do
    mkdir -p "$folder/$part" "$folder/$part.work"
    mount -t overlay overlay -o "lowerdir=/$part,upperdir=$folder/$part,workdir=$folder/$part.work" "/$part"
  done
  for file in hosts resolv.conf; do
    rm -f "/etc/$file"
    if [ -e "$folder/$file" ]; then cp "$folder/$file" "/etc/$file"; fi
  done
  # Kubelet and snapshots want a file system with a device.
  for part in containerd kubelet; do
    mkdir -p "$folder/$part" "/var/lib/$part"
    mount --bind "$folder/$part" "/var/lib/$part"
  done
  mount --make-rshared /var/lib/kubelet
  mount -t tmpfs tmpfs /run
  mkdir /run/lock
  rm -rf /etc/cni/net.d /etc/kubernetes /etc/exaplane /etc/containerd /var/lib/cni /var/log/pods /var/log/containers /var/log/exaplane
  # What a join that is ended leaves there goes with the folder.
  TMPDIR=$folder/tmp
  export TMPDIR
  mkdir "$TMPDIR"
  kernel
  write_settings
  ip link set lo up
  : >"$folder/up"
  until ip link show dev eth0 >/dev/null 2>&1; do sleep 0.1; done
  ip link set eth0 up
  ip -6 address add "$address/$length" dev eth0 nodad
  ip -6 route add default via "$gateway"
  # Packets for pods that do not exist end here.
  ip -6 route add unreachable "$prefix"
  set +e
  joins
  stays
}

kernel() {
  mkdir "$folder/kernel"
  for part in fs kernel vm; do
    mount --bind "/proc/sys/$part" "/proc/sys/$part"
    mount -o remount,bind,ro "/proc/sys/$part"
  done
  printf '%s\n' "$KERNEL" | while read -r file value; do
    if [ -e "/proc/sys/$file" ]; then
      printf '%s\n' "$value" >"$folder/kernel/${file##*/}"
      mount --bind "$folder/kernel/${file##*/}" "/proc/sys/$file"
    fi
  done
}

# write_settings: of containerd, which may not lower OOM scores everywhere, and of the kubelet. All hosts see the disk and the memory of one machine, so
# none of them acts on it.
write_settings() {
  mkdir -p /etc/containerd /etc/kubernetes/kubelet.conf.d
  for plugins in /opt/cni/bin /usr/lib/cni /usr/libexec/cni; do
    if [ -x "$plugins/bridge" ]; then break; fi
  done
  cat >/etc/containerd/config.toml <<EOF
version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "registry.k8s.io/pause:3.10"
  restrict_oom_score_adj = true
  netns_mounts_under_state_dir = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "$plugins"
    conf_dir = "/etc/cni/net.d"
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "/etc/containerd/certs.d"
EOF
  cat >/etc/kubernetes/kubelet.conf.d/50-namespaces.conf <<EOF
{"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration",
 "cgroupRoot": "/$name", "failCgroupV1": false, "failSwapOn": false, "imageGCHighThresholdPercent": 100,
 "evictionHard": {"nodefs.available": "1%", "imagefs.available": "1%", "memory.available": "50Mi"}}
EOF
}

# is STATE…: tells the outer process.
is() { printf '%s\n' "$*" >"$folder/state.new" && mv "$folder/state.new" "$folder/state"; }

joins() {
  began=$(date +%s)
  sh "$folder/join.sh" --prefix "$prefix" --node-name "$name" >"$folder/join.log" 2>&1
  code=$?
  # It holds the token.
  rm -f "$folder/join.sh"
  if [ "$code" -ne 0 ]; then
    is "failed exit code $code of the join script: $(grep -m 1 '^FAIL' "$folder/join.log" || tail -n 1 "$folder/join.log")"
    exit 1
  fi
  for image in ${images:+"$images"/*.tar}; do
    ctr --namespace k8s.io images import "$image" >"$folder/images.log" 2>&1 || {
      is "failed containerd cannot import $image: $(tail -n 1 "$folder/images.log")"
      exit 1
    }
  done
  is "ready $prefix after $(($(date +%s) - began)) s"
}

# stays: as long as all programs of the node run. A change of heartbeats starts the kubelet again within some seconds.
stays() {
  missed=0
  while [ "$missed" -lt 10 ]; do
    sleep 2
    gone=
    for file in /run/exaplane/*.pid; do
      read -r pid rest <"$file" && kill -0 "$pid" 2>/dev/null || gone=${file##*/}
    done
    if [ -n "$gone" ]; then missed=$((missed + 1)); else missed=0; fi
  done
  gone=${gone%.pid}
  is "ended $gone has ended: $(tail -n 1 "/var/log/exaplane/$gone.log" | cut -c 1-300)"
  exit 1
}

# --- The outer process.

# sysctl FILE LEAST [kept]: raises what is lower, and notes what it was. What is kept belongs to the whole machine: another run may need it at the end of this one.
sysctl() {
  was=$(cat "/proc/sys/$1")
  [ "$was" -lt "$2" ] || return 0
  printf '%s\n' "$2" 2>/dev/null >"/proc/sys/$1" || refuse "$1" "$was" "must be at least $2, and cannot be set here" "run the container privileged"
  [ -n "${3:-}" ] || printf '%s %s %s\n' "$1" "$was" "$2" >>"$folder/sysctls"
}

# group NAME: the root of a kubelet's cgroups, which kubelets do not make: one in each controller of version 1, or one of version 2.
group() {
  for path in "/sys/fs/cgroup/$1" /sys/fs/cgroup/*/"$1"; do
    [ -d "$path" ] || continue
    # One that a killed run left has no process. A kubelet would end the pods of one that has.
    find "$path" -depth -type d -exec rmdir {} \; 2>/dev/null
    [ ! -d "$path" ] || return 2
  done
  say "$1" >>"$folder/groups"
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    for controller in $(cat /sys/fs/cgroup/cgroup.controllers); do
      printf '+%s\n' "$controller" 2>/dev/null >/sys/fs/cgroup/cgroup.subtree_control
    done
    mkdir -p "/sys/fs/cgroup/$1" 2>/dev/null
  else
    for controller in /sys/fs/cgroup/*; do
      [ -d "$controller" ] || continue
      mkdir -p "$controller/$1" 2>/dev/null || return 1
      # Empty ones would let no process in.
      for file in cpuset.cpus cpuset.mems; do
        [ ! -e "$controller/$1/$file" ] || cat "$controller/$file" >"$controller/$1/$file"
      done
    done
  fi
}

# groups_left: removes the groups of hosts that have ended; true if some are left.
groups_left() {
  left=
  for group in $(cat "$folder/groups" 2>/dev/null); do
    for path in "/sys/fs/cgroup/$group" /sys/fs/cgroup/*/"$group"; do
      [ -d "$path" ] || continue
      find "$path" -depth -type d -exec rmdir {} \; 2>/dev/null
      [ ! -d "$path" ] || left="$left $path"
    done
  done
  [ -n "$left" ]
}

# clean: what this run, or one that was ended by force, made here. All hosts have ended.
clean() {
  # Processes of a namespace whose first process has ended take a moment to end.
  tries=0
  while groups_left && [ "$tries" -lt 120 ]; do
    sleep 0.5
    tries=$((tries + 1))
  done
  for each in $(ip -o link show master "$BRIDGE" 2>/dev/null | sed -n "s/^[0-9]*: \($LINK[0-9]*\)@.*/\1/p"); do ip link delete "$each"; done
  ip link delete "$BRIDGE" 2>/dev/null
  [ -z "$(nft list table ip6 "$TABLE" 2>/dev/null)" ] || nft delete table ip6 "$TABLE"
  if [ -e "$folder/sysctls" ]; then
    while read -r file was ours; do
      [ "$(cat "/proc/sys/$file")" != "$ours" ] || printf '%s\n' "$was" >"/proc/sys/$file"
    done <"$folder/sysctls"
  fi
  tries=0
  until [ -z "$(find "$folder" -mindepth 1 -maxdepth 1 ! -name "$MARK" ! -name lost+found)" ] || [ "$tries" -ge 20 ]; do
    find "$folder" -mindepth 1 -maxdepth 1 ! -name "$MARK" ! -name lost+found -exec rm -rf {} + 2>/dev/null
    tries=$((tries + 1))
    [ "$tries" -eq 1 ] || sleep 0.5
  done
}

# take: the machine, and the folder.
take() {
  exec 8>"$LOCK" || refuse machine "$LOCK" "cannot be written" "run the script where root can write the file"
  # Children of a run that was killed have the lock until they end.
  flock -w 10 8 || refuse machine "$LOCK" "is in use by another run of this script" "wait for its end, or end it with TERM"
  trap 'rm -f "$LOCK"' EXIT
  if [ -e "$folder/$MARK" ]; then
    say "clean  a run that was ended by force left files in $folder; they are removed"
    clean
  elif [ -n "$(ls -A "$folder" 2>/dev/null | grep -vx lost+found)" ]; then
    refuse --folder "$folder" "must be empty" "name another folder"
  fi
  mkdir -p "$folder" && : >"$folder/$MARK" || refuse --folder "$folder" "cannot be written" "name another folder"
  trap 'clean; forget' EXIT
}

# forget: the folder and the lock, when all else is gone.
forget() {
  rm -f "$folder/$MARK" "$LOCK"
  rmdir "$folder" 2>/dev/null
}

check() {
  [ -n "$prefix" ] || refuse --prefix '' "must be an IPv6 network" "name one inside of spec.addresses.prefixes of the NodePool, for example fd00:2001::/48"
  number --count "$count" 1 1000 "name the number of kubelets; a bridge has about a thousand ports"
  number --index "$index" 0 99999 "name the number of this process, from 0"
  number --at-once "$at_once" 1 1000 "name the number of hosts that join at the same time"
  case $name in
    '' | *[!a-z0-9-]* | -*) refuse --name "$name" "must have lower-case letters, digits and '-', and begin with a letter or digit" "name the nodes with --name" ;;
  esac
  [ $((${#name} + 1 + ${#count})) -le 63 ] || refuse --name "$name" "is too long: node names have 63 characters at most" "name the nodes with --name"
  case $folder in
    /etc | /etc/* | /var | /var/* | /run | /run/* | /proc/* | /sys/* | /) refuse --folder "$folder" "must not be below /etc, /var, /run, /proc or /sys, which hosts cover" "name another folder" ;;
    /*) ;;
    *) refuse --folder "$folder" "must begin with /" "name the whole path" ;;
  esac
  [ "$(id -u)" = 0 ] || refuse user "$(id -u)" "must be 0: hosts need namespaces, mounts and cgroups" "run the container privileged and as root, or the script with sudo"
  for program in awk sed find ip nft flock mount unshare setpriv kubelet kube-proxy containerd ctr runc; do
    command -v "$program" >/dev/null 2>&1 || refuse PATH "$PATH" "has no $program" "install it, or use the image that './exa image kubelets' makes"
  done
  [ -r "$join" ] || refuse --join "$join" "must be the join script of a NodePool" "mount the Secret of the pool, NAME-node-join, there"
  grep -qx ': lib-ends' "$join" || refuse --join "$join" "must be the whole join script of a NodePool" "take join.sh of the Secret NAME-node-join, unedited"
  [ -z "$images" ] || [ -d "$images" ] || refuse --images "$images" "must be a folder with archives of images" "create the folder, or leave the option out"
  length=$(sed -n "s/^PREFIX_LENGTH='\([0-9]*\)'\$/\1/p" "$join")
  case $length in
    '') refuse --join "$join" "must belong to a pool whose hosts bring prefixes" "create a NodePool with spec.addresses" ;;
  esac
  [ "$length" -le 112 ] || refuse --join "$join" "belongs to a pool with the podPrefixLength $length; hosts here need 112 at most" "create a NodePool with a shorter podPrefixLength"
  hosts=$(plan "$prefix" "$length" "$index" "$count")
  case $? in
    0) ;;
    4) refuse --prefix "$prefix" "has bits behind its length" "name the network" ;;
    5) refuse --prefix "$prefix" "must have $(((index + 1) * (count + 1))) networks of the pool's podPrefixLength $length: for each index one, and one for each kubelet" "name a shorter prefix, or lower --count or --index" ;;
    *) refuse --prefix "$prefix" "must be an IPv6 network" "name one, for example fd00:2001::/48" ;;
  esac
}

prepare() {
  [ "$(cat /proc/sys/net/ipv6/conf/all/forwarding)" != 0 ] || [ -z "$(ip -6 route show default proto ra)" ] ||
    refuse net.ipv6.conf.all.forwarding 0 "must be 1 first where the default route comes from router advertisements, which would end" "set accept_ra=2 of that interface, then forwarding to 1"
  sysctl net/ipv6/conf/all/forwarding 1
  # The programs of a node have seven; the rest is for its pods, and for others on the machine.
  sysctl fs/inotify/max_user_instances $((1024 + 64 * count)) kept
  ip link add "$BRIDGE" type bridge || refuse bridge "$BRIDGE" "cannot be made" "run the container privileged; delete a bridge of that name with 'ip link delete $BRIDGE'"
  gateway=$(printf '%s\n' "$hosts" | head -n 1)
  # Addresses are unique by the plan, so nobody waits for their check.
  ip -6 address add "$gateway/$length" dev "$BRIDGE" nodad || refuse net.ipv6 "$gateway" "cannot be set on the bridge" "run the pods in a network with IPv6"
  ip link set "$BRIDGE" up || refuse bridge "$BRIDGE" "cannot be set up" "run the container privileged"
  [ -n "$masquerade" ] || return 0
  nft -f - <<EOF || refuse --masquerade yes "needs nf_tables with NAT in the kernel" "load the modules nf_tables and nft_masq on the node, or leave the option out"
table ip6 $TABLE {
  chain post {
    type nat hook postrouting priority srcnat; policy accept;
    ip6 saddr $prefix ip6 daddr != $prefix oifname != "$BRIDGE" masquerade
  }
}
EOF
}

# start NUMBER ADDRESS PREFIX: a host whose join goes on in the background.
start() {
  mkdir "$folder/$1"
  say joining >"$folder/$1/state"
  made=0
  group "$name-$1" || made=$?
  case $made in
    0) ;;
    2)
      say "failed its cgroup $name-$1 is in use by another run on this machine: give this StatefulSet another name" >"$folder/$1/state"
      return 0
      ;;
    *)
      say "failed its cgroup cannot be made below /sys/fs/cgroup: mount that folder of the node" >"$folder/$1/state"
      return 0
      ;;
  esac
  (umask 077 && cat "$join" >"$folder/$1/join.sh")
  setpriv --pdeathsig=KILL unshare --net --mount --uts --ipc --pid --fork --kill-child --mount-proc \
    sh "$0" --host "$folder/$1" "$name-$1" "$2" "$gateway" "$3" "$length" "$images" >"$folder/$1/host.log" 2>&1 </dev/null 8>&- &
  pid=$!
  say "$pid" >"$folder/$1/pid"
  tries=0
  until [ -e "$folder/$1/up" ] || [ "$tries" -ge 300 ] || ! kill -0 "$pid" 2>/dev/null; do
    sleep 0.1
    tries=$((tries + 1))
  done
  # One that has ended left its last words.
  kill -0 "$pid" 2>/dev/null || return 0
  [ -e "$folder/$1/up" ] && ip link add "$LINK$1" type veth peer name eth0 netns "$pid" && ip link set "$LINK$1" master "$BRIDGE" up &&
    ip -6 route replace "$3" via "$2" dev "$BRIDGE" || {
    kill_host "$1"
    say "failed its namespaces or its link $LINK$1 cannot be made: $(tail -n 1 "$folder/$1/host.log")" >"$folder/$1/state"
  }
}

# kill_host NUMBER: with all its processes, which are gone when this returns.
kill_host() {
  [ -e "$folder/$1/pid" ] || return 0
  pid=$(cat "$folder/$1/pid")
  # The first process of the namespace: the kernel ends all others with it.
  child=$(cat "/proc/$pid/task/$pid/children" 2>/dev/null)
  # shellcheck disable=SC2086 # a blank is behind the number
  kill -KILL ${child:-$pid} 2>/dev/null
  wait "$pid" 2>/dev/null
  rm -f "$folder/$1/pid"
}

# look NUMBER: says what is new of a host, and counts it.
look() {
  state=$(cat "$folder/$1/state")
  if [ -e "$folder/$1/pid" ] && ! kill -0 "$(cat "$folder/$1/pid")" 2>/dev/null; then
    # Once more: its last words may be newer.
    state=$(cat "$folder/$1/state")
    case $state in
      failed* | ended*) ;;
      *) state="ended its first process has ended: $(tail -n 1 "$folder/$1/host.log")" && say "$state" >"$folder/$1/state" ;;
    esac
    kill_host "$1"
  fi
  case $state in
    joining*) joining=$((joining + 1)) ;;
    ready*) ready=$((ready + 1)) ;;
    *) failed=$((failed + 1)) ;;
  esac
  [ "$state" != "$(cat "$folder/$1/said" 2>/dev/null)" ] || return 0
  say "$state" >"$folder/$1/said"
  case $state in
    joining*) ;;
    failed* | ended*) say "${state%% *} $name-$1  ${state#* }; nothing is started again, and until the end its files are in $folder/$1" ;;
    *) say "${state%% *}  $name-$1  ${state#* }" ;;
  esac
}

# run: until TERM, or until no host is left.
run() {
  begun=0 joining=0 ready=0 failed=0 told=
  while [ -z "$stop" ]; do
    joining=0 ready=0 failed=0 each=1
    while [ "$each" -le "$begun" ]; do
      look "$each"
      each=$((each + 1))
    done
    while [ "$begun" -lt "$count" ] && [ "$joining" -lt "$at_once" ] && [ -z "$stop" ]; do
      begun=$((begun + 1)) joining=$((joining + 1))
      # shellcheck disable=SC2046 # number, address and prefix
      start $(printf '%s\n' "$hosts" | sed -n "$((begun + 1))p")
    done
    if [ "$joining" -eq 0 ] && [ "$begun" -eq "$count" ]; then
      [ "$failed" -lt "$count" ] || break
      if [ "$failed" -eq 0 ]; then : >"$folder/ready"; else rm -f "$folder/ready"; fi
      [ -n "$told" ] || say "run    $ready of $count hosts are nodes. A TERM ends them"
      told=yes
    fi
    # A signal ends the wait.
    sleep 1 8>&- &
    wait $!
  done
  say "stop   ${stop:-no host is left}"
  # Its files go now.
  [ -n "$stop" ] || tail -n 20 "$folder/1/join.log" "$folder/1/host.log" 2>/dev/null
  each=1
  while [ "$each" -le "$begun" ]; do
    kill_host "$each"
    each=$((each + 1))
  done
}

if [ "${1:-}" = --host ]; then
  shift
  host "$@"
fi

prefix='' count=10 index=0 name=$(uname -n | tr '[:upper:]' '[:lower:]') join=/join/join.sh images='' masquerade='' at_once=4 folder=/exaplane
while [ $# -gt 0 ]; do
  option=${1%%=*}
  case $option in
    --help | -h)
      usage
      exit 0
      ;;
    --masquerade)
      masquerade=yes
      shift
      continue
      ;;
    --prefix | --count | --index | --name | --join | --images | --at-once | --folder) ;;
    *) refuse option "$1" "is unknown" "run 'sh kubelets.sh --help'" ;;
  esac
  case $1 in
    *=*) value=${1#*=} ;;
    *)
      [ $# -ge 2 ] || refuse option "$1" "needs a value" "run 'sh kubelets.sh --help'"
      value=$2
      shift
      ;;
  esac
  shift
  case $option in
    --prefix) prefix=$value ;;
    --count) count=$value ;;
    --index) index=$value ;;
    --name) name=$value ;;
    --join) join=$value ;;
    --images) images=$value ;;
    --at-once) at_once=$value ;;
    --folder) folder=${value%/} ;;
  esac
done

check
stop=
trap 'stop="a signal ends all hosts"' HUP INT TERM
take
prepare
say "start  $count kubelets as nodes $name-1 to $name-$count, with pod prefixes of $prefix"
run
clean
trap forget EXIT
if [ -n "$left" ]; then
  say "left  $left: remove these folders with rmdir"
  exit 1
fi
say "done   nothing of the hosts is left here. To delete their Nodes: kubectl get nodes -o name | grep '^node/$name-[0-9]*\$' | xargs kubectl delete"
[ "$failed" -eq 0 ]
