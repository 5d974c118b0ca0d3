// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.Surroundings;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.Device;
import io.exaplane.scheduler.engine.model.device.DeviceClass;
import io.exaplane.scheduler.engine.model.device.DeviceId;
import io.exaplane.scheduler.engine.model.device.DeviceRequest;
import io.exaplane.scheduler.engine.model.device.Devices;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.model.device.ResourceSlice;
import io.exaplane.scheduler.engine.model.device.SelectorException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds devices for the claims of a pod, node by node, against the state of the cluster at the time
 * of each call. One for each minor version of a cluster, and for its thread.
 */
public final class Allocator {
  final Devices devices;
  final Version version;
  final Selection selection;
  private final Surroundings surroundings;
  private final Pools pools;
  private final Map<String, Map<String, Map<String, BigDecimal>>> counters = new HashMap<>();

  public Allocator(Devices devices, Surroundings surroundings, Version version) {
    this.devices = devices;
    this.surroundings = surroundings;
    this.version = version;
    pools = new Pools(devices, version);
    selection = new Selection(devices.compiler());
  }

  /** What 1.36 has on by default: parts of devices, shares, taints, and conditions on binding. */
  boolean isModern() {
    return version.atLeast(Version.V1_36);
  }

  /** Called before the first node is asked about a pod. */
  public void begin() {
    counters.clear();
  }

  /**
   * What each of these claims would be given on a node.
   *
   * @throws AllocationException if a claim, a class or a selector is not as it should be
   */
  public Outcome allocate(Node node, List<ResourceClaim> claims) {
    List<Pool> ofNode = pools.of(node);
    Counters ofSearch = new Counters(counters, this::isInUse, version.atLeast(Version.V1_37));
    return new Search(this, node, claims, ofNode, ofSearch).run();
  }

  /** How many devices there are of a kind on a node, and how many of them somebody has. */
  public record Count(long all, long inUse) {
    static final Count NONE = new Count(0, 0);
  }

  /**
   * Counts devices of a class as scores by extended resources do: slices of every generation, and
   * those that do not say of which node they are. None if a selector has no answer. Source:
   * plugins/noderesources/resource_allocation.go, calculateDRAResourceTotals.
   */
  public Count count(Node node, DeviceClass of) {
    long all = 0;
    long inUse = 0;
    try {
      for (ResourceSlice slice : devices.slicesFor(node)) {
        boolean whole = !slice.isPerDevice();
        boolean elsewhere = whole && slice.place().isKnown() && !slice.place().includes(node);
        for (Device device : elsewhere ? List.<Device>of() : slice.devices()) {
          boolean here = whole || device.place().includes(node);
          if (here && isOf(device, of)) {
            all++;
            inUse += isInUse(device.id()) ? 1 : 0;
          }
        }
      }
    } catch (SelectorException e) {
      return Count.NONE;
    }
    return new Count(all, inUse);
  }

  private boolean isOf(Device device, DeviceClass of) {
    for (String expression : of.selectors()) {
      if (!selection.matches(expression, device.facts())) {
        return false;
      }
    }
    return true;
  }

  DeviceClass classOf(String name) {
    return surroundings.deviceClass(name);
  }

  /** What cannot be compiled of the selectors that a claim needs, with the reason; or null. */
  public String uncompiled(ResourceClaim claim) {
    for (DeviceRequest request : claim.requests()) {
      for (DeviceRequest.Option option : request.options()) {
        DeviceClass of = classOf(option.deviceClass());
        String problem = of == null ? null : uncompiled(of);
        if (problem == null) {
          String who = "claim %s, request %s".formatted(claim.key(), request.reference(option));
          problem = uncompiled(who, option.selectors());
        }
        if (problem != null) {
          return problem;
        }
      }
    }
    return null;
  }

  /** The same for the selectors of a class. */
  public String uncompiled(DeviceClass deviceClass) {
    return uncompiled("class " + deviceClass.name(), deviceClass.selectors());
  }

  private String uncompiled(String who, List<String> expressions) {
    for (int i = 0; i < expressions.size(); i++) {
      String problem = selection.problemOf(expressions.get(i));
      if (problem != null) {
        return "%s: selector #%d does not compile here: %s".formatted(who, i, problem);
      }
    }
    return null;
  }

  /** Whether a device cannot be had as a whole. */
  boolean isTaken(DeviceId device) {
    return devices.isTaken(device) || (!isModern() && devices.isShared(device));
  }

  private boolean isInUse(DeviceId device) {
    return devices.isTaken(device) || devices.isShared(device);
  }
}
