// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.Seeds;
import io.exaplane.store.api.slow.SlowRequests;
import io.exaplane.store.codec.ResponseCodec;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.core.memory.Region;
import io.exaplane.store.journal.MemberIds;
import io.exaplane.store.journal.SimulatedStorage;
import io.exaplane.store.move.MoveException;
import io.exaplane.store.move.MoveGate;
import io.exaplane.store.move.MoveStates;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages, changes and sums that are read in portions while keys change and memory is freed. */
class MoveReadsTest {
  private static final String PODS = "/pods/";
  private static final Portion PORTION = new Portion(3, 200);

  private final Region region = Region.reserve(16 << 20, 13);
  private final RevisionPins pins = new RevisionPins();
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private Leases leases;
  private Keyspace keyspace;
  private EpochReclaimer.Reader epoch;
  private MoveReads reads;

  @BeforeEach
  void make() throws Exception {
    channel.freezeTime();
    leases = new Leases(() -> 7);
    keyspace = new Keyspace(region, leases, KeyClasses.plain(), SpaceLimits.NONE, 1, 4);
    epoch = keyspace.reclaimer().newReader();
    MoveGate gate =
        new MoveGate(MoveStates.open(new SimulatedStorage(new Random(1)), new MemberIds(0, 0)));
    Lane lane =
        new Lane(
            channel.eventLoop(),
            keyspace,
            new ResponseCodec(keyspace.memory(), 1, 1),
            pins,
            new AnswerBudget(1 << 20),
            PORTION,
            1,
            gate,
            new SlowRequests(0, System::nanoTime, _ -> {}));
    reads = new MoveReads(() -> lane, pins, new MoveReads.Bounds(1_000, 3_000));
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    region.close();
  }

  private void put(String key, String value, long lease) {
    byte[] name = key.getBytes(UTF_8);
    byte[] bytes = value.getBytes(UTF_8);
    keyspace.put(name, 0, name.length, bytes, 0, bytes.length, lease);
  }

  private void delete(String key) {
    byte[] name = key.getBytes(UTF_8);
    long live = keyspace.newest(name, 0, name.length);
    if (live != 0) {
      keyspace.delete(live);
    }
  }

  private void commit() {
    keyspace.commit();
    keyspace.publish();
  }

  private void clean() {
    if (keyspace.revision() > keyspace.compactedRevision()) {
      keyspace.compact(keyspace.revision());
      keyspace.publish();
    }
    while (keyspace.cleaner().clean(1 << 12, pins::oldest)) {
      keyspace.reclaimer().reclaim();
    }
  }

  private void turn() {
    channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
    channel.runPendingTasks();
  }

  private static int statusOf(CompletableFuture<?> failed) {
    try {
      failed.join();
      return 200;
    } catch (CompletionException e) {
      return ((MoveException) e.getCause()).status();
    }
  }

  /** A page and a sum are of one revision, whatever is written, compacted and cleaned meanwhile. */
  @Test
  void whatIsReadInPortionsIsOfOneRevision() throws Exception {
    Map<String, String> keys = new TreeMap<>();
    for (long seed : Seeds.of(200).toArray()) {
      Random random = new Random(seed);
      for (int i = 0; i < 12; i++) {
        change(random, keys);
      }
      Map<String, String> then = new TreeMap<>(keys);
      CompletableFuture<MovedPage> page = reads.page(PODS, new byte[0]);
      channel.runPendingTasks();
      turn();
      try (PrefixSum sum = new PrefixSum(keyspace, pins, PODS, PORTION)) {
        Map<String, String> summed = new TreeMap<>(keys);
        boolean isSummed = sum.goOn(epoch);
        while (!page.isDone() || !isSummed) {
          change(random, keys);
          clean();
          turn();
          isSummed = isSummed || sum.goOn(epoch);
        }
        assertThat(sum.end().sha256()).as("seed %d", seed).isEqualTo(sha256(summed));
      }
      assertThat(keysOf(page.join().records())).as("seed %d", seed).isEqualTo(then);
      assertThat(pins.oldest()).as("nothing stays pinned").isEqualTo(Long.MAX_VALUE);
    }
  }

  private void change(Random random, Map<String, String> keys) {
    String key = PODS + (char) ('a' + random.nextInt(14));
    if (random.nextInt(4) == 0) {
      delete(key);
      keys.remove(key);
    } else {
      String value = "v".repeat(random.nextInt(30)) + random.nextInt(10);
      put(key, value, 0);
      keys.put(key, value);
    }
    put("/other/" + random.nextInt(3), "x", 0);
    commit();
  }

