// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.execute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.core.Cleaner;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClass;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.PrefixRule;
import io.exaplane.store.core.kind.PrefixSpace;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Region;
import io.exaplane.store.core.request.DeleteRangeRequest;
import io.exaplane.store.core.request.Operation;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.core.request.TxnRequest;
import io.exaplane.store.core.result.OperationResult;
import io.exaplane.store.core.result.TxnResult;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store that is full takes nothing new and finds the way out by itself. */
class SpaceTest {
  private static final long QUOTA = 1 << 20;
  private static final String EVENTS = "/registry/events/";

  private static final String NOISY = EVENTS + "noisy/";

  private final Region region = Region.reserve(64 << 20, 16);
  private final Leases leases = new Leases(() -> 1);
  private final KeyClasses classes =
      new KeyClasses(
          List.of(
              new PrefixRule(EVENTS, QUOTA / 4, Durability.FSYNC),
              new PrefixRule(NOISY, QUOTA / 8, Durability.FSYNC)),
          Durability.FSYNC);
  private final Keyspace keyspace =
      new Keyspace(region, leases, classes, SpaceLimits.of(QUOTA, Long.MAX_VALUE, 0), 1, 1);
  private final WriteExecutor executor = new WriteExecutor(keyspace, leases);
  private final Cleaner cleaner = keyspace.cleaner();

  @AfterEach
  void close() {
    region.close();
  }

  private void put(String key) {
    PutRequest request = new PutRequest();
    request.key.set(key.getBytes(UTF_8));
    request.value.set(new byte[1000]);
    executor.put(request, new OperationResult());
  }

  private void putInTxn(String key) {
    TxnRequest txn = new TxnRequest();
    Operation operation = txn.success.add();
    operation.kind = Operation.Kind.PUT;
    operation.put.key.set(key.getBytes(UTF_8));
    operation.put.value.set(new byte[10]);
    executor.txn(txn, new TxnResult());
  }

  private int fill(String prefix) {
    for (int i = 0; ; i++) {
      try {
        put(prefix + i);
      } catch (StoreException e) {
        assertThat(e).isSameAs(StoreException.NO_SPACE);
        return i;
      }
    }
  }

  private void compactAndClean() {
    keyspace.compact(keyspace.revision());
    keyspace.publish();
    while (cleaner.clean(1000, () -> Long.MAX_VALUE)) {}
  }

  @Test
  void deletionsAndCompactionMakeRoom() {
    int pods = fill("/registry/pods/");
    assertThat(pods).isBetween(900, 1000);
    assertThatThrownBy(() -> putInTxn("/registry/pods/new")).isSameAs(StoreException.NO_SPACE);
    // By this one kube-apiservers agree on who compacts.
    assertThatCode(() -> putInTxn("compact_rev_key")).doesNotThrowAnyException();
    DeleteRangeRequest half = new DeleteRangeRequest();
    half.key.set("/registry/pods/5".getBytes(UTF_8));
    half.rangeEnd.set("/registry/podz".getBytes(UTF_8));
    executor.deleteRange(half, new OperationResult());
    assertThat(keyspace.space().isFull()).isTrue();
    put("compact_rev_key");
    compactAndClean();
    assertThat(keyspace.space().isFull()).isFalse();
    assertThat(fill("/registry/pods/new")).isPositive();
  }

  @Test
  void whatWasDeletedLastIsLetGoByOneRevisionMore() {
    fill("/registry/pods/");
    DeleteRangeRequest all = new DeleteRangeRequest();
    all.key.set("/registry/pods/".getBytes(UTF_8));
    all.rangeEnd.set("/registry/podz".getBytes(UTF_8));
    executor.deleteRange(all, new OperationResult());
    assertThat(keyspace.compactAll()).as("not compacted").isFalse();
    compactAndClean();
    assertThat(keyspace.space().isAnyFull()).isTrue();
    long revision = keyspace.revision();
    assertThat(keyspace.compactAll()).isTrue();
    assertThat(keyspace.revision()).isEqualTo(revision + 1);
    assertThat(keyspace.compactedRevision()).isEqualTo(revision + 1);
    assertThat(keyspace.compactAll()).as("again").isFalse();
    keyspace.publish();
    while (cleaner.clean(1000, () -> Long.MAX_VALUE)) {}
    assertThat(keyspace.records().recordBytes()).isZero();
    put("/registry/pods/new");
    assertThat(keyspace.revision()).isEqualTo(revision + 2);
  }

  @Test
  void aPrefixThatIsFullLeavesRoomForTheOthers() {
    int events = fill(EVENTS);
    assertThat(events).isBetween(220, 260);
    assertThatThrownBy(() -> putInTxn(EVENTS + "new")).isSameAs(StoreException.NO_SPACE);
    assertThat(fill("/registry/pods/")).isBetween(650, 760);
  }

  @Test
  void aPrefixInAnotherCountsForBoth() {
    assertThat(fill(NOISY)).isBetween(110, 130);
    assertThat(fill(EVENTS + "calm/")).as("what is left of both").isBetween(110, 130);
    assertThat(classes.prefixSpaces())
        .extracting(PrefixSpace::prefix)
        .containsExactly(NOISY, EVENTS);
    assertThat(classes.prefixSpaces())
        .allSatisfy(
            space ->
                assertThat(space.bytes()).isBetween(space.maxBytes(), space.maxBytes() + 2000));
  }

  @Test
  void aFullPrefixLeavesNothingToOneInIt() {
    assertThat(fill(EVENTS + "calm/")).isBetween(220, 260);
    assertThat(fill(NOISY)).isZero();
  }

  @Test
  void kindsAreCounted() {
    for (String key :
        List.of(
            "/registry/pods/ns/a",
            "/registry/pods/ns/b",
            "/registry/services/specs/ns/a",
            "/registry/services/endpoints/ns/a",
            "/registry/example.com/widgets/ns/a",
            "/registry/health",
            "compact_rev_key")) {
      put(key);
      put(key);
    }
    DeleteRangeRequest delete = new DeleteRangeRequest();
    delete.key.set("/registry/pods/ns/b".getBytes(UTF_8));
    executor.deleteRange(delete, new OperationResult());
    assertThat(classes.all())
        .extracting(
            c ->
                "%s %d keys, %d puts, %d deletes"
                    .formatted(c.kind(), c.keys(), c.puts(), c.deletes()))
        .containsExactly(
            "pods 1 keys, 4 puts, 1 deletes",
            "services 1 keys, 2 puts, 0 deletes",
            "endpoints 1 keys, 2 puts, 0 deletes",
            "widgets.example.com 1 keys, 2 puts, 0 deletes",
            "other 2 keys, 4 puts, 0 deletes");
    assertThat(classes.all().stream().mapToLong(KeyClass::bytes).sum())
        .isEqualTo(keyspace.records().recordBytes());
    compactAndClean();
    assertThat(classes.all().stream().mapToLong(KeyClass::bytes).sum())
        .isEqualTo(keyspace.records().recordBytes())
        .isLessThan(10_000);
  }
}
