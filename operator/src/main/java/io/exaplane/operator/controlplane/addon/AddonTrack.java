// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonFailure;
import io.exaplane.api.v1alpha1.AddonPrune;
import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.apply.manifest.Problem;
import io.exaplane.apply.manifest.Reading;
import io.exaplane.apply.port.ApiException;
import io.exaplane.operator.controlplane.addon.AddonEngine.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One source: which engine has it, and how it stands. Used by one thread. Longer than others: the
 * states of a source and their words are one machine.
 */
final class AddonTrack {
  /** A good source that is under way again, or that a new engine has, counts as good so long. */
  private static final Duration QUIET = Duration.ofSeconds(60);

  /** An engine has forgotten nothing while its inventory can't be deleted. */
  private static final Duration FORGET_AGAIN = Duration.ofSeconds(10);

  /** In the place of a revision: the source is to have nothing. */
  private static final String REMOVAL = "removal";

  private AddonWish wish;
  private final AddonFiles files = new AddonFiles();
  private Optional<EngineKey> engine = Optional.empty();
  private String handed = "";

  /** Sources that may want objects of this one: nothing is deleted before they are handed, too. */
  private List<String> awaited = List.of();

  /** When the engine was told of the revision. */
  private Instant begun = Instant.MIN;

  /** Since when the source is not good. */
  private Instant troubled = Instant.MIN;

  private boolean idle;
  private String fault = "";
  private long seenEvents = -1;
  private Optional<AddonStanding> standing = Optional.empty();
  private Optional<Run> run = Optional.empty();
  private boolean removed;
  private boolean wasGood;
  private Optional<Instant> quietUntil = Optional.empty();
  private Instant nextForget = Instant.MIN;
  private List<String> waitsFor = List.of();

  /** When every object of a revision was there for the first time. */
  private record Run(
      String revision, Integer objects, Integer applied, Integer unchanged, Long milliseconds) {}

  AddonTrack(AddonWish wish) {
    this.wish = wish;
    wasGood = wish.noted().filter(status -> Boolean.TRUE.equals(status.ready())).isPresent();
    run =
        wish.noted()
            .filter(status -> status.appliedRevision() != null)
            .map(
                status ->
                    new Run(
                        status.appliedRevision(),
                        status.objects(),
                        status.applied(),
                        status.unchanged(),
                        status.durationMilliseconds()));
  }

  AddonWish wish() {
    return wish;
  }

  /** Takes over what is wanted from now on. */
  void wish(AddonWish now) {
    if (!now.readsTheSame(wish)) {
      files.changeSource();
    }
    wish = now;
    removed &= now.removed();
  }

  Optional<EngineKey> engine() {
    return engine;
  }

  /**
   * The engine that the source may share with others. A removal stays with the engine that has the
   * objects, since the status does not say what {@code conflicts} was.
   */
  EngineKey key() {
    EngineKey key = wish.key();
    return engine
        .filter(has -> wish.removed())
        .filter(has -> has.prune() == key.prune() && has.account().equals(key.account()))
        .orElse(key);
  }

  /**
   * The engine that has the source is to be closed: it was changed in a way that engines can't
   * take. A source that is wanted again must not lose more objects, whether it can be read or not.
   */
  boolean isToLeave() {
    return engine.isPresent()
        && (wish.spec().isPaused()
            || !engine.get().equals(key())
            || wish.cycle().isPresent()
            || handed.equals(REMOVAL) && !wish.removed());
  }

  /** No engine has the source. */
  void left() {
    engine = Optional.empty();
    handed = "";
    awaited = List.of();
    seenEvents = -1;
    standing = Optional.empty();
  }

  /** The engine of the source ended by a fault again, and the next one begins later. */
  void faulted(String words) {
    fault = words;
  }

  /** Whether every object of the newest files was applied and healthy at the last look. */
  boolean isGood() {
    return files.unreadable().isEmpty()
        && isHanded()
        && standing.filter(AddonStanding::good).isPresent();
  }

  private boolean isHanded() {
    return files.contents().filter(all -> all.revision().equals(handed)).isPresent();
  }

  /** Whether the source may want objects that no engine knows of yet: others may have them. */
  boolean isAwaited() {
    boolean isKnown =
        files.unreadable().isEmpty()
            && isHanded()
            && files.contents().filter(all -> all.reading().isWhole()).isPresent();
    return !wish.removed() && !wish.spec().isPaused() && !isKnown;
  }

  private boolean isBusy() {
    return engine.isPresent() && !removed && !standing.map(AddonStanding::good).orElse(false);
  }

  /** Whether the next look is to come soon: something is under way, and nothing failed. */
  boolean isUrgent() {
    return isBusy() && standing.map(AddonStanding::failed).orElse(0) == 0;
  }

  boolean isActive() {
    return wish.isNoted() && !wish.spec().isPaused() && wish.cycle().isEmpty() && !removed;
  }

  /** When the source is to be read again, whatever happens. */
  Instant nextRead() {
    return wish.removed() || wish.spec().inline() != null ? Instant.MAX : files.nextRead();
  }

