// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.StreamingLists;
import io.exaplane.tuning.rules.Item.Confidence;
import io.exaplane.tuning.version.Component;
import java.util.List;

/**
 * Informers that begin with a stream of all objects keep writers of a large resource waiting in the
 * watch cache of 1.34 to 1.36; there they had better LIST.
 */
final class WatchLists implements Rule {
  @Override
  public String name() {
    return "watch-lists";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    double most = estimate.load().mostCachedObjects();
    if (!StreamingLists.starveWriters(estimate.shape().version(), most)) {
      return;
    }
    Why why =
        Why.because(
                "a streaming LIST of many objects holds a lock, and writes to the cache wait for"
                    + " that lock")
            .source(
                Confidence.M,
                "kubernetes #138728, #139526: 50 readers of 500k pods, 472 ms under the lock; fixed"
                    + " in 1.37")
            .risk("each client needs memory for a whole LIST when it starts")
            .with("objects of the largest resource", most);
    for (Component component :
        List.of(Component.KUBE_CONTROLLER_MANAGER, Component.KUBE_SCHEDULER)) {
      advice.gate(component, "WatchListClient", false, why);
    }
    boolean on =
        advice
            .matrix()
            .gate(Component.CLIENTS, estimate.shape().version(), "WatchListClient")
            .map(gate -> gate.enabledByDefault())
            .orElse(false);
    if (on) {
      advice.other(
          Component.CLIENTS, Item.Type.ENV, "KUBE_FEATURE_WatchListClient", "false", "true", why);
    }
  }
}
