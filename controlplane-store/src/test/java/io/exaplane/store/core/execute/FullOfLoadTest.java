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
    assertThat(keyspace.space().fullLimits()).contains("kube-apiservers");
    IntStream.range(0, widgets).forEach(i -> delete(WIDGETS + i));
    assertThat(keyspace.space().isFull()).as("at once, whatever is compacted").isFalse();
    assertThat(fill(CONFIG_MAPS, protobuf(cutUp.length))).isBetween(28, 32);
  }

  @Test
  void whatTakesNoMoreGoesOn() {
    byte[] value = json(1000);
    int widgets = fill(WIDGETS, value);
    for (int i = 0; i < 3 * widgets; i++) {
      assertThat(isPut(WIDGETS + i % widgets, value)).as("the same again").isTrue();
    }
    long before = keyspace.space().loadBytes();
    assertThat(isPut(WIDGETS + 0, json(1010))).as("larger").isFalse();
    assertThat(isPut(WIDGETS + 0, json(990))).as("smaller").isTrue();
    assertThat(keyspace.space().loadBytes()).isLessThan(before);
    fill(WIDGETS + "more-", json(1));
    assertThat(isPut("/registry/leases/kube-system/new", protobuf(600))).as("vital").isTrue();
    assertThat(isPut("/registry/events/default/new", protobuf(6000))).as("not loaded").isTrue();
    assertThat(isPut("compact_rev_key", protobuf(10))).isTrue();
  }

  /** One for the other, in one request. */
  @Test
  void aTxnCountsAsAWhole() {
    byte[] value = json(1000);
    fill(WIDGETS, value);
    assertThat(isReplaced(WIDGETS + 0, WIDGETS + "new", json(1010))).isFalse();
    assertThat(isReplaced(WIDGETS + 0, WIDGETS + "new", value)).isTrue();
  }

  private boolean isReplaced(String old, String key, byte[] value) {
    TxnRequest txn = new TxnRequest();
    Operation delete = txn.success.add();
    delete.kind = Operation.Kind.DELETE_RANGE;
    delete.deleteRange.key.set(old.getBytes(UTF_8));
    Operation put = txn.success.add();
    put.kind = Operation.Kind.PUT;
    put.put.key.set(key.getBytes(UTF_8));
    put.put.value.set(value);
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
