// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.api.simulation.SimulatedCall;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.lease.Lease;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Region;
import io.exaplane.store.journal.Attempts.Target;
import io.exaplane.store.journal.SimulatedStorage;
import io.exaplane.store.journal.SmallJournal;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the machine's calendar is set to, a lease has not more time left than it had. */
class LeaseClockTest {
  private static final long LEASE = 7;
  private static final long TTL_S = 3600;
  private static final long NOW_MS = 1_800_000_000_000L;
  private static final long LEAST_LEFT_MS = 60_000;

  private final Random random = new Random(1);
  private final SimulatedStorage storage = new SimulatedStorage(random);
  private final AtomicLong calendarMs = new AtomicLong(NOW_MS);
  private final AtomicLong nanos = new AtomicLong(4711);

  private SmallJournal.Opened open() throws Exception {
    return SmallJournal.open(
        storage,
        0,
        () -> {
          Region region = Region.reserve(16 << 20, 13);
          Leases leases = new Leases(random::nextLong);
          return new Target(
              region,
              leases,
              new Keyspace(
                  region, leases, KeyClasses.plain(), SpaceLimits.NONE, random.nextLong(), 1));
        });
  }

  private LongSupplier clock(Leases leases) {
    return StoreClock.after(leases.latestMs(), calendarMs::get, nanos::get);
  }

  private static long leftSeconds(Leases leases, long id, LongSupplier clock) {
    return (leases.require(id).deadlineMs() - clock.getAsLong()) / 1000;
  }

  private void pass(long seconds) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  /** Seconds by which it is set: not at all, by a day, back to 1970, by centuries. */
  @ParameterizedTest
  @ValueSource(longs = {0, -86_400, 86_400, -1_800_000_000, 10_000_000_000L})
  void theCalendarIsSetWhileTheStoreRunsAndWhileItIsAway(long jumpSeconds) throws Exception {
    SmallJournal.Opened store = open();
    LongSupplier clock = clock(store.leases());
    store.leases().grant(LEASE, TTL_S, clock.getAsLong());
    pass(1000);
    calendarMs.addAndGet(jumpSeconds * 1000);
    assertThat(leftSeconds(store.leases(), LEASE, clock)).as("it runs").isEqualTo(2600);
    store.leases().note(clock.getAsLong());
    store.journal().commit();
    store.journal().close();
    store.region().close();

    nanos.set(-1); // another machine, perhaps
    calendarMs.addAndGet(jumpSeconds * 1000);
    SmallJournal.Opened again = open();
    LongSupplier then = clock(again.leases());
    assertThat(leftSeconds(again.leases(), LEASE, then)).as("it was away").isEqualTo(2600);
    pass(600);
    assertThat(leftSeconds(again.leases(), LEASE, then)).isEqualTo(2000);
    again.region().close();
  }

  @Test
  void aStoreThatIsKilledGivesNoLeaseMoreThanItWasGranted() throws Exception {
    SmallJournal.Opened store = open();
    LongSupplier clock = clock(store.leases());
    store.leases().grant(LEASE, TTL_S, clock.getAsLong());
    store.journal().commit();
    pass(1000);
    store.region().close();
    calendarMs.addAndGet(-TimeUnit.DAYS.toMillis(1));
    SmallJournal.Opened again = open();
    assertThat(leftSeconds(again.leases(), LEASE, clock(again.leases()))).isEqualTo(TTL_S);
    again.region().close();
  }

  /** Stores of before counted by the calendar, anew after each start. */
  @ParameterizedTest
  @ValueSource(longs = {-86_400, 86_400})
  void aFolderOfBeforeIsRead(long jumpSeconds) throws Exception {
    SmallJournal.Opened store = open();
    for (int i = 1; i <= 4; i++) {
      store.leases().grant(i, TTL_S / i, NOW_MS + (i % 2) * jumpSeconds * 1000);
    }
    store.journal().commit();
    store.region().close();
    SmallJournal.Opened again = open();
    LongSupplier clock = clock(again.leases());
    again.leases().extend(clock.getAsLong(), LEAST_LEFT_MS);
    for (int i = 1; i <= 4; i++) {
      assertThat(leftSeconds(again.leases(), i, clock))
          .as("lease %d", i)
          .isBetween(LEAST_LEFT_MS / 1000, TTL_S / i);
    }
    again.region().close();
  }

  /** As etcd's checkpoints of leases, every five minutes. */
  @Test
  void whatALeaseHasLeftIsNotedNowAndThen() throws Exception {
    AtomicLong nowMs = new AtomicLong(NOW_MS);
    try (SimulatedStore store =
        new SimulatedStore(storage, KeyClasses.plain(), nowMs::get, random)) {
      ReverseWriter grant = new ReverseWriter();
      grant.number(2, LEASE);
      grant.number(1, TTL_S);
      SimulatedCall call = new SimulatedCall(store.loop(0), _ -> {}, _ -> {});
      store
          .method("/etcdserverpb.Lease/LeaseGrant")
          .open(call, store.lane(0))
          .message(grant.array(), grant.start(), grant.length());
      store.turn();
      for (int minute = 0; minute < 12; minute++) {
        nowMs.addAndGet(60_000);
        store.turn();
      }
    }
    SmallJournal.Opened again = open();
    Lease lease = again.leases().require(LEASE);
    assertThat(lease.deadlineMs() - again.leases().latestMs())
        .isEqualTo(TimeUnit.SECONDS.toMillis(TTL_S) - TimeUnit.MINUTES.toMillis(10));
    again.region().close();
  }
}
