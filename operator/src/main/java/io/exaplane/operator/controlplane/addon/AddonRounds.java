// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.apply.engine.Notice;
import io.exaplane.operator.status.News;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Decides about all sources of one control plane, round by round: reads them, hands them to
 * engines, looks how these get on, and removes what was removed. {@link #plan} and {@link #reports}
 * may be called by any thread, all else by one.
 */
final class AddonRounds {
  private static final Logger LOG = Logger.getLogger(AddonRounds.class);
  private static final Duration BUSY = Duration.ofMillis(500);
  private static final Duration CALM = Duration.ofSeconds(2);

  /** A fight is told of once in this time. */
  private static final Duration FIGHT = Duration.ofHours(1);

  /** Objects of a source that are told of in this time: a tenant can fight for each of them. */
  private static final int MOST_FIGHTS = 20;

  /** Objects that an Event names. */
  private static final int MOST_KEPT = 10;

  private final AddonEngine.Maker maker;
  private final AddonReader reader;
  private final Runnable signal;
  private final Runnable changed;
  private final Consumer<News> news;
  private final Clock clock;
  private final SplittableRandom random;
  private final Map<String, AddonTrack> tracks = new LinkedHashMap<>();
  private final Map<EngineKey, AddonEngine> engines = new HashMap<>();
  private final AddonFaults faults = new AddonFaults();
  private final Map<String, Instant> fights = new HashMap<>();
  private final Map<String, Set<String>> kept = new HashMap<>();
  private volatile AddonPlan plan = new AddonPlan(List.of());
  private volatile Map<String, AddonReport> reports = Map.of();

  /**
   * Knows no source yet.
   *
   * @param signal asks for a round soon; called by any thread
   * @param changed is told that {@link #reports} are others than before
   * @param news is told of what no condition tells
   * @param random for the times at which registries are asked
   */
  AddonRounds(
      AddonEngine.Maker maker,
      AddonReader reader,
      Runnable signal,
      Runnable changed,
      Consumer<News> news,
      Clock clock,
      SplittableRandom random) {
    this.maker = maker;
    this.reader = reader;
    this.signal = signal;
    this.changed = changed;
    this.news = news;
    this.clock = clock;
    this.random = random;
  }

  /** What holds from now on; whether that is new. */
  boolean plan(AddonPlan now) {
    boolean isNew = !now.equals(plan);
    plan = now;
    return isNew;
  }

  /** What was seen of the sources, by name; not of those that no round has reached yet. */
  Map<String, AddonReport> reports() {
    return reports;
  }

  /** Does what is due; how long until the next round, unless somebody asks for one. */
  Duration round() throws InterruptedException {
    Instant now = clock.instant();
    adopt(plan, now);
    read(now);
    hand(now);
    release(now);
    for (AddonTrack track : tracks.values()) {
      AddonEngine engine = track.engine().map(engines::get).orElse(null);
      if (engine != null) {
        attempt(engine, () -> track.look(engine, now));
      }
    }
    closeUnused();
    hear(now);
    publish();
    return next(now);
  }

  /**
   * If a repository has other files, the others are asked again before anything is deleted: the
   * same commit may have moved an object from one to the other. Those that come before a source
   * with news are read again, too: the same edit may have changed both.
   */
  private void read(Instant now) {
    Set<AddonTrack> fresh = new HashSet<>();
    for (AddonTrack track : tracks.values()) {
      if (track.read(reader, signal, now)) {
        fresh.add(track);
      }
    }
    for (AddonTrack track : tracks.values()) {
      if (!fresh.contains(track) && fresh.stream().anyMatch(one -> one.key().equals(track.key()))) {
        track.doubt();
      }
    }
    for (AddonTrack track : tracks.values()) {
      if (track.asksFirst()) {
        track.wish().spec().needs().stream()
            .filter(tracks::containsKey)
            .forEach(need -> tracks.get(need).doubtFirst());
      }
    }
  }

  /** Ends sources that are gone, and those that their engine can't take as they are now. */
  private void adopt(AddonPlan newest, Instant now) throws InterruptedException {
    Map<String, AddonWish> wishes = new LinkedHashMap<>();
    newest.wishes().forEach(wish -> wishes.put(wish.name(), wish));
    for (AddonTrack track : List.copyOf(tracks.values())) {
      if (!wishes.containsKey(track.wish().name())) {
        tracks.remove(track.wish().name());
        track.end();
        if (track.isHeld()) {
          leave(track);
        }
      }
    }
    wishes.forEach(
        (name, wish) -> {
          AddonTrack known = tracks.get(name);
          if (known == null) {
            tracks.put(name, new AddonTrack(wish, random.split()));
          } else {
            known.wish(wish);
          }
        });
    for (AddonTrack track : tracks.values()) {
      boolean isDead = track.engine().map(engines::get).filter(AddonEngine::hasEnded).isPresent();
      if (isDead) {
        faulted(track.engine().orElseThrow(), now);
        lose(track.engine().orElseThrow());
      } else if (track.isToLeave()) {
        leave(track);
      }
    }
  }

  /** One fault is no news, since the next engine goes on. */
  private void faulted(EngineKey key, Instant now) {
    int times = faults.add(key, now);
    if (times > 1) {
      tracks.values().stream()
          .filter(track -> track.engine().filter(key::equals).isPresent())
          .forEach(track -> track.faulted(AddonFaults.words(times)));
    }
  }

  private void hand(Instant now) throws InterruptedException {
    for (AddonTrack track : tracks.values()) {
      if (track.isToHand(unmet(track), now) && !faults.holdsBack(track.key(), now)) {
        AddonEngine engine = engine(track.key());
        attempt(engine, () -> track.hand(engine, awaited(track), isShared(track), now));
      }
    }
  }

  /** Whether an object may move between this source and another one. */
  private boolean isShared(AddonTrack by) {
    return by.key().prune()
        && tracks.values().stream()
            .anyMatch(track -> track != by && track.isActive() && track.key().equals(by.key()));
  }

  /**
   * Lets engines delete once they know of all sources that may have taken an object over. So an
   * object that moves is handed to its new source first.
   */
  private void release(Instant now) throws InterruptedException {
    for (AddonTrack track : tracks.values()) {
      AddonEngine engine = track.engine().map(engines::get).orElse(null);
      List<String> awaited = awaited(track);
      if (engine == null || !track.isToRelease(now)) {
        continue;
      }
      if (awaited.isEmpty()) {
        attempt(engine, () -> track.release(engine));
      } else {
        track.awaits(awaited);
      }
    }
  }

  /** Other sources that the same engine gets, and does not know yet as they are now. */
  private List<String> awaited(AddonTrack by) {
    EngineKey key = by.key();
    return tracks.values().stream()
        .filter(track -> key.prune() && track != by && track.isAwaited())
        .filter(track -> track.key().equals(key))
        .map(track -> track.wish().name())
        .toList();
  }

  private interface Step {
    void run() throws InterruptedException;
  }

  /** What an engine can't do since it ended, the next round does with another one. */
  private static void attempt(AddonEngine engine, Step step) throws InterruptedException {
    try {
      step.run();
    } catch (IllegalStateException e) {
      if (!engine.hasEnded()) {
        throw e;
      }
      LOG.errorf(e, "an engine of add-ons ended by a fault");
    }
  }

  /** The engine lets go of a source; its other sources stay. */
  private void leave(AddonTrack of) throws InterruptedException {
    AddonEngine engine = engines.get(of.engine().orElseThrow());
    if (engine != null) {
      attempt(engine, () -> engine.drop(of.set()));
    }
    of.left();
  }

  /** An engine ended; its sources get another one. */
  private void lose(EngineKey key) {
    AddonEngine engine = engines.remove(key);
    if (engine != null) {
      engine.close();
    }
    tracks.values().stream()
        .filter(track -> track.engine().filter(key::equals).isPresent())
        .forEach(AddonTrack::left);
  }

  private List<String> unmet(AddonTrack track) {
    return track.wish().spec().needs().stream()
        .filter(need -> !tracks.containsKey(need) || !tracks.get(need).isFirst())
        .map(need -> tracks.containsKey(need) ? tracks.get(need).waitedFor() : need)
        .toList();
  }

  private AddonEngine engine(EngineKey key) {
    return engines.computeIfAbsent(key, maker::open);
  }

  private void closeUnused() {
    Set<EngineKey> used = new HashSet<>();
    tracks.values().stream()
        .filter(AddonTrack::isHeld)
        .flatMap(track -> track.engine().stream())
        .forEach(used::add);
    for (EngineKey key : List.copyOf(engines.keySet())) {
      if (!used.contains(key)) {
        engines.remove(key).close();
      }
    }
  }

  /** Tells of fights and of objects that a removal keeps. */
  private void hear(Instant now) {
    for (AddonEngine engine : engines.values()) {
      for (Notice notice : engine.notices()) {
        String source =
            notice.source().startsWith(AddonWish.PREFIX)
                ? notice.source().substring(AddonWish.PREFIX.length())
                : notice.source();
        if (notice.kind() == Notice.Kind.KEPT && notice.key() != null) {
          Set<String> names = kept.computeIfAbsent(source, any -> new LinkedHashSet<>());
          if (names.size() < MOST_KEPT) {
            names.add(notice.key().toString());
          }
        } else if (notice.kind() == Notice.Kind.CONTESTED && isNews(notice, now)) {
          news.accept(
              new News(
                  true,
                  Reason.AddonContested,
                  "Add-on %s: %s: %s".formatted(source, notice.key(), contest(source, notice))));
        }
      }
    }
  }

  /** Names of fields can quote values, such as those of lists with keys. */
  private String contest(String source, Notice notice) {
    AddonTrack track = tracks.get(source);
    return track == null || track.wish().isSecret()
        ? "somebody changes or deletes the object again and again; check its metadata.managedFields, and delete the field from the file, or stop that manager"
        : notice.message();
  }

  private boolean isNews(Notice notice, Instant now) {
    fights.values().removeIf(told -> !now.isBefore(told.plus(FIGHT)));
    String source = notice.source() + " ";
    String object = source + notice.key();
    long told = fights.keySet().stream().filter(one -> one.startsWith(source)).count();
    if (fights.containsKey(object) || told >= MOST_FIGHTS) {
      return false;
    }
    fights.put(object, now);
    return true;
  }

  private void publish() {
    Map<String, AddonReport> found = new LinkedHashMap<>();
    tracks.forEach((name, track) -> found.put(name, track.report()));
    if (found.equals(reports)) {
      return;
    }
    found.forEach(
        (name, report) -> {
          boolean isTold = reports.containsKey(name) && reports.get(name).removed();
          if (report.removed() && !isTold) {
            Set<String> left = kept.getOrDefault(name, Set.of());
            news.accept(new News(false, Reason.AddonRemoved, removal(tracks.get(name), left)));
            kept.remove(name);
          }
        });
    reports = Map.copyOf(found);
    changed.run();
  }

  private static String removal(AddonTrack track, Set<String> left) {
    String name = track.wish().name();
    if (!track.wasDeleted()) {
      return "Add-on %s was removed from spec.addons. Its objects and its inventory stay, since prune is Keep. A source of the same name takes these over, and deletes objects that are not in its files if its prune is Delete."
          .formatted(name);
    }
    return left.isEmpty()
        ? "Add-on %s was removed, and its objects were deleted.".formatted(name)
        : "Add-on %s was removed, and its objects were deleted except %s, which can hold objects of others. Delete these by hand if you do not need them."
            .formatted(name, String.join(", ", left));
  }

  private Duration next(Instant now) {
    Duration wait = tracks.values().stream().anyMatch(AddonTrack::isUrgent) ? BUSY : CALM;
    for (AddonTrack track : tracks.values()) {
      if (track.isActive() && track.nextRead().isBefore(now.plus(wait))) {
        Duration until = Duration.between(now, track.nextRead());
        wait = until.isNegative() ? BUSY : until;
      }
    }
    return wait;
  }

  /** Forgets all that engines know, after a fault of a round. */
  void failed() {
    reset();
    tracks
        .values()
        .forEach(
            track ->
                track.faulted(
                    "The operator failed to process the source, and retries within 1 minute. If this persists for 5 minutes, report the fault with the operator's log."));
    publish();
  }

  /** Forgets all that engines know. */
  void reset() {
    engines.values().forEach(AddonEngine::close);
    engines.clear();
    tracks.values().forEach(AddonTrack::left);
  }

  /** Ends. */
  void end() {
    reset();
    tracks.values().forEach(AddonTrack::end);
  }
}
