// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import io.exaplane.api.v1alpha1.ColdDiscoveryStatus;
import io.exaplane.api.v1alpha1.DefinitionsStatus;
import io.exaplane.operator.controlplane.hosted.ApiServerMemory;
import io.exaplane.operator.controlplane.hosted.DefinitionsSeen;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.tuning.discovery.ColdDiscovery;
import io.exaplane.tuning.model.Memory;
import io.exaplane.tuning.model.Shape;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What the status says of CustomResourceDefinitions. Pure. */
final class HostedDefinitions {
  private static final double MIB = 1 << 20;

  private HostedDefinitions() {}

  /** What to say; what was said before while no kube-apiserver tells. */
  static DefinitionsStatus of(ApiServerMemory memory, Sized sized, DefinitionsStatus before) {
    Optional<Shape> shape = sized.tuned().map(tuned -> tuned.tuning().estimate().shape());
    DefinitionsStatus now = memory.definitions().map(seen -> of(seen, shape)).orElse(before);
    return before != null && now != null && isSame(before, now) ? before : now;
  }

  /** Heaps breathe; another operator that looks at the same is no news either. */
  private static boolean isSame(DefinitionsStatus before, DefinitionsStatus now) {
    return Objects.equals(before.count(), now.count())
        && Objects.equals(before.groupVersions(), now.groupVersions())
        && Objects.equals(before.expectedHeap(), now.expectedHeap())
        && Objects.equals(before.coldDiscovery(), now.coldDiscovery())
        && DefinitionsSeen.isClose(bytes(before.liveHeap()), bytes(now.liveHeap()));
  }

  private static double bytes(String mebibytes) {
    return mebibytes == null ? 0 : Quantity.getAmountInBytes(new Quantity(mebibytes)).doubleValue();
  }

  /**
   * With what the model expects of definitions like those of the spec's sizing, if it was asked.
   */
  static DefinitionsStatus of(DefinitionsSeen seen, Optional<Shape> shape) {
    return new DefinitionsStatus(
        seen.definitions(),
        seen.groupVersions(),
        shape
            .map(known -> mebibytes(seen.definitions() * Memory.definitionBytes(known)))
            .orElse(null),
        mebibytes(seen.liveBytes()),
        cold(seen.groupVersions()));
  }

  /**
   * Servers of all supported versions know one document alone, which old clients do not ask for.
   */
  private static List<ColdDiscoveryStatus> cold(int groupVersions) {
    return List.of(
        cold("kubectl 1.30 and later", new ColdDiscovery(2, 0)),
        cold("kubectl before 1.30", ColdDiscovery.unaggregated(groupVersions, 300, 50)),
        cold(
            "client-go before 0.30, 5 requests a second",
            ColdDiscovery.unaggregated(groupVersions, 300, 5)));
  }

  private static ColdDiscoveryStatus cold(String client, ColdDiscovery cold) {
    return new ColdDiscoveryStatus(
        client, (int) cold.requests(), 100 * Math.round(10 * cold.seconds()));
  }

  private static String mebibytes(double bytes) {
    return Math.round(bytes / MIB) + "Mi";
  }
}
