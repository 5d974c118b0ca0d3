// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads groups of pods, as the versions of Kubernetes have them. */
final class PodGroupReader {
  private static final String ALPHA = "scheduling.k8s.io/v1alpha2";
  private static final String BETA = "scheduling.k8s.io/v1beta1";

  /** The fields that other feature gates bring, and the gates; all are off by default. */
  private static final Map<String, String> OTHER_GATES = new LinkedHashMap<>();

  static {
    OTHER_GATES.put("parentCompositePodGroupName", "CompositePodGroup");
    OTHER_GATES.put("schedulingConstraints", "TopologyAwareWorkloadScheduling");
    OTHER_GATES.put("resourceClaims", "DRAWorkloadResourceClaims");
    OTHER_GATES.put("preemptionPolicy", "PodGroupPreemptionPolicy");
  }

  private PodGroupReader() {}

  /** The API versions that are read for a minor version's scheduler, its own first. */
  static List<String> apiVersions(Version version) {
    return version.atLeast(Version.V1_37) ? List.of(BETA, ALPHA) : List.of(ALPHA);
  }

  static PodGroup read(Fields object, String name, Version version) {
    Fields spec = object.child("spec");
    Fields policy = spec.child("schedulingPolicy");
    Fields gang = policy.child("gang");
    boolean ranks = version.atLeast(Version.V1_37);
    return new PodGroup(
        object.child("metadata").string("namespace", "default"),
        name,
        object.child("metadata").string("uid"),
        policy.has("gang") ? gang.between("minCount", 1, Integer.MAX_VALUE) : 0,
        ranks ? (int) spec.integer("priority", 0) : 0,
        ranks && isDisruptedTogether(spec),
        ranks ? unsupported(spec) : null);
  }

  /** In v1alpha2 it is a word. */
  private static boolean isDisruptedTogether(Fields spec) {
    return spec.raw("disruptionMode") instanceof String mode
        ? mode.equals("PodGroup")
        : spec.child("disruptionMode").has("all");
  }

  private static String unsupported(Fields spec) {
    for (Map.Entry<String, String> other : OTHER_GATES.entrySet()) {
      if (spec.has(other.getKey())) {
        return "spec.%s of the PodGroup (feature gate %s)"
            .formatted(other.getKey(), other.getValue());
      }
    }
    return null;
  }
}
