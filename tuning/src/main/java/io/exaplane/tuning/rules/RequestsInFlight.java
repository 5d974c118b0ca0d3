// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.KUBE_APISERVER;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Concurrency;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.rules.Item.Confidence;

/** How many requests a kube-apiserver executes at a time: the seats that priority levels share. */
final class RequestsInFlight implements Rule {
  @Override
  public String name() {
    return "requests-in-flight";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    boolean asked =
        estimate.shape().given(Input.REQUESTS_IN_FLIGHT).isPresent()
            || estimate.shape().given(Input.MUTATING_REQUESTS_IN_FLIGHT).isPresent();
    Why why =
        Why.because(
                asked
                    ? "the number that you gave; the server adds the two flags"
                    : "a usual number for this size, limited by a quarter of the memory at 1 MB a"
                        + " request and by 160 requests a core; the server adds the two flags")
            .source(
                Confidence.M,
                "pkg/server/config.go; OpenShift 3000+1000, KubeEdge 2000+1000, k8s-1m 5000+1000")
            .risk("each LIST may hold 1 MB or more; too many at a time exhaust the memory")
            .with("nodes", estimate.shape().nodes())
            .with("memory limit", Bytes.text(estimate.memoryLimit()))
            .with(
                "cores",
                estimate
                    .shape()
                    .knownNumber(Input.APISERVER_CPUS)
                    .map(Numbers::text)
                    .orElse("unlimited"));
    advice.flag(KUBE_APISERVER, "max-requests-inflight", estimate.concurrency().reading(), why);
    advice.flag(
        KUBE_APISERVER, "max-mutating-requests-inflight", estimate.concurrency().mutating(), why);
    double most = Concurrency.mostFor(estimate.memoryLimit());
    if (asked && estimate.concurrency().total() > most) {
      advice.warn(
          "RequestsInFlightExceedMemory",
          String.format(
              "%s concurrent requests may hold 1 MB each, but a quarter of the memory of %s holds "
                  + "only %s",
              Numbers.text(estimate.concurrency().total()),
              Bytes.text(estimate.memoryLimit()),
              Numbers.text(Math.floor(most))),
          "allow fewer requests, or raise the memory",
          why);
    }
  }
}
