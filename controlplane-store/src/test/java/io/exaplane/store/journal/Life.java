// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.core.HistoryStarts;
import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.LoadCount;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.Recovery;
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
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.memory.Region;
import io.exaplane.store.core.request.RequestChecks;
import io.exaplane.store.core.request.TxnRequest;
import io.exaplane.store.core.result.TxnResult;
import io.exaplane.store.journal.Attempts.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/** A store with its journal, between two starts. */
final class Life implements AutoCloseable {
  private static final int SMALL_SEGMENT_SHIFT = 12;
  private static final int MOST_OPERATIONS = 128;
  static final int MEMORY_BYTES = 64 << 20;

  /** Of the past, revisions so far apart are compared. */
  private static final int APART = 3;

  private static final int NEAR = 1_000;

  /** Number of the only history window that there may be. */
  static final int WINDOW = 1;

  private final Region region;
  private final RevisionPins pins;
  private final SimulatedStorage storage;
  private final WriteExecutor writes;
  private final TxnRequest request = new TxnRequest();
  private final TxnResult result = new TxnResult();
  private Runnable snapshot;
  final Leases leases;
  final Keyspace keyspace;
  final Journal journal;

  Life(SimulatedStorage storage, Durability durability, long floor) throws IOException {
    this(storage, new KeyClasses(List.of(), durability), floor);
  }

  Life(SimulatedStorage storage, KeyClasses classes, long floor) throws IOException {
    this.storage = storage;
    SmallJournal.Opened opened = SmallJournal.open(storage, floor, () -> empty(classes));
    region = opened.region();
    leases = opened.leases();
    keyspace = opened.keyspace();
    pins = opened.pins();
    journal = opened.journal();
    writes = new WriteExecutor(keyspace, leases);
    keyspace.publish();
  }

  /** A store without anything. */
  static Target empty(KeyClasses classes) {
    Region region = Region.reserve(MEMORY_BYTES, SMALL_SEGMENT_SHIFT);
    Leases leases = new Leases(new Random(1)::nextLong);
    return new Target(
        region, leases, new Keyspace(region, leases, classes, SpaceLimits.NONE, 7, 2));
  }

  @Override
  public void close() {
    LoadCount.require(keyspace);
    region.close();
  }

  /** A Txn that is valid, or nothing; the model has it, too. */
  void txn(RandomRequests requests, EtcdModel model) {
    requests.txn(request, model.revision, 1);
    try {
      RequestChecks.check(request, MOST_OPERATIONS);
    } catch (StoreException refused) {
      return;
    }
    try {
      writes.txn(request, result);
    } catch (StoreException refused) {
      if (keyspace.historyStarts().newest() == HistoryStarts.NOT_YET) {
        assertThatThrownBy(() -> model.txn(request)).isEqualTo(refused);
      }
      return;
    }
    model.txn(request);
    journal.collect();
  }

  /** A Txn that no model follows; leases are taken from the first so many. */
  void txn(RandomRequests requests, int leases) {
    requests.txn(request, keyspace.revision(), leases);
    try {
      RequestChecks.check(request, MOST_OPERATIONS);
      writes.txn(request, result);
    } catch (StoreException refused) {
      return;
    }
    journal.collect();
  }

  void compact(EtcdModel model, long at) {
    if (at > model.compacted && at > 0) {
      model.compact(at);
      keyspace.compact(at);
      journal.collect();
    }
  }

  /** Compacts at the newest revision, then beyond. */
  void compactAll(EtcdModel model) {
    compact(model, model.revision);
    if (keyspace.compactAll()) {
      model.compactAll();
      journal.collect();
    }
  }

  /** Goes on with a later revision and compacts there, as a store to which a Kind comes. */
  void raise(EtcdModel model, long by) {
    new Recovery(keyspace).revision(keyspace.revision() + by);
    keyspace.compact(keyspace.revision());
    model.raise(by);
    journal.collect();
  }

  /** Shortens the history of the keys with a window; the model keeps it. */
  void startHistory(long at) {
    if (at > 0) {
      keyspace.startHistory(WINDOW, at);
    }
  }

  /** What there is of the past is what was; of keys with a window from the start of that on. */
  void assertSamePast(EtcdModel model, String windowed) {
    View view = keyspace.view();
    long start = view.starts().of(WINDOW);
    assertThat(events(view))
        .isEqualTo(
            model.events.stream()
                .filter(event -> event.revision() >= start || !event.key().startsWith(windowed))
                .toList());
    for (long at : someOf(Math.max(1, model.compacted), model.revision)) {
      boolean whole = at >= start;
      assertThat(
              keys(view, at).stream().filter(v -> whole || !v.key().startsWith(windowed)).toList())
          .isEqualTo(
              model.at(at).stream().filter(v -> whole || !v.key().startsWith(windowed)).toList());
    }
  }

  /** What there is of the past of some keys is what was. */
  void assertSamePastOf(EtcdModel model, Predicate<String> keys) {
    View view = keyspace.view();
    assertThat(events(view).stream().filter(event -> keys.test(event.key())))
        .containsExactlyElementsOf(
            model.events.stream().filter(event -> keys.test(event.key())).toList());
    for (long at : someOf(Math.max(1, model.compacted), model.revision)) {
      assertThat(keys(view, at).stream().filter(version -> keys.test(version.key())))
          .containsExactlyElementsOf(
              model.at(at).stream().filter(version -> keys.test(version.key())).toList());
    }
  }