  /** Reads the source if it is due. */
  void read(AddonReader reader, Runnable signal, Instant now) {
    boolean isDue = files.isStale() || !now.isBefore(nextRead());
    if (!wish.removed() && isActive() && isDue) {
      files.read(reader, wish.spec(), signal, now);
    }
  }

  /**
   * Whether an engine is to be told of the source now.
   *
   * @param unmet sources that come first and are not good
   */
  boolean isToHand(List<String> unmet) {
    waitsFor = List.of();
    if (!isActive()) {
      return false;
    }
    if (wish.removed()) {
      return wish.spec().effectivePrune() == AddonPrune.Delete && !handed.equals(REMOVAL);
    }
    if (!files.unreadable().isEmpty() || !hasObjects() || isHanded()) {
      return false;
    }
    String revision = files.contents().orElseThrow().revision();
    boolean isKnown = run.filter(last -> last.revision().equals(revision)).isPresent();
    if (!isKnown && !unmet.isEmpty()) {
      waitsFor = List.copyOf(unmet);
      return false;
    }
    return true;
  }

  private boolean hasObjects() {
    return files.contents().filter(AddonContents::hasObjects).isPresent();
  }

  /**
   * Tells an engine of the source.
   *
   * @param others those that may want its objects: nothing is deleted until {@link #release}
   */
  void hand(AddonEngine to, List<String> others, Instant now) throws InterruptedException {
    tell(to, others.isEmpty());
    awaited = List.copyOf(others);
    handed = wish.removed() ? REMOVAL : files.contents().orElseThrow().revision();
    engine = Optional.of(key());
    begun = now;
    troubled = now;
    idle = true;
    seenEvents = -1;
    standing = Optional.empty();
    quietUntil = Optional.empty();
  }

  private void tell(AddonEngine to, boolean mayDelete) throws InterruptedException {
    if (wish.removed()) {
      to.want(wish.set(), List.of(), mayDelete);
    } else {
      Reading reading = files.contents().orElseThrow().reading();
      to.want(wish.set(), reading.manifests(), reading.isWhole() && mayDelete);
    }
  }

  /**
   * Whether the engine is to be told that it may delete, once no other source is awaited: what it
   * has is the newest wish, and it did all else.
   */
  boolean isToRelease() {
    return engine.isPresent()
        && !awaited.isEmpty()
        && idle
        && (wish.removed() ? handed.equals(REMOVAL) : isHanded());
  }

  /** The engine may delete what the source no longer has. */
  void release(AddonEngine to) throws InterruptedException {
    tell(to, true);
    awaited = List.of();
    seenEvents = -1;
  }

  /** The other sources for which deletions wait. */
  void awaits(List<String> others) {
    awaited = List.copyOf(others);
  }

  /** Looks how the engine got on. */
  void look(AddonEngine at, Instant now) throws InterruptedException {
    if (removed || !isBusy() && at.events() == seenEvents) {
      return;
    }
    if (standing.filter(AddonStanding::good).isPresent()) {
      troubled = now;
    }
    seenEvents = at.events();
    Standing seen = at.look(wish.set());
    idle = seen.idle();
    fault = idle ? "" : fault;
    boolean late = now.isAfter(troubled.plus(wish.spec().timeout()));
    List<Problem> problems =
        wish.removed()
            ? List.of()
            : files.contents().map(all -> all.reading().problems()).orElse(List.of());
    AddonStanding found = AddonStanding.of(seen.summary(), problems, late, isSecret());
    if (!seen.idle() && found.failed() == 0) {
      found = under(found);
    }
    standing = Optional.of(found);
    settle(found, now);
    if (wish.removed()) {
      forget(at, seen.idle() && found.good() && awaited.isEmpty(), now);
    } else if (found.good() && run.filter(last -> last.revision().equals(handed)).isEmpty()) {
      run =
          Optional.of(
              new Run(
                  handed,
                  found.objects(),
                  found.applied(),
                  found.unchanged(),
                  Duration.between(begun, now).toMillis()));
    }
  }

  /** A repair of a moment, or a new engine's first lists, are no news. */
  private void settle(AddonStanding found, Instant now) {
    if (found.good()) {
      wasGood = true;
      quietUntil = Optional.empty();
    } else if (found.failed() > 0) {
      wasGood = false;
    } else if (wasGood) {
      Instant until = quietUntil.orElseGet(() -> now.plus(QUIET));
      quietUntil = Optional.of(until);
      wasGood = now.isBefore(until);
    }
  }

  private boolean isQuiet() {
    return wasGood
        && !wish.removed()
        && standing.map(found -> found.failed() == 0).orElse(true)
        && run.filter(
                last ->
                    files
                        .contents()
                        .filter(all -> !all.revision().equals(last.revision()))
                        .isEmpty())
            .isPresent();
  }

  /** Nothing failed, and something is left to do. */
  private static AddonStanding under(AddonStanding found) {
    return new AddonStanding(
        found.objects(), found.applied(), found.unchanged(), 0, List.of(), false);
  }

