// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.KUBE_APISERVER;

import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.rules.Item.Confidence;
import io.exaplane.tuning.version.Durations;

/** Connections spread over kube-apiservers that come and go. */
final class ConnectionBalance implements Rule {
  @Override
  public String name() {
    return "connection-balance";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    boolean balanced = estimate.replicas() > 1 && estimate.shape().isTrue(Input.LOAD_BALANCER);
    advice.flag(
        KUBE_APISERVER,
        "goaway-chance",
        balanced ? "0.001" : "0",
        Why.because(
                balanced
                    ? "HTTP/2 connections stay on one server; without this flag a restarted"
                        + " kube-apiserver gets no clients"
                    : "clients that are sent away return to the same kube-apiserver")
            .source(Confidence.H, "pkg/server/filters/goaway.go; the flag's help advises 0.001")
            .risk("causes more TLS handshakes; never use it with a single kube-apiserver")
            .with("kube-apiservers", estimate.replicas())
            .with("handshakes/s", balanced ? estimate.shape().nodes() * 0.2 * 0.001 : 0));
    if (!estimate.shape().isTrue(Input.LOAD_BALANCER)) {
      return;
    }
    long seconds = (long) estimate.shape().number(Input.LOAD_BALANCER_SECONDS);
    Why stopping =
        Why.because("the load balancer drops a stopping kube-apiserver before the server ends")
            .source(Confidence.M, "OpenShift's defaultconfig.yaml: 70s")
            .risk("a rollout takes longer by this time for each kube-apiserver")
            .with("kube-apiservers", estimate.replicas())
            .with(Input.LOAD_BALANCER_SECONDS.key(), seconds);
    advice.flag(KUBE_APISERVER, "shutdown-delay-duration", Durations.ofSeconds(seconds), stopping);
    advice.flag(KUBE_APISERVER, "shutdown-send-retry-after", "true", stopping);
  }
}
