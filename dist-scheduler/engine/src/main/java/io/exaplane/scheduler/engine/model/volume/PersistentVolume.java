// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.volume;

import io.exaplane.scheduler.engine.model.Labels;
import io.exaplane.scheduler.engine.model.NodeSelector;
import java.math.BigDecimal;
import java.util.Set;

/**
 * A PersistentVolume.
 *
 * @param claim whom it is kept for, or null
 * @param nodes where it can be used, or null for everywhere
 * @param source what it is, or null if nothing depends on it
 */
public record PersistentVolume(
    String name,
    Labels labels,
    String storageClass,
    BigDecimal capacityBytes,
    ClaimReference claim,
    boolean available,
    boolean terminating,
    Set<String> accessModes,
    String volumeMode,
    String attributesClass,
    NodeSelector nodes,
    Source source) {
  /**
   * The claim that a volume is kept for.
   *
   * @param uid empty if any claim of this name will do
   */
  public record ClaimReference(String namespace, String name, String uid) {
    public boolean is(Claim claim) {
      return name.equals(claim.name())
          && namespace.equals(claim.namespace())
          && (uid.isEmpty() || uid.equals(claim.uid()));
    }
  }

  /**
   * What a volume is.
   *
   * @param driver of CSI, or empty
   * @param kind of Kubernetes' own, or null
   */
  public record Source(String driver, String handle, Volume.Kind kind) {}

  /** The same, kept for this claim. */
  public PersistentVolume keptFor(Claim other) {
    return with(new ClaimReference(other.namespace(), other.name(), other.uid()), nodes);
  }

  /** The same, to be used on these nodes, or on any if it is null. */
  public PersistentVolume usableAt(NodeSelector others) {
    return with(claim, others);
  }

  private PersistentVolume with(ClaimReference newClaim, NodeSelector newNodes) {
    return new PersistentVolume(
        name,
        labels,
        storageClass,
        capacityBytes,
        newClaim,
        available,
        terminating,
        accessModes,
        volumeMode,
        attributesClass,
        newNodes,
        source);
  }

  /** Whether it can be used on a node with these labels; the node's name does not count. */
  public boolean isUsableAt(Labels node) {
    if (nodes == null) {
      return true;
    }
    for (NodeSelector.Term term : nodes.terms()) {
      if (!term.isEmpty() && term.isValid() && term.matchesLabels(node)) {
        return true;
      }
    }
    return false;
  }
}
