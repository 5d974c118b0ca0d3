// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonFailure;
import io.exaplane.api.v1alpha1.AddonPrune;
import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.apply.engine.Cost;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.manifest.Ignored;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.Reading;
import io.exaplane.apply.port.ApiException;
import io.exaplane.operator.controlplane.addon.AddonEngine.Standing;
import io.exaplane.operator.outcome.Problem;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * One source: which engine has it, and how it stands. Used by one thread. Longer than others: the
 * states of a source are one machine.
 */
final class AddonTrack {
  /** A good source that is under way again, or that a new engine has, counts as good so long. */
  private static final Duration QUIET = Duration.ofSeconds(60);

  /** An engine has forgotten nothing while its inventory can't be deleted. */
  private static final Duration FORGET_AGAIN = Duration.ofSeconds(10);

  /**
   * Objects that a new revision lost are deleted after this time if other sources share the engine:
   * two ConfigMaps are edited one after the other, and an object may move from one to the other.
   */
  static final Duration GRACE = Duration.ofSeconds(30);

  /** In the place of a revision: the source is to have nothing. */
  private static final String REMOVAL = "removal";

  private AddonWish wish;
  private final AddonFiles files;
  private final OtherDns otherDns = new OtherDns();
  private final ChosenKinds chosen = new ChosenKinds();
  private final DefinitionHold definitions = new DefinitionHold();
  private Optional<EngineKey> engine = Optional.empty();
  private String handed = "";

  /** Sources that may want objects of this one: nothing is deleted before they are handed, too. */
  private List<String> awaited = List.of();

  /** Whether the engine was told of the revision without the right to delete. */
  private boolean isHeldBack;

  /** Not before this time may the engine delete. */
  private Instant mayDeleteFrom = Instant.MIN;

  /** When the engine was told of the revision. */
  private Instant begun = Instant.MIN;

  /** What the engine had spent on the source at the last look, and before the revision. */
  private Cost cost = Cost.NONE;

  private Cost costBefore = Cost.NONE;

  /** Since when the source is not good. */
  private Instant troubled = Instant.MIN;

  private boolean idle;
  private String fault = "";
  private long seenEvents = -1;
  private Optional<AddonStanding> standing = Optional.empty();
  private Optional<AddonRun> run = Optional.empty();
  private boolean removed;
  private boolean wasGood;
  private Optional<Instant> quietUntil = Optional.empty();
  private Instant nextForget = Instant.MIN;
  private List<String> waitsFor = List.of();

  /** The revision for which the sources that come first were read again. */
  private String asked = "";

  /** Whether the source has an inventory, as far as anybody took that down. */
  private boolean hasInventory;

  /** Whether somebody deleted the inventory of a removed source. */
  private boolean isLost;

  /** Whether nothing of a removed source is left but its inventory. */
  private boolean isEmpty;

  AddonTrack(AddonWish wish, SplittableRandom random) {
    this.wish = wish;
    files =
        new AddonFiles(
            random, wish.noted().map(AddonStatus::unreadableSince).flatMap(AddonTrack::time));
    hasInventory = wish.noted().filter(status -> status.inventory() != null).isPresent();
    wasGood = wish.noted().filter(status -> isStillGood(status, wish)).isPresent();
    run =
        wish.noted()
            .filter(status -> status.appliedRevision() != null)
            .map(
                status ->
                    new AddonRun(
                        status.appliedRevision(),
                        status.objects(),
                        status.applied(),
                        status.unchanged(),
                        status.durationMilliseconds(),
                        status.requests(),
                        status.sentBytes()));
  }

