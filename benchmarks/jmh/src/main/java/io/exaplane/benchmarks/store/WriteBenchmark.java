// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.store;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.RequestCodec;
import io.exaplane.store.codec.ResponseCodec;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.execute.WriteExecutor;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.core.request.TxnRequest;
import io.exaplane.store.core.result.OperationResult;
import io.exaplane.store.core.result.TxnResult;
import java.util.concurrent.TimeUnit;
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
 * A write on the writer's thread, without journal and network: parsed, carried out, answered, in
 * batches that are published, with what compaction and cleaning cost.
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
public class WriteBenchmark {
  static final int BATCH = 512;

  /** Of a value. */
  @Param({"600", "8000"})
  public int bytes;

  /** Whether values are custom resources, whose load is counted. */
  @Param({"text", "json"})
  public String content;

  private final ProtoReader in = new ProtoReader();
  private final ReverseWriter out = new ReverseWriter();
  private final PutRequest put = new PutRequest();
  private final OperationResult result = new OperationResult();
  private final TxnRequest txn = new TxnRequest();
  private final TxnResult txnResult = new TxnResult();
  private Contents contents;
  private WriteExecutor executor;
  private ResponseCodec codec;
  private byte[][] puts;
  private byte[][] updates;
  private int next;

  /** A full store, and requests for each of its keys. */
  @Setup(Level.Trial)
  public void setUp() {
    contents =
        new Contents(content.equals("json") ? Contents.json(bytes) : Contents.text(bytes), 1);
    contents.fill();
    executor = new WriteExecutor(contents.keyspace, contents.leases);
    codec = new ResponseCodec(contents.keyspace.memory(), 1, 1);
    puts = new byte[Contents.KEYS][];
    updates = new byte[Contents.KEYS][];
    for (int i = 0; i < Contents.KEYS; i++) {
      puts[i] = contents.put(i);
      updates[i] = contents.update(i);
    }
  }

  @TearDown(Level.Trial)
  public void tearDown() {
    contents.close();
  }

  /** A batch of Puts of existing keys. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int put() {
    int answered = 0;
    for (int i = 0; i < BATCH; i++) {
      byte[] request = puts[next()];
      RequestCodec.put(in.open(request, 0, request.length), put);
      executor.put(put, result);
      codec.put(out.clear(), result);
      answered += out.length();
    }
    contents.compact(BATCH);
    return answered;
  }

  /** A batch of Txns as kube-apiserver's updates. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int txn() {
    int answered = 0;
    for (int i = 0; i < BATCH; i++) {
      byte[] request = updates[next()];
      RequestCodec.txn(in.open(request, 0, request.length), txn);
      executor.txn(txn, txnResult);
      codec.txn(out.clear(), txnResult);
      answered += out.length();
    }
    contents.compact(BATCH);
    return answered;
  }

  private int next() {
    next = (next + 7919) % Contents.KEYS;
    return next;
  }
}
