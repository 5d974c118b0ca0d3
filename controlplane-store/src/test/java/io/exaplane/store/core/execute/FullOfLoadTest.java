// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.execute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.LoadCount;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Region;
import io.exaplane.store.core.request.DeleteRangeRequest;
import io.exaplane.store.core.request.Operation;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.core.request.TxnRequest;
import io.exaplane.store.core.result.OperationResult;
import io.exaplane.store.core.result.TxnResult;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store whose objects take as much of a kube-apiserver's memory as they may. */
class FullOfLoadTest {
  private static final long MIB = 1 << 20;
  private static final long LIMIT = 64 * MIB;
  private static final String WIDGETS = "/registry/example.com/widgets/default/";
  private static final long RESERVE = LIMIT / 32;
  private static final String LEASES = "/registry/leases/kube-system/";
  private static final String CONFIG_MAPS = "/registry/configmaps/default/";

  private final Region region = Region.reserve(1 << 30, 25);
  private final Leases leases = new Leases(() -> 1);
  private final Keyspace keyspace =
      new Keyspace(region, leases, KeyClasses.plain(), SpaceLimits.NONE.withLoad(LIMIT), 1, 1);
  private final WriteExecutor executor = new WriteExecutor(keyspace, leases);

  @AfterEach
  void close() {
    LoadCount.require(keyspace);
    region.close();
  }

  /** Small maps, as a custom resource is made of. */
  private static byte[] json(int maps) {
    return IntStream.range(0, maps)
        .mapToObj("{\"name\":\"item-%d\",\"on\":true,\"port\":%1$d}"::formatted)
        .collect(Collectors.joining(",", "{\"spec\":{\"items\":[", "]}}"))
        .getBytes(UTF_8);
  }

  private static byte[] protobuf(int bytes) {
    byte[] value = new byte[bytes];
    value[0] = 'k';
    return value;
  }

  private boolean isPut(String key, byte[] value) {
    PutRequest request = new PutRequest();
    request.key.set(key.getBytes(UTF_8));
    request.value.set(value);
    try {
      executor.put(request, new OperationResult());
      return true;
    } catch (StoreException e) {
      assertThat(e).isSameAs(StoreException.NO_SPACE);
      return false;
    }
  }

  private void delete(String key) {
    DeleteRangeRequest request = new DeleteRangeRequest();
    request.key.set(key.getBytes(UTF_8));
    executor.deleteRange(request, new OperationResult());
  }

  private int fill(String prefix, byte[] value) {
    int count = 0;
    while (isPut(prefix + count, value)) {
      count++;
    }
    return count;
  }

  /** The same room takes so much more of one than of the other. */
  @Test
  void itIsNotTheBytesThatCount() {
    byte[] cutUp = json(22_000);
    int widgets = fill(WIDGETS, cutUp);
    assertThat(widgets).isBetween(6, 8);
    long stored = keyspace.space().liveBytes();
    assertThat(keyspace.space().loadBytes()).isBetween(9 * stored, 11 * stored);
    int small = fill(WIDGETS + "small-", json(1));
    assertThat(keyspace.space().fullLimits()).contains("kube-apiservers");
    IntStream.range(0, small).forEach(i -> delete(WIDGETS + "small-" + i));
    IntStream.range(0, widgets).forEach(i -> delete(WIDGETS + i));
    assertThat(keyspace.space().isFull()).as("at once, whatever is compacted").isFalse();
    assertThat(fill(CONFIG_MAPS, protobuf(cutUp.length))).isBetween(26, 30);
  }

