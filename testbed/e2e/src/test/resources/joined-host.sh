# A host of the tests that joins by the join script: process 1 of namespaces of its own, with its own /etc, /var, /run and /var/lib/kubelet.
# joined-host.sh FOLDER NAME PAUSE STATE: FOLDER takes what the host writes, PAUSE holds the namespaces open, STATE is the test bed's folder. Run by unshare.
set -eu
folder=$1 name=$2 pause=$3 state=$4
hostname "$name"
# The namespace began with copies of the test bed's mounts, and nobody frees what a copy holds.
awk -v below="$state/" 'index($2, below) == 1 { print $2 }' /proc/mounts | sort -r | while read -r mount; do umount -l "$mount" || true; done
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
mkdir /run/lock
rm -rf /etc/cni/net.d /etc/kubernetes /etc/exaplane /etc/containerd /var/lib/cni /var/log/pods /var/log/containers /var/log/exaplane
# Every image comes from the test bed's registry, whatever the image's own registry is called.
mkdir -p /etc/containerd/certs.d/_default /etc/kubernetes/kubelet.conf.d
cp "$folder/config.toml" /etc/containerd/config.toml
cp "$folder/hosts.toml" /etc/containerd/certs.d/_default/hosts.toml
cp "$folder/50-test.conf" /etc/kubernetes/kubelet.conf.d/50-test.conf
cp "$folder/resolv.conf" /etc/resolv.conf
ip link set lo up
echo ready >"$folder/ready"
exec "$pause"
