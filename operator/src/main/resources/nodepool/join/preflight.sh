# --- Checks of this host. Each says one line, changes nothing, and returns 0: FIRST_FAILURE has the verdict.

CNI_FOLDER=/etc/cni/net.d
CONTAINERD_FILE=/etc/containerd/config.toml

systemd_runs() { [ -d /run/systemd/system ] && have systemctl; }

# joined: whether an earlier run of this script wrote on this host.
joined() { [ -e "$STATE/created" ]; }

# bridged: whether the pods of this host are on one bridge.
bridged() { [ "$POD_LINK" = Bridge ]; }

pod_plugin() { if bridged; then echo bridge; else echo ptp; fi; }

# cluster_family: 6 or 4, the family of nodes, pods and Services.
cluster_family() { case $CLUSTER_DNS in *:*) echo 6 ;; *) echo 4 ;; esac; }

check_tools() {
  tools_missing=
  for tool in awk sed grep cut tr sort find ip nft flock nohup mount umount mktemp uname cksum timeout; do
    have "$tool" || tools_missing="$tools_missing $tool"
  done
  [ ! "$NEIGHBORS" = Ndppd ] || have ndppd || tools_missing="$tools_missing ndppd"
  [ -z "$NAT64_PREFIX" ] || { have getent && have unshare; } || tools_missing="$tools_missing getent or unshare"
  if [ -n "$tools_missing" ]; then
    bad 10 tools "missing:$tools_missing." "Install the named tools: most are in the packages iproute2, nftables and util-linux."
  elif ! grep -qsx ': lib-ends' "$0"; then
    bad 10 tools "the script reads itself, but '$0' is not its file." "Write the script into a file, and run 'sh join.sh'."
  else
    ok tools "all are there"
  fi
}

check_host() {
  if [ -e "$STATE/server" ] && [ "$(cat "$STATE/server")" != "$SERVER $POOL" ]; then
    bad 19 host "joined to $(cat "$STATE/server") before; this script is for $SERVER $POOL." "Run 'sh join.sh --undo' first."
  elif joined; then
    ok host "joined by this script before"
  elif [ -e /etc/kubernetes/kubelet.conf ] || [ -e /var/lib/kubelet/config.yaml ] || [ -d /var/lib/rancher/k3s ]; then
    bad 19 host "has files of another cluster (/etc/kubernetes/kubelet.conf, /var/lib/kubelet/config.yaml or /var/lib/rancher/k3s)." "Remove the host from that cluster, for example with 'kubeadm reset'."
  elif systemd_runs && systemctl --quiet is-active kubelet.service; then
    bad 19 host "runs kubelet.service of another cluster." "Run 'systemctl disable --now kubelet' first."
  elif bridged && ip link show dev "$BRIDGE" >/dev/null 2>&1; then
    bad 19 host "has a bridge $BRIDGE that this script did not make." "Run 'ip link delete $BRIDGE' if nothing needs the bridge."
  else
    ok host "belongs to no cluster"
  fi
}

# check_program PROGRAM: it is there, and has the pool's version.
check_program() {
  program_path=$(command -v "$1") || program_path=
  if [ -z "$program_path" ]; then
    bad 11 "$1" "not found in $PATH." "Install $1 $VERSION."
    return 0
  fi
  program_version=$("$program_path" --version 2>/dev/null | sed -n 's/^Kubernetes v//p' | printable | cut -d + -f 1)
  if [ "$program_version" = "$VERSION" ]; then
    ok "$1" "$VERSION at $program_path"
  else
    bad 12 "$1" "$program_path has version '$program_version', the pool has $VERSION." "Install $1 $VERSION, or change spec.version of NodePool $POOL."
  fi
}

