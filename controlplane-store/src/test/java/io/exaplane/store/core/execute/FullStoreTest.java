// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.execute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.Seeds;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.PrefixRule;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Region;
import io.exaplane.store.core.request.Operation;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.core.request.TxnRequest;
import io.exaplane.store.core.result.OperationResult;
import io.exaplane.store.core.result.TxnResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a store takes while it, or a prefix, is full: seeded requests against the rule in a few
 * lines, over a map of what there is. No space comes back here but by compaction now and then.
 */
class FullStoreTest {
  private static final long LIMIT = 60_000;
  private static final long QUOTA = 20_000;
  private static final String EVENTS = "/registry/events/";
  private static final List<String> PREFIXES =
      List.of(EVENTS, "/registry/configmaps/", "/registry/leases/", "/registry/masterleases/");
  private static final int MOST_OVERHEAD = 120;

  /** As kube-apiserver writes an object with a finalizer that somebody deletes. */
  private static final byte[] DELETION =
      "{\"metadata\":{\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"}}".getBytes(UTF_8);

  private static final int DELETION_BYTES = 1024;

  private final Region region = Region.reserve(64 << 20, 16);
  private final Leases leases = new Leases(() -> 1);
  private final KeyClasses classes =
      new KeyClasses(List.of(new PrefixRule(EVENTS, QUOTA, Durability.FSYNC)), Durability.FSYNC);
  private final SpaceLimits limits = SpaceLimits.of(LIMIT, Long.MAX_VALUE, 0);
  private final Keyspace keyspace = new Keyspace(region, leases, classes, limits, 1, 1);
  private final WriteExecutor executor = new WriteExecutor(keyspace, leases);

  /** Bytes that clients wrote, key and value, by key. */
  private final Map<String, Integer> there = new TreeMap<>();

  private int takenWhileFull;
  private int deletionsBegun;
  private int refused;

  @AfterEach
  void close() {
    region.close();
  }

  /** A change of a key to a value of so many bytes; -1 deletes it. */
  private record Change(String key, int valueBytes, boolean isBeingDeleted) {
    Change(String key, int valueBytes) {
      this(key, valueBytes, false);
    }
  }

  static LongStream seeds() {
    return Seeds.of(60);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void takesWhatTheRuleSays(long seed) {
    Random random = new Random(seed);
    for (int step = 0; step < 1500; step++) {
      List<Change> changes = changes(random);
      boolean mayBeTaken = mayBeTaken(changes, 0);
      boolean mustBeTaken = mayBeTaken(changes, MOST_OVERHEAD);
      long before = keyspace.revision();
      boolean wasFull = keyspace.space().isFull();
      boolean isTaken = isTaken(changes, random.nextBoolean());
      String what = "step %d: %s".formatted(step, changes);
      assertThat(isTaken || !mustBeTaken).as("%s must be taken", what).isTrue();
      assertThat(!isTaken || mayBeTaken).as("%s must be refused", what).isTrue();
      if (isTaken) {
        deletionsBegun += wasFull && eighths(changes) == 6 && !isNoLarger(changes) ? 1 : 0;
        changes.forEach(this::apply);
        takenWhileFull += wasFull ? 1 : 0;
      } else {
        assertThat(keyspace.revision()).isEqualTo(before);
        refused++;
      }
      boolean grows = changes.stream().anyMatch(c -> c.valueBytes() > 9);
      if (wasFull && isTaken && grows) {
        assertThat(keyspace.records().recordBytes() - 100)
            .as("%s, with what is never refused", what)
            .isLessThanOrEqualTo(LIMIT + limits.recordReserve());
      }
      compactNowAndThen(random);
    }
    assertThat(takenWhileFull).isGreaterThan(50);
    assertThat(refused).isGreaterThan(50);
    assertThat(deletionsBegun).as("in a full store").isPositive();
  }

  private boolean isNoLarger(List<Change> changes) {
    return changes.stream()
        .allMatch(c -> c.valueBytes() < 0 || content(c) <= there.getOrDefault(c.key(), 0));
  }

  private void compactNowAndThen(Random random) {
    assertThat(classes.whole().bytes()).isEqualTo(keyspace.records().recordBytes());
    if (random.nextInt(10) == 0 && keyspace.revision() > keyspace.compactedRevision()) {
      keyspace.compact(keyspace.revision());
      keyspace.publish();
      while (keyspace.cleaner().clean(1000, () -> Long.MAX_VALUE)) {}
      long last = keyspace.records().recordBytes() - classes.whole().liveBytes();
      assertThat(last).as("only what the last revision replaced is history").isBetween(0L, 20_000L);
    }
  }

  private void apply(Change change) {
    if (change.valueBytes() < 0) {
      there.remove(change.key());
    } else {
      there.put(change.key(), content(change));
    }
  }

  private static int content(Change change) {
    int key = 2 + change.key().length();
    int length = change.valueBytes() < 128 ? 1 : change.valueBytes() < 16_384 ? 2 : 3;
    return change.valueBytes() == 0 ? key : key + 1 + length + change.valueBytes();
  }

  /** Mostly what a full store is asked for: the same again, or a little more or less. */
  private List<Change> changes(Random random) {
    List<Change> changes = new ArrayList<>();
    int number = random.nextInt(4) == 0 ? 1 + random.nextInt(4) : 1;
    for (int i = 0; i < number; i++) {
      String prefix = PREFIXES.get(random.nextInt(PREFIXES.size()));
      String key = prefix + random.nextInt(40);
      if (changes.stream().noneMatch(other -> other.key().equals(key))) {
        changes.add(change(random, key));
      }
    }
    if (random.nextInt(30) == 0) {
      changes.add(new Change("compact_rev_key", 9));
    }
    return changes;
  }

  private Change change(Random random, String key) {
    Integer now = there.get(key);
    if (now != null && now < LIMIT / 60 && random.nextInt(4) == 0) {
      int same = Math.max(0, now - key.length() - 6);
      int bytes = Math.max(DELETION.length, same + random.nextInt(DELETION_BYTES + 100));
      return new Change(key, bytes, true);
    }
    return new Change(key, valueBytes(random, key));
  }

  private int valueBytes(Random random, String key) {
    Integer now = there.get(key);
    int chance = random.nextInt(10);
    if (now == null) {
      return random.nextInt(chance == 0 ? 6000 : 1200);
    }
    int same = Math.max(0, now - key.length() - 6);
    return switch (chance) {
      case 0 -> -1;
      case 1, 2 -> random.nextInt(2000);
      case 3, 4 -> same + random.nextInt(100);
      default -> Math.max(0, same - random.nextInt(3));
    };
  }

  /** The rule, if each version takes so many bytes beside what the client wrote. */
  private boolean mayBeTaken(List<Change> changes, int overhead) {
    List<Change> puts =
        changes.stream()
            .filter(c -> c.valueBytes() >= 0 && !c.key().equals("compact_rev_key"))
            .toList();
    return puts.isEmpty()
        || fits("", keyspace.records().recordBytes(), LIMIT, changes, overhead)
            && fits(EVENTS, classes.prefixSpaces().getFirst().bytes(), QUOTA, changes, overhead);
  }

  private boolean fits(String prefix, long used, long limit, List<Change> all, int overhead) {
    List<Change> changes =
        all.stream()
            .filter(c -> c.key().startsWith(prefix) && !c.key().equals("compact_rev_key"))
            .toList();
    if (used < limit || changes.isEmpty()) {
      return true;
    }
    int more = 0;
    long added = 0;
    for (Change change : changes) {
      int before = there.getOrDefault(change.key(), 0);
      boolean isDelete = change.valueBytes() < 0;
      more += (isDelete ? 0 : content(change)) - before;
      added += isDelete ? before == 0 ? 0 : 1 : content(change);
      added += isDelete && before == 0 ? 0 : overhead;
    }
    int eighths = more <= 0 ? 8 : eighths(all);
    return eighths > 0 && used + added <= limit + limit / 32 * eighths / 8;
  }

  private int eighths(List<Change> changes) {
    return changes.stream().mapToInt(this::eighths).min().orElseThrow();
  }

  /** Of the reserve, how much a change may take if it is the whole of a request. */
  private int eighths(Change change) {
    Integer before = there.get(change.key());
    int content = content(change);
    if (change.valueBytes() < 0
        || change.key().equals("compact_rev_key")
        || before != null && content <= before
        || before != null && change.isBeingDeleted() && content <= before + DELETION_BYTES) {
      return 6;
    }
    boolean isVital = change.key().contains("leases/");
    return before != null && content <= before + 64 || isVital && content <= 4096 ? 4 : 0;
  }

  private boolean isTaken(List<Change> changes, boolean inTxn) {
    try {
      if (changes.size() == 1 && changes.getFirst().valueBytes() >= 0 && !inTxn) {
        PutRequest put = new PutRequest();
        fill(put, changes.getFirst());
        executor.put(put, new OperationResult());
      } else {
        TxnRequest txn = new TxnRequest();
        for (Change change : changes) {
          Operation operation = txn.success.add();
          if (change.valueBytes() >= 0) {
            operation.kind = Operation.Kind.PUT;
            fill(operation.put, change);
          } else {
            operation.kind = Operation.Kind.DELETE_RANGE;
            operation.deleteRange.key.set(change.key().getBytes(UTF_8));
          }
        }
        executor.txn(txn, new TxnResult());
      }
      return true;
    } catch (StoreException e) {
      assertThat(e).isSameAs(StoreException.NO_SPACE);
      return false;
    }
  }

  private static void fill(PutRequest put, Change change) {
    put.key.set(change.key().getBytes(UTF_8));
    byte[] value = new byte[change.valueBytes()];
    if (change.isBeingDeleted()) {
      System.arraycopy(DELETION, 0, value, 0, DELETION.length);
    }
    put.value.set(value);
  }
}
