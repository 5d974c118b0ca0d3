// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.usage.SpaceHolders;
import io.exaplane.operator.storeshard.usage.SpaceHolders.Share;
import io.exaplane.operator.storeshard.usage.SpaceUse;
import io.exaplane.operator.storeshard.usage.SpaceUse.Limit;
import io.exaplane.tuning.model.Bytes;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Whether there is space in a store. Pure. */
public final class CapacityAvailableCondition {
  private static final int NAMED = 3;

  /** Below it the newest versions are not what fills a store. */
  private static final int SCARCE_PERCENT = 80;

  private CapacityAvailableCondition() {}

  /**
   * Of a store that tells nothing of itself.
   *
   * @param serves whether the store serves all the same
   */
  public static Verdict unknown(boolean serves) {
    return StoreSilence.of(serves);
  }

  /**
   * From what the store says of itself.
   *
   * @param growth what a person does to get a larger store, as the end of a sentence
   */
  public static Verdict of(SpaceUse use, SpaceHolders holders, String growth) {
    String fill = fill(use) + most(use, holders);
    return switch (use.level()) {
      case FREE -> Verdict.yes(Reason.AsExpected, "There is space.");
      case SCARCE ->
          Verdict.yes(
              Reason.SpaceScarce,
              "Space is scarce: %s Delete unneeded objects through the API, or %s."
                  .formatted(fill, growth));
      case NEARLY_EXCEEDED ->
          Verdict.yes(
              Reason.SpaceNearlyExceeded,
              "Space is nearly used up, and the store refuses writes that add data at 100 %%: %s Delete unneeded objects through the API, or %s."
                  .formatted(fill, growth));
      case EXCEEDED -> exceeded(use, fill, growth);
    };
  }

  private static Verdict exceeded(SpaceUse use, String fill, String growth) {
    Reason reason = use.prefix() == null ? Reason.SpaceExceeded : Reason.PrefixSpaceExceeded;
    String refused =
        "The store refuses writes that add data%s: %s"
            .formatted(use.prefix() == null ? "" : " to keys with " + use.prefix(), fill);
    return use.percent() < SCARCE_PERCENT && use.limit() != Limit.LOAD
        ? Verdict.no(
            reason,
            "%s Older versions of objects use the rest. The store compacts them automatically within seconds. If this happens often, %s."
                .formatted(refused, growth))
        : Verdict.no(
            reason,
            "%s Delete objects through the API; the store accepts deletions, and updates that add nothing. Or %s."
                .formatted(refused, growth));
  }

  private static String fill(SpaceUse use) {
    String of =
        switch (use.limit()) {
          case KEYS -> "of the memory to find keys";
          case LOAD -> "of the memory in which one kube-apiserver loads the objects (loadQuota)";
          case QUOTA ->
              use.prefix() == null ? "of the quota" : "of the quota of keys with " + use.prefix();
        };
    return "%d %% %s (%s of %s) is in use."
        .formatted(use.percent(), of, Bytes.text(use.used()), Bytes.text(use.most()));
  }

  private static String most(SpaceUse use, SpaceHolders holders) {
    List<Share> kinds = holders.mostOfKinds(use, NAMED);
    List<Share> namespaces = holders.mostOfNamespaces(use, NAMED);
    return listed(
            " Kinds that hold most: ",
            kinds,
            share -> "%s (%s)".formatted(share.kind(), amount(share, use)))
        + listed(
            " Namespaces that hold most: ",
            namespaces,
            share ->
                "%s (%s, most in %s)"
                    .formatted(share.namespace(), amount(share, use), share.kind()));
  }

  private static String listed(String title, List<Share> shares, Function<Share, String> words) {
    return shares.isEmpty()
        ? ""
        : shares.stream().map(words).collect(Collectors.joining(", ", title, "."));
  }

  private static String amount(Share share, SpaceUse use) {
    return use.limit() == Limit.KEYS
        ? String.format(Locale.ROOT, "%,d keys", share.keys())
        : Bytes.text(share.amount(use.limit()));
  }

  /**
   * What a person does to get a larger store.
   *
   * @param dataGoesWithPod whether replacing the pod empties it
   */
  public static String growth(StoreShard shard, SpaceUse use, boolean dataGoesWithPod) {
    if (dataGoesWithPod) {
      return "create a control plane with larger stores, since this store's pod gets new settings "
          + "only when you delete the pod with its data";
    }
    boolean isOwned = StoreNames.controlPlaneUid(shard).isPresent();
    String where = isOwned ? "spec.storage.stores[] of the ControlPlane" : "the spec";
    if (use.prefix() != null) {
      return "raise the prefix's quota (memory.prefixes) in " + where;
    }
    if (use.limit() == Limit.LOAD) {
      return "raise %smemory.loadQuota in %s"
          .formatted(
              isOwned
                  ? "the memory limit in spec.apiServer.resources, then "
                  : "the memory of the kube-apiservers, then ",
              where);
    }
    boolean hasQuota =
        shard.getSpec() != null
            && shard.getSpec().memory() != null
            && shard.getSpec().memory().quota() != null;
    String fields =
        hasQuota
            ? "the memory (resources), the volume (storage.size) and memory.quota"
            : "the memory (resources) and the volume (storage.size)";
    String loading =
        isOwned && hasQuota
            ? ", and the memory limit in spec.apiServer.resources, since each kube-apiserver loads the store's objects"
            : "";
    return "raise %s in %s%s".formatted(fields, where, loading);
  }
}
