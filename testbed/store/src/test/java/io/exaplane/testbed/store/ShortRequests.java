// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import java.time.Duration;
import java.util.Arrays;

/** A well-behaved client of short requests, and how long it waits for answers. */
final class ShortRequests {
  private ShortRequests() {}

  /** Writes and reads one key after the other, and returns how long each took. */
  static long[] serve(ServerProcess store, long seconds) {
    return serve(store, seconds, 0);
  }

  /**
   * The same, and on for up to five times as long until there are enough: of a few answers, the
   * slowest decides, and on a busy machine there are few.
   */
  static long[] serve(ServerProcess store, long seconds, int enough) {
    KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(store.channel());
    long[] times = new long[1 << 16];
    int count = 0;
    long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    long last = end + Duration.ofSeconds(4 * seconds).toNanos();
    for (long now = System.nanoTime();
        now < end || count < enough && now < last;
        now = System.nanoTime()) {
      ByteString key = ByteString.copyFromUtf8("/registry/leases/" + count % 100);
      if (count % 2 == 0) {
        kv.put(PutRequest.newBuilder().setKey(key).setValue(key).build());
      } else {
        kv.range(RangeRequest.newBuilder().setKey(key).build());
      }
      if (count == times.length) {
        times = Arrays.copyOf(times, count * 2);
      }
      times[count++] = System.nanoTime() - now;
    }
    return Arrays.copyOf(times, count);
  }

  static long p99Nanos(long[] times) {
    long[] sorted = times.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length * 99 / 100];
  }
}
