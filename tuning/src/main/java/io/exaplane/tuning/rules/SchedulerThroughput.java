// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.KUBE_SCHEDULER;

import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Load;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.rules.Item.Confidence;
import io.exaplane.tuning.rules.Item.Type;

/** KubeSchedulerConfiguration: its flags for these are deprecated. */
final class SchedulerThroughput implements Rule {
  @Override
  public String name() {
    return "scheduler-throughput";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    double podsPerSecond = estimate.shape().number(Input.POD_CHURN) / 2;
    long rate =
        (long)
            Numbers.roundUp(
                Math.max(estimate.shape().nodes() >= 5_000 ? 100 : 50, 3 * podsPerSecond), 10);
    Why why =
        Why.because("each pod needs three requests: a binding, and an Event or a status")
            .source(Confidence.H, "pkg/scheduler/apis/config; kops at 5,000 nodes: 100 and 100")
            .risk("with a smaller value, pods wait in the client's limiter")
            .with("pods/s", podsPerSecond);
    advice.other(KUBE_SCHEDULER, Type.CONFIG, "clientConnection.qps", rate, "50", why);
    advice.other(
        KUBE_SCHEDULER, Type.CONFIG, "clientConnection.burst", Math.max(100, rate), "100", why);
    if (!estimate.shape().isTrue(Input.SCHEDULER_POOL)
        && advice.exceeds(
            new Limit(
                "placements of one kube-scheduler",
                "SchedulerTooSlow",
                podsPerSecond,
                Load.PODS_PER_SCHEDULER,
                Limit.Unit.PER_SECOND))) {
      advice.warn(
          "SchedulerTooSlow",
          String.format(
              "the cluster needs %s placements a second; one kube-scheduler makes about %s on 5,000"
                  + " nodes, and fewer on more nodes",
              Numbers.text(Math.ceil(podsPerSecond)), Numbers.text(Load.PODS_PER_SCHEDULER)),
          "use several schedulers that each place their own pods, or a SchedulerPool ("
              + Input.SCHEDULER_POOL.key()
              + "=true)",
          why.source(Confidence.M, "reference/tuning.md §2.4"));
    }
  }
}
