// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.pool;

import io.exaplane.testbed.machine.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Roots, relays and shards as processes of their own, as users start them. */
final class ProcessTree implements AutoCloseable {
  private final Path folder;
  private final LiveApi api;
  private final List<String> rootAddresses = new ArrayList<>();
  private final List<SchedulerProcess> all = new ArrayList<>();
  private int started;

  /** Of so many roots, none of which runs yet. */
  ProcessTree(Path folder, LiveApi api, int roots) throws IOException {
    this.folder = folder;
    this.api = api;
    for (int i = 0; i < roots; i++) {
      rootAddresses.add("127.0.0.1:" + Machine.freePort());
    }
  }

  /** Starts a root. */
  SchedulerProcess root(int number) throws Exception {
    String name = "root-" + number + "-" + started++;
    return keep(
        SchedulerProcess.start(folder, name, api, "--tree-listen=" + rootAddresses.get(number)));
  }

  String rootAddress(int number) {
    return rootAddresses.get(number);
  }

  /** Starts a relay, which is a member when this returns. */
  SchedulerProcess relay(String listen, String... parents) throws Exception {
    return member("relay", "--tree-listen=" + listen, parents(parents));
  }

  /** Starts a shard below these parents, or the roots if it cannot reach them. */
  SchedulerProcess shard(String... parents) throws Exception {
    return member("shard", parents(parents));
  }

  private String parents(String... first) {
    return "--tree-parents="
        + Stream.concat(Stream.of(first), rootAddresses.stream()).collect(Collectors.joining(","));
  }

  private SchedulerProcess member(String role, String... options) throws Exception {
    String name = role + "-" + started++;
    List<String> words = new ArrayList<>(List.of("--role=" + role, "--tree-name=" + name));
    words.addAll(List.of(options));
    return keep(SchedulerProcess.start(folder, name, words));
  }

  private SchedulerProcess keep(SchedulerProcess process) {
    all.add(process);
    return process;
  }

  /** Waits until so many shards have all nodes. */
  static void awaitShards(SchedulerProcess root, int shards) throws InterruptedException {
    Await.until(
        shards + " shards have all nodes",
        () ->
            root.metric("exaplane_scheduler_tree_shards") == shards
                && root.metric("exaplane_scheduler_tree_complete") == 1,
        () ->
            root.metric("exaplane_scheduler_tree_shards")
                + " shards, complete "
                + root.metric("exaplane_scheduler_tree_complete"));
  }

  @Override
  public void close() {
    all.forEach(SchedulerProcess::close);
  }
}
