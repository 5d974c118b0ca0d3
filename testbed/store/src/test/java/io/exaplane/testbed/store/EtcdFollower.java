// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An etcd that does not say that it is ready: a learner, one with the API of version 2, or one that
 * ends at once.
 */
final class EtcdFollower implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private final Etcd etcd;
  private final List<String> command = new ArrayList<>();
  private final String target;
  private final Path log;
  private Process process;

  EtcdFollower(Etcd etcd, Path data, String... flags) throws IOException {
    this.etcd = etcd;
    this.target = "127.0.0.1:" + Machine.freePort();
    this.log = data.resolveSibling("etcd.log");
    command.add(etcd.program("etcd"));
    command.add("--data-dir=" + data);
    command.add("--listen-client-urls=http://" + target);
    command.add("--advertise-client-urls=http://" + target);
    command.add("--listen-peer-urls=http://127.0.0.1:" + Machine.freePort());
    command.add("--log-level=error");
    command.add("--unsafe-no-fsync");
    command.addAll(List.of(flags));
  }

  /** What makes an etcd a member of a cluster. */
  static String[] member(String name, String peer, String cluster) {
    return new String[] {
      "--name=" + name,
      "--listen-peer-urls=" + peer,
      "--initial-advertise-peer-urls=" + peer,
      "--initial-cluster=" + cluster
    };
  }

  void start(String... more) throws IOException {
    List<String> words = new ArrayList<>(command);
    words.addAll(List.of(more));
    process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
  }

  /** Host and port. */
  String target() {
    return target;
  }

  /** Until it answers its clients, also one without pages for probes. */
  void awaitServing() throws Exception {
    await("it is healthy", " is healthy", "endpoint", "health");
  }

  void awaitKeys(int keys) throws Exception {
    String count = "\"count\":" + keys;
    await(keys + " keys at it", count, "get", "/", "--prefix", "--consistency=s", "-w", "json");
  }

  private void await(String what, String wanted, String... question) throws Exception {
    AtomicReference<String> seen = new AtomicReference<>("");
    Await.until(
        PATIENCE,
        what,
        () -> {
          try {
            seen.set(etcd.ctl(target, question));
          } catch (IOException e) {
            seen.set(e.getMessage());
          }
          return seen.get().contains(wanted);
        },
        () -> seen.get() + Files.readString(log));
  }

  /**
   * Until it has ended by itself.
   *
   * @return what it said
   */
  String awaitEnd() throws Exception {
    Await.until(PATIENCE, "it ends", () -> !process.isAlive(), () -> Files.readString(log));
    return Files.readString(log);
  }

  /** In good order, also if it ended before. */
  void stop() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }

  /** As a loss of power ends it. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    if (process != null) {
      kill();
    }
  }
}
