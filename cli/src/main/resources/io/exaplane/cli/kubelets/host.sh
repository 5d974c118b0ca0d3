# A host of 'exactl bench kubelets': process 1 of namespaces of its own. It ends when one of its programs ends.
# host.sh FOLDER NAME ADDRESS GATEWAY LABELS KUBELET [KUBE_PROXY]
set -eu
folder=$1 name=$2 address=$3 gateway=$4 labels=$5 kubelet=$6 proxy=${7:-}
ended() { # PROGRAM
  echo "$1 ended: $(tail -n 1 "$folder/$1.log")"
  exit 1
}
hostname "$name"
# Elsewhere they may be links into /run, or mounts.
for file in hosts resolv.conf; do
  [ ! -e "/etc/$file" ] || cp -L "/etc/$file" "$folder/$file"
done
# Pods see copies of the machine's folders, and what they write there is in memory: DaemonSets that tolerate everything install files.
mount -t tmpfs tmpfs /run
mkdir /run/bench
mount --bind "${folder%/*}" /run/bench
for place in /*; do
  case $place in /proc | /sys | /dev | /run) continue ;; esac
  if [ -L "$place" ] || [ ! -d "$place" ]; then
    continue
  fi
  mkdir -p "/run/copies$place/upper" "/run/copies$place/work"
  # A file system that cannot lie below an overlay is hidden.
  mount -t overlay overlay -o "lowerdir=$place,upperdir=/run/copies$place/upper,workdir=/run/copies$place/work" "$place" ||
    mount -t tmpfs -o ro tmpfs "$place"
done
mount -o remount,bind,ro /
mount --move /run/bench "${folder%/*}"
for file in hosts resolv.conf; do
  [ ! -e "$folder/$file" ] || cp --remove-destination "$folder/$file" "/etc/$file"
done
# What the programs write in fixed places stays in the folder, or in memory.
mount --bind "$folder/kubelet" /var/lib/kubelet
mount --make-rshared /var/lib/kubelet
for place in /var/log /var/lib/cni; do
  mount -t tmpfs tmpfs "$place"
done
# Kernel settings that no namespace has of its own. Kubelets insist on six of them: they find their values in files, and change nothing.
for place in fs kernel vm; do
  mount --bind "/proc/sys/$place" "/proc/sys/$place"
  mount -o remount,bind,ro "/proc/sys/$place"
done
for file in "$folder"/sysctl/*; do
  place=$(echo "${file##*/}" | tr . /)
  [ ! -e "/proc/sys/$place" ] || mount --bind "$file" "/proc/sys/$place"
done
ip link set lo up
: >"$folder/up"
until ip link show dev eth0 >/dev/null 2>&1; do
  sleep 0.1
done
ip link set eth0 up
ip -6 address add "$address/64" dev eth0 nodad
ip -6 route add default via "$gateway"
echo 1 >/proc/sys/net/ipv6/conf/all/forwarding
containerd --config "$folder/containerd.toml" >"$folder/containerd.log" 2>&1 &
runtime=$!
until ctr --address "$folder/c.sock" version >/dev/null 2>&1; do
  kill -0 "$runtime" 2>/dev/null || ended containerd
  sleep 0.2
done
while IFS= read -r image; do
  ctr --address "$folder/c.sock" --namespace k8s.io images import "$image" </dev/null
done <"$folder/images"
"$kubelet" --config="$folder/kubelet.json" --config-dir="$folder/kubelet.conf.d" --kubeconfig="$folder/kubelet.kubeconfig" \
  --hostname-override="$name" --node-ip="$address" --node-labels="$labels" --v=1 >"$folder/kubelet.log" 2>&1 &
node=$!
balancer=$$
if [ -n "$proxy" ]; then
  "$proxy" --config="$folder/kube-proxy.json" --v=1 >"$folder/kube-proxy.log" 2>&1 &
  balancer=$!
fi
while :; do
  kill -0 "$runtime" 2>/dev/null || ended containerd
  kill -0 "$node" 2>/dev/null || ended kubelet
  kill -0 "$balancer" 2>/dev/null || ended kube-proxy
  sleep 1
done
