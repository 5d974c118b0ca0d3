// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PodClaim;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.DeviceClass;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What pods may ask for and the engine cannot decide yet. Such a pod is not judged, rather than
 * judged wrongly.
 */
public final class Unsupported {
  private Unsupported() {}

  /** The name of the feature that a pod uses, or null if the engine can decide about it. */
  public static String featureOf(PodSpec pod, Cluster cluster, Version version) {
    String ofClaims = pod.claims().isEmpty() ? null : featureOfClaims(pod, cluster, version);
    if (ofClaims != null) {
      return ofClaims;
    }
    if (!version.atLeast(Version.V1_36)) {
      return null;
    }
    for (Map.Entry<String, Long> scalar : pod.requests().toFit().scalars().entrySet()) {
      DeviceClass of = cluster.surroundings().classOfResource(scalar.getKey());
      if (scalar.getValue() > 0 && of != null) {
        String expression = DynamicResources.allocator(cluster, version).uncompiled(of);
        if (expression != null) {
          return "DynamicResources: " + expression;
        }
      }
    }
    return null;
  }

  private static String featureOfClaims(PodSpec pod, Cluster cluster, Version version) {
    Set<String> named = new HashSet<>();
    for (PodClaim reference : pod.claims()) {
      boolean twice = !reference.claim().isEmpty() && !named.add(reference.claim());
      ResourceClaim claim = cluster.devices().claim(pod.namespace(), reference.claim());
      if (twice && claim != null && !claim.isAllocated()) {
        return "DynamicResources: claim %s has no devices yet and is named twice"
            .formatted(claim.key());
      }
      if (claim != null && !claim.isAllocated()) {
        String expression = DynamicResources.allocator(cluster, version).uncompiled(claim);
        if (expression != null) {
          return "DynamicResources: " + expression;
        }
      }
    }
    return null;
  }
}
