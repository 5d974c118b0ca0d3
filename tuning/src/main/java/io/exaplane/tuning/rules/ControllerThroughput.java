// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.KUBE_APISERVER;
import static io.exaplane.tuning.version.Component.KUBE_CONTROLLER_MANAGER;

import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Load;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.rules.Item.Confidence;
import java.util.List;

/** Rate limits and workers of the controller manager follow the churn of pods. */
final class ControllerThroughput implements Rule {
  private static final List<String> WORKLOADS =
      List.of(
          "concurrent-deployment-syncs",
          "concurrent-replicaset-syncs",
          "concurrent-statefulset-syncs",
          "concurrent-job-syncs",
          "concurrent-endpoint-syncs");

  /** pkg/controller/endpointslice/config: more is refused. */
  private static final int MOST_SLICE_WORKERS = 50;

  @Override
  public String name() {
    return "controller-throughput";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    double churn = estimate.shape().number(Input.POD_CHURN);
    double nodes = estimate.shape().nodes();
    double rate = Math.max(20, Math.max(3 * churn, Numbers.clamp(nodes / 10, 0, 500)));
    Why limits =
        Why.because("three requests for each pod created or deleted, or nodes / 10 up to 500")
            .source(Confidence.M, "kops at 5,000 nodes: 500 and 500; k8s-1m: 20000 and 40000")
            .risk(
                "each controller has its own limiter; beyond that only fair queuing limits the"
                    + " requests")
            .with("pod churn/s", churn)
            .with("nodes", nodes);
    double perSecond = Math.min(20_000, Numbers.roundUp(rate, 10));
    advice.flag(KUBE_CONTROLLER_MANAGER, "kube-api-qps", whole(perSecond), limits);
    advice.flag(KUBE_CONTROLLER_MANAGER, "kube-api-burst", whole(Math.max(30, perSecond)), limits);
    Why workers =
        Why.because("one worker for each 20 pods that change a second, between 5 and 100")
            .source(Confidence.L, "flags of kube-controller-manager; kops")
            .risk("bursts of writes to the stores")
            .with("pod churn/s", churn);
    double some = Numbers.clamp(Math.ceil(churn / 20), 5, 100);
    for (String flag : WORKLOADS) {
      advice.flag(KUBE_CONTROLLER_MANAGER, flag, whole(some), workers);
    }
    advice.flag(
        KUBE_CONTROLLER_MANAGER,
        "concurrent-service-endpoint-syncs",
        whole(Math.min(some, MOST_SLICE_WORKERS)),
        workers);
    advice.flag(
        KUBE_CONTROLLER_MANAGER,
        "concurrent-gc-syncs",
        whole(Numbers.clamp(Math.ceil(churn / 10), 20, 200)),
        workers);
    housekeeping(estimate, advice);
  }

  private static void housekeeping(Estimate estimate, Advice advice) {
    double nodes = estimate.shape().nodes();
    if (nodes >= 1_000) {
      advice.flag(
          KUBE_APISERVER,
          "delete-collection-workers",
          "16",
          Why.because("namespaces with thousands of objects are deleted in parallel")
              .source(Confidence.H, "kops at 5,000 nodes: 16")
              .risk("a burst of deletions at the stores")
              .with("nodes", nodes));
    }
    double slices = estimate.load().kind(Load.SLICES).writesPerSecond();
    double watchers = estimate.load().kind(Load.SLICES).watchers();
    double events = slices * watchers;
    if (nodes >= 1_000 && estimate.shape().isTrue(Input.KUBE_PROXY)) {
      Why batch =
          Why.because("batches the changes of a Service's endpoints before all nodes get them")
              .source(Confidence.M, "kops: 500 ms; each write is sent to every node")
              .risk("traffic moves later by this time")
              .with("slice writes/s", slices)
              .with("watch events/s", events);
      String period = events > 5e6 ? "5s" : events > 5e5 ? "1s" : "500ms";
      advice.flag(KUBE_CONTROLLER_MANAGER, "endpointslice-updates-batch-period", period, batch);
      advice.flag(KUBE_CONTROLLER_MANAGER, "endpoint-updates-batch-period", period, batch);
    }
    advice.flag(
        KUBE_CONTROLLER_MANAGER,
        "terminated-pod-gc-threshold",
        whole(Numbers.clamp(0.1 * estimate.shape().pods(), 500, 12_500)),
        Why.because("keeps a tenth of all pods as terminated pods, between 500 and 12,500")
            .source(Confidence.L, "flags of kube-controller-manager")
            .risk("logs of terminated pods disappear sooner")
            .with("pods", estimate.shape().pods()));
  }

  private static String whole(double value) {
    return Long.toString(Math.round(value));
  }
}
