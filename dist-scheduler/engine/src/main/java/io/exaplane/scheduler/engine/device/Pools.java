// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.Device;
import io.exaplane.scheduler.engine.model.device.DeviceId;
import io.exaplane.scheduler.engine.model.device.Devices;
import io.exaplane.scheduler.engine.model.device.ResourceSlice;
import io.exaplane.scheduler.engine.model.device.ResourceSlice.PoolId;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which pools have devices for a node. Pools are tried by driver and name, those with conditions on
 * binding last, and slices by name. Source: dynamic-resource-allocation/structured/internal,
 * pools_incubating.go. For its devices' thread.
 */
final class Pools {
  private final Devices devices;
  private final Version version;

  /** Whether devices may be parts of others, and slices about several nodes. */
  private final boolean partitions;

  /** Whether slices with counters are about those nodes alone that they name, as from 1.37 on. */
  private final boolean countersHaveNodes;

  private final Map<String, Known> known = new HashMap<>();
  private long knownAt = -1;

  /** By pool, the slices of its newest generation that have counters. */
  private final Map<PoolId, List<ResourceSlice>> counters = new HashMap<>();

  /** Pools with counters that nobody can use, to nodes without their devices. */
  private final Map<PoolId, Pool> broken = new HashMap<>();

  /** What a node's pools were worked out of, and when. */
  private record Known(Node node, long changes, List<Pool> pools) {}

  Pools(Devices devices, Version version) {
    this.devices = devices;
    this.version = version;
    partitions = version.atLeast(Version.V1_36);
    countersHaveNodes = version.atLeast(Version.V1_37);
  }

  /** The pools with devices for a node, in the order in which they are tried. */
  List<Pool> of(Node node) {
    if (knownAt != devices.slicesVersion()) {
      known.clear();
      knownAt = devices.slicesVersion();
      readCounters();
    }
    Known before = known.get(node.name());
    long changes = devices.slicesVersion(node.name());
    if (before != null && before.node() == node && before.changes() == changes) {
      return before.pools();
    }
    List<Pool> pools = gather(node);
    known.put(node.name(), new Known(node, changes, pools));
    return pools;
  }

  /**
   * Until 1.36, slices with counters are about every node. Where a node has no devices of their
   * pool, they matter only if something is wrong with it.
   */
  private void readCounters() {
    counters.clear();
    broken.clear();
    if (!partitions || countersHaveNodes) {
      return;
    }
    for (ResourceSlice slice : devices.slicesWithCounters()) {
      add(slice, counters.computeIfAbsent(slice.pool(), p -> new ArrayList<>()));
    }
    counters.forEach(
        (id, slices) -> {
          Pool pool = pool(id, new ArrayList<>(slices));
          if (pool != null && (pool.incomplete() || pool.isInvalid())) {
            broken.put(id, pool);
          }
        });
  }

  private List<Pool> gather(Node node) {
    Map<PoolId, List<ResourceSlice>> relevant = new TreeMap<>();
    List<ResourceSlice> published = devices.slicesFor(node);
    if (countersHaveNodes) {
      published.addAll(devices.slicesWithCounters());
    }
    for (ResourceSlice slice : published) {
      if (isRelevant(slice, node)) {
        add(slice, relevant.computeIfAbsent(slice.pool(), p -> new ArrayList<>()));
      }
    }
    Map<PoolId, Pool> pools = new TreeMap<>(broken);
    Map<PoolId, Pool> withConditions = new TreeMap<>();
    relevant.forEach(
        (id, slices) -> {
          counters.getOrDefault(id, List.of()).forEach(slice -> add(slice, slices));
          pools.remove(id);
          Pool pool = pool(id, slices);
          if (pool != null) {
            (pool.hasBindingConditions() && partitions ? withConditions : pools).put(id, pool);
          }
        });
    List<Pool> all = new ArrayList<>(pools.values());
    all.addAll(withConditions.values());
    return List.copyOf(all);
  }

