// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.standby;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Which object a standby rehearses next, and when. At first all objects come one after the other,
 * until the code is compiled. From then on only those come that changed in what a rehearsal keeps.
 * It works at most a tenth of the time. Used by one thread.
 */
final class Rehearsals {
  /** Passes of a kind after which more of them make no pass faster. */
  static final int WARM = 300;

  /** The shortest pause between two moments of work. */
  static final Duration PAUSE = Duration.ofSeconds(1);

  /** How long until the objects are compared again, when nothing is left to rehearse. */
  static final Duration REST = Duration.ofMinutes(1);

  /** One part of so many of the time is work, also while a cold rehearsal takes seconds. */
  private static final int SHARE = 10;

  private static final Duration WORK = PAUSE.dividedBy(SHARE);
  private static final Logger LOG = Logger.getLogger(Rehearsals.class);

  private final List<Part<?>> parts;
  private final LongSupplier nanoTime;
  private boolean told;
  private long workedNs;

  Rehearsals(List<Part<?>> parts, LongSupplier nanoTime) {
    this.parts = parts;
    this.nanoTime = nanoTime;
  }

  /**
   * Rehearses for a moment.
   *
   * @param over asked between two rehearsals: whether to stop
   * @return how long until the next moment
   */
  Duration next(BooleanSupplier over) {
    long began = nanoTime.getAsLong();
    boolean any = true;
    while (any && !over.getAsBoolean() && nanoTime.getAsLong() - began < WORK.toNanos()) {
      any = false;
      for (Part<?> part : parts) {
        any |= part.rehearse();
      }
    }
    Duration worked = Duration.ofNanos(nanoTime.getAsLong() - began);
    workedNs += worked.toNanos();
    if (!any) {
      tell();
    }
    Duration pause = worked.multipliedBy(SHARE - 1);
    return any ? pause.compareTo(PAUSE) < 0 ? PAUSE : pause : REST;
  }

  /** Once, when everything was rehearsed: a leader's first passes are as fast as later ones. */
  private void tell() {
    if (!told && parts.stream().allMatch(Part::isWarm)) {
      told = true;
      LOG.infof(
          "this standby is warm: %d passes rehearsed in %d ms of work",
          parts.stream().mapToInt(part -> part.rehearsed).sum(),
          Duration.ofNanos(workedNs).toMillis());
    }
  }

  /**
   * The objects of one kind.
   *
   * @param <P> the kind
   */
  static final class Part<P extends HasMetadata> {
    private final Source<P> source;
    private final Deque<P> waiting = new ArrayDeque<>();
    private final Map<String, String> states = new HashMap<>();
    private int rehearsed;

    /**
     * Where objects come from, and what is done with them.
     *
     * @param <P> the kind
     */
    interface Source<P extends HasMetadata> {
      /** All objects that there are. */
      Stream<P> all();

      /** What a rehearsal keeps depends on this. */
      String state(P object);

      void rehearse(P object);
    }

    Part(Source<P> source) {
      this.source = source;
    }

    boolean isWarm() {
      return rehearsed >= WARM;
    }

    /** Rehearses one object; false if none is left. */
    private boolean rehearse() {
      if (waiting.isEmpty()) {
        look();
      }
      Optional<P> next = Optional.ofNullable(waiting.poll());
      next.ifPresent(
          object -> {
            rehearsed++;
            try {
              source.rehearse(object);
            } catch (RuntimeException e) {
              LOG.debugf(
                  e, "the rehearsal of %s ended before its end", object.getMetadata().getName());
            }
          });
      return next.isPresent();
    }

    /** All objects until the code is warm, then those that changed. */
    private void look() {
      Set<String> there = new HashSet<>();
      source
          .all()
          .forEach(
              object -> {
                String uid = object.getMetadata().getUid();
                there.add(uid);
                String state = source.state(object);
                if (!state.equals(states.put(uid, state)) || !isWarm()) {
                  waiting.add(object);
                }
              });
      states.keySet().retainAll(there);
    }
  }
}
