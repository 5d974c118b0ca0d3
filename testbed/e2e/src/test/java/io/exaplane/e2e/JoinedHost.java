// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A Linux host in namespaces of its own (network, mounts, processes and name), on the test bed's
 * bridge. The host has a node's programs and no settings, so that a join script makes it a node.
 * All of its processes end when it is closed. One thread.
 */
final class JoinedHost implements AutoCloseable {
  /** The prefixes of all such hosts. Nothing else of the test bed has these addresses. */
  static final String PREFIXES = "fd00:10:e0::/48";

  static final int PREFIX_LENGTH = 64;

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration JOIN = Duration.ofMinutes(10);
  private static final String BRIDGE = "exa0";
  private static final String MANAGEMENT_NETWORK = "--net=/var/run/netns/exa-mgmt";

  /** The management machine, behind which the endpoints of control planes are. */
  private static final String ROUTER = "fd00:10:1::10";

  private static final String REGISTRY = "http://[fd00:10:1::1]:5000";
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

  /** Where distributions put the CNI plugins. */
  private static final List<String> PLUGINS =
      List.of("/usr/lib/cni", "/opt/cni/bin", "/usr/libexec/cni");

  /** Exit codes for which cloud-init's unit, too, runs the script again: docs/node-join.md. */
  private static final Set<Integer> PASSING = Set.of(1, 20, 21, 23, 26, 29, 31, 36, 37, 40, 41, 42);

  final String name;
  private final int number;
  private final Path folder;
  private Process unshare;
  private long pid;
  private String lastJoin = "";

  private JoinedHost(int number, Path parent) throws IOException {
    this.number = number;
    this.name = "exr" + number;
    this.folder = Files.createDirectory(parent.resolve(name));
  }

  /**
   * Makes a host, without what a run that was cut off left.
   *
   * @param number 1..9
   */
  static JoinedHost make(int number, Path parent) throws IOException {
    JoinedHost host = new JoinedHost(number, parent);
    try {
      host.writeFiles();
      host.boot();
      return host;
    } catch (IOException | RuntimeException | AssertionError e) {
      host.close();
      throw e;
    }
  }

  String address() {
    return "fd00:10:1::f0" + number;
  }

  /** The prefix for the host's pods, which is routed to the host. */
  private String prefix() {
    return "fd00:10:e0:" + number + "::/" + PREFIX_LENGTH;
  }

  private String link() {
    return "exr-v" + number;
  }

  private String cgroup() {
    return "%s-%d".formatted(name, ProcessHandle.current().pid());
  }

  private Path programs() {
    return folder.resolve("programs");
  }

  private void writeFiles() throws IOException {
    try (InputStream script = JoinedHost.class.getResourceAsStream("/joined-host.sh")) {
      Files.copy(Objects.requireNonNull(script), folder.resolve("host.sh"));
    }
    Files.createDirectory(programs());
    for (String program : List.of("kubelet", "kube-proxy")) {
      Files.createSymbolicLink(
          programs().resolve(program), Bed.CACHE.resolve("kube-" + Bed.VERSION).resolve(program));
    }
    Files.writeString(folder.resolve("resolv.conf"), "nameserver fd00:10:1::1\n");
    // containerd 1.6 reads no table key with an IPv6 address, and wants an empty table.
    Files.writeString(
        folder.resolve("hosts.toml"),
        """
        server = "%s"
        capabilities = ["pull", "resolve"]
        [host]
        """
            .formatted(REGISTRY));
    // This machine may have cgroup v1, and refuse to lower an OOM score.
    Files.writeString(
        folder.resolve("config.toml"),
        """
        version = 2
        [plugins."io.containerd.grpc.v1.cri"]
          sandbox_image = "registry.k8s.io/pause:3.10"
          restrict_oom_score_adj = true
          netns_mounts_under_state_dir = true
          [plugins."io.containerd.grpc.v1.cri".cni]
            bin_dir = "%s"
            conf_dir = "/etc/cni/net.d"
          [plugins."io.containerd.grpc.v1.cri".registry]
            config_path = "/etc/containerd/certs.d"
        """
            .formatted(plugins()));
    Files.writeString(
        folder.resolve("50-test.conf"),
        """
        {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration",
         "failCgroupV1": false, "failSwapOn": false, "cgroupRoot": "/%s", "imageGCHighThresholdPercent": 100,
         "evictionHard": {"nodefs.available": "1%%", "imagefs.available": "1%%", "memory.available": "50Mi"}}
        """
            .formatted(cgroup()));
  }

  private static String plugins() {
    return PLUGINS.stream()
        .filter(each -> Files.exists(Path.of(each, "bridge")))
        .findFirst()
        .orElseThrow();
  }

