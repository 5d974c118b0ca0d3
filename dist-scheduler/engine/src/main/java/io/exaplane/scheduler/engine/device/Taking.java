// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.Device;
import io.exaplane.scheduler.engine.model.device.DeviceConstraint;
import io.exaplane.scheduler.engine.model.device.DeviceId;
import io.exaplane.scheduler.engine.model.device.DeviceRequest;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The devices that a search has chosen so far; each choice can be undone, the last one first. */
final class Taking {
  private final Allocator allocator;
  private final Suitability suitability;
  private final Counters counters;
  private final Capacities capacities;
  private final List<ResourceClaim> claims;
  private final List<List<Constraint>> constraints = new ArrayList<>();
  private final List<List<Chosen>> chosen = new ArrayList<>();

  /** By device, how often it was chosen for each claim. */
  private final Map<DeviceId, int[]> whole = new HashMap<>();

  /** By device that is shared, what was taken of its capacity; there while it is chosen at all. */
  private final Map<DeviceId, Map<String, BigDecimal>> shares = new HashMap<>();

  Taking(
      Allocator allocator, Suitability suitability, Counters counters, List<ResourceClaim> claims) {
    this.allocator = allocator;
    this.suitability = suitability;
    this.counters = counters;
    capacities = new Capacities(allocator.version);
    this.claims = claims;
    for (ResourceClaim claim : claims) {
      chosen.add(new ArrayList<>());
      List<Constraint> ofClaim = new ArrayList<>();
      for (DeviceConstraint constraint : claim.constraints()) {
        ofClaim.add(new Constraint(constraint, allocator.version));
      }
      constraints.add(ofClaim);
    }
  }

  /** What was chosen for a claim. */
  List<Chosen> chosen(int claim) {
    return chosen.get(claim);
  }

  /** Whether nobody else has a device, as far as a request cares. */
  boolean isFree(int claim, Wanted of, DeviceId device) {
    return of.isAdmin()
        ? !isChosen(device, claim)
        : !allocator.isTaken(device) && !isChosen(device);
  }

  private boolean isChosen(DeviceId device, int claim) {
    int[] times = whole.get(device);
    return times != null && times[claim] > 0;
  }

  private boolean isChosen(DeviceId device) {
    int[] times = whole.get(device);
    if (times != null) {
      for (int ofClaim : times) {
        if (ofClaim > 0) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Whether enough of a device's capacity is left.
   *
   * @throws AllocationException if what is asked for is nothing that capacities are given in
   */
  boolean hasCapacity(int claim, DeviceRequest.Option option, Device device) {
    return !allocator.isModern()
        || told(
            claim,
            option,
            device.id().toString(),
            () ->
                capacities.fits(
                    device,
                    option.capacity(),
                    allocator.devices.consumed(device.id()),
                    shares.getOrDefault(device.id(), Map.of())));
  }

  /** Whether a device has the capacity when nobody takes of it; until 1.36, what is left counts. */
  boolean everHasCapacity(int claim, DeviceRequest.Option option, Device device) {
    return allocator.version.atLeast(Version.V1_37)
        ? told(
            claim,
            option,
            device.id().device(),
            () -> capacities.fits(device, option.capacity(), Map.of(), Map.of()))
        : hasCapacity(claim, option, device);
  }

  private boolean told(
      int claim, DeviceRequest.Option option, String device, BooleanSupplier fits) {
    try {
      return fits.getAsBoolean();
    } catch (CapacityException e) {
      throw new AllocationException(
          "claim %s, request %s: checking capacity for device %s: %s"
              .formatted(claims.get(claim).key(), option.name(), device, e.getMessage()));
    }
  }

  /** Chooses a device that is selected. Null if it cannot be had, or else how to give it back. */
  Runnable take(int claim, Wanted of, Wanted.Candidate candidate) {
    Device device = candidate.device();
    boolean shared = allocator.isModern() && device.facts().allowMultipleAllocations();
    boolean free = (of.isAdmin() && shared) || isFree(claim, of, device.id());
    if (!free || (!allocator.isModern() && !device.consumes().isEmpty())) {
      return null;
    }
    boolean first = !shared || !isPartlyTaken(device.id());
    boolean counts = first && !device.consumes().isEmpty();
    if (counts && !counters.take(device, candidate.pool())) {
      return null;
    }
    boolean tolerated = suitability.tolerates(of.option(), device);
    int constrained = tolerated ? constrain(claim, of, device) : 0;
    boolean allowed = tolerated && constrained == constraints.get(claim).size();
    if (!allowed || !hasCapacity(claim, of.option(), device)) {
      release(claim, of, device, constrained, counts);
      if (tolerated && !allowed && of.all() != null) {
        throw new AllocationException(
            "claim %s, request %s: cannot add device %s because a claim constraint would not be satisfied"
                .formatted(claims.get(claim).key(), of.option().name(), device.id()));
      }
      return null;
    }
    Runnable giveBack = shared ? share(claim, of, candidate) : takeWhole(claim, of, candidate);
    return () -> {
      giveBack.run();
      release(claim, of, device, constrained, counts);
    };
  }

  private boolean isPartlyTaken(DeviceId device) {
    boolean others =
        allocator.version.atLeast(Version.V1_37)
            ? allocator.devices.isShared(device)
            : allocator.devices.isConsumed(device);
    return others || shares.containsKey(device);
  }

  /** How many constraints allow the device, up to the first that does not. */
  private int constrain(int claim, Wanted of, Device device) {
    int allowing = 0;
    for (Constraint constraint : constraints.get(claim)) {
      if (!constraint.add(of.request(), of.option(), device)) {
        break;
      }
      allowing++;
    }
    return allowing;
  }

  private void release(int claim, Wanted of, Device device, int constrained, boolean counts) {
    for (int i = constrained - 1; i >= 0; i--) {
      constraints.get(claim).get(i).remove(of.request(), of.option());
    }
    if (counts) {
      counters.giveBack(device);
    }
  }

  private Runnable takeWhole(int claim, Wanted of, Wanted.Candidate candidate) {
    Device device = candidate.device();
    int[] times = whole.computeIfAbsent(device.id(), d -> new int[claims.size()]);
    times[claim]++;
    chosen.get(claim).add(new Chosen(of.request(), of.option(), device, candidate.slice(), null));
    return () -> {
      chosen.get(claim).removeLast();
      times[claim]--;
    };
  }

  private Runnable share(int claim, Wanted of, Wanted.Candidate candidate) {
    Device device = candidate.device();
    Map<String, BigDecimal> share = capacities.taken(device, of.option().capacity());
    Map<String, BigDecimal> before = shares.get(device.id());
    Map<String, BigDecimal> after = new HashMap<>(before == null ? Map.of() : before);
    share.forEach((name, amount) -> after.merge(name, amount, BigDecimal::add));
    shares.put(device.id(), after);
    chosen.get(claim).add(new Chosen(of.request(), of.option(), device, candidate.slice(), share));
    return () -> {
      chosen.get(claim).removeLast();
      if (before == null) {
        shares.remove(device.id());
      } else {
        shares.put(device.id(), before);
      }
    };
  }
}
