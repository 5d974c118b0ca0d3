# A host of the test: process 1 of namespaces of its own, with its own /etc, /var, /run and /var/lib/kubelet.
# host.sh FOLDER NAME PAUSE: FOLDER takes what the host writes, PAUSE holds the namespaces open. Run by unshare.
set -eu
folder=$1 name=$2 pause=$3
hostname "$name"
for part in etc var; do
  mkdir -p "$folder/$part" "$folder/$part.work"
  mount -t overlay overlay -o "lowerdir=/$part,upperdir=$folder/$part,workdir=$folder/$part.work" "/$part"
done
mkdir -p "$folder/containerd" "$folder/kubelet" /var/lib/containerd /var/lib/kubelet
# Kubelet and snapshots want a file system with a device.
mount --bind "$folder/containerd" /var/lib/containerd
mount --bind "$folder/kubelet" /var/lib/kubelet
mount --make-shared /var/lib/kubelet
mount -t tmpfs tmpfs /run
# Only what the disk did not have before the first boot; later ones find what a join wrote.
if [ ! -e "$folder/installed" ]; then
  rm -rf /etc/cni/net.d /etc/kubernetes /etc/exaplane /var/lib/cni /var/log/pods /var/log/containers /var/log/exaplane
  # Somebody else's, which stays.
  mkdir -p /var/lib/cni/results /etc/cni
  echo other >/var/lib/cni/results/other
  echo other >/var/lib/kubelet/config.json
  mkdir -p /etc/containerd /etc/kubernetes/kubelet.conf.d
  cp "$folder/config.toml" /etc/containerd/config.toml
  cp "$folder/50-test.conf" /etc/kubernetes/kubelet.conf.d/50-test.conf
  cp "$folder/resolv.conf" /etc/resolv.conf
  touch "$folder/installed"
fi
mkdir /run/lock
ip link set lo up
echo ready >"$folder/ready"
exec "$pause"
