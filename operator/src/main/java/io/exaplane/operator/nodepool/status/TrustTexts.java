// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.status;

import io.exaplane.api.v1alpha1.NodePoolStatus.Authorities;
import io.exaplane.api.v1alpha1.NodePoolStatus.LateNode;
import io.exaplane.operator.nodepool.address.NodeCounts.Late;
import io.exaplane.operator.nodepool.condition.Beating.Trusting;
import io.exaplane.operator.nodepool.heartbeat.Wave;
import java.util.List;

/** What a pool tells of the CAs that its nodes trust. Pure. */
final class TrustTexts {
  private static final String PAGE = " See docs/certificates.md#nodes-of-nodepools.";

  private TrustTexts() {}

  static Authorities status(Trusting found) {
    List<LateNode> late =
        found.late().stream().map(each -> new LateNode(each.node(), message(each, found))).toList();
    return new Authorities(
        found.id(),
        found.following(),
        found.others(),
        found.wave().map(Wave::percent).orElse(null),
        late.isEmpty() ? null : late);
  }

  private static String message(Late node, Trusting found) {
    if (!node.words().isEmpty()) {
      return "The host says: %s.".formatted(node.words()) + PAGE;
    }
    if (!node.said()) {
      return "The host has not said which CAs it trusts. If this persists for an hour, run the"
          + " present 'join.sh' on the host."
          + PAGE;
    }
    return found.wave().filter(wave -> !wave.isComplete()).isPresent()
        ? "The host trusts the former CAs, and follows when its share is released. No action is"
            + " needed."
        : "The host trusts the former CAs. If this persists for an hour, see 'journalctl --unit"
            + " exaplane-heartbeats' on the host."
            + PAGE;
  }
}
