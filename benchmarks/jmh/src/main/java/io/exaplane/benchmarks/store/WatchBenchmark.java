// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.store;

import io.exaplane.store.api.watch.WatchHub;
import io.exaplane.store.api.watch.WatchStream;
import io.exaplane.store.codec.ResponseCodec;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.move.MoveGate;
import io.exaplane.store.move.MoveStates;
import io.exaplane.store.wire.GrpcStream;
import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.EventExecutor;
import java.nio.charset.StandardCharsets;
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

/**
 * A put, published and handed to all of its watchers as encoded responses, without network and
 * journal. Each watcher has a stream of its own, as those of different clients.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 1,
    jvmArgs = {
      "-Xmx1g",
      "--enable-native-access=ALL-UNNAMED",
      "--sun-misc-unsafe-memory-access=allow"
    })
public class WatchBenchmark {
  private static final int VALUE_BYTES = 600;
  private static final int PUTS_TO_COMPACTION = 512;
  private static final long NO_PROGRESS_MS = 1 << 30;
  private static final byte[] PREFIX = "/registry/pods/".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] PREFIX_END = "/registry/pods0".getBytes(StandardCharsets.US_ASCII);

  @Param({"1", "100", "10000"})
  public int watchers;

  /** Of one key, or of all pods. */
  @Param({"key", "prefix"})
  public String of;

  private Contents contents;
  private DefaultEventLoop loop;
  private WatchHub hub;
  private Sink sink;
  private int puts;

  /** A full store with its watchers, each of which was told that it is there. */
  @Setup(Level.Trial)
  public void setUp() {
    contents = new Contents(VALUE_BYTES, 2);
    contents.fill();
    loop = new DefaultEventLoop();
    hub =
        new WatchHub(
            loop,
            contents.keyspace,
            contents.keyspace.reclaimer().newReader(),
            new ResponseCodec(contents.keyspace.memory(), 1, 1),
            new RevisionPins(),
            null, // no response is large
            0);
    sink = new Sink(loop);
    byte[] request = request();
    MoveGate gate = new MoveGate(MoveStates.inMemory());
    for (int i = 0; i < watchers; i++) {
      new WatchStream(sink, hub, NO_PROGRESS_MS, false, gate).message(request, 0, request.length);
    }
    sink.messages = 0;
    put();
    if (sink.messages != watchers) {
      throw new IllegalStateException(
          "%d of %d watchers have the event".formatted(sink.messages, watchers));
    }
  }

  @TearDown(Level.Trial)
  public void tearDown() {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    contents.close();
  }

  /** From the put until all watchers have their responses. */
  @Benchmark
  public long put() {
    byte[] key = Contents.key(0);
    contents.keyspace.put(key, 0, key.length, contents.value, 0, VALUE_BYTES, 0);
    contents.keyspace.commit();
    contents.keyspace.publish();
    hub.dispatchSoon();
    if (++puts % PUTS_TO_COMPACTION == 0) {
      contents.compact(PUTS_TO_COMPACTION);
    }
    return sink.bytes;
  }

  private byte[] request() {
    ReverseWriter out = new ReverseWriter();
    int mark = out.length();
    if (of.equals("key")) {
      byte[] key = Contents.key(0);
      out.bytes(1, key, 0, key.length);
    } else {
      out.bytes(2, PREFIX_END, 0, PREFIX_END.length);
      out.bytes(1, PREFIX, 0, PREFIX.length);
    }
    out.message(1, mark); // create_request
    return out.copy();
  }

  /** The clients, who take everything at once. */
  private static final class Sink implements GrpcStream {
    private final EventExecutor loop;
    private int messages;
    private long bytes;

    private Sink(EventExecutor loop) {
      this.loop = loop;
    }

    @Override
    public void send(byte[] array, int offset, int length) {
      messages++;
      bytes += length;
    }

    @Override
    public EventExecutor loop() {
      return loop;
    }

    @Override
    public CharSequence metadata(CharSequence name) {
      return null;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public boolean isWritable() {
      return true;
    }

    @Override
    public void reply(byte[] array, int offset, int length) {
      throw new IllegalStateException("a watch has no last response");
    }

    @Override
    public void begin(long messageBytes) {
      throw new IllegalStateException("an event of this size comes in one part");
    }

    @Override
    public void part(byte[] array, int offset, int length) {
      throw new IllegalStateException("an event of this size comes in one part");
    }

    @Override
    public void finish() {
      throw new IllegalStateException("a watch does not end by itself");
    }

    @Override
    public void fail(StoreException e) {
      throw e;
    }
  }
}
