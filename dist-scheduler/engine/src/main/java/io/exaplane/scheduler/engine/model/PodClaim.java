// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

/**
 * A pod's reference to a claim of devices. Source:
 * dynamic-resource-allocation/resourceclaim/resourceclaim.go, Name.
 *
 * @param name in the pod
 * @param claim the claim's name; empty if none is needed, was made yet, or is known how to find
 * @param podName of a pod for which the claim is made; empty if the pod names a claim itself
 * @param podUid the same pod's
 */
public record PodClaim(String name, Origin origin, String claim, String podName, String podUid) {
  /** Where the claim comes from. */
  public enum Origin {
    /** The pod names it. */
    NAMED,
    /** It was made for the pod from a template. */
    MADE,
    /** It is going to be made for the pod. */
    TO_BE_MADE,
    /** None has to be made for the pod. */
    NOT_NEEDED,
    /** kube-scheduler made it for the pod's extended resources, and told so. */
    FOR_EXTENDED_RESOURCES,
    /** The pod refers to it in a way that is not known. */
    UNKNOWN
  }
}
