// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.volume;

import java.util.List;

/**
 * A volume of a pod that decides something.
 *
 * @param name in the pod
 * @param id of a claim its name; of a disk what identifies it
 * @param parts of an RBD image its monitors, pool and image; of an ephemeral volume the pod's uid
 *     and name
 */
public record Volume(Kind kind, String name, String id, boolean readOnly, List<String> parts) {
  /** The kinds of volumes that plugins look at. */
  public enum Kind {
    CLAIM,
    EPHEMERAL,
    GCE_PERSISTENT_DISK,
    AWS_ELASTIC_BLOCK_STORE,
    ISCSI,
    RBD,
    CINDER,
    AZURE_DISK,
    AZURE_FILE,
    VSPHERE,
    PORTWORX
  }

  public boolean isClaim() {
    return kind == Kind.CLAIM || kind == Kind.EPHEMERAL;
  }

  /** Whether two pods can't have both on one node. Source: plugins/volumerestrictions. */
  public boolean conflictsWith(Volume other) {
    if (kind != other.kind) {
      return false;
    }
    return switch (kind) {
      case GCE_PERSISTENT_DISK, ISCSI -> id.equals(other.id) && !(readOnly && other.readOnly);
      case AWS_ELASTIC_BLOCK_STORE -> id.equals(other.id);
      case RBD -> sameImage(other) && !(readOnly && other.readOnly);
      default -> false;
    };
  }

  private boolean sameImage(Volume other) {
    return id.equals(other.id) && parts.stream().anyMatch(other.parts::contains);
  }
}
