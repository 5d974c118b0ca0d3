// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.store;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.RequestCodec;
import io.exaplane.store.codec.ResponseCodec;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.execute.RangeExecutor;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.result.RangeResult;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A Range on an event loop, without network: parsed, read, encoded. */
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
public class RangeBenchmark {
  /** Keys of the answer. */
  @Param({"1", "500"})
  public int keys;

  private final ProtoReader in = new ProtoReader();
  private final ReverseWriter out = new ReverseWriter();
  private final RangeRequest request = new RangeRequest();
  private final RangeResult result = new RangeResult();
  private Contents contents;
  private RangeExecutor executor;
  private ResponseCodec codec;
  private byte[][] requests;
  private int next;

  /** A full store, and a request from each of its keys on. */
  @Setup(Level.Trial)
  public void setUp() {
    contents = new Contents(600, 1);
    contents.fill();
    executor = new RangeExecutor(contents.keyspace);
    codec = new ResponseCodec(contents.keyspace.memory(), 1, 1);
    requests = new byte[Contents.KEYS][];
    for (int i = 0; i < Contents.KEYS; i++) {
      byte[] key = Contents.key(i);
      out.clear();
      out.number(3, keys == 1 ? 0 : keys);
      if (keys > 1) {
        out.bytes(2, new byte[1], 0, 1);
      }
      out.bytes(1, key, 0, key.length);
      requests[i] = out.copy();
    }
  }

  @TearDown(Level.Trial)
  public void tearDown() {
    contents.close();
  }

  @Benchmark
  public int range() {
    next = (next + 7919) % Contents.KEYS;
    byte[] asked = requests[next];
    RequestCodec.range(in.open(asked, 0, asked.length), request);
    executor.execute(contents.keyspace.view(), request, result);
    codec.range(out.clear(), result);
    return out.length();
  }
}
