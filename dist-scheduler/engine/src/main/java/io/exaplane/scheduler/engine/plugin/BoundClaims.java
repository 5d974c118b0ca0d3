// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.volume.Claim;
import io.exaplane.scheduler.engine.model.volume.PersistentVolume;
import io.exaplane.scheduler.engine.model.volume.Volumes;
import java.util.List;

/** Claims that have their volumes, on one node. */
final class BoundClaims {
  static final long WRONG_NODE = 1;
  static final long NO_VOLUME = 8;

  private final Volumes volumes;
  private final Node node;

  BoundClaims(Volumes volumes, Node node) {
    this.volumes = volumes;
    this.node = node;
  }

  /** 0, or what is wrong with the first claim with which something is. */
  long test(List<Claim> claims) {
    for (Claim claim : claims) {
      PersistentVolume volume = volumes.volume(claim.volumeName());
      if (volume == null) {
        return NO_VOLUME;
      }
      if (!Migration.translated(volume, volumes.node(node.name())).isUsableAt(node.labels())) {
        return WRONG_NODE;
      }
    }
    return 0;
  }
}
