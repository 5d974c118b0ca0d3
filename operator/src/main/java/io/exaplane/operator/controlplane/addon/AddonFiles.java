// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.operator.controlplane.addon.AddonReader.Fetching;
import io.exaplane.operator.controlplane.addon.AddonReader.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.SplittableRandom;

/** The files of one source as they were read last. Used by one thread, except for the watch. */
final class AddonFiles {
  /** A source that can't be read is read again after this time, or at its interval. */
  private static final Duration AGAIN = Duration.ofSeconds(30);

  /** Passing failures in a row that are told; files that were read before hold until then. */
  private static final int TOLD_AT = 3;

  /** Registries are asked at times that differ by this part of the interval, up or down. */
  private static final double SPREAD = 0.1;

  private final SplittableRandom random;
  private Optional<AddonContents> contents = Optional.empty();
  private Optional<FetchRoom.Part> room = Optional.empty();
  private Optional<Fetching> fetching = Optional.empty();
  private String fetched = "";
  private String unreadable = "";

  /** Whether the files are those of a place that the source named before. */
  private boolean isFormer;

  private Optional<Instant> missedSince = Optional.empty();
  private int failures = TOLD_AT;
  private Instant nextRead = Instant.MIN;
  private AddonReader.Watching watch = AddonReader.NOTHING;
  private volatile boolean stale = true;

  /**
   * Of a source that nobody has read.
   *
   * @param missedSince since when an operator before this one could not read it
   */
  AddonFiles(SplittableRandom random, Optional<Instant> missedSince) {
    this.random = random;
    this.missedSince = missedSince;
  }

  /** What was read last; empty before the first time. */
  Optional<AddonContents> contents() {
    return contents;
  }

  /** The revision of the registry or repository that was read last; empty for none. */
  String fetchedRevision() {
    return fetched;
  }

  /** Why the files can't be read now; empty when they can. */
  String unreadable() {
    return unreadable;
  }

  /** Since when the files can't be read; empty when they can. */
  Optional<Instant> unreadableSince() {
    return unreadable.isEmpty() ? Optional.empty() : missedSince;
  }

  /** Whether the files may be others than those that are known. */
  boolean isDoubtful() {
    return stale || fetching.isPresent() || missedSince.isPresent();
  }

  /**
   * Whether the files are about to be read. A place that did not answer just now is none of these.
   */
  boolean isBeingRead() {
    return stale || fetching.isPresent();
  }

  /** Whether the files are those of another place, until the place of the spec was read. */
  boolean isFormer() {
    return isFormer;
  }

  /** When the files are to be read again, whatever happens. */
  Instant nextRead() {
    return fetching.isPresent() ? Instant.MAX : nextRead;
  }

  /** Whether the files are to be read now. */
  boolean isDue(Instant now) {
    return fetching.isPresent()
        ? fetching.get().outcome().isPresent()
        : stale || !now.isBefore(nextRead);
  }

  /** The files may have changed: they are read again soon. */
  void doubt() {
    stale = true;
  }

  /** The source names other files than before. */
  void changeSource() {
    end();
    watch = AddonReader.NOTHING;
    fetched = "";
    unreadable = "";
    isFormer = contents.isPresent();
    stale = true;
    nextRead = Instant.MIN;
    failures = TOLD_AT;
    missedSince = Optional.empty();
  }

  /**
   * Reads the files, and watches them; or begins or ends a fetch.
   *
   * @return whether a fetch brought other files
   */
  boolean read(AddonReader reader, AddonSpec spec, Runnable signal, Instant now) {
    if (spec.mustBeFetched()) {
      return fetch(reader, spec, signal, now);
    }
    stale = false;
    try {
      AddonContents read = reader.parse(reader.read(spec), contents);
      if (read.objects() > AddonContents.MOST_OBJECTS) {
        throw new AddonReader.Unreadable(
            "the files have more than the %d objects that a source may have; split the source"
                .formatted(AddonContents.MOST_OBJECTS));
      }
      take(read, spec, now);
      release();
    } catch (AddonReader.Unreadable e) {
      missed(e, now);
      Duration interval = spec.effectiveInterval();
      nextRead = now.plus(interval.compareTo(AGAIN) < 0 ? interval : AGAIN);
    }
    if (watch.hasEnded() || watch == AddonReader.NOTHING) {
      watch =
          reader.watch(
              spec,
              () -> {
                stale = true;
                signal.run();
              });
    }
    return false;
  }

  private boolean fetch(AddonReader reader, AddonSpec spec, Runnable signal, Instant now) {
    if (fetching.isEmpty()) {
      stale = false;
      fetching = Optional.of(reader.fetch(spec, fetched, heldBytes(), signal));
      return false;
    }
    Optional<Outcome> outcome = fetching.get().outcome();
    if (outcome.isEmpty()) {
      return false;
    }
    fetching = Optional.empty();
    switch (outcome.get()) {
      case AddonReader.Same _ -> take(contents.orElseThrow(), spec, now);
      case AddonReader.Missed missed -> {
        missed(missed.why(), now);
        later(spec, missed.why().isPassing(), now);
      }
      case AddonReader.Arrived arrived -> {
        release();
        room = Optional.of(arrived.room());
        fetched = arrived.revision();
        boolean isNew = contents.filter(arrived.contents()::isSame).isEmpty();
        take(arrived.contents(), spec, now);
        return isNew;
      }
    }
    return false;
  }

  private long heldBytes() {
    return room.map(FetchRoom.Part::bytes).orElse(0L);
  }

  /**
   * A registry that does not answer is asked again after 30 s, 1 min, 2 min … up to the interval.
   */
  private void later(AddonSpec spec, boolean isPassing, Instant now) {
    Duration again = AGAIN.multipliedBy(1L << Math.clamp(failures - TOLD_AT, 0, 10));
    Duration interval = spread(spec.effectiveInterval());
    nextRead = now.plus(isPassing && again.compareTo(interval) < 0 ? again : interval);
  }

  private Duration spread(Duration interval) {
    return Duration.ofMillis(
        (long) (interval.toMillis() * random.nextDouble(1 - SPREAD, 1 + SPREAD)));
  }

  private void missed(AddonReader.Unreadable why, Instant now) {
    failures++;
    missedSince = missedSince.or(() -> Optional.of(now.truncatedTo(ChronoUnit.SECONDS)));
    if (!why.isPassing() || failures >= TOLD_AT) {
      unreadable = why.getMessage();
    }
  }

  private void take(AddonContents read, AddonSpec spec, Instant now) {
    contents = Optional.of(read);
    isFormer = false;
    failures = 0;
    missedSince = Optional.empty();
    unreadable =
        read.reading().manifests().isEmpty() && read.reading().isWhole()
            ? "the files hold no object; remove the source from spec.addons to delete its objects"
            : "";
    if (!unreadable.isEmpty()) {
      missedSince = Optional.of(now.truncatedTo(ChronoUnit.SECONDS));
    }
    Duration interval = spec.effectiveInterval();
    nextRead = now.plus(spec.mustBeFetched() ? spread(interval) : interval);
  }

  /** Ends what goes on. */
  void end() {
    watch.close();
    fetching.ifPresent(Fetching::close);
    fetching = Optional.empty();
  }

  /** Ends, and gives back what the files take. */
  void close() {
    end();
    release();
  }

  private void release() {
    room.ifPresent(FetchRoom.Part::close);
    room = Optional.empty();
  }
}
