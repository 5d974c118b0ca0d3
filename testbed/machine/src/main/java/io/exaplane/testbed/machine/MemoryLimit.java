// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.machine;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A control group of the kernel with a limit of memory, as a container has one: who passes it is
 * killed. Used by one thread.
 */
public final class MemoryLimit implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Path V1 = Path.of("/sys/fs/cgroup/memory");
  private final Path group;
  private final boolean old;

  private MemoryLimit(Path group, boolean old) {
    this.group = group;
    this.old = old;
  }

  /** Makes a group, of cgroup v1 or v2, as the machine has. */
  public static MemoryLimit of(String name, long bytes) throws IOException {
    boolean old = Files.exists(V1.resolve("memory.limit_in_bytes"));
    Path group =
        (old ? V1 : Path.of("/sys/fs/cgroup"))
            .resolve("exaplane-" + ProcessHandle.current().pid() + "-" + name);
    Files.createDirectories(group);
    MemoryLimit made = new MemoryLimit(group, old);
    try {
      Files.writeString(
          group.resolve(old ? "memory.limit_in_bytes" : "memory.max"), Long.toString(bytes));
    } catch (IOException e) {
      made.close();
      throw e;
    }
    return made;
  }

  /**
   * The command as one that joins the group before it begins: a JVM reads its limit at start. A
   * program in Go collects its heap at Go's own pace, whatever the launcher gives other programs of
   * tests.
   */
  public List<String> inside(List<String> command) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "/bin/sh",
                "-c",
                "unset GOGC && echo $$ >\"$0\" && exec \"$@\"",
                group.resolve("cgroup.procs").toString()));
    words.addAll(command);
    return words;
  }

  /** The most that was in use at a time, bytes, with the pages of files that were read. */
  public long peakBytes() throws IOException {
    return number(old ? "memory.max_usage_in_bytes" : "memory.peak");
  }

  /** How many processes the kernel killed because they passed the limit. */
  public int kills() throws IOException {
    return Files.readAllLines(group.resolve(old ? "memory.oom_control" : "memory.events")).stream()
        .filter(line -> line.startsWith("oom_kill "))
        .mapToInt(line -> Integer.parseInt(line.substring("oom_kill ".length()).strip()))
        .findFirst()
        .orElse(0);
  }

  private long number(String file) throws IOException {
    return Long.parseLong(Files.readString(group.resolve(file)).strip());
  }

  /** Removes the group; its processes must have ended. The kernel may be a while behind them. */
  @Override
  public void close() throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        Files.deleteIfExists(group);
        return;
      } catch (FileSystemException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        LockSupport.parkNanos(POLL.toNanos());
      }
    }
  }
}
