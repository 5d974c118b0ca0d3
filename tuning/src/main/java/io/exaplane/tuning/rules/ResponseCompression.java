// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.CLIENTS;
import static io.exaplane.tuning.version.Component.KUBE_APISERVER;

import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.rules.Item.Confidence;
import io.exaplane.tuning.rules.Item.Type;

/**
 * Responses above 128 KiB are compressed for clients that ask, at 20 to 30 MB/s a stream: in a fast
 * network that is what LISTs wait for.
 */
final class ResponseCompression implements Rule {
  private static final double STREAM_MBPS = 30;
  private static final double RATIO = 5;

  @Override
  public String name() {
    return "response-compression";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    double client = estimate.shape().knownNumber(Input.CLIENT_BANDWIDTH).orElse(0.0);
    if (client <= STREAM_MBPS) {
      return;
    }
    double server = estimate.shape().number(Input.APISERVER_BANDWIDTH);
    Why why =
        Why.because("the network is faster than gzip of one stream (20 to 30 MB/s)")
            .source(
                Confidence.M,
                "kubernetes #111507: a LIST of 1 GB takes 33 s with gzip, 3.5 s without")
            .risk("JSON takes five to ten times the bytes; traffic between zones may cost money")
            .with("client MB/s", client)
            .with("kube-apiserver MB/s", server);
    advice.other(
        CLIENTS, Type.CONFIG, "clusters[].cluster.disable-compression", "true", "false", why);
    double expected = estimate.load().eventBytesPerSecond() / estimate.replicas() / 1e6;
    if (server >= RATIO * expected && server >= 10 * client) {
      advice.gate(
          KUBE_APISERVER,
          "APIResponseCompression",
          false,
          why.with("watch traffic MB/s", expected));
    }
  }
}
