// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonFailure;
import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.apply.entry.Observe;
import io.exaplane.operator.outcome.Problem;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is known of a source at one moment, and the words for it. Used by one thread.
 *
 * @param awaited sources that may want objects of this one
 * @param waitsFor sources that come first, and are not good
 * @param fault of the operator's own; empty without one
 * @param heldBack why nothing new of the source is applied, although its files can be read
 * @param hasInventory whether the hosted API has an inventory of the source
 * @param isLost whether somebody deleted the inventory of a removed source
 * @param isQuiet whether what goes on is no news
 * @param isRemoved whether nothing of a removed source is left to delete
 */
record AddonView(
    AddonWish wish,
    AddonFiles files,
    Optional<AddonRun> run,
    Optional<AddonStanding> standing,
    List<String> awaited,
    List<String> waitsFor,
    String fault,
    Optional<Problem> heldBack,
    boolean hasInventory,
    boolean isLost,
    boolean isQuiet,
    boolean isRemoved) {
  /** Behind the name of a source that another one waits for. */
  static final String PAUSED = " (paused)";

  /** How the source stands, for people. */
  AddonReport report() {
    if (isRemoved) {
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
    if (!files.unreadable().isEmpty() && !wish.removed()) {
      return report(Reason.AddonSourceUnreadable, unreadable());
    }
    if (heldBack.isPresent() && !wish.removed()) {
      return report(heldBack.get().reason(), heldBack.get().message());
    }
    if (isLost) {
      return report(Reason.AddonFailed, lost());
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
          "The source waits for %s. %s"
              .formatted(
                  String.join(", ", waitsFor),
                  waitsFor.stream().anyMatch(name -> name.endsWith(PAUSED))
                      ? "Set paused of these sources to false, or remove the names from dependsOn."
                      : "No action is needed."));
    }
    if (!wish.removed() && files.contents().isPresent() && !hasObjects()) {
      return report(
          Reason.AddonFailed,
          "no object can be read: %s. Correct the source; the objects that were applied before stay."
              .formatted(AddonStanding.first(badFiles())));
    }
    return isQuiet ? report(Reason.AsExpected, "") : stands();
  }

  private AddonReport stands() {
    if (standing.isEmpty() || files.isFormer() && !wish.removed()) {
      return report(
          Reason.AddonsApplying,
          wish.spec().mustBeFetched() && (files.contents().isEmpty() || files.isFormer())
              ? "The operator fetches the source. No action is needed."
              : AddonReport.BEGINS);
    }
    AddonStanding found = standing.get();
    if (found.failed() > 0) {
      return report(
          Reason.AddonFailed,
          "%d of %d objects and files are not as the source says: %s. Correct the source or the hosted cluster; the operator tries again."
              .formatted(found.failed(), found.objects(), AddonStanding.first(found.failures())));
    }
    return found.good() && !wish.removed()
        ? report(Reason.AsExpected, "")
        : report(
            Reason.AddonsApplying,
            wish.removed()
                ? "The operator deletes the objects of the source. No action is needed."
                : under(found));
  }

  private static String under(AddonStanding found) {
    String words = "The operator applies the objects, or they are not healthy yet. ";
    return found.waits() == null
        ? words + "No action is needed."
        : words + AddonStanding.first(List.of(found.waits())) + ".";
  }

  private String unreadable() {
    if (files.isFormer() && run.isPresent()) {
      return files.unreadable() + ". The objects that the source had before stay.";
    }
    String stays =
        !wish.spec().mustBeFetched() || run.isEmpty()
            ? ""
            : files.contents().isPresent()
                ? " The files that were fetched before (%s) stay applied."
                    .formatted(files.fetchedRevision())
                : " The objects that were applied before stay; changes of them are not put right.";
    return files.unreadable() + "." + stays;
  }

  private String lost() {
    return "The inventory of the source, ConfigMap %1$s of the hosted cluster, is gone, so the operator does not know what the source applied, and deletes nothing. Either add the source again with its files, wait until it is ready, and remove it; or delete the objects with the label %2$s=%3$s by hand, add the source with paused: true and prune: Keep, and remove it."
        .formatted(wish.inventory(), Observe.PART_OF, wish.set().id());
  }

  private boolean hasObjects() {
    return files.contents().filter(AddonContents::hasObjects).isPresent();
  }

  private List<AddonFailure> badFiles() {
    return files
        .contents()
        .map(all -> AddonStanding.problems(all.reading().problems(), wish.isSecret()))
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
            fetchedRevision(),
            files.unreadableSince().map(Instant::toString).orElse(null),
            run.map(AddonRun::revision).orElse(null),
            run.map(AddonRun::objects).orElse(null),
            run.map(AddonRun::applied).orElse(null),
            run.map(AddonRun::unchanged).orElse(null),
            run.map(AddonRun::milliseconds).orElse(null),
            run.map(AddonRun::requests).orElse(null),
            run.map(AddonRun::sentBytes).orElse(null),
            failed == 0 ? null : failed,
            failures.isEmpty()
                ? null
                : failures.subList(0, Math.min(AddonStanding.SHOWN, failures.size())),
            hasInventory ? wish.inventory() : null,
            wish.spec().effectivePrune(),
            wish.spec().serviceAccount());
    return new AddonReport(status, reason, isRemoved);
  }

  /** Before the first fetch of a new operator, what the status says. */
  private String fetchedRevision() {
    if (!wish.spec().mustBeFetched()) {
      return null;
    }
    return files.fetchedRevision().isEmpty()
        ? wish.noted().map(AddonStatus::fetchedRevision).orElse(null)
        : files.fetchedRevision();
  }
}