  /**
   * The newest revision and every third before it, since all events were compared; few of long ago,
   * where a start skipped revisions.
   */
  private static long[] someOf(long oldest, long newest) {
    return LongStream.iterate(
            newest, at -> at >= oldest, at -> at - (newest - at < NEAR ? APART : NEAR))
        .toArray();
  }

  /** The oldest revision that may be asked for, of the keys with a prefix. */
  long historyStart(String prefix) {
    return keyspace.view().historyStart(KeyRange.ofPrefix(prefix.getBytes(ISO_8859_1)));
  }

  /** No two changes of a revision have the same position in it. */
  void assertOrderIsWhole() {
    View view = keyspace.view();
    RangeReader reader = new RangeReader(keyspace);
    List<String> positions = new ArrayList<>();
    reader.open(view, KeyRange.all(), view.revision());
    for (long record = reader.next(); record != 0; record = reader.next()) {
      positions.add(
          Records.modRevision(keyspace.memory(), record)
              + "_"
              + Records.sub(keyspace.memory(), record));
    }
    assertThat(positions).doesNotHaveDuplicates();
  }

  /** Grants, renews or revokes one of a few leases. */
  void lease(Random random, EtcdModel model) {
    long id = random.nextInt(1, 5);
    if (leases.get(id) == null) {
      leases.grant(id, 10, model.revision);
      model.leases.put(id, leases.get(id).deadlineMs());
    } else if (random.nextBoolean()) {
      leases.renew(id, model.revision + 5);
      model.leases.put(id, leases.get(id).deadlineMs());
    } else {
      writes.revoke(leases.require(id));
      model.revoke(id);
    }
    journal.collect();
  }

  /** Until it is done: a disk that is full has space again at some time. */
  void commit(Random random) throws IOException {
    if (random.nextInt(20) == 0) {
      storage.refuse(random.nextInt(1, 4));
    }
    for (boolean done = false; !done; ) {
      try {
        journal.commit();
        done = true;
      } catch (IOException refused) {
        assertThat(refused).hasMessage("No space left on device");
      }
    }
    keyspace.publish();
    keyspace.cleaner().clean(random.nextInt(1, 64), pins::oldest);
    // A snapshot is written while the store goes on.
    if (snapshot != null && random.nextInt(3) == 0) {
      Runnable planned = snapshot;
      snapshot = null;
      planned.run();
    }
    if (journal.wantsSnapshot()) {
      snapshot = journal.planSnapshot();
    }
  }

  void assertSame(EtcdModel model) {
    assertThat(keyspace.revision()).isEqualTo(model.revision);
    assertThat(keyspace.compactedRevision()).isEqualTo(model.compacted);
    assertThat(keys()).isEqualTo(model.all());
    assertThat(events(keyspace.view())).isEqualTo(model.events);
    assertThat(deadlines()).isEqualTo(model.leases);
  }

  boolean isSame(EtcdModel model) {
    return keyspace.revision() == model.revision
        && keyspace.compactedRevision() == model.compacted
        && deadlines().equals(model.leases)
        && keys().equals(model.all());
  }

  /** All that anybody can ask of a store. */
  record Seen(
      long revision,
      long compacted,
      List<Version> keys,
      List<Event> events,
      TreeMap<Long, Long> leases) {}

  Seen seen() {
    View view = keyspace.view();
    return new Seen(
        keyspace.revision(), keyspace.compactedRevision(), keys(), events(view), deadlines());
  }

  TreeMap<Long, Long> deadlines() {
    TreeMap<Long, Long> byId = new TreeMap<>();
    leases.states().forEach(lease -> byId.put(lease.id(), lease.deadlineMs()));
    return byId;
  }

  /** What it has, as a model that goes on from there. */
  EtcdModel model() {
    EtcdModel model = EtcdModel.of(keys(), keyspace.revision());
    model.leases.putAll(deadlines());
    return model;
  }

  List<Version> keys() {
    return keys(keyspace.view(), keyspace.view().revision());
  }

  private List<Version> keys(View view, long at) {
    StoreText text = new StoreText(keyspace);
    RangeReader reader = new RangeReader(keyspace);
    List<Version> found = new ArrayList<>();
    reader.open(view, KeyRange.all(), at);
    for (long record = reader.next(); record != 0; record = reader.next()) {
      found.add(text.version(record));
    }
    return found;
  }

  private List<Event> events(View view) {
    StoreText text = new StoreText(keyspace);
    RangeReader reader = new RangeReader(keyspace);
    List<Event> found = new ArrayList<>();
    long from = Math.max(0, view.compactedRevision());
    for (long at = reader.firstEventFrom(view, from); at < view.events(); at++) {
      long record = reader.event(at);
      if (!reader.isKept(view.starts(), record)) {
        continue;
      }
      long before = reader.before(record);
      var memory = keyspace.memory();
      found.add(
          new Event(
              Records.modRevision(memory, record),
              text.version(record).key(),
              Records.isTombstone(memory, record) ? null : text.version(record),
              before == 0 ? null : text.version(before)));
    }
    return found;
  }
}
