// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.device.AllocationException;
import io.exaplane.scheduler.engine.device.Allocator;
import io.exaplane.scheduler.engine.device.ExtendedRequests;
import io.exaplane.scheduler.engine.device.Outcome;
import io.exaplane.scheduler.engine.device.Readiness;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.Surroundings;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.Allocation;
import io.exaplane.scheduler.engine.model.device.DeviceClass;
import io.exaplane.scheduler.engine.model.device.DeviceRequest;
import io.exaplane.scheduler.engine.model.device.Devices;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Keeps pods from nodes where their claims cannot be used, or find no devices. Source:
 * plugins/dynamicresources/dynamicresources.go.
 */
final class DeviceFilter extends Filter {
  private static final String[] REASONS = {
    "",
    "cannot allocate all claims",
    "invalid resource pools were encountered",
    "resourceclaim not available on the node",
    "cannot schedule extended resource claim",
    "cannot fit resource"
  };
  private static final long NOT_ENOUGH = 1;
  private static final long INVALID_POOLS = 2;
  private static final long NOT_HERE = 3;
  private static final long STALE = 4;
  private static final long NO_SUCH_RESOURCE = 5;

  /** No claims. */
  private static final BitSet NOWHERE = new BitSet();

  private final PodSpec pod;
  private final Cluster cluster;
  private final Devices devices;
  private final Allocator allocator;
  private final Version version;
  private final boolean modern;
  private final long bindingTimeoutNs;

  /** Scalar resources that the pod asks for and that may stand for devices. */
  private final Set<String> scalars = new TreeSet<>();

  private List<ResourceClaim> claims = List.of();

  /**
   * The claim in place of extended resources, if the pod may need one; its requests are a node's.
   */
  private ResourceClaim extended;

  /** The claims that have no devices yet; without the one for extended resources. */
  private List<ResourceClaim> unallocated = List.of();

  /**
   * Whether devices are looked for, and some alternatives are better than others: those of claims
   * that have their devices, too.
   */
  private boolean isRanked;

  private final Grants grants;
  private final Map<List<String>, ResourceClaim> extendedByResources = new HashMap<>();

  /** Claims that have devices which cannot be used on some node that would do otherwise. */
  private final BitSet unavailable = new BitSet();

  DeviceFilter(PodSpec pod, Cluster cluster, Version version, long bindingTimeoutNs) {
    super(DynamicResources.NAME);
    this.pod = pod;
    this.cluster = cluster;
    this.bindingTimeoutNs = bindingTimeoutNs;
    devices = cluster.devices();
    allocator = DynamicResources.allocator(cluster, version);
    grants = devices.keep(Grants.class, Grants::new);
    this.version = version;
    modern = version.atLeast(Version.V1_36);
    pod.requests()
        .toFit()
        .scalars()
        .forEach(
            (name, amount) -> {
              if (amount != 0 && Surroundings.mayBeDevice(name)) {
                scalars.add(name);
              }
            });
  }

  @Override
  public Status gate(Pod waiting) {
    String problem = PodClaims.of(pod, devices).problemIn(version);
    return problem == null ? null : Status.unresolvable(plugin(), problem);
  }

  @Override
  public PreFilter prepare(Pod waiting) {
    grants.begin(this);
    extendedByResources.clear();
    unavailable.clear();
    allocator.begin();
    claims = PodClaims.of(pod, devices).claims();
    unallocated = claims.stream().filter(claim -> !claim.isAllocated()).toList();
    extended = modern && hasDeviceResource() ? extendedClaimOf(waiting) : null;
    boolean looks = !unallocated.isEmpty() || (extended != null && !extended.isAllocated());
    isRanked = looks && claims.stream().anyMatch(DeviceFilter::hasAlternatives);
    if (claims.isEmpty() && extended == null) {
      return PreFilter.SKIP;
    }
    for (ResourceClaim claim : unallocated) {
      String problem = problemOf(claim);
      if (problem != null) {
        return PreFilter.reject(Status.unresolvable(plugin(), problem));
      }
    }
    return PreFilter.ALL_NODES;
  }

  private static boolean hasAlternatives(ResourceClaim claim) {
    return claim.requests().stream().anyMatch(DeviceRequest::ranked);
  }

  private boolean hasDeviceResource() {
    return scalars.stream().anyMatch(name -> cluster.surroundings().classOfResource(name) != null);
  }

  /** The claim that an attempt before this one left, or one that is to be made. */
  private ResourceClaim extendedClaimOf(Pod waiting) {
    ResourceClaim left = devices.claimForExtendedResources(waiting.uid());
    return left != null && !left.requests().isEmpty()
        ? left
        : ResourceClaim.forExtendedResources(pod.namespace(), waiting.uid(), List.of());
  }

  private String problemOf(ResourceClaim claim) {
    if (devices.isPending(claim)) {
      return "resource claim %s is in the process of being allocated".formatted(claim.key());
    }
    for (DeviceRequest request : claim.requests()) {
      if (request.options().isEmpty()) {
        return "resource claim %s, request %s: unknown request type"
            .formatted(claim.key(), request.name());
      }
      for (DeviceRequest.Option option : request.options()) {
        if (option.deviceClass().isEmpty()) {
          throw new CycleException(
              "running PreFilter plugin \"%s\": request %s: unsupported request type"
                  .formatted(plugin(), request.reference(option)));
        }
        if (cluster.surroundings().deviceClass(option.deviceClass()) == null) {
          return "request %s: device class %s does not exist"
              .formatted(request.reference(option), option.deviceClass());
        }
      }
    }
    return null;
  }

