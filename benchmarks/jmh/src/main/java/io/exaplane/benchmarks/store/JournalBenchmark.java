// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.store;

import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.journal.Attempts;
import io.exaplane.store.journal.Journal;
import io.exaplane.store.journal.SeenRevisions;
import io.exaplane.store.journal.storage.Folder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A put with the journal, to a folder below the system's for temporary files: a batch is one frame
 * that is forced, snapshots included. {@code -jvmArgsAppend -Djava.io.tmpdir=…} names a disk.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 1,
    jvmArgs = {
      "-Xmx1g",
      "--enable-native-access=ALL-UNNAMED",
      "--sun-misc-unsafe-memory-access=allow"
    })
public class JournalBenchmark {
  private static final int BATCH = 64;

  /** Of a value. */
  @Param({"600", "8000"})
  public int bytes;

  private Path folder;
  private Folder storage;
  private Contents contents;
  private Journal journal;
  private byte[][] keys;
  private int next;

  /** A full store with an empty folder. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    folder = Files.createTempDirectory("journal-benchmark");
    storage = Folder.open(folder);
    journal =
        Attempts.start(
            () -> {
              contents = new Contents(bytes, 2);
              return new Attempts.Target(contents.region, contents.leases, contents.keyspace);
            },
            (target, attempts) ->
                Journal.open(
                    storage,
                    SeenRevisions.NONE,
                    target.keyspace(),
                    target.leases(),
                    new RevisionPins(),
                    attempts));
    keys = new byte[Contents.KEYS][];
    for (int i = 0; i < Contents.KEYS; i++) {
      keys[i] = Contents.key(i);
    }
  }

  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    journal.close();
    contents.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long put() throws IOException {
    for (int i = 0; i < BATCH; i++) {
      next = (next + 7919) % Contents.KEYS;
      byte[] key = keys[next];
      contents.keyspace.put(key, 0, key.length, contents.value, 0, bytes, 0);
      contents.keyspace.commit();
      journal.collect();
    }
    journal.commit();
    contents.compact(BATCH);
    if (journal.wantsSnapshot()) {
      journal.planSnapshot().run();
    }
    return contents.keyspace.revision();
  }
}
