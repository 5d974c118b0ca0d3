// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.certificate;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.NodePoolStatus;
import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.operator.pki.NodeAuthorities;
import io.exaplane.operator.rotation.Outside;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Stage;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which nodes of a control plane's pools do not trust the new CA yet, or have certificates of the
 * old one. Pure.
 */
final class FollowingNodes {
  private FollowingNodes() {}

  /**
   * By the statuses of the pools. Only while the old CA may go next does anybody have to follow.
   */
  static Outside of(ControlPlane controlPlane, RotatedKey ca, Collection<NodePool> pools) {
    Optional<String> id =
        ca.stage() == Stage.ISSUING
            ? NodeAuthorities.of(ca, RotationPhase.Prepared).map(NodeAuthorities::id)
            : Optional.empty();
    if (id.isEmpty()) {
      return Outside.NONE;
    }
    List<String> behind =
        pools.stream()
            .sorted(Comparator.comparing(pool -> pool.getMetadata().getName()))
            .flatMap(pool -> behind(pool, id.get()).stream())
            .toList();
    Map<String, String> annotations = controlPlane.getMetadata().getAnnotations();
    return new Outside(
        behind,
        id.get(),
        annotations != null && id.get().equals(annotations.get(Names.ROTATION_OVERRIDE)));
  }

  private static Optional<String> behind(NodePool pool, String id) {
    String name = pool.getMetadata().getName();
    NodePoolStatus status = pool.getStatus();
    if (status != null && status.nodes() != null && status.nodes().registered() == 0) {
      return Optional.empty();
    }
    NodePoolStatus.Authorities told = status == null ? null : status.authorities();
    if (told == null || !told.id().equals(id)) {
      return Optional.of("the nodes of NodePool %s, which are not counted yet".formatted(name));
    }
    return told.otherNodes() == 0
        ? Optional.empty()
        : Optional.of(
            "%d of %d nodes of NodePool %s"
                .formatted(told.otherNodes(), told.otherNodes() + told.followingNodes(), name));
  }
}
