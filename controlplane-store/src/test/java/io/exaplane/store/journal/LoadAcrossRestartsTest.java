// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.Seeds;
import io.exaplane.store.core.LoadCount;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.PrefixRule;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What kube-apiservers load of a store is the same however its objects came there: written,
 * overwritten, deleted, compacted and moved about in memory, read from a log, or from a snapshot.
 */
class LoadAcrossRestartsTest {
  private static final List<String> PREFIXES =
      List.of(
          "/registry/example.com/widgets/a/",
          "/registry/configmaps/a/",
          "/registry/events/a/",
          "/registry/leases/kube-node-lease/");

  static LongStream seeds() {
    return Seeds.of(40);
  }

  private static KeyClasses classes() {
    return new KeyClasses(
        List.of(new PrefixRule(PREFIXES.get(1), 0, Durability.FSYNC, 1000)), Durability.FSYNC);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void itIsWhatTheObjectsTake(long seed) throws Exception {
    Random random = new Random(seed);
    SimulatedStorage storage = new SimulatedStorage(random);
    long before = 0;
    for (int life = 0; life < 4; life++) {
      try (Life store = new Life(storage, classes(), 0)) {
        assertThat(store.keyspace.space().loadBytes()).as("after start %d", life).isEqualTo(before);
        for (int step = 0; step < 150; step++) {
          change(store, random);
          if (step % 10 == 0) {
            LoadCount.require(store.keyspace);
          }
        }
        before = store.keyspace.space().loadBytes();
        assertThat(before).isPositive();
      }
      storage.restart(true);
    }
  }

  private static void change(Life store, Random random) throws IOException {
    byte[] key =
        (PREFIXES.get(random.nextInt(PREFIXES.size())) + random.nextInt(12)).getBytes(UTF_8);
    long live = store.keyspace.newest(key, 0, key.length);
    if (live != 0 && random.nextInt(4) == 0) {
      store.keyspace.delete(live);
    } else {
      byte[] value = value(random).getBytes(UTF_8);
      store.keyspace.put(key, 0, key.length, value, 0, value.length, 0);
    }
    store.keyspace.commit();
    long revision = store.keyspace.revision();
    if (random.nextInt(10) == 0 && revision > store.keyspace.compactedRevision()) {
      store.keyspace.compact(revision);
    }
    if (random.nextInt(10) == 0) {
      store.startHistory(revision - random.nextInt(5));
    }
    store.journal.collect();
    store.commit(random);
  }

  private static String value(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> "k8s" + "x".repeat(random.nextInt(300));
      case 1 -> "";
      case 2 -> "{\"m\":%s1%s}".formatted("{\"a\":".repeat(random.nextInt(20)), "}".repeat(3));
      default -> "{\"l\":[" + "\"a\",".repeat(random.nextInt(60)) + "1]}";
    };
  }
}
