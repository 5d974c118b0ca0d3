// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.Taint;
import io.exaplane.scheduler.engine.model.Toleration;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.Device;
import io.exaplane.scheduler.engine.model.device.DeviceRequest;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.model.device.ResourceSlice;
import io.exaplane.scheduler.engine.model.device.SelectorException;
import java.util.List;

/** Whether a device is one that a request means, whoever has it. */
final class Suitability {
  private static final String OPTIONAL =
      ". consider using CEL optional chaining (.? followed by orValue()) or guarding the check with"
          + " has() for optional fields";

  private final Allocator allocator;
  private final Node node;

  Suitability(Allocator allocator, Node node) {
    this.allocator = allocator;
    this.node = node;
  }

  /** Whether class and request select a device, and it can be used on the node. */
  boolean isSelected(ResourceClaim claim, Wanted of, ResourceSlice slice, Device device) {
    boolean waits = device.bindingConditions() != null && !device.bindingConditions().isEmpty();
    if (waits && !allocator.isModern()) {
      return false;
    }
    return selects("class", of.deviceClass().name(), of.deviceClass().selectors(), device)
        && selects("claim", claim.key(), of.option().selectors(), device)
        && (!slice.isPerDevice() || device.place().includes(node));
  }

  private boolean selects(String kind, String name, List<String> expressions, Device device) {
    for (int i = 0; i < expressions.size(); i++) {
      try {
        if (!allocator.selection.matches(expressions.get(i), device.facts())) {
          return false;
        }
      } catch (SelectorException e) {
        boolean told = allocator.version.atLeast(Version.V1_37);
        String on = told ? " on device " + device.id() : "";
        String hint = told && e.getMessage().contains("no such key") ? OPTIONAL : "";
        throw new AllocationException(
            "%s %s: selector #%d%s: CEL runtime error: %s%s"
                .formatted(kind, name, i, on, e.getMessage(), hint));
      }
    }
    return true;
  }

  /** Whether a request puts up with what is wrong with a device. */
  boolean tolerates(DeviceRequest.Option option, Device device) {
    if (allocator.isModern()) {
      for (Taint taint : device.taints()) {
        if (taint.forbids() && !Toleration.anyTolerates(option.tolerations(), taint)) {
          return false;
        }
      }
    }
    return true;
  }
}