  @Override
  public long test(int id) {
    Node node = cluster.nodes().node(id);
    ResourceClaim extendedHere = null;
    if (extended != null) {
      if (!extended.requests().isEmpty()) {
        return STALE;
      }
      SortedMap<String, String> needed = resourcesByDevices(node);
      if (needed == null) {
        return NO_SUCH_RESOURCE;
      }
      if (claims.isEmpty() && needed.isEmpty()) {
        return PASSES;
      }
      extendedHere = extendedClaimFor(needed);
    }
    BitSet notHere = unavailableAt(node);
    if (!unallocated.isEmpty() || extendedHere != null) {
      long verdict = allocate(id, node, extendedHere);
      if (verdict != PASSES) {
        return verdict;
      }
    }
    if (notHere.isEmpty()) {
      return PASSES;
    }
    unavailable.or(notHere);
    return NOT_HERE;
  }

  /**
   * Extended resources of which the node has none, with their classes; null if one of them has no
   * class.
   */
  private SortedMap<String, String> resourcesByDevices(Node node) {
    SortedMap<String, String> needed = new TreeMap<>();
    SortedMap<String, Long> has = node.allocatable().scalars();
    for (String name : scalars) {
      DeviceClass of = cluster.surroundings().classOfResource(name);
      if (of != null && has.getOrDefault(name, 0L) == 0) {
        needed.put(name, of.name());
      } else if (!has.containsKey(name)) {
        return null;
      }
    }
    return needed;
  }

  private ResourceClaim extendedClaimFor(SortedMap<String, String> needed) {
    return extendedByResources.computeIfAbsent(
        List.copyOf(needed.keySet()),
        names ->
            ResourceClaim.forExtendedResources(
                extended.namespace(),
                extended.ownerUid(),
                ExtendedRequests.of(pod.containerDevices(), needed)));
  }

  /** Claims that have devices which cannot be used on the node, or do not get ready. */
  private BitSet unavailableAt(Node node) {
    if (unallocated.size() == claims.size()) {
      return NOWHERE;
    }
    BitSet notHere = new BitSet();
    for (int i = 0; i < claims.size(); i++) {
      ResourceClaim claim = claims.get(i);
      if (claim.isAllocated()) {
        Allocation allocation = claim.allocation();
        boolean reachable =
            allocation.nodes() == null || allocation.nodes().matches(node.name(), node.labels());
        notHere.set(i, !reachable || (modern && isHopeless(claim)));
      }
    }
    return notHere;
  }

  /** Whether devices failed to get ready, or took too long. */
  private boolean isHopeless(ResourceClaim claim) {
    long sinceNs = claim.allocation().sinceNs();
    return switch (Readiness.of(claim)) {
      case READY -> false;
      case FAILED -> true;
      case WAITING -> sinceNs != Fields.NO_TIME && sinceNs + bindingTimeoutNs < devices.nowNs();
    };
  }

  private long allocate(int id, Node node, ResourceClaim extendedHere) {
    List<ResourceClaim> asking = unallocated;
    if (extendedHere != null) {
      asking = new ArrayList<>(unallocated);
      asking.add(extendedHere);
    }
    Outcome outcome;
    try {
      outcome = allocator.allocate(node, asking);
    } catch (AllocationException e) {
      throw new CycleException(
          "running \"%s\" filter plugin: %s".formatted(plugin(), e.getMessage()), e.isTimeout());
    }
    if (!outcome.isEnough()) {
      return outcome.invalidPools() ? INVALID_POOLS : NOT_ENOUGH;
    }
    grants.put(id, asking, outcome);
    return PASSES;
  }

  @Override
  public Status explain(long verdict) {
    return Status.unresolvable(plugin(), REASONS[(int) verdict]);
  }

  @Override
  public List<Grant> grants(int node) {
    return grants.get(this, node);
  }

  @Override
  public boolean hasClaims() {
    return !claims.isEmpty() || extended != null;
  }

  /** Claims that nobody but the pod uses: their devices could be given back for others. */
  @Override
  public List<ResourceClaim> idleClaims(Pod waiting) {
    if (extended != null && !extended.requests().isEmpty()) {
      return List.of(extended);
    }
    List<String> itself = List.of(waiting.uid());
    return unavailable.stream()
        .mapToObj(claims::get)
        .distinct()
        .filter(claim -> !devices.isLent(claim))
        .filter(claim -> claim.reservedFor().isEmpty() || claim.reservedFor().equals(itself))
        .sorted(Comparator.comparing(ResourceClaim::key))
        .toList();
  }

  @Override
  public Scorer scorer() {
    return new ScorerByMax(plugin(), false) {
      @Override
      public long score(int node) {
        return isRanked ? scoreOf(grants.get(DeviceFilter.this, node)) : 0;
      }
    };
  }

  /** The earlier among alternatives, the better. */
  private long scoreOf(List<Grant> given) {
    long score = 0;
    int next = 0;
    for (ResourceClaim claim : claims) {
      Allocation allocation =
          claim.isAllocated() ? claim.allocation() : given.get(next++).allocation();
      for (DeviceRequest request : claim.requests()) {
        for (int i = 0; request.ranked() && i < request.options().size(); i++) {
          String reference = request.reference(request.options().get(i));
          if (allocation.results().stream().anyMatch(r -> r.request().equals(reference))) {
            score += DynamicResources.MOST_ALTERNATIVES - i;
          }
        }
      }
    }
    return score;
  }
}
