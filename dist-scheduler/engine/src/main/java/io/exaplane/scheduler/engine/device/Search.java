// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.Allocation;
import io.exaplane.scheduler.engine.model.device.Device;
import io.exaplane.scheduler.engine.model.device.DeviceClass;
import io.exaplane.scheduler.engine.model.device.DeviceRequest;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.model.device.ResourceSlice;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks for devices for claims on one node: one claim after the other, one request after the other,
 * the first device that does; back to the last choice when there is none, until everything was
 * tried. Source: dynamic-resource-allocation/structured/internal/incubating,
 * allocator_incubating.go.
 */
final class Search {
  /** Results of a claim at most (AllocationResultsMaxSize). */
  private static final int MOST_DEVICES = 32;

  /**
   * Steps, most of them devices that are tried, after which a search is given up, where
   * kube-scheduler does after ten seconds.
   */
  private static final int MOST_STEPS = 50_000_000;

  private static final int FOUND = 1;
  private static final int NONE = 0;

  /** More devices than a claim can have: others would not help either. */
  private static final int TOO_MANY = -1;

  private final Allocator allocator;
  private final Node node;
  private final List<ResourceClaim> claims;
  private final List<Pool> pools;
  private final Suitability suitability;
  private final Taking taking;

  /** By claim, request and option. */
  private final List<List<List<Wanted>>> wanted = new ArrayList<>();

  private int steps;

  /** A device to begin with. */
  private record Start(int pool, int slice, int device) {
    static final Start FIRST = new Start(0, 0, 0);
  }

  Search(
      Allocator allocator,
      Node node,
      List<ResourceClaim> claims,
      List<Pool> pools,
      Counters counters) {
    this.allocator = allocator;
    this.node = node;
    this.claims = claims;
    this.pools = pools;
    suitability = new Suitability(allocator, node);
    taking = new Taking(allocator, suitability, counters, claims);
  }

  Outcome run() {
    claims.forEach(claim -> wanted.add(wanted(claim)));
    if (next(0, 0) != FOUND) {
      boolean told = allocator.version.atLeast(Version.V1_35);
      return Outcome.notEnough(told && pools.stream().anyMatch(Pool::isInvalid));
    }
    for (int i = 0; i < claims.size(); i++) {
      Chosen.checkPlaces(taking.chosen(i), claims.get(i).name());
    }
    return Outcome.of(this::allocations);
  }

  private List<Allocation> allocations() {
    List<Allocation> allocations = new ArrayList<>();
    for (int i = 0; i < claims.size(); i++) {
      List<Chosen> chosen = taking.chosen(i);
      allocations.add(
          new Allocation(
              chosen.stream().map(c -> c.result(allocator.isModern())).toList(),
              Chosen.nodesOf(chosen, node.name()),
              allocator.devices.nowNs()));
    }
    return allocations;
  }

  private List<List<Wanted>> wanted(ResourceClaim claim) {
    List<List<Wanted>> ofClaim = new ArrayList<>();
    for (int i = 0; i < claim.constraints().size(); i++) {
      if (claim.constraints().get(i).attribute().isEmpty()) {
        throw new AllocationException(
            "claim %s, constraint #%d: empty constraint (unsupported constraint type?)"
                .formatted(claim.key(), i));
      }
    }
    long least = 0;
    for (DeviceRequest request : claim.requests()) {
      List<Wanted> options = new ArrayList<>();
      int leastOfRequest = Integer.MAX_VALUE;
      for (DeviceRequest.Option option : request.options()) {
        // Before 1.36, kube-scheduler takes what it found out about a device for the first
        // alternative for what it wants to know for the second.
        boolean mistaken = !allocator.isModern() && options.size() == 1;
        Wanted one = wanted(claim, request, option, mistaken ? options.getFirst().all() : null);
        options.add(one);
        leastOfRequest = Math.min(leastOfRequest, one.count());
      }
      ofClaim.add(options);
      boolean counts = allocator.version.atLeast(Version.V1_37);
      if (counts && leastOfRequest > MOST_DEVICES - least) {
        throw new AllocationException(
            "claim %s, request %s: adding %d devices exceeds the claim limit of %d, with %d already accounted for"
                .formatted(claim.key(), request.name(), leastOfRequest, MOST_DEVICES, least));
      }
      least += leastOfRequest;
    }
    if (least > MOST_DEVICES) {
      throw new AllocationException(
          "claim %s: number of requested devices %d exceeds the claim limit of %d"
              .formatted(claim.key(), least, MOST_DEVICES));
    }
    return ofClaim;
  }

  /**
   * What an alternative, or a request that has none, looks for.
   *
   * @param known all devices that it wants, if that is known and it wants all; or null
   */
  private Wanted wanted(
      ResourceClaim claim,
      DeviceRequest request,
      DeviceRequest.Option option,
      List<Wanted.Candidate> known) {
    String who = "claim %s, request %s".formatted(claim.key(), option.name());
    DeviceClass of = allocator.classOf(option.deviceClass());
    if (of == null) {
      throw new AllocationException(
          "%s: could not retrieve device class %s".formatted(who, option.deviceClass()));
    }
    return switch (option.mode()) {
      case EXACT_COUNT ->
          new Wanted(request, option, of, Math.clamp(option.count(), 0, Integer.MAX_VALUE), null);
      case ALL -> {
        List<Wanted.Candidate> all =
            known != null ? known : all(claim, new Wanted(request, option, of, 0, null), who);
        yield new Wanted(request, option, of, all.size(), all);
      }
      case UNKNOWN -> throw new AllocationException(who + ": unsupported count mode");
    };
  }

