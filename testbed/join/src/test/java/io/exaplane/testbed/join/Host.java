// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Kubernetes;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A Linux host in namespaces of its own: network, mounts, processes and name. It ends with all of
 * its processes when it is closed. One thread.
 */
final class Host implements AutoCloseable {
  private static final long START_MS = 120_000;

  /** The script's exit code when another copy runs. */
  private static final int LOCKED = 3;

  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

  final String name;
  final Path folder;
  private final Uplink uplink;
  private Process unshare;
  private long pid;

  private Host(String name, Uplink uplink, Path folder) {
    this.name = name;
    this.uplink = uplink;
    this.folder = folder;
  }

  /**
   * Makes a host on the bridge of the API.
   *
   * @param number 1..99
   */
  static Host make(String name, int number, Path parent) throws Exception {
    return make(name, parent, new BridgePort(number));
  }

  /** Makes a host that is plugged in there, and boots it. */
  static Host make(String name, Path parent, Uplink uplink) throws Exception {
    Host host = new Host("exj-" + name, uplink, Files.createDirectory(parent.resolve(name)));
    try {
      host.writeFiles();
      host.boot();
    } catch (Exception e) {
      host.close();
      throw e;
    }
    return host;
  }

  String address() {
    return uplink.address();
  }

  /** The prefix that is routed to the host. */
  String prefix() {
    return uplink.prefix();
  }

  private String cgroup() {
    return "%s-%d".formatted(name, ProcessHandle.current().pid());
  }

  /**
   * Ends all processes of the host, as a loss of power does, and boots the host. Its namespaces are
   * new; only the disk is the former one.
   */
  void reboot() throws Exception {
    halt();
    boot();
  }

