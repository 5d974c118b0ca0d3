// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.device;

import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.device.ResourceSlice.PoolId;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** All devices, who has them and who asks for them. Belongs to one cluster and its thread. */
public final class Devices {
  private final Map<String, ResourceSlice> slices = new TreeMap<>();

  /** Slices as the API server has them, without what rules add. */
  private final Map<String, ResourceSlice> told = new HashMap<>();

  private final Map<String, DeviceTaintRule> rules = new TreeMap<>();
  private final Map<String, Map<String, ResourceSlice>> onNode = new HashMap<>();
  private final Map<String, ResourceSlice> shared = new TreeMap<>();
  private final Map<String, ResourceSlice> withCounters = new TreeMap<>();
  private final Map<String, Long> onNodeVersions = new HashMap<>();
  private final Map<PoolId, Map<String, ResourceSlice>> inPool = new HashMap<>();
  private final Map<String, ResourceClaim> claims = new HashMap<>();

  /** By uid of the pod, claims that were made for its extended resources. */
  private final Map<String, ResourceClaim> forExtendedResources = new HashMap<>();

  private final Map<DeviceId, Usage> usages = new HashMap<>();

  /** Claims, by uid, that have been given devices of which the API server does not know yet. */
  private final Map<String, ResourceClaim> pending = new HashMap<>();

  /** Keys of claims that have their devices for the time of a thought. */
  private final Set<String> lent = new HashSet<>();

  private final SelectorCompiler compiler;
  private final Map<Class<?>, Object> kept = new HashMap<>();
  private long version;
  private long slicesVersion;
  private long nowNs = Long.MIN_VALUE;

  /** How much of a device is taken. */
  private static final class Usage {
    /** By those who have it for themselves. */
    private int whole;

    /** By those who have a share. */
    private int shares;

    /** By those whose share takes of its capacity. */
    private int consumers;

    private final Map<String, BigDecimal> consumed = new HashMap<>();
  }

  /**
   * No devices.
   *
   * @param compiler of selectors
   */
  public Devices(SelectorCompiler compiler) {
    this.compiler = compiler;
  }

  public SelectorCompiler compiler() {
    return compiler;
  }

  /** What somebody works out of these, and keeps as long as there are. */
  public <T> T keep(Class<T> type, Supplier<T> made) {
    return type.cast(kept.computeIfAbsent(type, t -> made.get()));
  }

  /** Changes whenever anything here does but the time. */
  public long version() {
    return version;
  }

  /** Changes whenever a slice does that may concern several nodes. */
  public long slicesVersion() {
    return slicesVersion;
  }

  /** Changes whenever a slice does that concerns this node alone. */
  public long slicesVersion(String node) {
    return onNodeVersions.getOrDefault(node, 0L);
  }

  /** Slices that have counters, by name. */
  public Collection<ResourceSlice> slicesWithCounters() {
    return withCounters.values();
  }

  /** Says what time it is, in nanoseconds since 1970: devices that do not get ready time out. */
  public void tick(long now) {
    nowNs = now;
  }

  public long nowNs() {
    return nowNs;
  }

  public void putSlice(ResourceSlice slice) {
    putTainted(slice);
    told.put(slice.name(), slice);
  }

  private void putTainted(ResourceSlice known) {
    ResourceSlice slice = DeviceTaintRule.applied(rules.values(), known);
    if (slice.equals(slices.get(slice.name()))) {
      return;
    }
    removeSlice(slice.name());
    slices.put(slice.name(), slice);
    listOf(slice).put(slice.name(), slice);
    inPool.computeIfAbsent(slice.pool(), p -> new TreeMap<>()).put(slice.name(), slice);
    changed(slice);
  }

  /**
   * Devices have the rule's taint from now on, and no longer what the rule of this name said
   * before.
   *
   * @return the slices that are others now, as they are
   */
  public List<ResourceSlice> putRule(DeviceTaintRule rule) {
    rules.put(rule.name(), rule);
    return applyRules();
  }

  /** Devices lose the taint of a rule; returns the slices that are others now. */
  public List<ResourceSlice> removeRule(String name) {
    rules.remove(name);
    return applyRules();
  }

  private List<ResourceSlice> applyRules() {
    List<ResourceSlice> changed = new ArrayList<>();
    for (ResourceSlice slice : List.copyOf(told.values())) {
      ResourceSlice before = slices.get(slice.name());
      putSlice(slice);
      if (slices.get(slice.name()) != before) {
        changed.add(slices.get(slice.name()));
      }
    }
    return changed;
  }

  /** A pool that is on one node alone concerns no other. */
  private void changed(ResourceSlice slice) {
    version++;
    String node = slice.place().nodeName();
    boolean local = !node.isEmpty();
    for (ResourceSlice other : slicesOf(slice.pool())) {
      local &= other.place().nodeName().equals(node) && other.counters().isEmpty();
    }
    if (local && slice.counters().isEmpty()) {
      onNodeVersions.merge(node, 1L, Long::sum);
    } else {
      slicesVersion++;
    }
  }

  /** The slice, or null. */
  public ResourceSlice slice(String name) {
    return slices.get(name);
  }

  public void removeSlice(String name) {
    ResourceSlice slice = slices.remove(name);
    told.remove(name);
    if (slice != null) {
      changed(slice);
      listOf(slice).remove(name);
      Map<String, ResourceSlice> ofPool = inPool.get(slice.pool());
      ofPool.remove(name);
      if (ofPool.isEmpty()) {
        inPool.remove(slice.pool());
      }
    }
  }