containerd_socket() { setting containerRuntimeEndpoint unix:///run/containerd/containerd.sock | sed 's|^unix://||'; }

containerd_answers() { have ctr && [ -S "$(containerd_socket)" ] && ctr --address "$(containerd_socket)" --connect-timeout 5s version >/dev/null 2>&1; }

# containerd_setting NAME: a field of containerd's configuration in force, the first of that name; nothing if containerd does not say.
containerd_setting() {
  [ -e "$WORK/containerd.toml" ] || containerd config dump >"$WORK/containerd.toml" 2>/dev/null
  sed -n "s/^[[:space:]]*$1 = [\"']\{0,1\}\([^\"']*\)[\"']\{0,1\}\$/\1/p" "$WORK/containerd.toml" | head -n 1
}

# bare_containerd: whether this script writes containerd's configuration. It does not if there is a file, if the unit may name
# another one, for a containerd at another socket, or on a node, whose containers keep their cgroup driver. Without the unit
# containerd.service, it cannot start again what runs. A run that ended before containerd had read the file made no node.
bare_containerd() {
  { ! joined || [ -e "$STATE/unread" ]; } && [ ! -e "$CONTAINERD_FILE" ] && [ "$(containerd_socket)" = /run/containerd/containerd.sock ] || return 1
  if systemd_runs && bare_unit=$(systemctl cat containerd.service 2>/dev/null); then
    ! printf '%s\n' "$bare_unit" | grep -Eq '(^|[[:space:]])(-c|--config)([=[:space:]]|$)|EnvironmentFile'
  else
    ! containerd_answers
  fi
}

check_containerd() {
  CONTAINERD_MISSING=
  ! bare_containerd || CONTAINERD_MISSING="; $CONTAINERD_FILE is missing, and the script writes it"
  if ! have containerd || ! have ctr; then
    bad 13 containerd "not found in $PATH." "Install containerd and runc."
  elif ! have runc; then
    bad 13 containerd "runc not found in $PATH." "Install runc."
  elif containerd_answers; then
    ok containerd "answers at $(containerd_socket)$CONTAINERD_MISSING"
  elif systemd_runs && systemctl --quiet is-active containerd.service; then
    bad 13 containerd "does not answer at $(containerd_socket)." "Check 'journalctl --unit containerd', and start containerd again."
  else
    ok containerd "does not run yet; the script starts containerd$CONTAINERD_MISSING"
  fi
}

# cni_bin: the folder of plugins. A containerd that has a file looks into the folder that the file names, whatever is in it.
cni_bin() {
  for cni_dir in $(containerd_setting bin_dir) /opt/cni/bin /usr/lib/cni /usr/libexec/cni /opt/cni/bin; do
    if [ -x "$cni_dir/host-local" ]; then break; fi
    if [ -e "$CONTAINERD_FILE" ] && [ -d "$cni_dir" ]; then break; fi
  done
  echo "$cni_dir"
}

check_cni() {
  cni_dir=$(cni_bin)
  cni_missing=
  for plugin in "$(pod_plugin)" host-local portmap loopback; do
    [ -x "$cni_dir/$plugin" ] || cni_missing="$cni_missing $plugin"
  done
  # containerd takes the first file by name.
  cni_other=
  for cni_file in "$CNI_FOLDER"/*; do
    case $cni_file in *.conf | *.conflist | *.json) ;; *) continue ;; esac
    [ ! "$cni_file" = "$CNI_FOLDER/10-exaplane.conflist" ] || break
    cni_other=$cni_file
    break
  done
  if [ -n "$cni_missing" ]; then
    bad 14 cni "missing in '$cni_dir':$cni_missing." "Install the CNI plugins (Debian: containernetworking-plugins)."
  elif [ -n "$cni_other" ] && [ "$(printf '%s\n' "$cni_other" "$CNI_FOLDER/10-exaplane.conflist" | sort | head -n 1)" = "$cni_other" ]; then
    bad 14 cni "$cni_other comes before 10-exaplane.conflist, so containerd would use that network." "Move the file away."
  else
    ok cni "plugins in $cni_dir"
  fi
}

# module_there MODULE: whether the kernel has the module now.
module_there() {
  case $1 in
    overlay) grep -q 'overlay$' /proc/filesystems ;;
    br_netfilter) [ -e /proc/sys/net/bridge/bridge-nf-call-ip6tables ] ;;
    nf_tables) nft list tables >/dev/null 2>&1 ;;
  esac
}

# module_loads MODULE: whether modprobe says that it could load the module.
module_loads() { have modprobe && modprobe --dry-run --quiet "$1" 2>/dev/null; }

MODULES='overlay br_netfilter nf_tables'
bridged || MODULES='overlay nf_tables'

check_modules() {
  modules_missing=
  for module in $MODULES; do
    module_there "$module" || module_loads "$module" || modules_missing="$modules_missing $module"
  done
  if [ -n "$modules_missing" ]; then
    bad 15 modules "the kernel has no:$modules_missing." "Install the modules of kernel $(uname -r), or boot a kernel that has them, then run 'modprobe$modules_missing'."
  else
    ok modules "$MODULES"
  fi
}

# advertised: the interfaces whose default route, or whose address, comes from routers and ends without them.
advertised() {
  {
    ip -6 route show default proto ra 2>/dev/null | sed -n 's/.* dev \([^ ]*\).*/\1/p'
    ip -6 -o address show scope global dynamic 2>/dev/null | awk '{ print $2 }'
  } | sort -u
}