  private void boot() throws Exception {
    Shell.may("ip", "netns", "delete", name);
    Shell.must("ip", "netns", "add", name);
    uplink.plug(name);
    makeCgroups();
    Files.deleteIfExists(folder.resolve("ready"));
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
                pause().toString())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(folder.resolve("host.log").toFile()))
            .start();
    awaitReady();
    pid = unshare.children().findFirst().orElseThrow().pid();
    uplink.configure(this);
  }

  private static Path pause() {
    return Path.of(Kubernetes.binary("kubelet")).getParent().resolveSibling("pause");
  }

  private void writeFiles() throws IOException {
    try (InputStream script = Host.class.getResourceAsStream("/host.sh")) {
      Files.copy(script, folder.resolve("host.sh"));
    }
    Path bin = Files.createDirectory(programs());
    for (String program : List.of("kubelet", "kube-proxy")) {
      Files.createSymbolicLink(bin.resolve(program), Path.of(Kubernetes.binary(program)));
    }
    Files.writeString(folder.resolve("resolv.conf"), "nameserver %s%n".formatted(Net.API));
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
            bin_dir = "/usr/lib/cni"
            conf_dir = "/etc/cni/net.d"
        """);
    Files.writeString(
        folder.resolve("50-test.conf"),
        """
        {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration",
         "failCgroupV1": false, "failSwapOn": false, "cgroupRoot": "/%s", "imageGCHighThresholdPercent": 100,
         "evictionHard": {"nodefs.available": "1%%", "imagefs.available": "1%%", "memory.available": "50Mi"}}
        """
            .formatted(cgroup()));
  }

  /** The kubelet does not make its root group: one in each controller of v1, or one of v2. */
  private void makeCgroups() throws IOException {
    if (Files.exists(CGROUPS.resolve("cgroup.controllers"))) {
      Files.createDirectories(CGROUPS.resolve(cgroup()));
      return;
    }
    for (Path controller : folders(CGROUPS)) {
      Path group = Files.createDirectories(controller.resolve(cgroup()));
      if (controller.endsWith("cpuset")) {
        for (String file : List.of("cpuset.cpus", "cpuset.mems")) {
          Files.write(group.resolve(file), Files.readAllBytes(controller.resolve(file)));
        }
      }
    }
  }

  private static List<Path> folders(Path parent) throws IOException {
    try (var all = Files.list(parent)) {
      return all.filter(Files::isDirectory).toList();
    }
  }

  private void awaitReady() throws Exception {
    long end = System.currentTimeMillis() + START_MS;
    while (!Files.exists(folder.resolve("ready"))) {
      if (!unshare.isAlive() || System.currentTimeMillis() > end) {
        throw new IllegalStateException(Files.readString(folder.resolve("host.log")));
      }
      Thread.sleep(20);
    }
  }

  /** The words that run a command on the host. */
  List<String> entering(List<String> command) {
    List<String> words = new ArrayList<>(List.of("nsenter", "--target", Long.toString(pid)));
    words.addAll(List.of("--mount", "--uts", "--net", "--pid"));
    words.addAll(command);
    return words;
  }

  /** Runs a command on the host; it must succeed. */
  String inside(String... command) throws IOException {
    return Shell.must(entering(List.of(command)).toArray(String[]::new));
  }

  /** Runs a script on the host, as an administrator would. */
  Shell.Result script(Path script, String... arguments) throws IOException {
    List<String> words = new ArrayList<>(List.of("sh", script.toString()));
    words.addAll(List.of(arguments));
    return unlocked(entering(words));
  }

  /** What runs on the host may hold the script's lock for a moment. */
  private Shell.Result unlocked(List<String> command) throws IOException {
    long end = System.currentTimeMillis() + START_MS;
    Shell.Result run = Shell.run(command, path());
    while (run.exit() == LOCKED
        && run.text().contains("another copy")
        && System.currentTimeMillis() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
      run = Shell.run(command, path());
    }
    return run;
  }

  /**
   * Runs a script after a change that only the script sees.
   *
   * @param change lines of a shell, in a mount namespace of their own
   */
  Shell.Result scriptAfter(String change, Path script, String... arguments) throws IOException {
    List<String> words = new ArrayList<>(List.of("unshare", "--mount", "sh", "-euc"));
    words.add(change + "\nexec sh \"$@\"");
    words.add("sh");
    words.add(script.toString());
    words.addAll(List.of(arguments));
    return Shell.run(entering(words), path());
  }

  /** The environment in which the host's programs are found. */
  Map<String, String> path() {
    return Map.of("PATH", programs() + ":" + System.getenv("PATH"));
  }

  /** From now on, systemd seems to run: {@code systemctl} starts units. */
  void systemd() throws IOException {
    Path stub = programs().resolve("systemctl");
    try (InputStream text = Host.class.getResourceAsStream("/systemctl")) {
      Files.copy(text, stub);
    }
    Files.setPosixFilePermissions(stub, PosixFilePermissions.fromString("rwxr-xr-x"));
    // containerd makes the last folder some time after its start.
    inside("mkdir", "-p", "/run/systemd/system", "/etc/cni/net.d");
    inside(
        "sh",
        "-c",
        "printf '[Service]\\nExecStart=/usr/bin/containerd\\n'"
            + " >/etc/systemd/system/containerd.service");
    inside(stub.toString(), "start", "containerd.service");
  }

  /** A name that breaks out of quotes, if the script does not quote well. */
  private Path programs() {
    return folder.resolve("it's $(HOME) \"bin\"");
  }

  /**
   * The path of kubelet or kube-proxy on the host: a link, until somebody puts another one there.
   */
  Path program(String program) {
    return programs().resolve(program);
  }

  /** Everything that a join could leave: files with their contents, links, tables, processes. */
  String traces() throws IOException {
    String files =
        Shell.must(
            "sh",
            "-c",
            "cd \"$0\" && find etc var kubelet -mindepth 1 ! -type d ! -type c"
                + " ! -path 'var/cache*' -printf '%p %y %m %l\\n' | sort"
                + " && find etc var kubelet -type f ! -path '*/log/*' -exec cksum {} + | sort",
            folder.toString());
    String rest =
        inside(
            "sh",
            "-c",
            "find /etc /var/lib/cni /var/lib/kubelet /var/log /run -mindepth 1 -type d"
                + " ! -path '/run/containerd*' ! -path /run/mount | sort;"
                + " ip -o link | cut -d: -f2; ip -6 route | sort; nft list tables;"
                + " ps -e -o stat=,comm= | awk '$1 !~ /^Z/ { print $2 }' |"
                + " grep -vxE 'ps|sh|awk|grep|sort|pause|nsenter|sleep|curl' | sort;"
                + " cd /proc/sys/net && grep -r . ipv6/conf/all/forwarding bridge");
    return files + "\n" + rest;
  }

  @Override
  public void close() throws IOException {
    halt();
  }

  private void halt() throws IOException {
    if (unshare != null) {
      unshare.children().forEach(ProcessHandle::destroyForcibly);
      unshare.destroyForcibly().onExit().join();
    }
    uplink.unplug();
    Shell.may("ip", "netns", "delete", name);
    // Processes of a namespace whose first process has ended take a moment to end.
    Shell.may(
        "sh",
        "-c",
        "for try in $(seq 100); do"
            + " find /sys/fs/cgroup -maxdepth 2 -type d -name \"$0\" |"
            + " while read -r group; do find \"$group\" -depth -type d -exec rmdir {} \\; ; done;"
            + " [ -n \"$(find /sys/fs/cgroup -maxdepth 2 -type d -name \"$0\")\" ] || exit 0;"
            + " sleep 0.3; done",
        cgroup());
  }

  /** Undoes a join. */
  void undo(Path script) throws IOException {
    Shell.Result run = script(script, "--undo");
    assertThat(run.exit()).as(run.text()).isZero();
  }

  /** A kept program of the host rests between two looks; now it looks at once. */
  void wake(String program) throws IOException {
    inside(
        "sh",
        "-c",
        "read -r pid _ </run/exaplane/\"$0\".pid; kill $(ps -o pid=,comm= --ppid $pid |"
            + " awk '$2 == \"sleep\" { print $1 }') 2>/dev/null || true",
        program);
  }
}
