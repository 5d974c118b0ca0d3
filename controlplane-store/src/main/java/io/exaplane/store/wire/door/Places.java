// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire.door;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A bounded number of places for the connections of one door, in all and for each source.
 *
 * <p>When there is none left, the connection that has had nothing to do for the longest time makes
 * room: first one of the same source, then one of the source that has most. So those who connect
 * and say nothing, or too little, take each other's places, and a short request of somebody else is
 * answered all the while. If nobody is idle the new connection is refused.
 *
 * <p>Thread-safe. A new connection costs a look at all others only when there is no place left.
 */
public final class Places {
  private static final System.Logger LOG = System.getLogger(Places.class.getName());
  private static final long LOG_EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

  /**
   * How many connections there may be.
   *
   * @param perSource of one IPv4 address, one network of 64 bits of IPv6, the file system
   * @param reason of the total, for the log
   */
  public record Limits(int total, int perSource, String reason) {}

  /**
   * How full a door is.
   *
   * @param taken places now
   * @param total places that there are
   * @param refused new connections, since the start
   * @param displaced idle connections that made room, since the start
   */
  public record Statistics(String door, int taken, int total, long refused, long displaced) {}

  private final String door;
  private final Limits limits;
  private final LongSupplier nanoTime;
  private final Map<Object, Set<Place>> bySource = new HashMap<>();
  private int taken;
  private long refused;
  private long displaced;
  private long loggedAtNanos;

  /**
   * @param door for metrics and the log: clients, pages
   */
  public Places(String door, Limits limits, LongSupplier nanoTime) {
    this.door = door;
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.loggedAtNanos = nanoTime.getAsLong() - LOG_EVERY_NANOS;
  }

  /**
   * Takes a place.
   *
   * @param source equal for connections of the same source; its text is for the log
   * @param close closes the connection, if it has to make room; by the thread that needs it
   * @param crowds is told if the source has more than its own
   * @return null if there is none left
   */
  public synchronized Place take(Object source, Runnable close, Runnable crowds) {
    Set<Place> own = bySource.getOrDefault(source, Set.of());
    if (own.size() >= limits.perSource()) {
      if (!displace(own)) {
        // No offence: a client that has work on every connection may ask for one more.
        return refuse(source, "%d of one source".formatted(limits.perSource()));
      }
      crowds.run();
    }
    if (taken >= limits.total() && !displace(largest()) && !displaceAny()) {
      return refuse(source, "%d (%s)".formatted(limits.total(), limits.reason()));
    }
    Place place = new Place(this, source, close, nanoTime.getAsLong());
    bySource.computeIfAbsent(source, _ -> new HashSet<>()).add(place);
    taken++;
    return place;
  }

  /** How full it is. By any thread. */
  public synchronized Statistics statistics() {
    return new Statistics(door, taken, limits.total(), refused, displaced);
  }

  synchronized void leave(Place place) {
    Set<Place> own = bySource.get(place.source());
    if (own != null && own.remove(place)) {
      taken--;
      if (own.isEmpty()) {
        bySource.remove(place.source());
      }
    }
  }

  long nowNanos() {
    return nanoTime.getAsLong();
  }

  private Set<Place> largest() {
    Set<Place> most = Set.of();
    for (Set<Place> each : bySource.values()) {
      most = each.size() > most.size() ? each : most;
    }
    return most;
  }

  private boolean displaceAny() {
    return displace(bySource.values().stream().flatMap(Set::stream).toList());
  }

  /** Closes the one that is idle for the longest time, if any is. */
  private boolean displace(Collection<Place> places) {
    Place longest = null;
    for (Place each : places) {
      boolean isLonger =
          each.isIdle()
              && (longest == null || each.idleSinceNanos() - longest.idleSinceNanos() < 0);
      longest = isLonger ? each : longest;
    }
    if (longest == null) {
      return false;
    }
    tell(
        "the store closed an idle connection of %s to make room for a new one"
            .formatted(longest.source()));
    leave(longest);
    displaced++;
    longest.close();
    return true;
  }

  private Place refuse(Object source, String limit) {
    refused++;
    tell("the store closed a new connection of %s: none of %s is idle".formatted(source, limit));
    return null;
  }

  private void tell(String what) {
    long now = nanoTime.getAsLong();
    if (now - loggedAtNanos >= LOG_EVERY_NANOS) {
      loggedAtNanos = now;
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} reached a limit of connections ({1} of {2}, at most {3} of one source; {4}): {5};"
              + " check which clients connect, or raise the limit",
          door,
          taken,
          limits.total(),
          limits.perSource(),
          limits.reason(),
          what);
    }
  }
}
