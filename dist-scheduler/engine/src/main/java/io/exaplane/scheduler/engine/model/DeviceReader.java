// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import io.exaplane.scheduler.engine.model.device.Allocation;
import io.exaplane.scheduler.engine.model.device.Device;
import io.exaplane.scheduler.engine.model.device.DeviceAttribute;
import io.exaplane.scheduler.engine.model.device.DeviceCapacity;
import io.exaplane.scheduler.engine.model.device.DeviceClass;
import io.exaplane.scheduler.engine.model.device.DeviceFacts;
import io.exaplane.scheduler.engine.model.device.DeviceId;
import io.exaplane.scheduler.engine.model.device.DeviceTaintRule;
import io.exaplane.scheduler.engine.model.device.Place;
import io.exaplane.scheduler.engine.model.device.ResourceSlice;
import io.exaplane.scheduler.engine.model.device.ResourceSlice.PoolId;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads what drivers publish (resource.k8s.io/v1). For one thread: names become one instance. */
final class DeviceReader {
  private final Pool pool;

  DeviceReader(Pool pool) {
    this.pool = pool;
  }

  static DeviceClass deviceClass(Fields object) {
    Fields spec = object.child("spec");
    return new DeviceClass(
        object.child("metadata").string("name"),
        ClaimReader.selectors(spec),
        spec.string("extendedResourceName"),
        object.child("metadata").time("creationTimestamp"));
  }

  static DeviceTaintRule taintRule(Fields object) {
    Fields spec = object.child("spec");
    Fields selector = spec.child("deviceSelector");
    return new DeviceTaintRule(
        object.child("metadata").string("name"),
        spec.has("deviceSelector"),
        selector.string("driver"),
        selector.string("pool"),
        selector.string("device"),
        NodeReader.anyTaint(spec.child("taint")));
  }

  ResourceSlice slice(Fields object) {
    Fields spec = object.child("spec");
    Fields of = spec.child("pool");
    PoolId id = pool.one(new PoolId(spec.required("driver"), of.required("name")));
    List<Device> devices = new ArrayList<>();
    spec.children("devices").forEach(device -> devices.add(device(device, id)));
    return new ResourceSlice(
        object.child("metadata").string("name"),
        id,
        of.integer("generation", 0),
        of.integer("resourceSliceCount", 0),
        place(spec),
        spec.has("perDeviceNodeSelection") ? spec.bool("perDeviceNodeSelection", false) : null,
        devices,
        counterSets(spec));
  }

  private static Map<String, Map<String, BigDecimal>> counterSets(Fields spec) {
    Map<String, Map<String, BigDecimal>> sets = new LinkedHashMap<>();
    for (Fields set : spec.children("sharedCounters")) {
      if (sets.put(set.string("name"), counters(set)) != null) {
        throw new InvalidObjectException(
            set.path("name"), set.string("name"), "each set has its own name", "rename one");
      }
    }
    return sets;
  }

  private static Map<String, BigDecimal> counters(Fields set) {
    return values(set.child("counters"));
  }

  /** Maps from names to objects with a quantity. */
  private static Map<String, BigDecimal> values(Fields map) {
    Map<String, BigDecimal> values = new LinkedHashMap<>();
    for (String name : map.names()) {
      values.put(name, map.child(name).parsed("value", BigDecimal.ZERO, Quantity::parse));
    }
    return values;
  }

  private static Place place(Fields fields) {
    boolean selects = fields.has("nodeSelector");
    return new Place(
        fields.string("nodeName"),
        fields.bool("allNodes", false),
        selects ? Selectors.nodeSelector(fields.child("nodeSelector")) : null);
  }