  private List<Wanted.Candidate> all(ResourceClaim claim, Wanted of, String who) {
    List<Wanted.Candidate> all = new ArrayList<>();
    for (Pool pool : pools) {
      if (pool.incomplete() || pool.isInvalid()) {
        throw new AllocationException(
            "%s: asks for all devices, but resource pool %s is currently %s"
                .formatted(who, pool.id(), pool.incomplete() ? "being updated" : "invalid"));
      }
      for (ResourceSlice slice : pool.slices()) {
        for (Device device : slice.devices()) {
          boolean suits = suitability.isSelected(claim, of, slice, device);
          if (suits && taking.everHasCapacity(claims.indexOf(claim), of.option(), device)) {
            all.add(new Wanted.Candidate(device, slice, pool));
          }
        }
      }
    }
    return all;
  }

  /** A request, or, after the last one, the next claim's first. */
  private int next(int claim, int request) {
    step();
    if (claim == claims.size()) {
      return FOUND;
    }
    if (request == wanted.get(claim).size()) {
      return next(claim + 1, 0) == FOUND ? FOUND : NONE;
    }
    List<Wanted> options = wanted.get(claim).get(request);
    if (!options.getFirst().request().ranked()) {
      return next(claim, request, options.getFirst(), 0, Start.FIRST);
    }
    int result = TOO_MANY;
    for (Wanted option : options) {
      int ofOption = next(claim, request, option, 0, Start.FIRST);
      if (ofOption == FOUND) {
        return FOUND;
      }
      result = ofOption == TOO_MANY ? result : NONE;
    }
    return result;
  }

  private void step() {
    if (++steps > MOST_STEPS) {
      throw AllocationException.timeout(node.name());
    }
  }

  /** The next device for a request. */
  private int next(int claim, int request, Wanted of, int device, Start start) {
    step();
    if (of.all() != null && of.all().isEmpty()) {
      return NONE;
    }
    if (device >= of.count()) {
      return next(claim, request + 1);
    }
    if ((long) taking.chosen(claim).size() + of.count() - device > MOST_DEVICES) {
      return TOO_MANY;
    }
    if (of.all() != null) {
      return nextOfAll(claim, request, of, device);
    }
    for (int p = start.pool(); p < pools.size(); p++) {
      Pool pool = pools.get(p);
      if (isUsable(pool)) {
        int firstSlice = p == start.pool() ? start.slice() : 0;
        for (int s = firstSlice; s < pool.slices().size(); s++) {
          boolean first = p == start.pool() && s == start.slice();
          Start from = new Start(p, s, first ? start.device() : 0);
          int result = nextOfSlice(claim, request, of, device, from);
          if (result != NONE) {
            return result;
          }
        }
      }
    }
    return NONE;
  }

  private boolean isUsable(Pool pool) {
    if (allocator.version.atLeast(Version.V1_35)) {
      return !pool.incomplete() && !pool.isInvalid();
    }
    if (pool.isInvalid()) {
      throw new AllocationException(
          "pool %s is invalid: %s".formatted(pool.id().name(), pool.problem()));
    }
    return true;
  }

  private int nextOfSlice(int claim, int request, Wanted of, int device, Start from) {
    Pool pool = pools.get(from.pool());
    ResourceSlice slice = pool.slices().get(from.slice());
    for (int d = from.device(); d < slice.devices().size(); d++) {
      step();
      Device one = slice.devices().get(d);
      boolean suits =
          taking.isFree(claim, of, one.id())
              && suitability.isSelected(claims.get(claim), of, slice, one);
      if (suits && taking.hasCapacity(claim, of.option(), one)) {
        Runnable giveBack = taking.take(claim, of, new Wanted.Candidate(one, slice, pool));
        if (giveBack != null) {
          Start then = new Start(from.pool(), from.slice(), d + 1);
          int result = next(claim, request, of, device + 1, then);
          if (result == FOUND) {
            return FOUND;
          }
          giveBack.run();
          if (result == TOO_MANY) {
            return TOO_MANY;
          }
        }
      }
    }
    return NONE;
  }

  /** The order in which all are taken does not matter: if one cannot be had, there is no way. */
  private int nextOfAll(int claim, int request, Wanted of, int device) {
    Runnable giveBack = taking.take(claim, of, of.all().get(device));
    if (giveBack == null) {
      return NONE;
    }
    // Before 1.36, kube-scheduler goes on with the first alternative here.
    boolean same = allocator.isModern() || !of.request().ranked();
    Wanted then = same ? of : wanted.get(claim).get(request).getFirst();
    int result = next(claim, request, then, device + 1, Start.FIRST);
    if (result != FOUND) {
      giveBack.run();
    }
    return result;
  }
}