  /** A ConfigMap with thousands of empty entries, beside one with a text of the same size. */
  @Test
  void protobufThatIsCutUpTakesMore() {
    byte[] usual = protobuf(100_000);
    byte[] cutUp = protobuf(100_000);
    System.arraycopy("k8s".getBytes(UTF_8), 0, cutUp, 0, 3);
    for (int i = 4; i < cutUp.length; i += 2) {
      cutUp[i] = 1 << 3 | 2; // the field 1, with no bytes
    }
    assertThat(fill(CONFIG_MAPS + "cut-up-", cutUp)).isBetween(55, 66);
    assertThat(isPut(CONFIG_MAPS + "cut-up-0", usual)).as("smaller than before").isTrue();
    assertThat(fill(CONFIG_MAPS + "usual-", usual)).isPositive();
  }

  @Test
  void whatTakesNoMoreGoesOn() {
    byte[] value = json(1000);
    int widgets = fill(WIDGETS, value);
    fill(WIDGETS + "more-", json(1));
    for (int i = 0; i < 3 * widgets; i++) {
      assertThat(isPut(WIDGETS + i % widgets, value)).as("the same again").isTrue();
    }
    long before = keyspace.space().loadBytes();
    assertThat(isPut(WIDGETS + 0, json(1010))).as("larger").isFalse();
    assertThat(isPut(WIDGETS + 0, json(990))).as("smaller").isTrue();
    assertThat(keyspace.space().loadBytes()).isLessThan(before);
    fill(WIDGETS + "again-", json(1));
    assertThat(isPut(LEASES + "new", protobuf(600))).as("vital").isTrue();
    assertThat(isPut("/registry/events/default/new", protobuf(6000))).as("not loaded").isTrue();
    assertThat(isPut("compact_rev_key", protobuf(10))).isTrue();
  }

  /** One value takes many times the reserve: it must not pass the limit by that. */
  @Test
  void aLargeValueLeavesTheReserve() {
    byte[] cutUp = json(22_000);
    fill(WIDGETS, cutUp);
    assertThat(keyspace.space().loadBytes()).isLessThanOrEqualTo(LIMIT + RESERVE / 8);
    assertThat(isWrittenByTxn(WIDGETS + "new", cutUp)).as("by a Txn").isFalse();
    assertThat(isPut(LEASES + "new", protobuf(600))).as("vital").isTrue();
    fill(WIDGETS + "small-", json(1));
    assertThat(keyspace.space().isFull()).isTrue();
    assertThat(keyspace.space().loadBytes()).isLessThanOrEqualTo(LIMIT + RESERVE / 8);
  }

  @Test
  void manyValuesOfATxnCountTogether() {
    fill(WIDGETS, json(20_000));
    fill(WIDGETS + "more-", json(1000));
    TxnRequest txn = new TxnRequest();
    for (int i = 0; i < 8; i++) {
      addPut(txn, WIDGETS + "txn-" + i, json(1000));
    }
    assertThat(isTaken(txn)).isFalse();
  }

  /** An object with a finalizer, or with a grace period, is deleted by an update first. */
  @Test
  void theStartOfADeletionIsTaken() {
    String name = "{\"metadata\":{\"name\":\"a\",\"uid\":\"b\",\"finalizers\":[\"example.com/c\"]";
    String deletion =
        ",\"deletionGracePeriodSeconds\":0,\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"";
    assertThat(isPut(WIDGETS + "a", (name + "}}").getBytes(UTF_8))).isTrue();
    assertThat(isPut("/registry/pods/default/a", protobuf(3000))).isTrue();
    fillWholly();
    assertThat(isPut(WIDGETS + "a", (name + deletion + "}}").getBytes(UTF_8))).isTrue();
    assertThat(isPut("/registry/pods/default/a", protobuf(4000))).as("its end").isTrue();
    assertThat(isPut("/registry/pods/default/a", protobuf(6000))).as("much more").isFalse();
  }

  private void fillWholly() {
    fill(CONFIG_MAPS, protobuf(100_000));
    fill(CONFIG_MAPS + "small-", protobuf(1));
    assertThat(keyspace.space().isFull()).isTrue();
  }