# sysctls: names and values that a node needs. accept_ra must be 2 before forwarding is on: the kernel takes no
# router advertisements otherwise, so that routes and addresses by them end.
sysctls() {
  for interface in $(advertised); do
    # Where the value is 0, a daemon such as systemd-networkd reads the advertisements.
    [ "$(cat "/proc/sys/net/ipv6/conf/$interface/accept_ra")" = 0 ] || echo "net/ipv6/conf/$interface/accept_ra 2"
  done
  echo "net/ipv6/conf/all/forwarding 1"
  [ "$(cluster_family)" = 6 ] || echo "net/ipv4/ip_forward 1"
  proxy_sysctls
  requested_sysctls
  bridged || return 0
  echo "net/bridge/bridge-nf-call-ip6tables 1"
  echo "net/bridge/bridge-nf-call-iptables 1"
}

proxy_sysctls() {
  [ "$NEIGHBORS" = KernelProxy ] || return 0
  sysctls_uplink=$(uplink)
  echo "net/ipv6/conf/$sysctls_uplink/proxy_ndp 1"
  # Else the kernel waits for up to 0.8 s with each answer.
  echo "net/ipv6/neigh/$sysctls_uplink/proxy_delay 0"
}

# limits: names and least values, by the number of pods: watches of files, connections, and neighbors on bridge and link.
limits() {
  limits_pods=$(setting maxPods "$MAX_PODS")
  echo "fs/inotify/max_user_instances $((16 * limits_pods))"
  echo "fs/inotify/max_user_watches $((512 * limits_pods))"
  echo "net/netfilter/nf_conntrack_max $((512 * limits_pods))"
  echo "net/ipv6/neigh/default/gc_thresh2 $((4 * limits_pods + 512))"
  echo "net/ipv6/neigh/default/gc_thresh3 $((8 * limits_pods + 1024))"
}