  private void boot() throws IOException {
    takeAway();
    must(List.of("ip", "netns", "add", name));
    must(
        List.of(
            "ip", "link", "add", link(), "type", "veth", "peer", "name", "eth0", "netns", name));
    must(List.of("ip", "link", "set", link(), "master", BRIDGE, "up"));
    makeCgroups();
    unshare =
        new ProcessBuilder(
                "setpriv",
                "--pdeathsig=KILL",
                "nsenter",
                "--net=/var/run/netns/" + name,
                "unshare",
                "--mount",
                "--uts",
                "--pid",
                "--fork",
                "--kill-child",
                "--mount-proc",
                "sh",
                folder.resolve("host.sh").toString(),
                folder.toString(),
                name,
                Bed.CACHE.resolve("pause").toString(),
                Bed.STATE.toString())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(folder.resolve("host.log").toFile()))
            .start();
    Bed.await(name + " has booted", PATIENCE, this::hasBooted);
    pid = unshare.children().findFirst().orElseThrow().pid();
    inside("ip", "link", "set", "eth0", "up");
    inside("ip", "-6", "address", "add", address() + "/64", "dev", "eth0", "nodad");
    inside("ip", "-6", "route", "add", "default", "via", ROUTER);
    inside("ip", "-6", "route", "add", "unreachable", prefix());
    must(
        List.of(
            "nsenter",
            MANAGEMENT_NETWORK,
            "ip",
            "-6",
            "route",
            "replace",
            prefix(),
            "via",
            address()));
  }

  private boolean hasBooted() {
    if (!unshare.isAlive()) {
      throw new AssertionError(Bed.read(folder.resolve("host.log")));
    }
    return Files.exists(folder.resolve("ready"));
  }

  /** The kubelet does not make its root group: one in each controller of v1, or one of v2. */
  private void makeCgroups() throws IOException {
    if (Files.exists(CGROUPS.resolve("cgroup.controllers"))) {
      Files.createDirectories(CGROUPS.resolve(cgroup()));
      return;
    }
    for (Path controller : controllers()) {
      Path group = Files.createDirectories(controller.resolve(cgroup()));
      if (controller.endsWith("cpuset")) {
        for (String file : List.of("cpuset.cpus", "cpuset.mems")) {
          Files.write(group.resolve(file), Files.readAllBytes(controller.resolve(file)));
        }
      }
    }
  }

  private static List<Path> controllers() throws IOException {
    try (var all = Files.list(CGROUPS)) {
      return all.filter(Files::isDirectory).toList();
    }
  }

  /**
   * Runs the join script as an administrator would, and again as its unit would when the reason of
   * a failure can pass.
   */
  void join(String script) throws IOException {
    Path file = Files.writeString(folder.resolve("join.sh"), script);
    String path = "PATH=" + programs() + ":" + System.getenv("PATH");
    List<String> command = entering("env", path, "sh", file.toString());
    Bed.await(name + " joins", JOIN, () -> joins(Bed.run(command)), () -> lastJoin);
  }

  private boolean joins(Bed.Run run) {
    lastJoin = "join.sh on %s ended with %d:\n%s".formatted(name, run.exit(), run.output());
    if (run.exit() != 0 && !PASSING.contains(run.exit())) {
      throw new AssertionError(lastJoin);
    }
    return run.exit() == 0;
  }

  private List<String> entering(String... command) {
    List<String> words = new ArrayList<>(List.of("nsenter", "--target", Long.toString(pid)));
    words.addAll(List.of("--mount", "--uts", "--net", "--pid"));
    words.addAll(List.of(command));
    return words;
  }

  /** Runs a command on the host; it must succeed. */
  String inside(String... command) {
    return must(entering(command));
  }

  /** The program of the host that fetches CAs stands still, and everything else goes on. */
  void holdFollower() {
    signalFollower("STOP");
  }

  /** The program goes on where it stood still. */
  void releaseFollower() {
    signalFollower("CONT");
  }

  private void signalFollower(String signal) {
    inside(
        "sh",
        "-c",
        "read -r pid _ </run/exaplane/heartbeats.pid && kill -s \"$0\" \"$pid\"",
        signal);
  }

  /** How often the kubelet has started. */
  int kubeletStarts() {
    return Integer.parseInt(
        inside(
            "sh", "-c", "grep -c 'Client rotation is on' /var/log/exaplane/kubelet.log || true"));
  }

  /** The ends of the logs of what follows CAs. */
  String lastWords() {
    return inside(
        "tail", "-n", "20", "/var/log/exaplane/heartbeats.log", "/var/log/exaplane/kubelet.log");
  }

  private static String must(List<String> command) {
    Bed.Run run = Bed.run(command);
    if (run.exit() != 0) {
      throw new IllegalStateException(
          "%s ended with %d: %s".formatted(String.join(" ", command), run.exit(), run.output()));
    }
    return run.output().strip();
  }

  private void takeAway() {
    Bed.run(List.of("nsenter", MANAGEMENT_NETWORK, "ip", "-6", "route", "delete", prefix()));
    Bed.run(List.of("ip", "link", "delete", link()));
    Bed.run(List.of("ip", "netns", "delete", name));
  }

  @Override
  public void close() {
    if (unshare != null) {
      unshare.children().forEach(ProcessHandle::destroyForcibly);
      unshare.destroyForcibly().onExit().join();
    }
    takeAway();
    // Processes of a namespace whose first process has ended take a moment to end.
    Bed.run(
        List.of(
            "sh",
            "-c",
            "for try in $(seq 100); do"
                + " find /sys/fs/cgroup -maxdepth 2 -type d -name \"$0\" |"
                + " while read -r group; do find \"$group\" -depth -type d -exec rmdir {} \\; ; done;"
                + " [ -n \"$(find /sys/fs/cgroup -maxdepth 2 -type d -name \"$0\")\" ] || exit 0;"
                + " sleep 0.3; done",
            cgroup()));
  }
}
