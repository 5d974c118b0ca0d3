// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.volume;

import io.exaplane.scheduler.engine.model.LabelSelector;
import java.math.BigDecimal;
import java.util.Set;

/**
 * A PersistentVolumeClaim.
 *
 * @param storageClass empty if it names none
 * @param volumeName of the volume that it is bound to, or shall be; or empty
 * @param bindCompleted whether it is bound for good
 * @param lost whether its volume is gone
 * @param selectedNode the node that its volume is being made for, or null
 * @param requestBytes how large the volume has to be, or null
 * @param selector which volumes do, or null for all
 * @param ownerUid the controller that it belongs to, or empty
 */
public record Claim(
    String namespace,
    String name,
    String uid,
    String storageClass,
    String volumeName,
    boolean bindCompleted,
    boolean lost,
    boolean terminating,
    String selectedNode,
    Set<String> accessModes,
    BigDecimal requestBytes,
    String volumeMode,
    String attributesClass,
    LabelSelector selector,
    String ownerUid) {
  public String key() {
    return namespace + "/" + name;
  }

  public boolean isBound() {
    return !volumeName.isEmpty() && bindCompleted;
  }

  /** The same, while a volume is being made for it on this node. */
  public Claim selectedFor(String node) {
    return new Claim(
        namespace,
        name,
        uid,
        storageClass,
        volumeName,
        bindCompleted,
        lost,
        terminating,
        node,
        accessModes,
        requestBytes,
        volumeMode,
        attributesClass,
        selector,
        ownerUid);
  }
}
