// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import io.exaplane.scheduler.engine.model.PlacedPod;
import java.util.Comparator;

/**
 * kube-scheduler's order: the higher priority first, then who has waited longer. Of two that were
 * made in the same second the one that was listed first goes first, if the sort is stable.
 */
public final class PrioritySort implements Comparator<PlacedPod> {
  @Override
  public int compare(PlacedPod one, PlacedPod other) {
    int order = Integer.compare(other.spec().priority(), one.spec().priority());
    return order != 0 ? order : Long.compare(one.pod().createdNs(), other.pod().createdNs());
  }
}
