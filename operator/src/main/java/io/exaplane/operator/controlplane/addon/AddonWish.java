// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonPrune;
import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.manifest.IgnoreRule;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What is wanted of one source. Immutable.
 *
 * @param spec the source; of a removed one only name, prune and service account are known
 * @param generation of the ControlPlane
 * @param noted what the status says; empty before the status names the source
 * @param removed whether the spec no longer has the source
 * @param cycle the names of a cycle in dependsOn that the source is part of
 */
record AddonWish(
    AddonSpec spec,
    Long generation,
    Optional<AddonStatus> noted,
    boolean removed,
    Optional<String> cycle) {
  /** What names of inventories begin with. */
  static final String PREFIX = "exaplane-addon-";

  /** Where inventories are of sources that impersonate nobody. */
  private static final String NAMESPACE = "kube-system";

  String name() {
    return spec.name();
  }

  /** The name of the source's inventory, and of the label of its objects. */
  ApplySet set() {
    return new ApplySet(
        PREFIX + name(),
        spec.serviceAccount() == null ? NAMESPACE : spec.serviceAccount().namespace());
  }

  /** The engine that the source may share with others. */
  EngineKey key() {
    return new EngineKey(
        spec.takesFields(),
        spec.effectivePrune() == AddonPrune.Delete,
        Optional.ofNullable(spec.serviceAccount()));
  }

  /**
   * Whether the status knows how to remove the source. Nothing is applied before: an operator that
   * begins finds a removed source in the status alone.
   */
  boolean isNoted() {
    return noted
        .filter(status -> status.prune() == spec.effectivePrune())
        .filter(status -> Objects.equals(status.serviceAccount(), spec.serviceAccount()))
        .isPresent();
  }

  /** Whether words about objects can show values of a Secret; of a removed source nobody knows. */
  boolean isSecret() {
    return removed || spec.secret() != null;
  }

  /** Fields that are left to others. */
  List<IgnoreRule> ignored() {
    return spec.ignored().stream()
        .map(
            rule ->
                new IgnoreRule(
                    Objects.requireNonNullElse(rule.group(), "*"),
                    rule.kind(),
                    Objects.requireNonNullElse(rule.namespace(), "*"),
                    Objects.requireNonNullElse(rule.name(), "*"),
                    rule.jsonPointers()))
        .toList();
  }

  /** The ConfigMap with the inventory, for people. */
  String inventory() {
    return set().namespace() + "/" + set().name();
  }

  /** Whether the files of another wish are those of this one. */
  boolean readsTheSame(AddonWish other) {
    return removed == other.removed
        && Objects.equals(spec.inline(), other.spec.inline())
        && Objects.equals(spec.configMap(), other.spec.configMap())
        && Objects.equals(spec.secret(), other.spec.secret())
        && Objects.equals(spec.oci(), other.spec.oci())
        && Objects.equals(spec.git(), other.spec.git())
        && spec.builtIn() == other.spec.builtIn();
  }
}