  private void forget(AddonEngine at, boolean isEmpty, Instant now) throws InterruptedException {
    if (!isEmpty || now.isBefore(nextForget)) {
      return;
    }
    try {
      at.forget(wish.set());
      removed = true;
    } catch (ApiException e) {
      nextForget = now.plus(FORGET_AGAIN);
      standing =
          Optional.of(
              new AddonStanding(
                  0,
                  0,
                  0,
                  1,
                  List.of(
                      new AddonFailure(
                          "ConfigMap %s/%s".formatted(wish.set().namespace(), wish.set().name()),
                          null,
                          null,
                          e.getMessage())),
                  false));
    }
  }

  /** Nothing of a removed source is to be deleted, or everything was. */
  boolean isRemoved() {
    return wish.removed() && (removed || wish.spec().effectivePrune() == AddonPrune.Keep);
  }

  /** Whether an engine still keeps objects of the source. */
  boolean isHeld() {
    return engine.isPresent() && !removed;
  }

  /** Whether the objects of a removed source were deleted. */
  boolean wasDeleted() {
    return removed;
  }

  void end() {
    files.end();
  }

  /** Whether words about objects can show values of a Secret; of a removed source nobody knows. */
  boolean isSecret() {
    return wish.removed() || wish.spec().secret() != null;
  }

  /** How the source stands, for people. */
  AddonReport report() {
    if (isRemoved()) {
      return report(Reason.AsExpected, "");
    }
    if (wish.spec().isPaused()) {
      return report(Reason.Paused, "The source is paused: set paused to false to continue.");
    }
    if (wish.cycle().isPresent()) {
      return report(
          Reason.AddonCycle,
          "dependsOn leads back to the source (%s); remove one of these names from dependsOn."
              .formatted(wish.cycle().get()));
    }
    if (!fault.isEmpty()) {
      return report(Reason.AddonFailed, fault);
    }
    if (!files.unreadable().isEmpty()) {
      return report(Reason.AddonSourceUnreadable, files.unreadable() + ".");
    }
    if (wish.removed() && !awaited.isEmpty()) {
      return report(
          Reason.AddonsApplying,
          "Nothing is deleted yet, since other sources may want the objects: %s. No action is needed, unless one of them can't be read or applied."
              .formatted(String.join(", ", awaited)));
    }
    if (!waitsFor.isEmpty()) {
      return report(
          Reason.AddonsApplying,
          "The source waits for %s. No action is needed.".formatted(String.join(", ", waitsFor)));
    }
    if (!wish.removed() && files.contents().isPresent() && !hasObjects()) {
      return report(
          Reason.AddonFailed,
          "no object can be read: %s. Correct the source; the objects that were applied before stay."
              .formatted(AddonStanding.first(badFiles())));
    }
    if (isQuiet()) {
      return report(Reason.AsExpected, "");
    }
    if (standing.isEmpty()) {
      return report(Reason.AddonsApplying, AddonReport.BEGINS);
    }
    AddonStanding found = standing.get();
    if (found.failed() > 0) {
      return report(
          Reason.AddonFailed,
          "%d of %d objects and files are not as the source says: %s. Correct the source or the hosted cluster; the operator tries again."
              .formatted(found.failed(), found.objects(), AddonStanding.first(found.failures())));
    }
    return found.good()
        ? report(Reason.AsExpected, "")
        : report(
            Reason.AddonsApplying,
            wish.removed()
                ? "The operator deletes the objects of the source. No action is needed."
                : "The operator applies the objects, or they are not healthy yet. No action is needed.");
  }

  private List<AddonFailure> badFiles() {
    return files
        .contents()
        .map(all -> AddonStanding.problems(all.reading().problems(), isSecret()))
        .orElse(List.of());
  }

  private AddonReport report(Reason reason, String message) {
    boolean isSeen = wish.removed() || hasObjects();
    List<AddonFailure> failures =
        reason != Reason.AddonFailed
            ? List.of()
            : isSeen ? standing.map(AddonStanding::failures).orElse(List.of()) : badFiles();
    int failed =
        reason == Reason.AddonFailed && isSeen
            ? standing.map(AddonStanding::failed).orElse(0)
            : failures.size();
    AddonStatus status =
        new AddonStatus(
            wish.name(),
            wish.generation(),
            reason == Reason.AsExpected,
            reason.name(),
            message.isEmpty() ? null : message,
            files
                .contents()
                .map(AddonContents::revision)
                .or(() -> wish.noted().map(AddonStatus::revision))
                .orElse(null),
            run.map(Run::revision).orElse(null),
            run.map(Run::objects).orElse(null),
            run.map(Run::applied).orElse(null),
            run.map(Run::unchanged).orElse(null),
            run.map(Run::milliseconds).orElse(null),
            failed == 0 ? null : failed,
            failures.isEmpty()
                ? null
                : failures.subList(0, Math.min(AddonStanding.SHOWN, failures.size())),
            wish.spec().effectivePrune(),
            wish.spec().serviceAccount());
    return new AddonReport(status, reason, isRemoved());
  }
}