  private Device device(Fields device, PoolId of) {
    boolean shared = device.bool("allowMultipleAllocations", false);
    Map<String, DeviceAttribute> attributes = new LinkedHashMap<>();
    Fields described = device.child("attributes");
    for (String name : described.names()) {
      attributes.put(pool.string(name), attribute(described.child(name)));
    }
    Map<String, DeviceCapacity> capacity = new LinkedHashMap<>();
    Fields capacities = device.child("capacity");
    for (String name : capacities.names()) {
      capacity.put(pool.string(name), capacity(capacities.child(name)));
    }
    Map<String, BigDecimal> amounts = new LinkedHashMap<>();
    capacity.forEach((name, one) -> amounts.put(name, one.amount()));
    List<Device.Consumption> consumes =
        device.children("consumesCounters").stream()
            .map(c -> new Device.Consumption(c.string("counterSet"), counters(c)))
            .toList();
    return new Device(
        new DeviceId(of.driver(), of.name(), device.string("name")),
        new DeviceFacts(of.driver(), shared, attributes, amounts),
        capacity,
        pool.one(NodeReader.anyTaints(device)),
        consumes,
        place(device),
        device.bool("bindsToNode", false),
        device.has("bindingConditions") ? device.strings("bindingConditions") : null,
        device.strings("bindingFailureConditions"));
  }

  private static DeviceAttribute attribute(Fields value) {
    if (value.has("int")) {
      return new DeviceAttribute(DeviceAttribute.Kind.INTEGER, value.integer("int", 0));
    }
    if (value.has("bool")) {
      return new DeviceAttribute(DeviceAttribute.Kind.BOOLEAN, value.bool("bool", false));
    }
    if (value.has("string")) {
      return new DeviceAttribute(DeviceAttribute.Kind.TEXT, value.string("string"));
    }
    return value.has("version")
        ? new DeviceAttribute(DeviceAttribute.Kind.VERSION, value.string("version"))
        : new DeviceAttribute(DeviceAttribute.Kind.UNKNOWN, null);
  }

  private static DeviceCapacity capacity(Fields capacity) {
    BigDecimal amount = capacity.parsed("value", BigDecimal.ZERO, Quantity::parse);
    if (!capacity.has("requestPolicy")) {
      return new DeviceCapacity(amount, null);
    }
    Fields policy = capacity.child("requestPolicy");
    Fields range = policy.child("validRange");
    List<BigDecimal> values = policy.parsedAll("validValues", Quantity::parse);
    BigDecimal step = range.parsed("step", null, Quantity::parse);
    if (step != null && Quantity.whole(step) <= 0) {
      throw new InvalidObjectException(
          range.path("step"), step, "it has to be above 0", "fix the slice");
    }
    return new DeviceCapacity(
        amount,
        new DeviceCapacity.Policy(
            policy.parsed("default", null, Quantity::parse),
            values,
            policy.has("validRange")
                ? new DeviceCapacity.Range(
                    range.parsed("min", null, Quantity::parse),
                    range.parsed("max", null, Quantity::parse),
                    step)
                : null));
  }

  /** The device of a result, or of a status. */
  static DeviceId deviceId(Fields fields) {
    return new DeviceId(fields.string("driver"), fields.string("pool"), fields.string("device"));
  }

  /** What a claim was given, or null. */
  static Allocation allocation(Fields status) {
    if (!status.has("allocation")) {
      return null;
    }
    Fields allocation = status.child("allocation");
    boolean selects = allocation.has("nodeSelector");
    return new Allocation(
        allocation.child("devices").children("results").stream().map(DeviceReader::result).toList(),
        selects ? Selectors.nodeSelector(allocation.child("nodeSelector")) : null,
        allocation.time("allocationTimestamp"));
  }

  private static Allocation.Result result(Fields result) {
    Map<String, BigDecimal> consumed = new LinkedHashMap<>();
    Fields capacity = result.child("consumedCapacity");
    for (String name : capacity.names()) {
      consumed.put(name, capacity.parsed(name, BigDecimal.ZERO, Quantity::parse));
    }
    return new Allocation.Result(
        result.string("request"),
        deviceId(result),
        result.bool("adminAccess", false),
        result.has("shareID"),
        consumed,
        result.strings("bindingConditions"),
        result.strings("bindingFailureConditions"));
  }
}