  /** What an operator before this one saw; of a place that is fetched, only for the same spec. */
  private static boolean isStillGood(AddonStatus status, AddonWish wish) {
    return Boolean.TRUE.equals(status.ready())
        && (!wish.spec().mustBeFetched()
            || Objects.equals(status.observedGeneration(), wish.generation()));
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException e) {
      // Somebody else wrote that; the time begins anew.
      return Optional.empty();
    }
  }

  AddonWish wish() {
    return wish;
  }

  /** Takes over what is wanted from now on. */
  void wish(AddonWish now) {
    if (!now.readsTheSame(wish)) {
      files.changeSource();
    }
    if (!handed.equals(REMOVAL)
        && !(now.ignored().equals(wish.ignored()) && ChosenKinds.isSame(now.spec(), wish.spec()))) {
      handed = "";
    }
    if (!DefinitionHold.isSame(now.spec(), wish.spec())) {
      definitions.reset();
    }
    if (!ChosenKinds.isSame(now.spec(), wish.spec())) {
      // The same files have other objects now.
      run = Optional.empty();
    }
    if (now.spec().conflicts() != wish.spec().conflicts()) {
      otherDns.reset();
    }
    wish = now;
    removed &= now.removed();
    isLost &= now.removed();
    isEmpty &= now.removed();
  }

  Optional<EngineKey> engine() {
    return engine;
  }

  /** The set of the objects that the engine has. */
  ApplySet set() {
    return wish.set();
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
    isHeldBack = false;
    seenEvents = -1;
    standing = Optional.empty();
    cost = Cost.NONE;
    costBefore = Cost.NONE;
  }

  /** The engine of the source ended by a fault again, and the next one begins later. */
  void faulted(String words) {
    fault = words;
  }

  /** Whether every object of the newest files was applied and healthy at the last look. */
  boolean isGood() {
    return files.unreadable().isEmpty()
        && !files.isFormer()
        && isHanded()
        && standing.filter(AddonStanding::good).isPresent();
  }

  private boolean isHanded() {
    return isRead(handed);
  }

  /** Whether the source may want objects that no engine knows of yet: others may have them. */
  boolean isAwaited() {
    boolean isKnown =
        files.unreadable().isEmpty()
            && !files.isDoubtful()
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

  /**
   * Reads the source if it is due.
   *
   * @return whether a fetch brought other files
   */
  boolean read(AddonReader reader, Runnable signal, Instant now) {
    return !wish.removed()
        && isActive()
        && files.isDue(now)
        && files.read(reader, wish.spec(), signal, now);
  }

  /** The place of another source has changed: perhaps an object moved from there to here. */
  void doubt() {
    if (isActive() && wish.spec().mustBeFetched()) {
      files.doubt();
    }
  }

  /** Another source has news, and comes behind this one: perhaps one edit changed both. */
  void doubtFirst() {
    if (isActive() && wish.spec().inline() == null) {
      files.doubt();
    }
  }

  /**
   * Whether sources that depend on this one may begin: it is good, also by what its place has now.
   * A registry that is away for a moment holds nobody up.
   */
  boolean isFirst() {
    return isGood() && !files.isBeingRead();
  }

  /** What others call it that wait for it. */
  String waitedFor() {
    return wish.name() + (wish.spec().isPaused() ? AddonView.PAUSED : "");
  }

  /** Whether the files are news for which the sources that come first are to be read again. */
  boolean asksFirst() {
    String revision = files.contents().map(AddonContents::revision).orElse("");
    boolean isNews =
        isActive()
            && !wish.removed()
            && !revision.isEmpty()
            && !files.isFormer()
            && !isHanded()
            && run.filter(last -> last.revision().equals(revision)).isEmpty()
            && !revision.equals(asked);
    asked = isNews ? revision : asked;
    return isNews;
  }

  /**
   * Whether an engine is to be told of the source now.
   *
   * @param unmet sources that come first and are not good
   */
  boolean isToHand(List<String> unmet, Instant now) {
    waitsFor = List.of();
    if (!isActive() || !wish.removed() && !otherDns.isDue(now)) {
      return false;
    }
    if (wish.removed()) {
      return wish.spec().effectivePrune() == AddonPrune.Delete && !handed.equals(REMOVAL);
    }
    if (!files.unreadable().isEmpty() || files.isFormer() || !hasObjects() || isHanded()) {
      return false;
    }
    String revision = files.contents().orElseThrow().revision();
    chosen.look(files.contents().orElseThrow(), wish.spec());
    if (!chosen.words().isEmpty() || !definitions.isDue(revision, now)) {
      return false;
    }
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
   * Tells an engine of the source, unless another DNS holds the source back.
   *
   * @param others those that may want its objects: nothing is deleted until {@link #release}
   * @param isShared whether other sources have the same engine
   */
  void hand(AddonEngine to, List<String> others, boolean isShared, Instant now)
      throws InterruptedException {
    if (!otherDns.permits(wish, to, now)
        || !wish.removed()
            && !definitions.permits(
                wish.spec(), files.contents().orElseThrow().revision(), manifests(), to, now)) {
      return;
    }
    boolean mayHaveLost =
        isShared
            && !wish.removed()
            && (run.filter(last -> !isRead(last.revision())).isPresent()
                || !handed.isEmpty() && !isRead(handed));
    mayDeleteFrom = mayHaveLost ? now.plus(GRACE) : Instant.MIN;
    isHeldBack = mayHaveLost || !others.isEmpty();
    tell(to, !isHeldBack);
    awaited = List.copyOf(others);
    hasInventory |= !wish.removed();
    handed = wish.removed() ? REMOVAL : files.contents().orElseThrow().revision();
    engine = Optional.of(key());
    begun = now;
    costBefore = cost;
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
      List<Manifest> manifests =
          Ignored.without(manifests(), wish.ignored(), ApplyEngine.DEFAULT_NAMESPACE);
      to.want(wish.set(), manifests, reading.isWhole() && mayDelete);
    }
  }

  /** The objects of the newest files, without those of kinds that are left out. */
  private List<Manifest> manifests() {
    chosen.look(files.contents().orElseThrow(), wish.spec());
    return chosen.manifests();
  }

  private boolean isRead(String revision) {
    return files.contents().filter(all -> all.revision().equals(revision)).isPresent();
  }

  /**
   * Whether the engine is to be told that it may delete, once no other source is awaited: what it
   * has is the newest wish, and it did all else.
   */
  boolean isToRelease(Instant now) {
    return engine.isPresent()
        && isHeldBack
        && !now.isBefore(mayDeleteFrom)
        && idle
        && (wish.removed() ? handed.equals(REMOVAL) : isHanded() && !files.isFormer());
  }

  /** The engine may delete what the source no longer has. */
  void release(AddonEngine to) throws InterruptedException {
    tell(to, true);
    awaited = List.of();
    isHeldBack = false;
    seenEvents = -1;
  }

  /** The other sources for which deletions wait. */
  void awaits(List<String> others) {
    awaited = List.copyOf(others);
  }

  /** Looks how the engine got on. */
  void look(AddonEngine at, Instant now) throws InterruptedException {
    if (removed || isLost || !isEmpty && !isBusy() && at.events() == seenEvents) {
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
    List<io.exaplane.apply.manifest.Problem> problems =
        wish.removed()
            ? List.of()
            : files.contents().map(all -> all.reading().problems()).orElse(List.of());
    cost = seen.summary().cost();
    AddonStanding found = AddonStanding.of(seen.summary(), problems, late, wish.isSecret());
    if (!seen.idle() && found.failed() == 0) {
      found = under(found);
    }
    standing = Optional.of(found);
    settle(found, now);
    if (wish.removed()) {
      end(at, seen, found, now);
    } else if (found.good() && run.filter(last -> last.revision().equals(handed)).isEmpty()) {
      Cost spent = cost.since(costBefore);
      run =
          Optional.of(
              new AddonRun(
                  handed,
                  found.objects(),
                  found.applied(),
                  found.unchanged(),
                  Duration.between(begun, now).toMillis(),
                  spent.requests(),
                  spent.sentBytes()));
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
        && !files.isFormer()
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
        found.objects(), found.applied(), found.unchanged(), 0, List.of(), false, found.waits());
  }

  /**
   * Goes on with a removal. The status says that nothing is left before the inventory goes, so that
   * an operator that begins in between does not miss the inventory.
   */
  private void end(AddonEngine at, Standing seen, AddonStanding found, Instant now)
      throws InterruptedException {
    boolean isNoted = wish.noted().filter(status -> status.inventory() != null).isPresent();
    if (seen.idle() && found.good() && isNoted && !seen.hasInventory()) {
      isLost = true;
      return;
    }
    isEmpty = seen.idle() && found.good() && !isHeldBack;
    hasInventory = isNoted && !isEmpty;
    if (isEmpty && !isNoted && !now.isBefore(nextForget)) {
      forget(at, now);
    }
  }

  private void forget(AddonEngine at, Instant now) throws InterruptedException {
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
                  false,
                  null));
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
    files.close();
  }

  /** Why the source is not handed to an engine, although its files can be read. */
  private Optional<Problem> heldBack() {
    if (!otherDns.words().isEmpty()) {
      return Optional.of(new Problem(Reason.AddonFailed, otherDns.words()));
    }
    if (!chosen.words().isEmpty()) {
      return Optional.of(new Problem(Reason.AddonFailed, chosen.words()));
    }
    return definitions.words().isEmpty()
        ? Optional.empty()
        : Optional.of(new Problem(Reason.DefinitionsDoNotFit, definitions.words()));
  }

  /** How the source stands, for people. */
  AddonReport report() {
    return new AddonView(
            wish,
            files,
            run,
            standing,
            awaited,
            waitsFor,
            fault,
            heldBack(),
            hasInventory,
            isLost,
            isQuiet(),
            isRemoved())
        .report();
  }
}
