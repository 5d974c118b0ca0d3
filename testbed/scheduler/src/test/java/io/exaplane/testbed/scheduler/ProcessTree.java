// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Roots, relays and shards as processes of their own, as users start them. */
final class ProcessTree implements AutoCloseable {
  private final Path folder;
  private final LiveApi api;
  private final List<String> rootAddresses = new ArrayList<>();
  private final List<SchedulerProcess> all = Collections.synchronizedList(new ArrayList<>());
  private final List<SchedulerProcess> shards = new ArrayList<>();
  private final AtomicInteger started = new AtomicInteger();

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
    String name = "root-" + number + "-" + started.getAndIncrement();
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

  /** Starts a root and shards below it side by side, and waits until those have all nodes. */
  SchedulerProcess rootAndShards(int shards) throws Exception {
    Future<SchedulerProcess> root = aside(() -> root(0));
    startShards(shards);
    awaitShards(root.get(), shards);
    return root.get();
  }

  /** Starts shards side by side, each as {@link #shard} does. */
  void startShards(int count, String... parents) throws Exception {
    List<Future<SchedulerProcess>> starting = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      starting.add(aside(() -> shard(parents)));
    }
    for (Future<SchedulerProcess> shard : starting) {
      shards.add(shard.get());
    }
  }

  /** The last of those that {@link #startShards} started. */
  SchedulerProcess lastShard() {
    return shards.getLast();
  }

  /** Does something while the caller goes on. */
  static <T> Future<T> aside(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread.ofVirtual().start(task);
    return task;
  }

  private String parents(String... first) {
    return "--tree-parents="
        + Stream.concat(Stream.of(first), rootAddresses.stream()).collect(Collectors.joining(","));
  }

  private SchedulerProcess member(String role, String... options) throws Exception {
    String name = role + "-" + started.getAndIncrement();
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
