// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Region;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The whole store is read for who asks, and not again for who asks soon after. */
class UsageScansTest {
  private static final int KEYS = 10_000;

  private final Region region = Region.reserve(64 << 20, 16);
  private final Keyspace keyspace =
      new Keyspace(region, new Leases(() -> 1), KeyClasses.plain(), SpaceLimits.NONE, 1, 1);
  private final MaintenanceWorker worker =
      new MaintenanceWorker("test", keyspace.reclaimer().newReader());
  private volatile long nowMs = 1_000;
  private final UsageScans scans = new UsageScans(keyspace, worker, () -> nowMs);

  @AfterEach
  void close() {
    worker.close();
    region.close();
  }

  private void put(String key) {
    byte[] bytes = key.getBytes(UTF_8);
    keyspace.put(bytes, 0, bytes.length, new byte[100], 0, 100, 0);
    keyspace.commit();
    keyspace.publish();
  }

  private static StoreUsage result(CompletableFuture<StoreUsage> asked) throws Exception {
    return asked.get(30, TimeUnit.SECONDS);
  }

  @Test
  void itIsReadAtMostTwiceAMinute() throws Exception {
    for (int i = 0; i < KEYS; i++) {
      put("/registry/pods/ns/" + i);
    }
    put("/registry/pods/ns/1"); // its first version is history
    StoreUsage first = result(scans.ask());
    assertThat(first.keys()).isEqualTo(KEYS);
    assertThat(first.bytes()).isEqualTo(keyspace.space().liveBytes());
    assertThat(first.namespaces()).hasSize(1);
    put("/registry/pods/ns/new");
    nowMs += UsageScans.FRESH_MS - 1;
    assertThat(result(scans.ask())).isSameAs(first);
    nowMs++;
    assertThat(result(scans.ask()).keys()).isEqualTo(KEYS + 1);
  }
}