check_sysctls() {
  sysctls_wrong=$(sysctls | while read -r name value; do
    file=/proc/sys/$name
    if [ ! -e "$file" ]; then
      # br_netfilter makes its own when it is loaded.
      case $name in net/bridge/*) continue ;; esac
      printf ' %s does not exist;' "$name"
    elif [ "$(cat "$file")" != "$value" ] && [ ! -w "$file" ]; then
      printf ' %s is %s and cannot be set to %s;' "$name" "$(cat "$file")" "$value"
    fi
  done)
  if [ -n "$sysctls_wrong" ]; then
    bad 16 sysctls "${sysctls_wrong# }" "Set the values on the host itself: /proc/sys is read-only here."
  else
    ok sysctls "are right, or can be set"
  fi
}

check_cgroups() {
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    ok cgroups v2
  elif [ "$(setting failCgroupV1 true)" = false ]; then
    warn cgroups "v1, which $KUBELET_DROPINS allows; Kubernetes will drop v1"
  else
    bad 17 cgroups "the host has cgroup v1, which the kubelet refuses." "Boot with systemd.unified_cgroup_hierarchy=1, or write 'failCgroupV1: false' into a file in $KUBELET_DROPINS."
  fi
}

check_swap() {
  if [ "$(wc -l </proc/swaps)" -le 1 ]; then
    ok swap off
  elif [ "$(setting failSwapOn true)" = false ]; then
    ok swap "on, which $KUBELET_DROPINS allows"
  else
    bad 18 swap "swap is on, which the kubelet refuses." "Run 'swapoff -a' and remove swap from /etc/fstab, or write 'failSwapOn: false' into a file in $KUBELET_DROPINS."
  fi
}

check_name() {
  case $NODE in
    '' | *[!a-z0-9.-]* | [.-]* | *[.-])
      bad 30 name "'$NODE' must be lower-case letters, digits, '-' and '.', and begin and end with a letter or a digit." "Choose a name with --node-name."
      return 0
      ;;
  esac
  if [ ${#NODE} -gt 63 ]; then
    bad 30 name "'$NODE' has more than 63 characters." "Choose a shorter name with --node-name."
  elif [ -e "$STATE/node" ] && [ "$(cat "$STATE/node")" != "$NODE" ]; then
    bad 30 name "the host joined as '$(cat "$STATE/node")' before, not as '$NODE'." "Use that name, or run 'sh join.sh --undo' first."
  else
    ok name "$NODE"
  fi
}

# capacity LENGTH: how many pods a prefix of that length has addresses for, at most 1,000,000: the first address is the
# network's, and the second one the bridge's.
capacity() {
  if [ "$1" -le 100 ]; then echo 1000000; else echo $(((1 << (128 - $1)) - 2)); fi
}

check_max_pods() {
  [ -n "$PREFIX_LENGTH" ] || return 0
  max_pods=$(setting maxPods "$MAX_PODS")
  room=$(capacity "$PREFIX_LENGTH")
  if [ "$max_pods" -gt "$room" ] 2>/dev/null; then
    bad 33 maxPods "$max_pods pods do not fit into a /$PREFIX_LENGTH, which has addresses for $room." "Lower maxPods in $KUBELET_DROPINS or spec.kubelet.maxPods of NodePool $POOL, or make a pool with a shorter podPrefixLength."
  else
    ok maxPods "$max_pods fit into a /$PREFIX_LENGTH"
  fi
}

# find_prefix: sets PREFIX, or says why not. What a run before wrote wins over a guess.
find_prefix() {
  [ -n "$PREFIX_LENGTH" ] || {
    [ -z "$PREFIX" ] || bad 31 prefix "'$PREFIX' was given, but kube-controller-manager chooses the addresses of pool $POOL." "Leave --prefix out."
    return 0
  }
  # What a person chose at an earlier run is not looked for again.
  if [ -z "$PREFIX" ] && [ -e "$STATE/prefix" ] && [ ! -e "$STATE/found" ]; then PREFIX=$(cat "$STATE/prefix"); fi
  if [ -z "$PREFIX" ]; then
    prefix_found=$(found_prefixes)
    # Routes of before the join may be gone, and a router may be silent for a while.
    if [ -z "$prefix_found" ] && [ -e "$STATE/prefix" ]; then prefix_found=$(cat "$STATE/prefix"); fi
    case $(printf '%s' "$prefix_found" | grep -c .) in
      0)
        no_prefix
        return 0
        ;;
      1) PREFIX=$prefix_found PREFIX_FOUND=yes ;;
      *)
        bad 31 prefix "this host has several prefixes: $(printf '%s' "$prefix_found" | tr '\n' ' ')." "Choose one with --prefix."
        return 0
        ;;
    esac
  fi
  check_prefix
}

# no_prefix: why none was found, by the source.
no_prefix() {
  no_delegated
  no_derived
  no_static
}

no_delegated() {
  case $SOURCE in DelegatedPrefix | RequestedPrefix) ;; *) return 0 ;; esac
  prefix_from=${client_link:+the DHCPv6 server on }${client_link:-${DELEGATED_FILE:-$METADATA_URL}}
  prefix_why=$(head -n 1 "$WORK/source" 2>/dev/null | printable)
  bad 31 prefix "$prefix_from names no prefix of at most $PREFIX_LENGTH bits in the networks of pool $POOL ($POOL_PREFIXES)${prefix_why:+: $prefix_why}." "Look whether the provider leads a prefix to this host, or pass the prefix with --prefix."
}

no_derived() {
  [ ! "$SOURCE" = HostPrefix ] ||
    bad 31 prefix "no address of this host${INTERFACE:+ on $INTERFACE} lies in a network of pool $POOL ($POOL_PREFIXES) that is shorter than /$PREFIX_LENGTH." "Check router advertisements, or pass the prefix with --prefix."
}

no_static() {
  [ ! "$SOURCE" = StaticPrefix ] || bad 31 prefix "no address or route of this host lies in the networks of pool $POOL ($POOL_PREFIXES)." "Pass the prefix with --prefix."
}

# readdresses: whether this host may leave the prefix of its Node: the Node was deleted, or the kubelet has made another
# one since.
readdresses() {
  [ -e "$NODE_CERTIFICATE" ] || return 1
  if own_node; then [ -z "$(node_cidrs)" ]; else [ "$STATUS" = 404 ]; fi && READDRESS=yes
}

check_prefix() {
  prefix_network=$(network "$PREFIX") || {
    bad 31 prefix "'$PREFIX' is no IPv6 prefix." "Pass one as 2001:db8:0:1::/64."
    return 0
  }
  if ! same_address "${PREFIX%/*}" "${prefix_network%/*}"; then
    bad 31 prefix "'$PREFIX' has bits behind its length." "Pass $prefix_network."
  elif [ "${prefix_network##*/}" != "$PREFIX_LENGTH" ]; then
    bad 32 prefix "$prefix_network is a /${prefix_network##*/}; podPrefixLength of pool $POOL is $PREFIX_LENGTH." "Pass a prefix of that length."
  elif ! in_pool "$prefix_network"; then
    bad 32 prefix "$prefix_network lies in none of the networks of pool $POOL ($POOL_PREFIXES)." "Pass another prefix, or make a pool for that network: the prefixes of a pool cannot change."
  elif [ -e "$STATE/prefix" ] && [ "$(cat "$STATE/prefix")" != "$prefix_network" ] && ! readdresses; then
    [ -z "$PREFIX_FOUND" ] || PREFIX_MOVED=$prefix_network
    bad 35 prefix "the Node joined with $(cat "$STATE/prefix"), and its addresses cannot change to $prefix_network." "Run 'kubectl drain' for the Node, then 'kubectl delete node $NODE': a Node that is made again can have the prefix."
  else
    PREFIX=$prefix_network
    if holds_own_address "$PREFIX"; then
      bad 32 prefix "$PREFIX holds the address $prefix_own of this host." "Give pods a part of the network that does not hold the address."
    else
      ok prefix "$PREFIX"
    fi
  fi
}
