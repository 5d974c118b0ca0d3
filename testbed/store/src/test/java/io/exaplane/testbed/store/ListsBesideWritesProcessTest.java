// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.TxnRequest;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Short requests go on beside ten clients that read everything, over and over. */
@Timeout(1200)
class ListsBesideWritesProcessTest {
  private static final int KEYS = 150_000;
  private static final int BATCH = 100;
  private static final int VALUE_BYTES = 512;
  private static final int LISTERS = 10;
  private static final long SECONDS = 2;

  /** Answers of which the slowest hundredth is judged. */
  private static final int ENOUGH = 1_000;

  /** The goal is twice the normal; what a test may decide on a shared machine is this. */
  private static final Duration DEADLINE = Duration.ofMillis(100);

  /** Where requests take longer by themselves: how many times longer LISTs may make them. */
  private static final long SLOWER = 10;

  /** Until then each client has had an answer, on a machine that others share. */
  private static final Duration LISTS_ANSWERED = Duration.ofMinutes(5);

  @TempDir Path folder;

  @Test
  void shortRequestsWaitForAPortionAndNotForAnAnswer() throws Exception {
    try (ServerProcess store =
        ServerProcess.storeForLoad(folder.resolve("store"), "--durability=memory")) {
      fill(store);
      ShortRequests.serve(store, SECONDS); // until it is compiled
      long[] alone = ShortRequests.serve(store, SECONDS);
      long[] beside;
      int lists;
      try (IdleProcess listers = IdleProcess.start(Lister.class, store.port(), LISTERS)) {
        ShortRequests.serve(store, SECONDS / 2);
        beside = ShortRequests.serve(store, SECONDS, ENOUGH);
        long deadline = System.nanoTime() + LISTS_ANSWERED.toNanos();
        while (listers.lines().size() <= LISTERS && System.nanoTime() < deadline) {
          ShortRequests.serve(store, 1);
        }
        listers.assertAlive();
        lists = listers.lines().size();
      }
      System.out.printf(
          "%d clients that LIST %d keys, %d times: p99 of others %d -> %d µs, requests/s %d -> %d%n",
          LISTERS,
          KEYS,
          lists,
          ShortRequests.p99Nanos(alone) / 1000,
          ShortRequests.p99Nanos(beside) / 1000,
          alone.length / SECONDS,
          beside.length / SECONDS);
      assertThat(lists).as("the LISTs are answered, too").isGreaterThan(LISTERS);
      long deadline = DEADLINE.toNanos();
      if (ShortRequests.p99Nanos(beside) >= deadline) {
        // Others may have the machine: then requests wait as long without a LIST.
        deadline = SLOWER * ShortRequests.p99Nanos(ShortRequests.serve(store, SECONDS));
      }
      assertThat(ShortRequests.p99Nanos(beside)).isLessThan(deadline);
    }
  }

  private static void fill(ServerProcess store) {
    KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(store.channel());
    ByteString value = ByteString.copyFrom(new byte[VALUE_BYTES]);
    for (int i = 0; i < KEYS; i += BATCH) {
      TxnRequest.Builder batch = TxnRequest.newBuilder();
      for (int key = i; key < i + BATCH; key++) {
        batch
            .addSuccessBuilder()
            .getRequestPutBuilder()
            .setKey(ByteString.copyFromUtf8("/registry/pods/" + key))
            .setValue(value);
      }
      kv.txn(batch.build());
    }
  }
}
