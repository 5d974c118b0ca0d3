// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.core.Cleaner;
import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.View;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.execute.EtcdModel;
import io.exaplane.store.core.execute.EtcdModel.Event;
import io.exaplane.store.core.execute.EtcdModel.Version;
import io.exaplane.store.core.execute.RandomRequests;
import io.exaplane.store.core.execute.StoreText;
import io.exaplane.store.core.execute.WriteExecutor;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.PrefixRule;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.memory.Region;
import io.exaplane.store.core.request.RequestChecks;
import io.exaplane.store.core.request.TxnRequest;
import io.exaplane.store.core.result.TxnResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores that stop at any step of their journal and start again, against the model. */
class JournalSimulationTest {
  private static final int SMALL_SEGMENT_SHIFT = 12;
  private static final Journal.Limits SMALL = new Journal.Limits(4_000, 2_000);

  static LongStream seeds() {
    return Long.getLong("seed") != null
        ? LongStream.of(Long.getLong("seed"))
        : LongStream.range(0, Long.getLong("histories", 200));
  }

  /** A store's life between two starts. */
  private static final class Life implements AutoCloseable {
    final Region region = Region.reserve(64 << 20, SMALL_SEGMENT_SHIFT);
    final Leases leases = new Leases(new Random(1)::nextLong);
    final Keyspace keyspace;
    final WriteExecutor writes;
    final Cleaner cleaner;
    final RevisionPins pins = new RevisionPins();
    final Journal journal;
    Runnable snapshot;

    Life(SimulatedStorage storage, Durability durability, long floor) throws IOException {
      this(storage, new KeyClasses(List.of(), durability), floor);
    }

    Life(SimulatedStorage storage, KeyClasses classes, long floor) throws IOException {
      keyspace = new Keyspace(region, leases, classes, SpaceLimits.NONE, 7, 2);
      writes = new WriteExecutor(keyspace, leases);
      cleaner = new Cleaner(keyspace);
      journal = Journal.open(storage, floor, keyspace, leases, pins, SMALL);
      keyspace.publish();
    }

    @Override
    public void close() {
      region.close();
    }
  }

  private final TxnRequest request = new TxnRequest();
  private final TxnResult result = new TxnResult();

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void inFsyncModeNothingThatWasAcknowledgedIsLost(long seed) throws Exception {
    Random random = new Random(seed);
    SimulatedStorage storage = new SimulatedStorage(random);
    RandomRequests requests = new RandomRequests(random, random.nextInt(2, 30));
    EtcdModel acknowledged = new EtcdModel();
    for (int life = 0; life < 6; life++) {
      EtcdModel inFlight = acknowledged;
      try (Life store = new Life(storage, Durability.FSYNC, 0)) {
        acknowledged = recovered(store, acknowledged, inFlight);
        storage.crashAfter(random.nextInt(400));
        while (true) {
          inFlight = acknowledged.copy();
          batch(random, requests, store, inFlight);
          commit(random, storage, store);
          acknowledged = inFlight;
        }
      } catch (SimulatedStorage.Crash crash) {
        storage.restart(true);
        try (Life store = new Life(storage, Durability.FSYNC, 0)) {
          acknowledged = recovered(store, acknowledged, inFlight);
          same(store, acknowledged);
        }
      }
    }
  }

  /** Of the batch that was under way all is there or nothing. */
  private static EtcdModel recovered(Life store, EtcdModel acknowledged, EtcdModel inFlight) {
    return isSame(store, inFlight) ? inFlight : acknowledged;
  }

