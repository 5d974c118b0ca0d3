// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.api.SimulatedStore;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.PrefixRule;
import io.exaplane.store.journal.SimulatedStorage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A store that nobody compacts, and that is short of space. */
class SelfCompactionTest {
  private static final int LOOP = 0;
  private static final long RECORD_BYTES = 2_000_000;
  private static final int LARGE = 4_000;
  private static final int LEASE = 250;
  private static final int LEASES = 10;
  private static final long STEP_MS = 100;
  private static final String EVENTS = "/registry/events/";
  private static final String LEASES_PREFIX = "/registry/leases/kube-system/";

  private final Random random = new Random(1);
  private final long[] leaseRevisions = new long[LEASES];
  private long nowMs = 1_000_000;
  private int renewals;
  private int filled;
  private SimulatedStore store;

  private void start(PrefixRule... rules) throws IOException {
    store =
        new SimulatedStore(
            new SimulatedStorage(random),
            new KeyClasses(List.of(rules), Durability.FSYNC),
            SpaceLimits.of(RECORD_BYTES, Long.MAX_VALUE, 0),
            () -> nowMs,
            random);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private Op send(Op.Kind kind, String key, String end, int valueBytes, long number) {
    return send(new Op(kind, List.of(key), end, "v".repeat(valueBytes), 0, number, 0));
  }

  private Op send(Op op) {
    Answers answers = new Answers(op, new Requests.Known(), null);
    SimulatedCall call = new SimulatedCall(store.loop(LOOP), answers::take, answers::failed);
    byte[] request = op.encode();
    store.method(op.kind.path).open(call, store.lane(LOOP)).message(request, 0, request.length);
    rest();
    return op;
  }

  /** The store does all that there is to do now. */
  private void rest() {
    for (int turn = 0; turn < 10; turn++) {
      store.turn();
      store.runToEnd(LOOP);
      store.snapshot();
    }
  }

  private void pass(long ms) {
    for (long end = nowMs + ms; nowMs < end; nowMs += STEP_MS) {
      store.turn();
    }
    rest();
  }

  private boolean isPut(String key, int valueBytes) {
    return send(Op.Kind.PUT, key, "", valueBytes, 0).error == null;
  }

  /** As kube-apiserver's update: only if the key is as it was. */
  private void renewALease() {
    int lease = renewals++ % LEASES;
    String key = LEASES_PREFIX + lease;
    Op op =
        leaseRevisions[lease] == 0
            ? send(Op.Kind.CREATE, key, "", LEASE, 0)
            : send(Op.Kind.UPDATE, key, "", LEASE, leaseRevisions[lease]);
    assertThat(op.error).as("renewal %d", renewals).isNull();
    assertThat(op.answer.succeeded).isTrue();
    leaseRevisions[lease] = op.answer.revision;
  }

  private void fill(String prefix) {
    while (isPut(prefix + (1000 + filled), LARGE)) {
      filled++;
    }
  }

  /** A custom resource with a finalizer. */
  private static String widget(String more) {
    return "{\"metadata\":{%s\"finalizers\":[\"example.com/a\"],\"name\":\"w\"},\"spec\":\"%s\"}"
        .formatted(more, "s".repeat(200));
  }

  private Op sendPut(String key, String value) {
    return send(new Op(Op.Kind.PUT, List.of(key), "", value, 0, 0, 0));
  }

  /** kube-apiserver sets the time of a deletion by an update that makes the object larger. */
  @Test
  void objectsWithFinalizersAreDeletedFromAFullStore() throws IOException {
    start();
    String widgets = "/registry/example.com/widgets/default/";
    String deletion =
        "\"deletionGracePeriodSeconds\":0,\"deletionTimestamp\":\"2026-01-01T00:00:00Z\",";
    for (int i = 0; i < LEASES; i++) {
      renewALease();
    }
    for (int i = 0; i < 300; i++) {
      assertThat(sendPut(widgets + i, widget("")).error).isNull();
    }
    fillUp();
    String labels = "\"labels\":{\"a\":\"%s\"},".formatted("l".repeat(70));
    for (int i = 0; i < 300; i++) {
      String key = widgets + i;
      assertThat(isPut("/registry/configmaps/default/new", LARGE)).as("full at %d", i).isFalse();
      assertThat(sendPut(key, widget(labels)).error)
          .as("an update that frees nothing")
          .isSameAs(StoreException.NO_SPACE);
      assertThat(sendPut(key, widget(deletion)).error).as("deletion %d", i).isNull();
      assertThat(sendPut(key, widget(deletion + "\"labels\":{\"a\":\"b\"},")).error)
          .as("its progress, %d", i)
          .isNull();
      assertThat(send(Op.Kind.DELETE, key, "", 0, 0).error).isNull();
      renewALease();
      pass(2 * STEP_MS);
      fillUp();
    }
  }

  /** Also what a compaction gives back between two writes of one moment. */
  private void fillUp() {
    int before = -1;
    while (filled != before) {
      before = filled;
      fill("/registry/configmaps/default/");
    }
  }

  private Op readAt(long revision) {
    return send(Op.Kind.RANGE, LEASES_PREFIX + 0, "", 0, revision);
  }

  @Test
  void aFullStoreRenewsLeasesForEver() throws IOException {
    start();
    for (int i = 0; i < LEASES; i++) {
      renewALease();
    }
    fill("/registry/configmaps/default/");
    assertThat(filled).isBetween(450, 500);
    long fiveSecondsAgo = 0;
    for (int second = 0; second < 900; second++) {
      renewALease();
      pass(500);
      renewALease();
      pass(500);
      if (second % 5 == 0) {
        assertThat(readAt(Math.max(1, fiveSecondsAgo)).error).as("5 s ago").isNull();
        fiveSecondsAgo = store.revision();
      }
      if (second % 100 == 0) {
        assertThat(isPut("/registry/configmaps/default/new", LARGE)).isFalse();
        assertThat(isPut(LEASES_PREFIX + "apiserver-" + second, LEASE))
            .as("a kube-apiserver that starts says that it is there")
            .isTrue();
        Op grant = new Op(Op.Kind.GRANT, List.of(""), "", "", second + 1, 15, 0);
        assertThat(send(grant).error).as("and has a lease for that").isNull();
      }
    }
    assertThat(renewals).isEqualTo(LEASES + 1800);
    assertThat(store.compactionsForSpace()).isBetween(100L, 450L);
  }

  /** How half of what there is goes. */
  enum Deletion {
    IN_ONE {
      @Override
      void delete(SelfCompactionTest test, String prefix) {
        test.send(Op.Kind.DELETE, prefix + 1000, prefix + (1000 + test.filled / 2), 0, 0);
      }
    },
    ONE_BY_ONE {
      @Override
      void delete(SelfCompactionTest test, String prefix) {
        for (int i = 0; i < test.filled / 2; i++) {
          test.send(Op.Kind.DELETE, prefix + (1000 + i), "", 0, 0);
        }
      }
    },
    MADE_SMALL {
      @Override
      void delete(SelfCompactionTest test, String prefix) {
        for (int i = 0; i < test.filled / 2; i++) {
          test.send(Op.Kind.PUT, prefix + (1000 + i), "", 1, 0);
          test.pass(STEP_MS);
        }
      }
    };

    abstract void delete(SelfCompactionTest test, String prefix);
  }

  private long msUntilPut(String key, boolean renews) {
    long start = nowMs;
    for (int i = 0; !isPut(key, LARGE); i++) {
      if (renews && i % 5 == 0) {
        renewALease();
      }
      pass(STEP_MS);
      assertThat(nowMs - start).as("ms without room").isLessThanOrEqualTo(10_000);
    }
    return nowMs - start;
  }

  @ParameterizedTest
  @EnumSource
  void roomThatWasFreedIsUsableSoon(Deletion deletion) throws IOException {
    for (boolean renews : new boolean[] {true, false}) {
      start();
      filled = 0;
      Arrays.fill(leaseRevisions, 0);
      for (int i = 0; i < LEASES; i++) {
        renewALease();
      }
      String prefix = "/registry/configmaps/default/";
      fill(prefix);
      deletion.delete(this, prefix);
      long firstMs = msUntilPut(prefix + "new", renews);
      System.out.printf("%s: room after %d ms%n", deletion, firstMs);
      int there = filled;
      for (long leftMs = 10_000 - firstMs; leftMs > 0; leftMs -= STEP_MS) {
        fill(prefix + "more-");
        pass(STEP_MS);
      }
      assertThat(filled - there).as("most of the half is room").isGreaterThan(there / 3);
      store.close();
    }
    start();
  }

  @Test
  void aPrefixWithAQuotaComesBackInTheSameWay() throws IOException {
    start(new PrefixRule(EVENTS, RECORD_BYTES / 4, Durability.FSYNC));
    fill(EVENTS);
    assertThat(isPut("/registry/configmaps/default/a", LARGE)).as("others have room").isTrue();
    Deletion.ONE_BY_ONE.delete(this, EVENTS);
    assertThat(isPut(EVENTS + "new", LARGE)).isFalse();
    assertThat(msUntilPut(EVENTS + "new", false)).isPositive();
  }

  /** Bytes of an update, of which there are ten a second, and how old a revision can be read. */
  @ParameterizedTest
  @CsvSource({"400, 180", "2000, 44", "7000, 12", "7900, 11"})
  void asMuchHistoryStaysAsThereIsRoomFor(int updateBytes, int keptSeconds) throws IOException {
    start();
    renewALease();
    long[] revisions = new long[800];
    for (int second = 0; second < revisions.length; second++) {
      for (int i = 0; i < 10; i++) {
        assertThat(isPut("/registry/configmaps/default/a", updateBytes)).isTrue();
        pass(STEP_MS);
      }
      revisions[second] = store.revision();
      if (second >= keptSeconds) {
        assertThat(readAt(revisions[second - keptSeconds]).error)
            .as("%d s before second %d", keptSeconds, second)
            .isNull();
      }
    }
    assertThat(readAt(revisions[0]).error).isSameAs(StoreException.COMPACTED);
  }

  @Test
  void nothingIsCompactedWhileThereIsRoom() throws IOException {
    start();
    for (int i = 0; i < 300; i++) {
      isPut("/registry/configmaps/default/a", LARGE);
      pass(1000);
    }
    assertThat(store.compactionsForSpace()).isZero();
  }
}
