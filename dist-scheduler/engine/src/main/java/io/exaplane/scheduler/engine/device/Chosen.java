// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import io.exaplane.scheduler.engine.model.NodeSelector;
import io.exaplane.scheduler.engine.model.Requirement;
import io.exaplane.scheduler.engine.model.device.Allocation;
import io.exaplane.scheduler.engine.model.device.Device;
import io.exaplane.scheduler.engine.model.device.DeviceRequest;
import io.exaplane.scheduler.engine.model.device.Place;
import io.exaplane.scheduler.engine.model.device.ResourceSlice;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A device that was chosen for a request.
 *
 * @param consumed of its capacity; null if the device is not shared
 */
record Chosen(
    DeviceRequest request,
    DeviceRequest.Option option,
    Device device,
    ResourceSlice slice,
    Map<String, BigDecimal> consumed) {
  /**
   * As a result of an allocation.
   *
   * @param withConditions whether conditions on binding are known
   */
  Allocation.Result result(boolean withConditions) {
    boolean conditions = withConditions && device.bindingConditions() != null;
    return new Allocation.Result(
        request.reference(option),
        device.id(),
        option.adminAccess(),
        consumed != null,
        consumed == null ? Map.of() : consumed,
        conditions ? device.bindingConditions() : List.of(),
        conditions ? device.bindingFailureConditions() : List.of());
  }

  private Place place() {
    return slice.isPerDevice() ? device.place() : slice.place();
  }

  /**
   * Checks that a selector of nodes can be told for these.
   *
   * @param claim as errors call it
   */
  static void checkPlaces(List<Chosen> devices, String claim) {
    for (Chosen chosen : devices) {
      Place place = chosen.place();
      if (chosen.isOnOneNode()) {
        return;
      }
      if (place.selector() != null && place.selector().terms().size() > 1) {
        throw new AllocationException(
            "create NodeSelector for claim %s: unsupported ResourceSlice.NodeSelector with %d terms"
                .formatted(claim, place.selector().terms().size()));
      }
    }
  }

  private boolean isOnOneNode() {
    return !place().nodeName().isEmpty() || device.bindsToNode();
  }

  /** The nodes on which all of these can be used, or null for all nodes. */
  static NodeSelector nodesOf(List<Chosen> devices, String nodeName) {
    List<Requirement> expressions = new ArrayList<>();
    List<Requirement> fields = new ArrayList<>();
    for (Chosen chosen : devices) {
      Place place = chosen.place();
      if (chosen.isOnOneNode()) {
        Requirement only =
            new Requirement("metadata.name", Requirement.Operator.IN, List.of(nodeName));
        return new NodeSelector(List.of(new NodeSelector.Term(List.of(), List.of(only))));
      }
      List<NodeSelector.Term> terms =
          place.selector() == null ? List.of() : place.selector().terms();
      if (!terms.isEmpty()) {
        addNew(terms.getFirst().expressions(), expressions);
        addNew(terms.getFirst().fields(), fields);
      }
    }
    return expressions.isEmpty() && fields.isEmpty()
        ? null
        : new NodeSelector(List.of(new NodeSelector.Term(expressions, fields)));
  }

  private static void addNew(List<Requirement> more, List<Requirement> to) {
    for (Requirement requirement : more) {
      boolean known =
          to.stream()
              .anyMatch(
                  r ->
                      r.key().equals(requirement.key())
                          && r.operator() == requirement.operator()
                          && Set.copyOf(r.values()).equals(Set.copyOf(requirement.values())));
      if (!known) {
        to.add(requirement);
      }
    }
  }
}
