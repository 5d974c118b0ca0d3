// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

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

  /** What it makes on the host outside of its folder, and the settings that it changes. */
  static String traces(Host host, String names) throws IOException {
    return host.inside(
        "sh",
        "-c",
        "{ ip -o link | cut -d: -f2; ip -6 route; nft list tables; } | grep exk;"
            + " find /sys/fs/cgroup -maxdepth 2 -name \"$0-*\"; ls /run;"
            + " ps -e -o comm= | grep -E 'kubelet|containerd|kube-proxy';"
            + " cd /proc/sys && grep . net/ipv6/conf/all/forwarding fs/inotify/max_user_instances"
            + " vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops"
            + " kernel/keys/root_maxkeys kernel/keys/root_maxbytes",
        names);
  }

  @Override
  public void close() throws IOException {
    if (process.isAlive()) {
      host.inside("kill", "-KILL", pid());
      process.onExit().join();
    }
  }
}
