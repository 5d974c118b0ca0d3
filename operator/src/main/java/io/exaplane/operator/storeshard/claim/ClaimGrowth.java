// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.claim;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.status.Patience;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimCondition;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * How far the claim of a store is on its way to the size that is asked for. A StatefulSet's
 * template of claims can't be changed, and keeps the size that the store was made with; the claim
 * itself is changed. Immutable.
 *
 * @param step what is to be done, or waited for
 * @param asked the size that the spec asks for
 * @param has the size that the volume has; what the claim asks for while nothing is known
 * @param why what a provider, a kubelet or an API server says
 */
public record ClaimGrowth(Step step, Quantity asked, Quantity has, Optional<String> why) {
  private static final String KEY = ClaimGrowth.class.getName();
  private static final String STORAGE = "storage";
  private static final String FILE_SYSTEM = "FileSystemResizePending";
  private static final Set<String> ERRORS = Set.of("ControllerResizeError", "NodeResizeError");

  /** Where a claim is. */
  public enum Step {
    /** It was never asked to grow. */
    NONE,
    /** It is to be asked for more. */
    TO_ASK,
    /** Its StorageClass does not let it grow. */
    FORBIDDEN,
    /** The API server refused to let it grow. */
    REFUSED,
    /** The provider makes the volume larger. */
    VOLUME,
    /** The volume is larger, and the file system on it is not yet. */
    FILE_SYSTEM,
    /** It has the size. */
    DONE
  }

  /**
   * From what is there. Pure.
   *
   * @param classes the StorageClasses, asked for only when the claim is to be changed
   * @param refusal what the API server said when the claim was to be changed
   */
  public static ClaimGrowth of(
      StoreShard shard,
      Optional<StatefulSet> set,
      Optional<PersistentVolumeClaim> claim,
      Supplier<List<StorageClass>> classes,
      Optional<String> refusal) {
    Quantity asked = asked(shard);
    Optional<Quantity> made = set.flatMap(ClaimGrowth::template);
    if (claim.isEmpty()
        || made.isEmpty()
        || !StoreNames.isPersistent(shard, set)
        || bytes(asked).compareTo(bytes(made.get())) <= 0) {
      return new ClaimGrowth(Step.NONE, asked, made.orElse(asked), Optional.empty());
    }
    Quantity requested = claim.get().getSpec().getResources().getRequests().get(STORAGE);
    Quantity has = capacity(claim.get()).orElse(requested);
    if (bytes(requested).compareTo(bytes(asked)) < 0) {
      if (refusal.isPresent()) {
        return new ClaimGrowth(Step.REFUSED, asked, has, refusal);
      }
      return new ClaimGrowth(
          mayGrow(claim.get(), classes.get()) ? Step.TO_ASK : Step.FORBIDDEN,
          asked,
          has,
          Optional.ofNullable(claim.get().getSpec().getStorageClassName()));
    }
    if (bytes(has).compareTo(bytes(asked)) >= 0) {
      // A claim that still asks for more can't be set back to what it has: Kubernetes refuses that.
      return new ClaimGrowth(Step.DONE, asked, has, Optional.empty());
    }
    Optional<String> error =
        condition(claim.get(), ERRORS).map(PersistentVolumeClaimCondition::getMessage);
    if (error.isPresent() && bytes(requested).compareTo(bytes(asked)) > 0) {
      return new ClaimGrowth(refusal.isPresent() ? Step.REFUSED : Step.TO_ASK, asked, has, refusal);
    }
    return new ClaimGrowth(
        condition(claim.get(), Set.of(FILE_SYSTEM)).isPresent() ? Step.FILE_SYSTEM : Step.VOLUME,
        asked,
        has,
        error);
  }

  /**
   * The size that a store may count on: what the volume has, until it has what is asked for. One
   * that never grew counts on what was asked for, as it always did. Pure.
   */
  public static StoreShard usable(
      StoreShard shard, Optional<StatefulSet> set, Optional<PersistentVolumeClaim> claim) {
    ClaimGrowth growth = of(shard, set, claim, List::of, Optional.empty());
    boolean smaller = bytes(growth.has()).compareTo(bytes(growth.asked())) < 0;
    if (growth.step() == Step.NONE || !smaller) {
      return shard;
    }
    StoreShard usable = new StoreShard();
    usable.setMetadata(shard.getMetadata());
    usable.setStatus(shard.getStatus());
    usable.setSpec(shard.getSpec().on(shard.getSpec().storage().ofSize(growth.has())));
    return usable;
  }

  /** Hands this over to who tells of it in the same reconciliation. */
  public void share(Context<StoreShard> context) {
    context.managedWorkflowAndDependentResourceContext().put(KEY, this);
  }

  /** What was handed over, if the claim was ever asked to grow. */
  public static Optional<ClaimGrowth> found(Context<StoreShard> context) {
    return context
        .managedWorkflowAndDependentResourceContext()
        .get(KEY, ClaimGrowth.class)
        .filter(growth -> growth.step() != Step.NONE);
  }

  /** Whether somebody else has to do something, of which no event tells. */
  public boolean isStuck() {
    return step == Step.FORBIDDEN || step == Step.REFUSED;
  }

