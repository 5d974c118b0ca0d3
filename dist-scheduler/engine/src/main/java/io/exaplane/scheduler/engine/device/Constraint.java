// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.Device;
import io.exaplane.scheduler.engine.model.device.DeviceAttribute;
import io.exaplane.scheduler.engine.model.device.DeviceConstraint;
import io.exaplane.scheduler.engine.model.device.DeviceRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * A constraint of a claim, and the devices that were chosen under it so far. Source:
 * dynamic-resource-allocation/structured/internal/incubating.
 */
final class Constraint {
  private final DeviceConstraint rule;
  private int devices;

  /** The value that all have in common. */
  private DeviceAttribute common;

  /**
   * By request, the values of the devices that were chosen. Until 1.36, kube-scheduler knows that
   * of the last alone, so that a third device of a request may have what the first has.
   */
  private final Map<String, Deque<DeviceAttribute>> values = new HashMap<>();

  private final boolean remembersAll;

  Constraint(DeviceConstraint rule, Version version) {
    this.rule = rule;
    remembersAll = version.atLeast(Version.V1_37);
  }

  /** Whether a device may be chosen, which it is then. */
  boolean add(DeviceRequest request, DeviceRequest.Option option, Device device) {
    if (!rule.concerns(request, option)) {
      return true;
    }
    DeviceAttribute value = valueOf(device);
    if (value == null || (devices > 0 && !allows(value))) {
      return false;
    }
    if (rule.distinct()) {
      Deque<DeviceAttribute> ofRequest =
          values.computeIfAbsent(request.name(), name -> new ArrayDeque<>());
      if (!remembersAll) {
        ofRequest.clear();
      }
      ofRequest.add(value);
    } else if (devices == 0) {
      common = value;
    }
    devices++;
    return true;
  }

  private boolean allows(DeviceAttribute value) {
    if (value.kind() == DeviceAttribute.Kind.UNKNOWN) {
      return rule.distinct() && values.values().stream().allMatch(Deque::isEmpty);
    }
    return rule.distinct()
        ? values.values().stream().noneMatch(ofRequest -> ofRequest.contains(value))
        : value.equals(common);
  }

  /** A device that was added is not chosen any more. */
  void remove(DeviceRequest request, DeviceRequest.Option option) {
    if (rule.concerns(request, option)) {
      values.getOrDefault(request.name(), new ArrayDeque<>()).pollLast();
      devices--;
    }
  }

  /** The attribute by its full name, or without a domain if that is the driver's. */
  private DeviceAttribute valueOf(Device device) {
    Map<String, DeviceAttribute> attributes = device.facts().attributes();
    DeviceAttribute value = attributes.get(rule.attribute());
    int slash = rule.attribute().indexOf('/');
    if (value != null || slash < 0) {
      return value;
    }
    boolean own = rule.attribute().substring(0, slash).equals(device.facts().driver());
    return own ? attributes.get(rule.attribute().substring(slash + 1)) : null;
  }
}
