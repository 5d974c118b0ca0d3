// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import java.util.stream.Stream;

/** Causes that lie in the host itself, made in a mount namespace of the one run. */
final class Refusals {
  static final String DROPIN = "/etc/kubernetes/kubelet.conf.d/50-test.conf";

  /** What a run's mount namespace does not take with it. */
  static final String REPAIR =
      "rm -rf /run/date /run/hosts /run/bin /run/empty /run/file /run/exaplane-join.lock;"
          + " ip -6 route del unreachable fd00:e:188::/64 2>/dev/null;"
          + " ip link del cni0 2>/dev/null; nft delete table ip6 exj 2>/dev/null;"
          + " rm -f /etc/kubernetes/kubelet.conf; rmdir /etc/cni/net.d 2>/dev/null; true";

  private Refusals() {}

  static Stream<Refusal> ofTheHost() {
    return Stream.of(
        Refusal.of("kubelet missing", 11, "kubelet", "not found", "Install kubelet").after(link()),
        Refusal.of("kubelet of another version", 12, "the pool has 1.37.99", "NodePool edge")
            .with(input -> Inputs.version(input, "1.37.99")),
        Refusal.of("containerd missing", 13, "containerd", "Install").after(hide("containerd")),
        Refusal.of("runc missing", 13, "runc", "Install").after(hide("runc")),
        Refusal.of("a tool missing", 10, "nft", "Install").after(hide("nft")),
        Refusal.of("CNI plugin missing", 14, "host-local", "Install")
            .after("mount --bind /dev/null /usr/lib/cni/host-local"),
        Refusal.of("another network first", 14, "05-other.conflist", "Move the file")
            .after("mkdir /run/empty", "echo '{}' >/run/empty/05-other.conflist", netD()),
        Refusal.of("kernel module missing", 15, "overlay", "modprobe")
            .after(
                "grep -v overlay /proc/filesystems >/run/file",
                "mount --bind /run/file /proc/filesystems"),
        Refusal.of("sysctl cannot be set", 16, "net/ipv6/conf/all/forwarding", "cannot be set")
            .after("mount --bind /proc/sys /proc/sys", "mount -o remount,ro,bind /proc/sys"),
        Refusal.of("cgroup v1", 17, "failCgroupV1", "unified_cgroup_hierarchy")
            .after(
                "mount -t tmpfs tmpfs /sys/fs/cgroup",
                "mount -t tmpfs tmpfs /etc/kubernetes/kubelet.conf.d"),
        Refusal.of("swap", 18, "swapoff")
            .after(
                "{ cat /proc/swaps; echo '/dev/sdz partition 1 0 -2'; } >/run/file",
                "mount --bind /run/file /proc/swaps",
                "mount -t tmpfs tmpfs /etc/kubernetes/kubelet.conf.d",
                "echo 'failCgroupV1: false' >/etc/kubernetes/kubelet.conf.d/a.conf"),
        Refusal.of("another cluster", 19, "kubeadm reset")
            .after("touch /etc/kubernetes/kubelet.conf"),
        Refusal.of("a bridge of somebody", 19, "ip link delete cni0")
            .after("ip link add cni0 type bridge"),
        Refusal.of("name with a space", 30, "--node-name").calledWith("--node-name", "a b"),
        Refusal.of("name that is code", 30, "--node-name")
            .calledWith("--node-name=a';touch /etc/broken;'"),
        Refusal.of("unknown option", 2, "--frobnicate", "--help").calledWith("--frobnicate"),
        Refusal.of("not root", 3, "needs root")
            .after(
                "cp \"$1\" /run/file; chmod 0644 /run/file",
                "exec setpriv --reuid=65534 --clear-groups sh /run/file"),
        Refusal.of("another copy runs", 3, "another copy")
            .after("exec flock /run/exaplane-join.lock sh \"$@\""));
  }

  /** The test's own program folder comes first in PATH. */
  private static String link() {
    return "PATH=/usr/sbin:/usr/bin:/sbin:/bin";
  }

  private static String hide(String program) {
    return "mount --bind /dev/null \"$(readlink -f \"$(command -v %s)\")\"".formatted(program);
  }

  private static String netD() {
    return "mkdir -p /etc/cni/net.d && mount --bind /run/empty /etc/cni/net.d";
  }
}
