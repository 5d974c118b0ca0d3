// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.store;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a request costs by being copied once more than it must: from an event loop's array into that
 * of a command, one of as many as a batch has. An answer is copied so, too, of 30 bytes.
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
public class CopyBenchmark {
  private static final int COMMANDS = 512;

  /** Of a message. */
  @Param({"30", "700", "8000", "1000000"})
  public int bytes;

  private byte[] from;
  private byte[][] to;
  private int next;

  @Setup(Level.Trial)
  public void setUp() {
    from = new byte[bytes];
    to = new byte[bytes > 1 << 16 ? 8 : COMMANDS][bytes];
  }

  @Benchmark
  public byte[] copy() {
    next = (next + 1) % to.length;
    System.arraycopy(from, 0, to[next], 0, bytes);
    return to[next];
  }
}
