// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Programs of one version of etcd, in the launcher's cache.
 *
 * @param minor as {@code 3.6}
 * @param programs folder with etcd, etcdctl and etcdutl
 */
record Etcd(String minor, Path programs) {
  private static final Pattern FOLDER = Pattern.compile("etcd-(\\d+\\.\\d+)\\.\\d+");

  private static final Pattern MEMBER = Pattern.compile("Member\\s+([0-9a-f]+) added");
  private static final Duration CATCHES_UP = Duration.ofSeconds(120);

  private static Etcd of(String folder) {
    Path programs = Path.of(folder);
    Matcher name = FOLDER.matcher(programs.getFileName().toString());
    if (!name.matches()) {
      throw new IllegalArgumentException(folder + " is not named as etcd-3.6.8; look at EXA_ETCD");
    }
    return new Etcd(name.group(1), programs);
  }

  /** The one that tests compare with. */
  static Etcd usual() {
    return of(Machine.environment("EXA_ETCD"));
  }

  /** One of each minor version whose files the store reads, the oldest first. */
  static List<Etcd> all() {
    return Stream.of(Machine.environment("EXA_ETCD_VERSIONS").split(" ")).map(Etcd::of).toList();
  }

  /** The one of a minor version. */
  static Etcd of(List<Etcd> all, String minor) {
    return all.stream().filter(etcd -> etcd.minor().equals(minor)).findFirst().orElseThrow();
  }

  /** Starts a server; it serves when this returns. */
  ServerProcess start(Path dataDir, String... flags) throws Exception {
    return ServerProcess.etcd(this, dataDir, flags);
  }

  /** Where a program is. */
  String program(String name) {
    return programs.resolve(name).toString();
  }

  /** Runs etcdctl for a server to its end, and returns what it printed. */
  String ctl(String target, String... arguments) throws Exception {
    // A busy machine may take longer than the five seconds that are usual.
    Stream<String> command =
        Stream.of(
            program("etcdctl"),
            "--endpoints=" + target,
            "--dial-timeout=30s",
            "--command-timeout=60s");
    return ServerProcess.run(Stream.concat(command, Stream.of(arguments)).toList());
  }

  /** Flags of a second member, which joins a first one. */
  static String[] joins(String name, String peer, String first, String firstPeer) {
    String cluster = "%s=%s,%s=%s".formatted(first, firstPeer, name, peer);
    return Stream.concat(
            Stream.of("--initial-cluster-state=existing"),
            Stream.of(EtcdFollower.member(name, peer, cluster)))
        .toArray(String[]::new);
  }

  /**
   * Adds a member that only follows.
   *
   * @return its id
   */
  String addLearner(String target, String name, String peer) throws Exception {
    String added = ctl(target, "member", "add", name, "--learner", "--peer-urls=" + peer);
    Matcher id = MEMBER.matcher(added);
    if (!id.find()) {
      throw new AssertionError("no id of a member: " + added);
    }
    return id.group(1);
  }

  /** Makes a learner a member, as soon as it has caught up. */
  void promote(String target, String id) throws Exception {
    AtomicReference<String> refusal = new AtomicReference<>("");
    Await.until(
        CATCHES_UP,
        "the learner is promoted",
        () -> {
          try {
            ctl(target, "member", "promote", id);
            return true;
          } catch (IOException e) {
            refusal.set(e.getMessage());
            // Of an answer that was lost: it is a member already, and not one that is behind.
            return refusal.get().contains("can only promote a learner member")
                && !refusal.get().contains("in sync");
          }
        },
        refusal::get);
  }

  @Override
  public String toString() {
    return "etcd " + minor;
  }
}