  private boolean isRelevant(ResourceSlice slice, Node node) {
    if (slice.perDevice() != null && !partitions) {
      return false;
    }
    if (slice.place().isKnown()) {
      return slice.place().includes(node);
    }
    return slice.isPerDevice()
        && slice.devices().stream().anyMatch(device -> device.place().includes(node));
  }

  /** Of the newest generation alone. */
  private static void add(ResourceSlice slice, List<ResourceSlice> to) {
    if (!to.isEmpty() && slice.generation() > to.getFirst().generation()) {
      to.clear();
    }
    if (to.isEmpty() || slice.generation() == to.getFirst().generation()) {
      to.add(slice);
    }
  }

  /** Null for a pool that is being replaced by slices of which none is for the node. */
  private Pool pool(PoolId id, List<ResourceSlice> slices) {
    slices.sort((one, other) -> one.name().compareTo(other.name()));
    long wanted = slices.getFirst().slicesInPool();
    if (slices.size() == wanted) {
      return build(id, slices, List.of());
    }
    if (!version.atLeast(Version.V1_35)) {
      Pool built = build(id, slices, List.of());
      return new Pool(
          id, true, built.problem(), built.slices(), built.elsewhere(), built.counters());
    }
    List<ResourceSlice> all = new ArrayList<>();
    for (ResourceSlice slice : devices.slicesOf(id)) {
      if (slice.generation() > slices.getFirst().generation()) {
        return null;
      }
      if (slice.generation() == slices.getFirst().generation()) {
        all.add(slice);
      }
    }
    if (all.size() != wanted) {
      return Pool.incomplete(id);
    }
    all.removeAll(slices);
    if (countersHaveNodes) {
      List<ResourceSlice> withCounters =
          all.stream().filter(slice -> !slice.counters().isEmpty()).toList();
      slices.addAll(withCounters);
      all.removeAll(withCounters);
    }
    return build(id, slices, all);
  }

  private Pool build(PoolId id, List<ResourceSlice> slices, List<ResourceSlice> elsewhere) {
    List<ResourceSlice> withDevices =
        partitions ? slices.stream().filter(s -> s.counters().isEmpty()).toList() : slices;
    String problem = duplicateOf(withDevices);
    if (problem != null) {
      return Pool.invalid(id, problem);
    }
    Map<String, Map<String, BigDecimal>> sets = new HashMap<>();
    for (ResourceSlice slice : slices) {
      for (Map.Entry<String, Map<String, BigDecimal>> set : slice.counters().entrySet()) {
        if (sets.put(set.getKey(), set.getValue()) != null) {
          return Pool.invalid(id, "duplicate counter set name " + set.getKey());
        }
      }
    }
    boolean known = hasCounters(slices, sets) && hasCounters(elsewhere, sets);
    if (partitions && !known) {
      return Pool.invalid(id, "counter not found");
    }
    return new Pool(id, false, null, withDevices, sets.isEmpty() ? List.of() : elsewhere, sets);
  }

  private static String duplicateOf(List<ResourceSlice> slices) {
    Set<DeviceId> names = new HashSet<>();
    for (ResourceSlice slice : slices) {
      for (Device device : slice.devices()) {
        if (!names.add(device.id())) {
          return "duplicate device name " + device.id().device();
        }
      }
    }
    return null;
  }

  /** Whether devices take of counters that there are. */
  private static boolean hasCounters(
      List<ResourceSlice> slices, Map<String, Map<String, BigDecimal>> counters) {
    for (ResourceSlice slice : slices) {
      for (Device device : slice.devices()) {
        for (Device.Consumption taken : device.consumes()) {
          Map<String, BigDecimal> set = counters.get(taken.counterSet());
          if (set == null || !set.keySet().containsAll(taken.counters().keySet())) {
            return false;
          }
        }
      }
    }
    return true;
  }
}