  private Map<String, ResourceSlice> listOf(ResourceSlice slice) {
    if (!slice.counters().isEmpty()) {
      return withCounters;
    }
    boolean one = !slice.place().nodeName().isEmpty();
    return one ? onNode.computeIfAbsent(slice.place().nodeName(), n -> new TreeMap<>()) : shared;
  }

  /** Slices without counters: of a node alone, and those that may be about any node. */
  public List<ResourceSlice> slicesFor(Node node) {
    List<ResourceSlice> all = new ArrayList<>(onNode.getOrDefault(node.name(), Map.of()).values());
    all.addAll(shared.values());
    return all;
  }

  /** All slices of a pool, of any generation, by name. */
  public Collection<ResourceSlice> slicesOf(PoolId pool) {
    return inPool.getOrDefault(pool, Map.of()).values();
  }

  /** The claim, or null. */
  public ResourceClaim claim(String namespace, String name) {
    return claim(namespace + "/" + name);
  }

  /** The claim with this key, or null. */
  public ResourceClaim claim(String key) {
    return claims.get(key);
  }

  /** A claim as the API server has it; what it was given here and not told yet stays its. */
  public void putClaim(ResourceClaim claim) {
    ResourceClaim before = claims.get(claim.key());
    if (before != null) {
      forget(before);
    }
    if (before != null && !before.uid().equals(claim.uid())) {
      release(before.uid());
    }
    if (claim.isAllocated()) {
      release(claim.uid());
    }
    version++;
    claims.put(claim.key(), claim);
    if (claim.forExtendedResources()) {
      forExtendedResources.put(claim.ownerUid(), claim);
      if (claim.isAllocated()) {
        release(uidForExtendedResources(claim.ownerUid()));
      }
    }
    count(claim.allocation(), 1);
  }

  public void removeClaim(String key) {
    ResourceClaim claim = claims.remove(key);
    if (claim != null) {
      release(claim.uid());
      forget(claim);
      if (claim.forExtendedResources()) {
        release(uidForExtendedResources(claim.ownerUid()));
      }
    }
  }

  private void forget(ResourceClaim claim) {
    version++;
    count(claim.allocation(), -1);
    forExtendedResources.remove(claim.ownerUid(), claim);
  }

  /** What a claim for a pod's extended resources is called until it is made. */
  public static String uidForExtendedResources(String podUid) {
    return "extended resources of " + podUid;
  }

  /** The claim that was made for a pod's extended resources, or null. */
  public ResourceClaim claimForExtendedResources(String podUid) {
    return forExtendedResources.get(podUid);
  }

  /** Keeps devices for a claim until the API server tells that it has them. */
  public void reserve(ResourceClaim claim, Allocation allocation) {
    release(claim.uid());
    version++;
    pending.put(claim.uid(), claim.given(allocation, claim.reservedFor()));
    count(allocation, 1);
  }

  /** Gives a claim devices for the time of a thought; {@link #takeBack} ends it. */
  public void lend(ResourceClaim claim, Allocation allocation) {
    putClaim(claim.given(allocation, claim.reservedFor()));
    lent.add(claim.key());
  }

  /** The claim is what it was before. */
  public void takeBack(ResourceClaim claim) {
    lent.remove(claim.key());
    putClaim(claim);
  }

  /** Whether a claim has its devices for the time of a thought only. */
  public boolean isLent(ResourceClaim claim) {
    return lent.contains(claim.key());
  }

  /** Keeps them no longer. */
  public void release(String claimUid) {
    ResourceClaim claim = pending.remove(claimUid);
    if (claim != null) {
      version++;
      count(claim.allocation(), -1);
    }
  }

  /** Whether devices are kept for a claim of which the API server does not know yet. */
  public boolean isPending(ResourceClaim claim) {
    return pending.containsKey(claim.uid());
  }

  private void count(Allocation allocation, int sign) {
    if (allocation == null) {
      return;
    }
    for (Allocation.Result result : allocation.results()) {
      if (!result.adminAccess()) {
        count(result, sign);
      }
    }
  }

  private void count(Allocation.Result result, int sign) {
    Usage usage = usages.computeIfAbsent(result.device(), d -> new Usage());
    if (!result.shared()) {
      usage.whole += sign;
    } else {
      usage.shares += sign;
      usage.consumers += result.consumed().isEmpty() ? 0 : sign;
      result
          .consumed()
          .forEach(
              (name, amount) ->
                  usage.consumed.merge(name, sign > 0 ? amount : amount.negate(), BigDecimal::add));
    }
    if (usage.whole == 0 && usage.shares == 0) {
      usages.remove(result.device());
    }
  }

  /** Whether somebody has a device for himself. */
  public boolean isTaken(DeviceId device) {
    Usage usage = usages.get(device);
    return usage != null && usage.whole > 0;
  }

  /** Whether somebody has a share of a device. */
  public boolean isShared(DeviceId device) {
    Usage usage = usages.get(device);
    return usage != null && usage.shares > 0;
  }

  /** Whether somebody's share takes of a device's capacity. */
  public boolean isConsumed(DeviceId device) {
    Usage usage = usages.get(device);
    return usage != null && usage.consumers > 0;
  }

  /** What shares take of a device's capacity, by name. */
  public Map<String, BigDecimal> consumed(DeviceId device) {
    Usage usage = usages.get(device);
    return usage == null ? Map.of() : usage.consumed;
  }
}