  /** The size in a StatefulSet's template of claims, which stays. */
  public static Optional<Quantity> template(StatefulSet set) {
    return set.getSpec().getVolumeClaimTemplates().stream()
        .map(claim -> claim.getSpec().getResources().getRequests().get(STORAGE))
        .filter(Objects::nonNull)
        .findFirst();
  }

  /** Whether the volume has what is asked for. */
  public boolean isMet() {
    return step == Step.DONE;
  }

  /** In a word. */
  public Reason reason() {
    return switch (step) {
      case NONE, DONE -> Reason.AsExpected;
      case VOLUME -> why.isPresent() ? Reason.VolumeCantGrow : Reason.VolumeGrowing;
      case TO_ASK, FILE_SYSTEM -> Reason.VolumeGrowing;
      case FORBIDDEN, REFUSED -> Reason.VolumeCantGrow;
    };
  }

  /** For people, with the next action. */
  public String message(StoreShard shard) {
    String claim = ClaimRecord.claim(shard);
    String namespace = shard.getMetadata().getNamespace();
    String sizes =
        "PersistentVolumeClaim %s has %s, and the spec asks for %s".formatted(claim, has, asked);
    String goesOn = "The store continues with the size of the volume.";
    return switch (step) {
      case NONE, DONE -> "PersistentVolumeClaim %s has %s.".formatted(claim, has);
      case TO_ASK -> "%s; the operator asks for it.%s".formatted(sizes, Patience.NO_ACTION);
      case FORBIDDEN ->
          "%s, but StorageClass %s does not let volumes grow. %s If the driver can expand volumes, ask the administrator to set allowVolumeExpansion: 'kubectl patch storageclass %s -p '{\"allowVolumeExpansion\":true}''. If not, create a new ControlPlane with larger stores and copy the data. %s"
              .formatted(sizes, why.orElse("(none)"), goesOn, why.orElse("NAME"), setBack(shard));
      case REFUSED ->
          "%s, but the API server refuses: %s. %s Ask the administrator to remove the cause of the refusal. The operator tries again within a minute. %s"
              .formatted(sizes, why.orElse("no reason"), goesOn, setBack(shard));
      case VOLUME ->
          "%s; the volume's provider makes it larger.%s"
              .formatted(
                  sizes,
                  why.map(
                          error ->
                              " It fails: %s. %s Check 'kubectl -n %s describe pvc %s'. %s"
                                  .formatted(error, goesOn, namespace, claim, setBack(shard)))
                      .orElse(Patience.NO_ACTION));
      case FILE_SYSTEM ->
          "%s; the volume is larger, and the node's kubelet makes the file system larger. If this persists for 5 minutes, the driver needs a new pod. Run 'kubectl -n %s delete pod %s-0'."
              .formatted(sizes, namespace, shard.getMetadata().getName());
    };
  }

  /** The field is another one for a store of a control plane, which would write it again. */
  private String setBack(StoreShard shard) {
    Map<String, String> labels = shard.getMetadata().getLabels();
    String controlPlane = labels == null ? null : labels.get(ControlPlaneNames.CONTROL_PLANE_LABEL);
    return "To stay with the present size, set %s back to %s."
        .formatted(
            controlPlane == null
                ? "spec.storage.size"
                : "storage.size of this store, in spec.storage.stores of ControlPlane %s,"
                    .formatted(controlPlane),
            has);
  }

  private static Quantity asked(StoreShard shard) {
    VolumeSpec volume = shard.getSpec().storage();
    return volume == null || volume.size() == null ? VolumeSpec.DEFAULT_CLAIM : volume.size();
  }

  private static Optional<Quantity> capacity(PersistentVolumeClaim claim) {
    return Optional.ofNullable(claim.getStatus())
        .map(status -> status.getCapacity())
        .map(amounts -> amounts.get(STORAGE));
  }

  /** A claim without a class is of a volume that somebody made by hand. */
  private static boolean mayGrow(PersistentVolumeClaim claim, List<StorageClass> classes) {
    String name = claim.getSpec().getStorageClassName();
    return classes.stream()
        .filter(any -> any.getMetadata().getName().equals(name))
        .anyMatch(any -> Boolean.TRUE.equals(any.getAllowVolumeExpansion()));
  }

  private static Optional<PersistentVolumeClaimCondition> condition(
      PersistentVolumeClaim claim, Set<String> types) {
    return Stream.ofNullable(claim.getStatus())
        .flatMap(status -> Stream.ofNullable(status.getConditions()))
        .flatMap(List::stream)
        .filter(condition -> types.contains(condition.getType()))
        .filter(condition -> "True".equals(condition.getStatus()))
        .findFirst();
  }

  /** A JSON merge patch of the claim. */
  static String patch(PersistentVolumeClaim claim, Quantity asked) {
    return "{\"metadata\":{\"uid\":\"%s\"},\"spec\":{\"resources\":{\"requests\":{\"storage\":\"%s\"}}}}"
        .formatted(claim.getMetadata().getUid(), asked);
  }

  private static BigDecimal bytes(Quantity quantity) {
    return quantity.getNumericalAmount();
  }
}