  /** Whatever grows a little leaves room for what a kube-apiserver must write. */
  @Test
  void littleUpdatesLeaveRoomForVitalKinds() {
    assertThat(isPut(CONFIG_MAPS + "grows", protobuf(1))).isTrue();
    assertThat(isPut(LEASES + "grows", protobuf(1))).isTrue();
    fillWholly();
    assertThat(grow(CONFIG_MAPS + "grows")).isGreaterThan(10);
    long used = keyspace.space().loadBytes() - LIMIT;
    assertThat(used).isBetween(RESERVE / 4 - 4000, RESERVE / 4);
    int leases = fill(LEASES + "new-", protobuf(600));
    assertThat(leases).isGreaterThan(100);
    assertThat(isPut(CONFIG_MAPS + "other", protobuf(1))).isFalse();
    grow(LEASES + "grows");
    assertThat(keyspace.space().loadBytes() - LIMIT).isBetween(RESERVE / 2 - 4000, RESERVE / 2);
  }

  /** Makes an object larger by steps, until that is refused. */
  private int grow(String key) {
    int steps = 1;
    while (isPut(key, protobuf(1000 * steps))) {
      steps++;
    }
    return steps;
  }

  /** One for the other, in one request. */
  @Test
  void aTxnCountsAsAWhole() {
    byte[] value = json(1000);
    fill(WIDGETS, value);
    fill(WIDGETS + "more-", json(1));
    assertThat(isReplaced(WIDGETS + 0, WIDGETS + "new", json(1010))).isFalse();
    assertThat(isReplaced(WIDGETS + 0, WIDGETS + "new", value)).isTrue();
  }

  private boolean isReplaced(String old, String key, byte[] value) {
    TxnRequest txn = new TxnRequest();
    Operation delete = txn.success.add();
    delete.kind = Operation.Kind.DELETE_RANGE;
    delete.deleteRange.key.set(old.getBytes(UTF_8));
    addPut(txn, key, value);
    return isTaken(txn);
  }

  private boolean isWrittenByTxn(String key, byte[] value) {
    TxnRequest txn = new TxnRequest();
    addPut(txn, key, value);
    return isTaken(txn);
  }

  private static void addPut(TxnRequest txn, String key, byte[] value) {
    Operation put = txn.success.add();
    put.kind = Operation.Kind.PUT;
    put.put.key.set(key.getBytes(UTF_8));
    put.put.value.set(value);
  }

  private boolean isTaken(TxnRequest txn) {
    try {
      executor.txn(txn, new TxnResult());
      return true;
    } catch (StoreException e) {
      return false;
    }
  }

  /** After the limit was set below what there is, whatever shrinks is taken. */
  @Test
  void aLowerLimitLetsObjectsShrink() {
    try (Region other = Region.reserve(1 << 30, 25)) {
      Leases none = new Leases(() -> 1);
      Keyspace full =
          new Keyspace(other, none, KeyClasses.plain(), SpaceLimits.NONE.withLoad(1000), 1, 1);
      byte[] key = (WIDGETS + "a").getBytes(UTF_8);
      byte[] value = json(1000);
      full.put(key, 0, key.length, value, 0, value.length, 0);
      full.commit();
      PutRequest smaller = new PutRequest();
      smaller.key.set(key);
      smaller.value.set(json(999));
      new WriteExecutor(full, none).put(smaller, new OperationResult());
      assertThat(full.space().isFull()).isTrue();
    }
  }

  @Test
  void aValueThatStaysCountsAsItDid() {
    byte[] value = json(500);
    isPut(WIDGETS + 0, value);
    long before = keyspace.space().loadBytes();
    fill(CONFIG_MAPS, protobuf(100_000));
    PutRequest same = new PutRequest();
    same.key.set((WIDGETS + 0).getBytes(UTF_8));
    same.ignoreValue = true;
    executor.put(same, new OperationResult());
    IntStream.range(0, 1000).forEach(i -> delete(CONFIG_MAPS + i));
    assertThat(keyspace.space().loadBytes()).isBetween(before - 50, before + 50);
  }
}
