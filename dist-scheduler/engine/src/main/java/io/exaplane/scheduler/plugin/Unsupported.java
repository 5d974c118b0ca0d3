// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.plugin;

import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.model.PodSpec;
import io.exaplane.scheduler.model.Version;
import java.util.Map;

/**
 * What pods may ask for and the engine cannot decide yet. Such a pod is not judged, rather than
 * judged wrongly.
 */
public final class Unsupported {
  private Unsupported() {}

  /** The name of the feature that a pod uses, or null if the engine can decide about it. */
  public static String featureOf(PodSpec pod, Cluster cluster, Version version) {
    if (pod.claimsDevices()) {
      return "DynamicResources: spec.resourceClaims";
    }
    if (!version.atLeast(Version.V1_36)) {
      return null;
    }
    for (Map.Entry<String, Long> scalar : pod.requests().toFit().scalars().entrySet()) {
      String resource = scalar.getKey();
      if (scalar.getValue() > 0 && cluster.surroundings().isDevice(resource)) {
        return "DynamicResources: the extended resource " + resource + " of a DeviceClass";
      }
    }
    return null;
  }
}
