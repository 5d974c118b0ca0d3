// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.split;

import io.exaplane.scheduler.engine.plugin.Crowd;
import io.exaplane.scheduler.engine.plugin.Status;
import java.util.HashMap;
import java.util.Map;

/**
 * Which of a shard's nodes do for a pod.
 *
 * @param unsupported the feature that keeps the pod from being judged, or null
 * @param error why nothing can be said about it before something is mended, or null
 * @param rejection why no node was asked, or null
 * @param gated whether that is because nobody asks for the pod yet
 * @param nominatedDoes whether the node does that it waited for: then no other was asked
 * @param feasible how many nodes do; 2 may stand for more
 * @param crowds by score plugin, what of them matters to the scores of all
 */
public record Survey(
    String unsupported,
    String error,
    Status rejection,
    boolean gated,
    boolean nominatedDoes,
    int feasible,
    Map<String, Crowd> crowds) {
  /** Of these nodes and others. Of several errors, the one that sorts first is said. */
  public Survey and(Survey other) {
    Map<String, Crowd> all = new HashMap<>(crowds);
    other.crowds.forEach((plugin, crowd) -> all.merge(plugin, crowd, Crowd::and));
    boolean otherError = other.error != null && (error == null || other.error.compareTo(error) < 0);
    return new Survey(
        unsupported != null ? unsupported : other.unsupported,
        otherError ? other.error : error,
        rejection != null ? rejection : other.rejection,
        gated || other.gated,
        nominatedDoes || other.nominatedDoes,
        feasible + other.feasible,
        all);
  }
}
