// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.KUBE_APISERVER;

import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.rules.Item.Confidence;

/** Defaults that nobody should leave, however large the cluster: said where somebody did. */
final class Safeguards implements Rule {
  @Override
  public String name() {
    return "safeguards";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    advice.flag(
        KUBE_APISERVER,
        "enable-priority-and-fairness",
        "true",
        why(estimate, "without this flag, one client's requests starve all others")
            .source(Confidence.H, "KEP-1040"));
    advice.flag(
        KUBE_APISERVER,
        "watch-cache",
        "true",
        why(estimate, "without this flag, the store serves every LIST and every watch")
            .source(Confidence.H, "pkg/server/options/etcd.go"));
    advice.flag(
        KUBE_APISERVER,
        "storage-media-type",
        "application/vnd.kubernetes.protobuf",
        why(estimate, "JSON is several times as large, and slower to read and write")
            .source(Confidence.H, "pkg/server/options/etcd.go"));
  }

  private static Why why(Estimate estimate, String reason) {
    return Why.because(reason)
        .risk("none; this is the default")
        .with("nodes", estimate.shape().nodes());
  }
}
