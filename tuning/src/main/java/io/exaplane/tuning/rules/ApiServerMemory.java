// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.KUBE_APISERVER;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.rules.Item.Confidence;
import io.exaplane.tuning.rules.Item.Type;

/** Memory and cores of kube-apiserver, and the two limits of Go's collector, always as a pair. */
final class ApiServerMemory implements Rule {
  private static final double SOFT_LIMIT = 0.85;

  @Override
  public String name() {
    return "apiserver-memory";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    double live = estimate.memory().liveHeap();
    double limit = estimate.memoryLimit();
    Why memory =
        Why.because(
                "2.4 times the live heap with one kube-apiserver down, so that the growth that "
                    + "GOGC=100 allows stays below the soft limit")
            .source(Confidence.M, "reference/tuning.md §3.1; KEP-4988: 23 GB at 5,000 nodes")
            .risk("a storm of LISTs needs memory that no model predicts; see max-requests-inflight")
            .with("live heap", Bytes.text(live))
            .with("watches", Bytes.text(estimate.memory().watches()))
            .with("objects", Bytes.text(estimate.memory().objects()))
            .with("history", Bytes.text(estimate.memory().history()));
    long mebibytes = (long) (limit / Bytes.MIB);
    advice.other(
        KUBE_APISERVER, Type.RESOURCE, "limits.memory", mebibytes + "Mi", "unlimited", memory);
    advice.other(
        KUBE_APISERVER,
        Type.RESOURCE,
        "requests.cpu",
        cores(estimate.cpuRequest()),
        "none",
        Why.because("twice the cores expected for requests, watch events and reconnects")
            .source(Confidence.L, "reference/tuning.md §3.7")
            .risk(
                "the estimate is accurate to a factor of two, so check the actual use; set no CPU "
                    + "limit, since it only slows the server down")
            .with("requests/s", estimate.load().requestsPerSecond())
            .with("watch events/s", estimate.load().eventsSentPerSecond())
            .with("cores expected", estimate.cpu().cores()));
    advice.env(
        KUBE_APISERVER,
        "GOMEMLIMIT",
        (long) (SOFT_LIMIT * limit / Bytes.MIB) + "MiB",
        "off",
        Why.because("0.85 of the container's limit")
            .source(Confidence.M, "Go's guide to the garbage collector; k8s-1m: 10–20 % less")
            .risk("this is a soft limit; near it the collector takes up to half of the cores")
            .with("memory limit", Bytes.text(limit)));
    advice.env(
        KUBE_APISERVER,
        "GOGC",
        Long.toString(percent(live, limit)),
        "100",
        Why.because(
                "collects as rarely as the memory allows: 100 · (0.85 · limit / live heap − 1), "
                    + "between 100 and 800")
            .source(
                Confidence.M, "k8s-1m ran with a few hundred; target heap = live · (1 + GOGC/100)")
            .risk("set GOMEMLIMIT, too; otherwise the process is killed for its memory")
            .with("memory limit", Bytes.text(limit))
            .with("live heap", Bytes.text(live)));
    warnings(estimate, memory, advice);
  }

  private static void warnings(Estimate estimate, Why memory, Advice advice) {
    double live = estimate.memory().liveHeap();
    double limit = estimate.memoryLimit();
    double most = estimate.shape().knownNumber(Input.APISERVER_CPUS).orElse(Estimate.MOST_CORES);
    if (advice.exceeds(
        new Limit(
            "cores of a kube-apiserver",
            "ApiServerCoresExceeded",
            estimate.cpu().cores(),
            most,
            Limit.Unit.CORES))) {
      advice.warn(
          "ApiServerCoresExceeded",
          String.format(
              "a kube-apiserver needs %s to %s cores, but has %s",
              Numbers.text(Math.ceil(estimate.cpu().low())),
              Numbers.text(Math.ceil(estimate.cpu().high())),
              Numbers.text(most)),
          "send fewer watch events (see the figures), or run more kube-apiservers",
          memory.with("watch events/s", estimate.load().eventsSentPerSecond()));
    }
    if (advice.exceeds(
        new Limit(
            "live heap of a kube-apiserver",
            "ApiServerUndersized",
            live,
            Estimate.FULL * limit,
            Limit.Unit.BYTES))) {
      advice.warn(
          "ApiServerUndersized",
          String.format(
              "a kube-apiserver's live heap of %s%s is more than %d %% of its memory limit of %s",
              Bytes.text(live),
              definitions(estimate),
              Math.round(100 * Estimate.FULL),
              Bytes.text(limit)),
          "raise the memory limit to " + Bytes.text(2 * live) + " or run more kube-apiservers",
          memory);
    }
    estimate
        .shape()
        .knownNumber(Input.LARGEST_NODE_MEMORY)
        .filter(
            node ->
                advice.exceeds(
                    new Limit(
                        "memory of a kube-apiserver",
                        "LargerThanAnyNode",
                        limit,
                        node,
                        Limit.Unit.BYTES)))
        .ifPresent(
            node ->
                advice.warn(
                    "LargerThanAnyNode",
                    String.format(
                        "a kube-apiserver needs %s, but the largest node has %s",
                        Bytes.text(limit), Bytes.text(node)),
                    "add larger nodes, or run more kube-apiservers",
                    memory.with("largest node", Bytes.text(node))));
  }

  /** Named where they are a fifth of it: leaving some out is the way out then. */
  private static String definitions(Estimate estimate) {
    double bytes = estimate.memory().definitions();
    return bytes < 0.2 * estimate.memory().liveHeap()
        ? ""
        : String.format(
            ", of which %s CustomResourceDefinitions take %s,",
            Numbers.text(estimate.shape().number(Input.CUSTOM_RESOURCE_DEFINITIONS)),
            Bytes.text(bytes));
  }

  /** As Kubernetes writes cores: 150m, 4. */
  private static String cores(double cores) {
    return cores < 1 ? Math.round(1_000 * cores) + "m" : Long.toString(Math.round(cores));
  }

  private static long percent(double live, double limit) {
    double exact = 100 * (SOFT_LIMIT * limit / live - 1);
    return (long) Numbers.clamp(50 * Math.floor(exact / 50), 100, 800);
  }
}