  private static String sha256(Map<String, String> keys) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    keys.forEach(
        (key, value) -> {
          digest.update(ByteBuffer.allocate(4).putInt(key.length()).array());
          digest.update(key.getBytes(UTF_8));
          digest.update(ByteBuffer.allocate(4).putInt(value.length()).array());
          digest.update(value.getBytes(UTF_8));
        });
    return HexFormat.of().formatHex(digest.digest());
  }

  private static Map<String, String> keysOf(byte[] records) {
    Map<String, String> keys = new TreeMap<>();
    MoveBody.parse(PODS, records)
        .changes()
        .forEach(
            change ->
                keys.put(
                    new String(change.key(), UTF_8),
                    change.value() == null ? "deleted" : new String(change.value(), UTF_8)));
    return keys;
  }

  /** A call never looks at more than a portion in a turn, however many others' events there are. */
  @Test
  void manyForeignEventsTakeManyTurns() {
    for (int i = 0; i < 300; i++) {
      put("/other/" + i, "x", 0);
      commit();
    }
    put(PODS + "a", "1", 0);
    commit();
    CompletableFuture<MovedPage> changes = reads.changes(PODS, 1, 0);
    channel.runPendingTasks();
    int turns = 0;
    while (!changes.isDone()) {
      turn();
      turns++;
    }
    assertThat(turns).isGreaterThanOrEqualTo(300 / PORTION.keys());
    assertThat(keysOf(changes.join().records())).containsOnlyKeys(PODS + "a");
    assertThat(changes.join().revision()).isEqualTo(keyspace.revision());
  }

  @Test
  void changesThatAreCleanedAwayMeanwhileAreSaidToBeGone() {
    for (int i = 0; i < 40; i++) {
      put(PODS + i, "1", 0);
      commit();
    }
    CompletableFuture<MovedPage> changes = reads.changes(PODS, 1, 0);
    channel.runPendingTasks();
    turn();
    put(PODS + "z", "1", 0);
    commit();
    clean();
    for (int i = 0; i < 100 && !changes.isDone(); i++) {
      turn();
    }
    assertThat(statusOf(changes)).isEqualTo(410);
  }

  @Test
  void aRevisionOfTooManyChangesBeginsAnew() {
    for (int i = 0; i < 30; i++) {
      put(PODS + i, "v".repeat(50), 0);
    }
    commit();
    CompletableFuture<MovedPage> whole = reads.changes(PODS, 1, 0);
    channel.runPendingTasks();
    while (!whole.isDone()) {
      turn();
    }
    assertThat(whole.join().records().length).as("more than a page").isBetween(1_001, 3_000);
    assertThat(keysOf(whole.join().records())).hasSize(30);
    long before = keyspace.revision();
    for (int i = 0; i < 60; i++) {
      put(PODS + i, "v".repeat(50), 0);
    }
    commit();
    CompletableFuture<MovedPage> changes = reads.changes(PODS, before, 0);
    channel.runPendingTasks();
    while (!changes.isDone()) {
      turn();
    }
    assertThat(statusOf(changes)).isEqualTo(410);
  }

  @Test
  void aKeyWithALeaseIsNamed() {
    leases.grant(7, 60, 0);
    put(PODS + "leased", "1", 7);
    commit();
    CompletableFuture<MovedPage> page = reads.page(PODS, new byte[0]);
    CompletableFuture<MovedPage> changes = reads.changes(PODS, 1, 0);
    channel.runPendingTasks();
    for (int i = 0; i < 10; i++) {
      turn();
    }
    assertThat(statusOf(page)).isEqualTo(409);
    assertThat(statusOf(changes)).isEqualTo(409);
    assertThat(page).isCompletedExceptionally();
    assertThat(page.exceptionNow()).hasMessageContaining("'/pods/leased' has the etcd lease 7");
    assertThat(pins.oldest()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void fewPagesAreMadeAtATime() {
    for (int i = 0; i < 8; i++) {
      assertThat(reads.page(PODS, new byte[0])).isNotDone();
    }
    assertThat(statusOf(reads.page(PODS, new byte[0]))).isEqualTo(429);
    channel.runPendingTasks();
    turn();
    assertThat(reads.page(PODS, new byte[0])).isNotCompletedExceptionally();
  }

  /** Who waits for changes has no page, and takes nobody's place. */
  @Test
  void whoWaitsForChangesTakesNoPlace() {
    List<CompletableFuture<MovedPage>> waiting = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      waiting.add(reads.changes(PODS, 1, 1000));
      channel.runPendingTasks();
      turn();
    }
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    assertThat(statusOf(reads.changes(PODS, 1, 1000))).as("too many wait").isEqualTo(429);
    put(PODS + "a", "1", 0);
    commit();
    for (int i = 0; i < 200; i++) {
      turn();
    }
    assertThat(waiting)
        .allSatisfy(each -> assertThat(keysOf(each.join().records())).containsKey(PODS + "a"));
    for (int i = 0; i < 8; i++) {
      assertThat(reads.page(PODS, new byte[0])).as("all places are free").isNotDone();
    }
  }

  @Test
  void aSumThatNobodyWaitsForEndsBetweenPortions() {
    for (int i = 0; i < 40; i++) {
      put(PODS + i, "1", 0);
    }
    commit();
    int[] portions = {0};
    try (PrefixSum sum = new PrefixSum(keyspace, pins, PODS, PORTION)) {
      assertThatThrownBy(() -> sum.addUp(epoch, () -> portions[0]++ < 2))
          .isInstanceOf(StoreException.class);
    }
    assertThat(portions[0]).isEqualTo(3);
    assertThat(pins.oldest()).isEqualTo(Long.MAX_VALUE);
  }
}