  private void batch(Random random, RandomRequests requests, Life store, EtcdModel model) {
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      switch (random.nextInt(12)) {
        case 0 -> compact(store, model, model.revision - random.nextInt(20));
        case 1 -> lease(random, store, model);
        default -> txn(requests, store, model);
      }
      store.journal.collect();
    }
  }

  private void txn(RandomRequests requests, Life store, EtcdModel model) {
    requests.txn(request, model.revision, 1);
    try {
      RequestChecks.check(request, 128);
      model.txn(request);
    } catch (StoreException refused) {
      return;
    }
    store.writes.txn(request, result);
  }

  private static void compact(Life store, EtcdModel model, long at) {
    if (at > model.compacted && at > 0) {
      model.compact(at);
      store.keyspace.compact(at);
    }
  }

  private static void lease(Random random, Life store, EtcdModel model) {
    long id = random.nextInt(1, 5);
    if (store.leases.get(id) == null) {
      store.leases.grant(id, 10, model.revision);
      model.leases.put(id, store.leases.get(id).deadlineMs());
    } else if (random.nextBoolean()) {
      store.leases.renew(id, model.revision + 5);
      model.leases.put(id, store.leases.get(id).deadlineMs());
    } else {
      store.writes.revoke(store.leases.require(id));
      model.revoke(id);
    }
  }

  private static void commit(Random random, SimulatedStorage storage, Life store)
      throws IOException {
    if (random.nextInt(20) == 0) {
      storage.refuse(random.nextInt(1, 4));
    }
    for (boolean done = false; !done; ) {
      try {
        store.journal.commit();
        done = true;
      } catch (IOException refused) {
        assertThat(refused).hasMessage("No space left on device");
      }
    }
    store.keyspace.publish();
    store.cleaner.clean(random.nextInt(1, 64), store.pins::oldest);
    // A snapshot is written while the store goes on.
    if (store.snapshot != null && random.nextInt(3) == 0) {
      Runnable planned = store.snapshot;
      store.snapshot = null;
      planned.run();
    }
    if (store.journal.wantsSnapshot()) {
      store.snapshot = store.journal.planSnapshot();
    }
  }

  private static void same(Life store, EtcdModel model) {
    assertThat(store.keyspace.revision()).isEqualTo(model.revision);
    assertThat(store.keyspace.compactedRevision()).isEqualTo(model.compacted);
    assertThat(keys(store)).isEqualTo(model.all());
    assertThat(events(store)).isEqualTo(model.events);
    assertThat(leases(store)).isEqualTo(model.leases.toString());
  }

  private static boolean isSame(Life store, EtcdModel model) {
    return store.keyspace.revision() == model.revision
        && store.keyspace.compactedRevision() == model.compacted
        && leases(store).equals(model.leases.toString())
        && keys(store).equals(model.all());
  }

  private static String leases(Life store) {
    var sorted = new java.util.TreeMap<Long, Long>();
    store.leases.states().forEach(lease -> sorted.put(lease.id(), lease.deadlineMs()));
    return sorted.toString();
  }

  private static List<Version> keys(Life store) {
    StoreText text = new StoreText(store.keyspace);
    RangeReader reader = new RangeReader(store.keyspace);
    View view = store.keyspace.view();
    List<Version> found = new ArrayList<>();
    reader.open(view, KeyRange.all(), view.revision());
    for (long record = reader.next(); record != 0; record = reader.next()) {
      found.add(text.version(record));
    }
    return found;
  }

  private static List<Event> events(Life store) {
    StoreText text = new StoreText(store.keyspace);
    RangeReader reader = new RangeReader(store.keyspace);
    View view = store.keyspace.view();
    List<Event> found = new ArrayList<>();
    long from = Math.max(0, view.compactedRevision());
    for (long at = reader.firstEventFrom(view, from); at < view.events(); at++) {
      long record = reader.event(at);
      long before = reader.before(record);
      var memory = store.keyspace.memory();
      found.add(
          new Event(
              Records.modRevision(memory, record),
              text.version(record).key(),
              Records.isTombstone(memory, record) ? null : text.version(record),
              before == 0 ? null : text.version(before)));
    }
    return found;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void inWeakerModesNoRevisionIsUsedTwice(long seed) throws Exception {
    Random random = new Random(seed);
    SimulatedStorage storage = new SimulatedStorage(random);
    RandomRequests requests = new RandomRequests(random, 10);
    Durability durability = random.nextBoolean() ? Durability.BUFFERED : Durability.MEMORY;
    long shown = 0;
    for (int life = 0; life < 5; life++) {
      try (Life store = new Life(storage, durability, 0)) {
        assertThat(store.keyspace.revision()).isGreaterThanOrEqualTo(shown);
        if (store.keyspace.revision() > shown && shown > 1) {
          assertThat(store.keyspace.compactedRevision()).isEqualTo(store.keyspace.revision());
        }
        EtcdModel ignored = new EtcdModel();
        storage.crashAfter(random.nextInt(200));
        while (true) {
          for (int i = random.nextInt(1, 5); i > 0; i--) {
            requests.txn(request, ignored.revision, 0);
            try {
              RequestChecks.check(request, 128);
              store.writes.txn(request, result);
            } catch (StoreException refused) {
              // Not what this is about.
            }
            store.journal.collect();
          }
          commit(random, storage, store);
          shown = store.keyspace.view().revision();
        }
      } catch (SimulatedStorage.Crash crash) {
        storage.restart(true);
      }
    }
  }

  /** Some keys are worth a sync, others not; a Txn is worth what the best of its keys is. */
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
        List<Version> found = durable(store, keys(store));
        assertThat(found).isIn(durable(store, shown.all()), durable(store, inFlight.all()));
        assertThat(store.keyspace.revision()).isGreaterThanOrEqualTo(shown.revision);
        if (life > 0) {
          assertThat(store.keyspace.compactedRevision()).isGreaterThan(shown.revision + 1);
        }
        inFlight = EtcdModel.of(keys(store), store.keyspace.revision());
        shown = inFlight;
        storage.crashAfter(random.nextInt(400));
        while (true) {
          inFlight = shown.copy();
          for (int i = random.nextInt(1, 5); i > 0; i--) {
            txn(requests, store, inFlight);
            store.journal.collect();
          }
          commit(random, storage, store);
          shown = inFlight;
        }
      } catch (SimulatedStorage.Crash crash) {
        storage.restart(true);
        try (Life store = new Life(storage, mixed(), 0)) {
          List<Version> found = durable(store, keys(store));
          assertThat(found).isIn(durable(store, shown.all()), durable(store, inFlight.all()));
          shown = EtcdModel.of(keys(store), store.keyspace.revision());
        }
      }
    }
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
      storage.crashAfter(random.nextInt(400));
      while (true) {
        for (int i = random.nextInt(1, 5); i > 0; i--) {
          lease(random, store, ignored);
          requests.txn(request, store.keyspace.revision(), 1);
          try {
            RequestChecks.check(request, 128);
            store.writes.txn(request, result);
          } catch (StoreException refused) {
            // Not what this is about.
          }
          store.journal.collect();
        }
        commit(random, storage, store);
      }
    } catch (SimulatedStorage.Crash crash) {
      storage.restart(true);
    }
    EtcdModel model;
    try (Life store = new Life(storage, Durability.FSYNC, 0)) {
      model = EtcdModel.of(keys(store), store.keyspace.revision());
      store.leases.states().forEach(lease -> model.leases.put(lease.id(), lease.deadlineMs()));
      txn(requests, store, model);
      store.journal.collect();
      commit(random, storage, store);
    }
    storage.restart(true);
    for (int i = 0; i < 2; i++) {
      try (Life store = new Life(storage, Durability.FSYNC, 0)) {
        assertThat(keys(store)).isEqualTo(model.all());
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

  private static List<Version> durable(Life store, List<Version> all) {
    KeyClasses classes = store.keyspace.classes();
    return all.stream()
        .filter(
            version -> {
              byte[] key = version.key().getBytes(ISO_8859_1);
              short keyClass = classes.of(key, 0, key.length);
              return classes.get(keyClass).rule().durability() == Durability.FSYNC;
            })
        .toList();
  }

  @Test
  void aFrameThatWasWholeOnceIsMissed() throws Exception {
    SimulatedStorage storage = new SimulatedStorage(new Random(1));
    RandomRequests requests = new RandomRequests(new Random(1), 10);
    EtcdModel model = new EtcdModel();
    try (Life store = new Life(storage, Durability.FSYNC, 0)) {
      for (int i = 0; i < 10; i++) {
        txn(requests, store, model);
        store.journal.commit();
      }
    }
    String segment = storage.list().getFirst();
    storage.damage(segment, 100);
    byte[] before = storage.bytes(segment).clone();
    assertThatThrownBy(() -> new Life(storage, Durability.FSYNC, 0))
        .isInstanceOf(CorruptJournalException.class)
        .hasMessageContaining(segment)
        .hasMessageContaining("offset");
    assertThat(storage.bytes(segment)).isEqualTo(before);
  }

  @Test
  void aRevisionFloorIsKept() throws Exception {
    SimulatedStorage storage = new SimulatedStorage(new Random(1));
    // Who saw everything up to 5000 goes on with 5001, and must be told to read anew.
    try (Life store = new Life(storage, Durability.FSYNC, 5000)) {
      assertThat(store.keyspace.revision()).isEqualTo(5002);
      assertThat(store.keyspace.compactedRevision()).isEqualTo(5002);
    }
    try (Life store = new Life(storage, Durability.FSYNC, 0)) {
      assertThat(store.keyspace.revision()).isEqualTo(5002);
    }
  }
}
