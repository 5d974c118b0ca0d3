// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.rules.Item.Confidence;

/** What each of very many kubelets may ask of the control plane. */
final class KubeletLoad implements Rule {
  private static final double MANY_WATCHES = 1e6;

  /** Of a node: the default, or a tenth above the average. */
  static double maxPods(Estimate estimate) {
    double pods = estimate.shape().number(Input.PODS_PER_NODE);
    return pods > 100 ? Math.ceil(pods * 1.1 / 10) * 10 : 110;
  }

  @Override
  public String name() {
    return "kubelet-load";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    double nodes = estimate.shape().nodes();
    double podsPerNode = estimate.shape().number(Input.PODS_PER_NODE);
    if (nodes >= 10_000) {
      advice.kubelet(
          "nodeStatusMaxImages",
          10,
          Why.because("makes the Node object 5 to 10 KB smaller")
              .source(Confidence.M, "kubelet configuration; KEP-589: Node objects of 20 to 30 KB")
              .risk("the scheduler's ImageLocality sees fewer images")
              .with("nodes", nodes));
    }
    if (nodes >= 5_000) {
      Why events =
          Why.because("limits the Events of all nodes when many nodes have the same trouble")
              .source(Confidence.L, "kubernetes #96836; defaults are 50 and 100")
              .risk("a busy node drops Events")
              .with("nodes", nodes);
      advice.kubelet("eventRecordQPS", nodes >= 50_000 ? 1 : 5, events);
      advice.kubelet("eventBurst", nodes >= 50_000 ? 5 : 10, events);
    }
    if (podsPerNode > 200) {
      Why rate =
          Why.because("reports the status of many pods on a node in time")
              .source(Confidence.H, "kops at 5,000 nodes: 100; defaults are 50 and 100 since 1.27")
              .risk("each node sends more requests after a restart")
              .with("pods per node", podsPerNode);
      advice.kubelet("kubeAPIQPS", 100, rate);
      advice.kubelet("kubeAPIBurst", 200, rate);
    }
    if (podsPerNode > 100) {
      advice.kubelet(
          "maxPods",
          (long) maxPods(estimate),
          Why.because("the average number of pods plus a tenth exceeds the default")
              .source(Confidence.H, "SIG-scalability: min(110, 10 · cores) was tested")
              .risk("the kubelet's pod lifecycle and the CNI plugin's addresses were tested to 250")
              .with("pods per node", podsPerNode));
    }
    if (estimate.watchesPerServer() > MANY_WATCHES) {
      advice.kubelet(
          "configMapAndSecretChangeDetectionStrategy",
          "Cache",
          Why.because(
                  "a watch for each ConfigMap and Secret of each pod is too much; the kubelet reads"
                      + " them again when they expire")
              .source(
                  Confidence.M,
                  "kubelet configuration; KEP-1412: immutable objects are not watched at all")
              .risk("periodic GETs reach the store; changes arrive up to a minute late")
              .with("watches of a kube-apiserver", estimate.watchesPerServer()));
    }
  }
}
