// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.plan;

import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.model.Kind;
import io.exaplane.tuning.model.Load;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.model.PoolSize;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.path.Path;
import io.exaplane.tuning.path.PathSearch;
import io.exaplane.tuning.path.Servers;
import io.exaplane.tuning.rules.Item;
import io.exaplane.tuning.rules.Warning;
import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a control plane grows to with its nodes: one step for each size. Pure.
 *
 * @param servers that it is to run on, for people
 * @param steps the cluster as it was given
 * @param changed the cluster after the changes of its path
 * @param paths from the one to the other; the three lists have the same sizes in the same order
 */
public record CapacityPlan(String servers, List<Step> steps, List<Step> changed, List<Path> paths) {
  private static final int STEPS_PER_DECADE = 3;
  private static final double[] ROUND = {1, 2, 5};

  /**
   * One size of the cluster.
   *
   * @param memoryPerServer limit of a kube-apiserver, bytes
   * @param cpusPerServer request of a kube-apiserver, cores, however many a server has
   * @param stores how many there are
   * @param storedBytes newest revisions in all stores together
   * @param watchBytesPerSecond to clients
   * @param storeBytesPerSecond from stores to kube-apiservers
   * @param driver what makes the most of the memory
   * @param warnings names of what can't be met
   */
  public record Step(
      long nodes,
      int apiServers,
      double memoryPerServer,
      double cpusPerServer,
      int stores,
      double storedBytes,
      int schedulers,
      double watchBytesPerSecond,
      double storeBytesPerSecond,
      String driver,
      List<String> warnings) {
    public double memory() {
      return apiServers * memoryPerServer;
    }
  }

  /**
   * From some number of nodes to another, with three steps a decade.
   *
   * @throws InvalidInputException if the last is below the first, or if there are no such servers
   */
  public static CapacityPlan of(
      Shape shape, VersionMatrix matrix, Servers servers, long from, long to) {
    inRange("from", from);
    inRange("to", to);
    if (to < from) {
      throw new InvalidInputException(
          "to", Long.toString(to), "must not be below 'from', which is " + from, "swap them");
    }
    List<Step> steps = new ArrayList<>();
    List<Step> changed = new ArrayList<>();
    List<Path> paths = new ArrayList<>();
    for (long nodes : sizes(from, to)) {
      Shape size = servers.carry(shape.with(Input.NODES, Long.toString(nodes)));
      PathSearch.Found found = PathSearch.of(size, matrix);
      steps.add(step(Tuning.of(size, matrix), nodes));
      changed.add(step(found.tuning(), nodes));
      paths.add(found.path());
    }
    return new CapacityPlan(
        servers.text(), List.copyOf(steps), List.copyOf(changed), List.copyOf(paths));
  }

  private static void inRange(String name, long nodes) {
    if (nodes < Input.NODES.min() || nodes > Input.NODES.max()) {
      throw new InvalidInputException(
          name,
          Long.toString(nodes),
          "must lie between %s and %s nodes"
              .formatted(Numbers.text(Input.NODES.min()), Numbers.text(Input.NODES.max())),
          "write a number of nodes, for example 5000");
    }
  }

  private static Set<Long> sizes(long from, long to) {
    Set<Long> sizes = new LinkedHashSet<>();
    sizes.add(from);
    for (int i = 0; i < 7 * STEPS_PER_DECADE; i++) {
      long size =
          Math.round(
              ROUND[i % STEPS_PER_DECADE] * Math.pow(10, Math.floorDiv(i, STEPS_PER_DECADE)));
      if (size > from && size < to) {
        sizes.add(size);
      }
    }
    sizes.add(to);
    return sizes;
  }

  private static Step step(Tuning tuning, long nodes) {
    Estimate estimate = tuning.estimate();
    String routes =
        tuning.items(Component.STORE, Item.Type.CONFIG).stream()
            .map(item -> item.value().toString())
            .findFirst()
            .orElse("");
    return new Step(
        nodes,
        estimate.replicas(),
        estimate.memoryLimit(),
        estimate.coresWanted(),
        routes.isEmpty() ? 1 : 1 + routes.split(",").length,
        estimate.load().kinds().stream().mapToDouble(Kind::storedBytes).sum(),
        schedulers(estimate),
        estimate.load().eventBytesPerSecond(),
        estimate.storeBytesPerSecond(),
        driver(estimate),
        tuning.warnings().stream().map(Warning::name).distinct().toList());
  }

  /** Active ones; of a SchedulerPool its shards. */
  private static int schedulers(Estimate estimate) {
    if (estimate.shape().isTrue(Input.SCHEDULER_POOL)) {
      return Math.max(1, PoolSize.of((long) estimate.shape().nodes(), 0, 0).advisedShards());
    }
    return (int)
        Math.max(
            1, Math.ceil(estimate.shape().number(Input.POD_CHURN) / 2 / Load.PODS_PER_SCHEDULER));
  }

  private static String driver(Estimate estimate) {
    var memory = estimate.memory();
    record Part(String name, double bytes) {}
    return List.of(
            new Part("base", memory.base()),
            new Part("objects", memory.objects()),
            new Part("history", memory.history()),
            new Part("watches", memory.watches()),
            new Part("connections", memory.connections()),
            new Part("definitions", memory.definitions()),
            new Part("requests", memory.requests()))
        .stream()
        .max((a, b) -> Double.compare(a.bytes(), b.bytes()))
        .orElseThrow()
        .name();
  }
}
