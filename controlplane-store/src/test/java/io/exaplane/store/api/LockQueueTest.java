// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.api.simulation.SimulatedCall;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.journal.SimulatedStorage;
import io.exaplane.store.wire.GrpcListener;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who wants a lock waits for the one before, gets it in turn, and takes bounded memory. */
class LockQueueTest {
  private static final long TTL_S = 600;
  private static final int MOST_WAITING = 1024;

  private final Random random = new Random(1);
  private final AtomicLong nowMs = new AtomicLong(1_800_000_000_000L);
  private final List<Waiter> waiters = new ArrayList<>();
  private SimulatedStore store;

  /** One call for a lock, and what became of it. */
  private final class Waiter {
    private final String key;
    private GrpcListener listener;
    private boolean has;
    private StoreException failure;

    Waiter(String name, long lease) {
      key = name + "/" + Long.toHexString(lease);
      ReverseWriter lock = new ReverseWriter();
      lock.number(2, lease);
      text(lock, 1, name);
      listener = call("/v3lockpb.Lock/Lock", lock, _ -> has = true, e -> failure = e);
    }

    void unlock() {
      ReverseWriter unlock = new ReverseWriter();
      text(unlock, 1, key);
      call("/v3lockpb.Lock/Unlock", unlock, _ -> {}, e -> failure = e);
      settle();
    }
  }

  @BeforeEach
  void start() throws Exception {
    store =
        new SimulatedStore(new SimulatedStorage(random), KeyClasses.plain(), nowMs::get, random);
  }

  @AfterEach
  void stop() {
    store.close();
  }

  private static void text(ReverseWriter out, int field, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.bytes(field, bytes, 0, bytes.length);
  }

  private GrpcListener call(
      String method,
      ReverseWriter request,
      java.util.function.Consumer<byte[]> answer,
      java.util.function.Consumer<StoreException> failure) {
    GrpcListener listener =
        store.method(method).open(new SimulatedCall(store.loop(0), answer, failure), store.lane(0));
    listener.message(request.array(), request.start(), request.length());
    return listener;
  }

  /** Until nothing goes on, without that time passes. */
  private void settle() {
    for (int i = 0; i < 6; i++) {
      store.turn();
      store.runToEnd(0);
    }
  }

  private void grant(long lease) {
    ReverseWriter grant = new ReverseWriter();
    grant.number(2, lease);
    grant.number(1, TTL_S);
    call("/etcdserverpb.Lease/LeaseGrant", grant, _ -> {}, e -> assertThat(e).isNull());
  }

  private Waiter lock(String name, long lease) {
    grant(lease);
    settle();
    Waiter waiter = new Waiter(name, lease);
    waiters.add(waiter);
    settle();
    return waiter;
  }

  private List<Integer> holders() {
    List<Integer> holders = new ArrayList<>();
    for (int i = 0; i < waiters.size(); i++) {
      if (waiters.get(i).has) {
        holders.add(i);
      }
    }
    return holders;
  }

  @Test
  void aLockGoesFromOneToTheNextInTheirOrder() {
    for (int i = 0; i < 100; i++) {
      lock("a", 1000 + i);
    }
    lock("b", 9000);
    assertThat(holders()).containsExactly(0, 100);
    for (int i = 0; i < 99; i++) {
      waiters.get(i).unlock();
      assertThat(waiters.get(i + 1).has).as("turn %d", i + 1).isTrue();
      assertThat(holders()).as("nobody else").hasSize(i + 3);
    }
    assertThat(waiters).allMatch(waiter -> waiter.failure == null);
  }

  /** Seeded: they give back, leave while they wait, lose their leases, come anew. */
  @Test
  void whoeverLeavesTheOldestThatWaitsHasTheLock() {
    for (int i = 0; i < 40; i++) {
      lock("a", 1000 + i);
    }
    List<Integer> queue = new ArrayList<>();
    for (int i = 0; i < waiters.size(); i++) {
      queue.add(i);
    }
    while (!queue.isEmpty()) {
      assertThat(waiters.get(queue.getFirst()).has).as("first of %s", queue).isTrue();
      if (queue.size() > 1) {
        assertThat(waiters.get(queue.get(1)).has).as("second of %s", queue).isFalse();
      }
      int leaves = queue.remove(random.nextInt(Math.min(3, queue.size())));
      Waiter waiter = waiters.get(leaves);
      if (waiter.has || random.nextBoolean()) {
        revoke(1000 + leaves);
      } else {
        waiter.listener.closed();
        nowMs.addAndGet(50); // clients that left are looked for now and then
      }
      settle();
    }
  }

  private void revoke(long lease) {
    ReverseWriter revoke = new ReverseWriter();
    revoke.number(1, lease);
    call("/etcdserverpb.Lease/LeaseRevoke", revoke, _ -> {}, e -> assertThat(e).isNull());
  }

  @Test
  void aWaiterWhoseKeyIsGoneIsToldWhenItsTurnComes() {
    Waiter first = lock("a", 1);
    Waiter second = lock("a", 2);
    Waiter third = lock("a", 3);
    revoke(2);
    settle();
    assertThat(third.has).as("the first still has it").isFalse();
    first.unlock();
    assertThat(second.has).isFalse();
    assertThat(second.failure).isEqualTo(StoreException.SESSION_EXPIRED);
    assertThat(third.has).isTrue();
  }

  @Test
  void waitersAreBoundedByNumber() {
    for (int i = 0; i < MOST_WAITING + 2; i++) {
      lock("a", 1000 + i);
    }
    assertThat(waiters.get(MOST_WAITING).failure).isNull();
    assertThat(waiters.get(MOST_WAITING + 1).failure).isEqualTo(StoreException.TOO_MANY_REQUESTS);
    waiters.getFirst().unlock();
    assertThat(lock("a", 1).failure).as("one place is free").isNull();
  }

  /** The bound of 1 MiB for requests leaves a quarter to those that wait, for all they keep. */
  @Test
  void waitersAreBoundedByWhatTheyKeep() {
    String name = "x".repeat(3_000);
    for (int i = 0; i < 30; i++) {
      lock(name, 1000 + i);
    }
    int fit = (1 << 18) / (4 * name.length() + 17);
    assertThat(fit).isEqualTo(21);
    for (int i = 0; i < 30; i++) {
      assertThat(waiters.get(i).failure)
          .as("waiter %d", i)
          .isEqualTo(i <= fit ? null : StoreException.TOO_MANY_REQUESTS);
    }
    for (int i = 0; i <= fit; i++) {
      assertThat(waiters.get(i).has).isTrue();
      waiters.get(i).unlock();
    }
    lock(name, 1);
    assertThat(lock(name, 2).failure).as("their room was given back").isNull();
  }
}
