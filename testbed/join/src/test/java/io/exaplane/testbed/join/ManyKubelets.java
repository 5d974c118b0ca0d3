// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.testbed.machine.Await;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The script that runs many kubelets, as a process of a host. One thread. */
final class ManyKubelets implements AutoCloseable {
  static final Path SCRIPT =
      Path.of("../../benchmarks/kubelets/kubelets.sh").toAbsolutePath().normalize();

  /** Of all hosts. */
  static final String NETWORK = "fd00:e:1c0::/60";

  private static final String NAMES = "exj-many";
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final long END_S = 120;

  private final Host host;
  private final Process process;
  private final Path folder;

  private ManyKubelets(Host host, Process process, Path folder) {
    this.host = host;
    this.process = process;
    this.folder = folder;
  }

  /**
   * Starts it.
   *
   * @param folder takes its log
   */
  static ManyKubelets start(Host host, Path folder, String... options) throws IOException {
    Files.createDirectories(folder);
    List<String> words =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                "echo $$ >\"$0\"; exec sh \"$@\"",
                folder.resolve("pid").toString(),
                SCRIPT.toString()));
    words.addAll(List.of(options));
    ProcessBuilder builder =
        new ProcessBuilder(host.entering(words))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(folder.resolve("log").toFile()));
    builder.environment().putAll(host.path());
    return new ManyKubelets(host, builder.start(), folder);
  }

  String said() throws IOException {
    return Files.readString(folder.resolve("log"));
  }

  /** Waits until it says so; it must not end before. */
  void await(String words) throws Exception {
    Await.until(
        PATIENCE,
        "the script says: " + words,
        () -> {
          boolean isAlive = process.isAlive();
          String said = said();
          assertThat(isAlive || said.contains(words)).as(said).isTrue();
          return said.contains(words);
        },
        this::said);
  }

  /** Sends TERM, and waits for the end; returns the exit code. */
  int terminate() throws Exception {
    host.inside("kill", "-TERM", pid());
    return exit();
  }

  /** Waits for the end; returns the exit code. */
  int exit() throws Exception {
    assertThat(process.waitFor(END_S, TimeUnit.SECONDS)).as(said()).isTrue();
    return process.exitValue();
  }

  private String pid() throws IOException {
    return Files.readString(folder.resolve("pid")).strip();
  }

  private static String[] options(Path hosts, int count, Path join) {
    return new String[] {
      "--prefix=" + NETWORK,
      "--count=" + count,
      "--name=" + NAMES,
      "--join=" + join,
      "--folder=" + hosts
    };
  }

  /**
   * Two kubelets are nodes with the prefixes of the plan, and end without a trace in the folder.
   */
  static void becomeNodes(Host host, Cluster cluster, Path folder, Path join) throws Exception {
    Path hosts = folder.resolve("hosts");
    try (ManyKubelets many = start(host, folder.resolve("many"), options(hosts, 2, join))) {
      many.await("run    2 of 2 hosts are nodes");
      for (int i = 1; i <= 2; i++) {
        JsonNode node = cluster.got("/api/v1/nodes/%s-%d".formatted(NAMES, i));
        assertThat(node.path("status").path("conditions").findValuesAsText("reason"))
            .as(many.said() + node)
            .contains("KubeletReady");
        assertThat(node.path("spec").path("podCIDRs").path(0).asText())
            .isEqualTo("fd00:e:1c0:%d::/64".formatted(i));
        PausePod.answers("fd00:e:1c0::" + (i + 1));
      }
      assertThat(hosts.resolve("ready")).exists();
      assertThat(many.terminate()).as(many.said()).isZero();
      assertThat(many.said()).contains("done   nothing of the hosts is left here");
    }
    assertThat(hosts).doesNotExist();
  }

  /** A run that was killed is removed by the next one, whose only host cannot join. */
  static void killedAndRefused(Host host, Path folder, Path join, Path wrong) throws Exception {
    Path hosts = folder.resolve("hosts");
    try (ManyKubelets many = start(host, folder.resolve("killed"), options(hosts, 2, join))) {
      Await.until(
          PATIENCE, "both hosts begin", () -> Files.exists(hosts.resolve("2/up")), many::said);
    }
    assertThat(hosts.resolve("2")).exists();
    try (ManyKubelets many = start(host, folder.resolve("refused"), options(hosts, 1, wrong))) {
      assertThat(many.exit()).as(many.said()).isEqualTo(1);
      assertThat(many.said())
          .contains("clean  a run that was ended by force left files")
          .contains("failed exj-many-1  exit code 24 of the join script: FAIL  token")
          .contains("stop   no host is left")
          .doesNotContain("fedcba9876543210");
    }
    assertThat(hosts).doesNotExist();
  }

  /** Those that a run of before left, which was ended by force: the next run removes them. */
  static void forgetGroups() throws Exception {
    String find = "find /sys/fs/cgroup -mindepth 1 -depth -type d -path '*/%s-*'";
    Shell.must("sh", "-c", (find + " -exec rmdir {} + 2>/dev/null; true").formatted(NAMES));
  }

  /** What the script makes on the host outside of its folder, and the settings that it changes. */
  static String traces(Host host) throws IOException {
    return host.inside(
        "sh",
        "-c",
        "{ ip -o link | cut -d: -f2; ip -6 route; nft list tables; } | grep exk;"
            + " find /sys/fs/cgroup -maxdepth 2 -name \"$0-*\"; ls /run;"
            + " ps -e -o comm= | grep -E 'kubelet|containerd|kube-proxy';"
            + " cd /proc/sys && grep . net/ipv6/conf/all/forwarding"
            + " vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops"
            + " kernel/keys/root_maxkeys kernel/keys/root_maxbytes",
        NAMES);
  }

  @Override
  public void close() throws IOException {
    if (process.isAlive()) {
      host.inside("kill", "-KILL", pid());
      process.onExit().join();
    }
  }
}
