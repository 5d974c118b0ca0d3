// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import java.util.ArrayList;
import java.util.List;

/**
 * What follows from a shape before any rule: rates, kube-apiservers, their memory and cores. Pure.
 *
 * @param memoryLimit of one kube-apiserver, bytes
 * @param cpuRequest of one kube-apiserver, cores: those that were given, or twice what is expected
 */
public record Estimate(
    Shape shape,
    Heartbeat heartbeat,
    Load load,
    int replicas,
    double memoryLimit,
    double cpuRequest,
    Memory memory,
    ControllerMemory controllers,
    Cpu cpu,
    Concurrency concurrency) {
  /** Above this part of the limit, live heap leaves the collector no room. */
  public static final double FULL = 0.65;

  /** Memory for twice the live heap, which GOGC=100 lets it grow to, below the soft limit. */
  private static final double ROOM = 2.4;

  /** No machine that somebody runs a kube-apiserver on has more. */
  public static final double MOST_CORES = 128;

  /** What a kube-apiserver without nodes uses, with room for its probes. */
  private static final double LEAST_CORES = 0.1;

  private static final int MOST_REPLICAS = 50;

  /** kube-apiserver's default. */
  private static final double COMPACTION_SECONDS = 300;

  public static Estimate of(Shape shape) {
    Heartbeat heartbeat = Heartbeat.of(shape);
    Load load = Load.of(shape, heartbeat);
    int replicas =
        shape
            .knownNumber(Input.REPLICAS)
            .map(Double::intValue)
            .orElseGet(() -> replicas(shape, load));
    return of(shape, heartbeat, load, replicas);
  }

  private static Estimate of(Shape shape, Heartbeat heartbeat, Load load, int replicas) {
    Concurrency usual = Concurrency.usual(shape.nodes());
    Memory memory = Memory.of(shape, load, replicas, usual.total());
    Cpu cpu = Cpu.of(load, replicas);
    double memoryLimit =
        shape
            .knownNumber(Input.APISERVER_MEMORY)
            .orElseGet(() -> Numbers.roundUp(ROOM * memory.liveHeap(), step(memory.liveHeap())));
    double cpuRequest =
        shape.knownNumber(Input.APISERVER_CPUS).orElseGet(() -> request(cpu.high()));
    return new Estimate(
        shape,
        heartbeat,
        load,
        replicas,
        memoryLimit,
        cpuRequest,
        memory,
        ControllerMemory.of(load),
        cpu,
        usual
            .within(memoryLimit, shape.knownNumber(Input.APISERVER_CPUS).orElse(Double.MAX_VALUE))
            .or(
                shape.knownNumber(Input.REQUESTS_IN_FLIGHT),
                shape.knownNumber(Input.MUTATING_REQUESTS_IN_FLIGHT)));
  }

  /** Cores that one kube-apiserver would be given if machines had as many as it takes. */
  public double coresWanted() {
    return Math.max(LEAST_CORES, Numbers.roundUp(cpu.high(), cpu.high() < 1 ? 0.05 : 1));
  }

  /** In steps as people write them: of a twentieth of a core, then whole ones. */
  private static double request(double cores) {
    double step = cores < 1 ? 0.05 : 1;
    return Numbers.clamp(Numbers.roundUp(cores, step), LEAST_CORES, MOST_CORES);
  }

  /**
   * kube-apiservers for so many nodes: three carry 5,000 (SIG-scalability), eleven a million
   * (k8s-1m); between them the number grows with the same power of the nodes.
   */
  public static int usualReplicas(double nodes) {
    double power = Math.log(11.0 / 3) / Math.log(1_000_000.0 / 5_000);
    return (int) Math.max(3, Math.round(3 * Math.pow(nodes / 5_000, power)));
  }

  /** As many as usual, or more if the limits that were given ask for it. */
  private static int replicas(Shape shape, Load load) {
    int replicas = usualReplicas(shape.nodes());
    double memoryLimit = shape.knownNumber(Input.APISERVER_MEMORY).orElse(Double.MAX_VALUE);
    double cpuLimit = shape.knownNumber(Input.APISERVER_CPUS).orElse(Double.MAX_VALUE);
    double requests = Concurrency.usual(shape.nodes()).total();
    for (int enough = replicas; enough <= MOST_REPLICAS; enough++) {
      if (Memory.of(shape, load, enough, requests).liveHeap() <= FULL * memoryLimit
          && Cpu.of(load, enough).cores() <= cpuLimit) {
        return enough;
      }
    }
    // Even the most would not do: more of them are no answer; the rules warn.
    return replicas;
  }

  /** Resources that have a store of their own: {@code group/resource}, or {@code resource}. */
  public List<String> routedResources() {
    double nodes = shape.nodes();
    List<String> routes = new ArrayList<>();
    if (nodes >= 1_000) {
      routes.add(Load.EVENTS);
    }
    if (nodes >= 20_000 || heartbeat.renewalsPerSecond() > 2_000) {
      routes.add(Load.LEASES);
    }
    if (nodes >= 50_000) {
      routes.add(Load.PODS);
      routes.add(Load.NODES);
    }
    if (shape.number(Input.POD_CHURN) > 500) {
      routes.add(Load.SLICES);
    }
    return List.copyOf(routes);
  }

  /** The stores that these make. */
  public List<Store> stores() {
    return Store.of(load, routedResources(), compactionSeconds());
  }

  /**
   * Seconds between compactions, in half minutes: old revisions of the busiest store take at most a
   * tenth of its quota; never more than the default, since a longer interval buys nothing.
   */
  public double compactionSeconds() {
    double seconds = 0.1 * shape.storeQuota().orElse(Double.MAX_VALUE) / busiestBytesPerSecond();
    return Numbers.clamp(30 * Math.floor(seconds / 30), 150, COMPACTION_SECONDS);
  }

  /** Bytes a second that are written to the store that is written most. */
  public double busiestBytesPerSecond() {
    return Store.of(load, routedResources(), COMPACTION_SECONDS).stream()
        .mapToDouble(Store::writtenBytesPerSecond)
        .max()
        .orElse(0);
  }

  private static double step(double liveHeap) {
    return liveHeap < 4 * Bytes.GIB ? Bytes.GIB : 4 * Bytes.GIB;
  }

  /**
   * Memory, bytes, in which one kube-apiserver loads objects that take so many bytes in stores, and
   * works. What is more than was expected may be of any Kind and size: it counts as what takes
   * most.
   */
  public double memoryToLoad(double storedBytes) {
    double expected =
        load.kinds().stream().filter(Kind::cached).mapToDouble(Kind::storedBytes).sum();
    double known = expected == 0 ? 0 : Math.min(1, storedBytes / expected) * memory.objects();
    double objects = known + Math.max(0, storedBytes - expected) * Load.MOST_RATIO;
    double live = memory.liveHeap() - memory.objects() + objects;
    return Numbers.roundUp(ROOM * live, step(live));
  }

  /**
   * Bytes of objects in stores that one kube-apiserver loads in so much memory, and works: the
   * reverse of {@link #memoryToLoad}; 0 where the memory does not do for an empty cluster.
   */
  public double bytesToLoad(double memoryBytes) {
    double expected =
        load.kinds().stream().filter(Kind::cached).mapToDouble(Kind::storedBytes).sum();
    double objects = Math.max(0, memoryBytes / ROOM - (memory.liveHeap() - memory.objects()));
    return objects <= memory.objects()
        ? objects / Math.max(1, memory.objects()) * expected
        : expected + (objects - memory.objects()) / Load.MOST_RATIO;
  }

  /**
   * Bytes that decoded objects may take of so much memory of one kube-apiserver: with the rest that
   * is live, as much as leaves its collector room ({@link #FULL}).
   */
  public double objectMemory(double memoryBytes) {
    return Math.max(0, FULL * memoryBytes - otherLive());
  }

  /** Memory, bytes, in which so many bytes of decoded objects have that room: the reverse. */
  public double memoryForObjects(double objectBytes) {
    double live = otherLive() + objectBytes;
    return Numbers.roundUp(live / FULL, step(live));
  }

  private double otherLive() {
    return memory.liveHeap() - memory.objects();
  }

  /** Watches that one kube-apiserver serves. */
  public double watchesPerServer() {
    return load.watches() / replicas;
  }

  /** Bytes a second that stores send to all kube-apiservers: each watches everything. */
  public double storeBytesPerSecond() {
    return replicas * load.writtenBytesPerSecond();
  }
}
