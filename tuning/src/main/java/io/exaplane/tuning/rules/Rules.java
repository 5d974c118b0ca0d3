// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Kind;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.Comparator;
import java.util.List;

/** All rules, in the order in which their answers are shown. */
public final class Rules {
  private static final List<Rule> ALL =
      List.of(
          new ApiServerMemory(),
          new RequestsInFlight(),
          new Safeguards(),
          new FairQueuing(),
          new ConnectionBalance(),
          new CacheConsistency(),
          new WatchTraffic(),
          new WatchLists(),
          new EventDecoding(),
          new ResponseCompression(),
          new CacheInitialization(),
          new EventLifetime(),
          new StoreLoad(),
          new NodeHeartbeats(),
          new KubeletLoad(),
          new ConnectionLimits(),
          new ControllerThroughput(),
          new ControllerMemories(),
          new SchedulerThroughput(),
          new AddressRanges(),
          new ClientDiscovery(),
          new PatchRelease());

  private Rules() {}

  /**
   * What the rules say of a cluster.
   *
   * @param items by component
   * @param kept what was looked at and left at its default
   * @param limits what may run out, exceeded or not
   */
  public record Answer(
      List<Item> items,
      List<Warning> warnings,
      List<Figure> figures,
      List<Kept> kept,
      List<Limit> limits) {}

  /**
   * Applies all rules.
   *
   * @throws io.exaplane.tuning.model.InvalidInputException for ranges of addresses that the
   *     cluster's version refuses
   */
  public static Answer apply(Estimate estimate, VersionMatrix matrix) {
    Advice advice = new Advice(matrix, estimate.shape().version());
    ALL.forEach(rule -> advice.take(rule, estimate));
    List<Item> items =
        advice.items().stream().sorted(Comparator.comparing(Item::component)).toList();
    return new Answer(items, advice.warnings(), figures(estimate), advice.kept(), advice.limits());
  }

  private static List<Figure> figures(Estimate estimate) {
    return List.of(
        new Figure("kube-apiservers", estimate.replicas(), "", "3 at 5,000 nodes, 11 at a million"),
        new Figure("requests", estimate.load().requestsPerSecond(), "1/s", "all kube-apiservers"),
        new Figure(
            "lease renewals",
            estimate.heartbeat().renewalsPerSecond(),
            "1/s",
            "nodes / (lease duration / 4)"),
        new Figure("writes", estimate.load().writesPerSecond(), "1/s", "all stores"),
        new Figure("watches", estimate.load().watches(), "", "all kube-apiservers"),
        new Figure(
            "watch events", estimate.load().eventsSentPerSecond(), "1/s", "writes · watchers"),
        new Figure(
            "watch traffic",
            estimate.load().eventBytesPerSecond(),
            "bytes/s",
            "to clients, uncompressed"),
        new Figure(
            "store traffic",
            estimate.storeBytesPerSecond(),
            "bytes/s",
            "stores to kube-apiservers"),
        new Figure(
            "live heap",
            estimate.memory().liveHeap(),
            "bytes",
            "of a kube-apiserver while another one is down: watches "
                + Bytes.text(estimate.memory().watches())
                + ", objects "
                + Bytes.text(estimate.memory().objects())
                + ", history "
                + Bytes.text(estimate.memory().history())
                + ", definitions "
                + Bytes.text(estimate.memory().definitions())),
        new Figure("cores, low", estimate.cpu().low(), "cores", "of a kube-apiserver"),
        new Figure("cores, high", estimate.cpu().high(), "cores", "of a kube-apiserver"),
        new Figure(
            "stored",
            estimate.load().kinds().stream().mapToDouble(Kind::storedBytes).sum(),
            "bytes",
            "newest revisions, all stores"));
  }
}
