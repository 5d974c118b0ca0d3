// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.lease;

import io.exaplane.store.core.error.StoreException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The leases that there are. Time comes in with each call, in milliseconds of a clock that goes on
 * with the store and is nobody's calendar: it must not go back, and stands while the store is away.
 * What was the latest is known from the leases themselves, since none has more left than it was
 * granted, and from what was noted beside. Used by the writer only.
 */
public final class Leases implements LeaseKeys {
  /** etcd's bound. */
  public static final long MAX_TTL_SECONDS = 9_000_000_000L;

  /** etcd's, with its default election timeout of one second. */
  public static final long MIN_TTL_SECONDS = 2;

  private static final Comparator<Lease> BY_DEADLINE =
      Comparator.<Lease>comparingLong(Lease::deadlineMs).thenComparingLong(Lease::id);

  private final Long2ObjectHashMap<Lease> byId = new Long2ObjectHashMap<>();
  private final TreeSet<Lease> byDeadline = new TreeSet<>(BY_DEADLINE);
  private final LongSupplier random;
  private LeaseListener listener = LeaseListener.NONE;
  private long latestMs;

  /**
   * @param random where ids of leases come from that the client leaves to the store
   */
  public Leases(LongSupplier random) {
    this.random = random;
  }

  /** Tells somebody of every change from now on. */
  public void listener(LeaseListener listener) {
    this.listener = listener;
  }

  /** An id that no lease has: positive, as clients expect. */
  public long freeId() {
    long id;
    do {
      id = random.getAsLong() & Long.MAX_VALUE;
    } while (id == 0 || byId.containsKey(id));
    return id;
  }

  /**
   * Grants a lease.
   *
   * @param ttlSeconds raised to {@link #MIN_TTL_SECONDS} if it is less
   * @throws StoreException if the id is taken or the time too long
   */
  public Lease grant(long id, long ttlSeconds, long nowMs) {
    if (ttlSeconds > MAX_TTL_SECONDS) {
      throw StoreException.LEASE_TTL_TOO_LARGE;
    }
    if (byId.containsKey(id)) {
      throw StoreException.LEASE_EXISTS;
    }
    long ttl = Math.max(ttlSeconds, MIN_TTL_SECONDS);
    return add(id, ttl, nowMs + ttl * 1000);
  }

  /** Adds a lease as it was before, whatever its times are. */
  public Lease add(long id, long ttlSeconds, long deadlineMs) {
    Lease lease = new Lease(id, ttlSeconds, deadlineMs);
    byId.put(id, lease);
    byDeadline.add(lease);
    passed(deadlineMs - ttlSeconds * 1000);
    listener.changed(lease);
    return lease;
  }

  /** It is that late, or later. */
  public void passed(long nowMs) {
    latestMs = Math.max(latestMs, nowMs);
  }

  /** The latest time that is known of; 0 if none is. */
  public long latestMs() {
    return latestMs;
  }

  /** Has the time noted for the next start, to which leases have not more left than now. */
  public void note(long nowMs) {
    passed(nowMs);
    listener.passed(nowMs);
  }

  /**
   * Lets a lease start its time anew.
   *
   * @throws StoreException if there is no such lease
   */
  public Lease renew(long id, long nowMs) {
    Lease lease = require(id);
    move(lease, nowMs + lease.ttlSeconds() * 1000);
    return lease;
  }

  /**
   * Gives every lease at least so much time from now, or its whole time if that is less: nobody
   * could renew it while the store was away.
   */
  public void extend(long nowMs, long leastMs) {
    for (Lease lease : new ArrayList<>(byDeadline)) {
      long least = nowMs + Math.min(leastMs, lease.ttlSeconds() * 1000);
      if (lease.deadlineMs() < least) {
        move(lease, least);
      }
    }
  }

  /** Sets when a lease ends, as it was renewed before. */
  public void move(Lease lease, long deadlineMs) {
    byDeadline.remove(lease);
    lease.deadlineMs(deadlineMs);
    byDeadline.add(lease);
    passed(deadlineMs - lease.ttlSeconds() * 1000);
    listener.changed(lease);
  }

  /**
   * The lease of an id.
   *
   * @throws StoreException if there is none
   */
  public Lease require(long id) {
    Lease lease = byId.get(id);
    if (lease == null) {
      throw StoreException.LEASE_NOT_FOUND;
    }
    return lease;
  }

  /** The lease of an id or null. */
  public Lease get(long id) {
    return byId.get(id);
  }

  /** The lease that ends first if its time is over, else null. */
  public Lease firstExpired(long nowMs) {
    return byDeadline.isEmpty() || byDeadline.first().deadlineMs() > nowMs
        ? null
        : byDeadline.first();
  }

  /** Takes a lease away; its keys were deleted. */
  public void remove(Lease lease) {
    byId.remove(lease.id());
    byDeadline.remove(lease);
    listener.ended(lease);
  }

  public int size() {
    return byId.size();
  }

  /** All leases as they are now, those that end first first. */
  public List<LeaseState> states() {
    return byDeadline.stream()
        .map(lease -> new LeaseState(lease.id(), lease.ttlSeconds(), lease.deadlineMs()))
        .toList();
  }

  @Override
  public void attach(long lease, int slot) {
    Lease there = byId.get(lease);
    // While a log is read again, a lease may have ended that an old version of a key had.
    if (there != null) {
      there.slots().add(slot);
    }
  }

  @Override
  public void detach(long lease, int slot) {
    Lease there = byId.get(lease);
    if (there != null) {
      there.slots().remove(slot);
    }
  }
}
