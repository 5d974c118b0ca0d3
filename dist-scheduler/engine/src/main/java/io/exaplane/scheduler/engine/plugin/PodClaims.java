// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.PodClaim;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.Devices;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import java.util.ArrayList;
import java.util.List;

/**
 * The claims of devices to which a pod refers. Source: plugins/dynamicresources,
 * foreachPodResourceClaim.
 *
 * @param problem why they cannot be used yet, or null
 */
public record PodClaims(List<ResourceClaim> claims, String problem) {
  private static final String NOT_OWNED =
      "ResourceClaim %s was not created for Pod %s/%s (Pod is not owner)";

  /** Those of a pod, up to the first that cannot be used. */
  public static PodClaims of(PodSpec pod, Devices devices) {
    List<ResourceClaim> claims = new ArrayList<>(pod.claims().size());
    for (PodClaim reference : pod.claims()) {
      if (isMeant(reference)) {
        ResourceClaim claim = devices.claim(pod.namespace(), reference.claim());
        String problem = missing(reference, pod);
        problem = problem == null ? problemOf(reference, claim, pod) : problem;
        if (problem != null) {
          return new PodClaims(claims, problem);
        }
        claims.add(claim);
      }
    }
    return new PodClaims(claims, null);
  }

  private static boolean isMeant(PodClaim reference) {
    return reference.origin() != PodClaim.Origin.NOT_NEEDED
        && reference.origin() != PodClaim.Origin.FOR_EXTENDED_RESOURCES;
  }

  private static String missing(PodClaim reference, PodSpec pod) {
    String of = "pod \"%s/%s\"".formatted(pod.namespace(), reference.podName());
    return switch (reference.origin()) {
      case TO_BE_MADE -> of + ": ResourceClaim not created yet";
      case UNKNOWN ->
          "%s, spec.resourceClaim \"%s\": none of the supported fields are set"
              .formatted(of, reference.name());
      default -> null;
    };
  }

  private static String problemOf(PodClaim reference, ResourceClaim claim, PodSpec pod) {
    if (claim == null) {
      return "could not find ResourceClaim \"%s/%s\"".formatted(pod.namespace(), reference.claim());
    }
    if (claim.terminating()) {
      return "resourceclaim \"%s\" is being deleted".formatted(claim.name());
    }
    boolean made = reference.origin() == PodClaim.Origin.MADE;
    return made && !claim.ownerUid().equals(reference.podUid())
        ? NOT_OWNED.formatted(claim.key(), pod.namespace(), reference.podName())
        : null;
  }

  /** The problem in the words of a version. */
  String problemIn(Version version) {
    return problem == null || version.atLeast(Version.V1_36)
        ? problem
        : problem.replace(" for Pod ", " for pod ").replace("(Pod is", "(pod is");
  }
}
