// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.Seeds;
import io.exaplane.store.core.execute.EtcdModel;
import io.exaplane.store.core.execute.EtcdModel.Version;
import io.exaplane.store.core.execute.RandomRequests;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.PrefixRule;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores whose prefixes differ in durability, which stop at any step and start again. */
class MixedDurabilityTest {
  static LongStream seeds() {
    return Seeds.of(20);
  }

  /**
   * Some keys are worth a sync, others not. Those that are lose nothing, neither their past nor,
   * with it, who watches them; of the others nobody is told less than all.
   */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whatIsDurableIsKeptBesideWhatIsNot(long seed) throws Exception {
    Random random = new Random(seed);
    SimulatedStorage storage = new SimulatedStorage(random);
    RandomRequests requests = new RandomRequests(random, random.nextInt(2, 30));
    EtcdModel shown = new EtcdModel();
    for (int life = 0; life < 6; life++) {
      EtcdModel inFlight = shown;
      try (Life store = new Life(storage, mixed(), 0)) {
        shown = recovered(store, shown, inFlight);
        storage.crashAfter(random.nextInt(800));
        while (true) {
          inFlight = shown.copy();
          for (int i = random.nextInt(1, 5); i > 0; i--) {
            store.txn(requests, inFlight);
          }
          switch (random.nextInt(8)) {
            case 0 -> store.compact(inFlight, inFlight.revision - random.nextInt(5));
            case 1 -> store.lease(random, inFlight);
            default -> {}
          }
          store.commit(random);
          shown = inFlight;
        }
      } catch (SimulatedStorage.Crash crash) {
        storage.restart(true);
        try (Life store = new Life(storage, mixed(), 0)) {
          shown = recovered(store, shown, inFlight);
        }
      }
    }
  }

  /**
   * Of what is durable, all that was acknowledged is there, with its past, and the last batch or
   * nothing of it; of what is in memory nothing.
   */
  private static EtcdModel recovered(Life store, EtcdModel shown, EtcdModel inFlight) {
    assertThat(store.keyspace.revision()).isGreaterThanOrEqualTo(shown.revision);
    assertThat(store.keys()).noneMatch(version -> version.key().startsWith("/a/"));
    if (shown.revision > 1) {
      // Who saw the newest revision must read anew: what came after it may be another one's.
      for (String lossy : List.of("/a/", "/b/1", "")) {
        assertThat(store.historyStart(lossy)).isGreaterThan(shown.revision + 1);
      }
      assertThat(store.keyspace.compactedRevision()).isIn(shown.compacted, inFlight.compacted);
      assertThat(store.historyStart("/c/")).isEqualTo(store.keyspace.compactedRevision());
    }
    EtcdModel kept = isKept(store, inFlight) ? inFlight : shown;
    store.assertSamePastOf(kept, MixedDurabilityTest::isDurable);
    EtcdModel after = kept.copy();
    after.restart(MixedDurabilityTest::isDurable, store.keyspace.revision());
    after.add(store.keys().stream().filter(version -> !isDurable(version.key())).toList());
    return after;
  }

  private static boolean isKept(Life store, EtcdModel model) {
    return store.keyspace.compactedRevision() == model.compacted
        && durable(store.keys()).equals(durable(model.all()))
        && store.seen().events().stream()
            .filter(event -> isDurable(event.key()))
            .toList()
            .equals(model.events.stream().filter(event -> isDurable(event.key())).toList())
        && store.deadlines().equals(model.leases);
  }

  /** What was found of worse times is kept as well as everything from now on. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aStoreCanBecomeDurable(long seed) throws Exception {
    Random random = new Random(seed);
    SimulatedStorage storage = new SimulatedStorage(random);
    RandomRequests requests = new RandomRequests(random, random.nextInt(2, 30));
    EtcdModel ignored = new EtcdModel();
    try (Life store = new Life(storage, mixed(), 0)) {
      storage.crashAfter(random.nextInt(800));
      while (true) {
        for (int i = random.nextInt(1, 5); i > 0; i--) {
          store.lease(random, ignored);
          store.txn(requests, 1);
        }
        store.commit(random);
      }
    } catch (SimulatedStorage.Crash crash) {
      storage.restart(true);
    }
    EtcdModel model;
    try (Life store = new Life(storage, Durability.FSYNC, 0)) {
      model = store.model();
      store.txn(requests, model);
      store.commit(random);
    }
    storage.restart(true);
    for (int i = 0; i < 2; i++) {
      try (Life store = new Life(storage, Durability.FSYNC, 0)) {
        assertThat(store.keys()).isEqualTo(model.all());
        assertThat(store.keyspace.revision()).isEqualTo(model.revision);
      }
    }
  }

  private static KeyClasses mixed() {
    return new KeyClasses(
        List.of(
            new PrefixRule("/a/", 0, Durability.MEMORY),
            new PrefixRule("/b/", 0, Durability.BUFFERED)),
        Durability.FSYNC);
  }

  private static List<Version> durable(List<Version> all) {
    return all.stream().filter(version -> isDurable(version.key())).toList();
  }

  private static boolean isDurable(String key) {
    return !key.startsWith("/a/") && !key.startsWith("/b/");
  }
}
