// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import io.exaplane.scheduler.engine.model.device.DeviceConstraint;
import io.exaplane.scheduler.engine.model.device.DeviceId;
import io.exaplane.scheduler.engine.model.device.DeviceRequest;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads claims of devices (resource.k8s.io/v1). */
final class ClaimReader {
  private static final String FOR_EXTENDED_RESOURCES =
      "resource.kubernetes.io/extended-resource-claim";

  private ClaimReader() {}

  static ResourceClaim claim(Fields object) {
    Fields meta = object.child("metadata");
    Fields devices = object.child("spec").child("devices");
    Fields status = object.child("status");
    Map<DeviceId, Set<String>> conditions = new HashMap<>();
    for (Fields device : status.children("devices")) {
      conditions.putIfAbsent(DeviceReader.deviceId(device), trueConditions(device));
    }
    return new ResourceClaim(
        meta.string("namespace", "default"),
        meta.string("name"),
        meta.string("uid", meta.string("namespace", "default") + "/" + meta.string("name")),
        meta.has("deletionTimestamp"),
        controllerUid(meta),
        meta.child("annotations").string(FOR_EXTENDED_RESOURCES).equals("true"),
        devices.children("requests").stream().map(ClaimReader::request).toList(),
        devices.children("constraints").stream().map(ClaimReader::constraint).toList(),
        DeviceReader.allocation(status),
        status.children("reservedFor").stream().map(user -> user.string("uid")).toList(),
        conditions);
  }

  private static Set<String> trueConditions(Fields device) {
    Set<String> types = new HashSet<>();
    for (Fields condition : device.children("conditions")) {
      if (condition.string("status").equals("True")) {
        types.add(condition.string("type"));
      }
    }
    return types;
  }

  private static String controllerUid(Fields meta) {
    for (Fields owner : meta.children("ownerReferences")) {
      if (owner.bool("controller", false)) {
        return owner.string("uid");
      }
    }
    return "";
  }

  private static DeviceRequest request(Fields request) {
    String name = request.string("name");
    if (request.has("exactly")) {
      return new DeviceRequest(name, false, List.of(option(name, request.child("exactly"))));
    }
    List<DeviceRequest.Option> ranked =
        request.children("firstAvailable").stream()
            .map(option -> option(option.string("name"), option))
            .toList();
    return new DeviceRequest(name, !ranked.isEmpty(), ranked);
  }

  private static DeviceRequest.Option option(String name, Fields option) {
    DeviceRequest.Mode mode =
        switch (option.string("allocationMode", "ExactCount")) {
          case "ExactCount" -> DeviceRequest.Mode.EXACT_COUNT;
          case "All" -> DeviceRequest.Mode.ALL;
          default -> DeviceRequest.Mode.UNKNOWN;
        };
    boolean counted = mode == DeviceRequest.Mode.EXACT_COUNT;
    Map<String, BigDecimal> capacity = new LinkedHashMap<>();
    Fields requests = option.child("capacity").child("requests");
    for (String resource : requests.names()) {
      capacity.put(resource, requests.parsed(resource, BigDecimal.ZERO, Quantity::parse));
    }
    return new DeviceRequest.Option(
        name,
        option.string("deviceClassName"),
        selectors(option),
        mode,
        option.integer("count", counted ? 1 : 0),
        option.bool("adminAccess", false),
        PodReader.anyTolerations(option),
        capacity);
  }

  /** Expressions in CEL. */
  static List<String> selectors(Fields parent) {
    return parent.children("selectors").stream()
        .map(selector -> selector.child("cel").string("expression"))
        .toList();
  }

  /** One of a kind that is not known has no attribute. */
  private static DeviceConstraint constraint(Fields constraint) {
    Set<String> requests = new TreeSet<>(constraint.strings("requests"));
    boolean distinct = !constraint.has("matchAttribute") && constraint.has("distinctAttribute");
    String attribute = constraint.string(distinct ? "distinctAttribute" : "matchAttribute");
    return new DeviceConstraint(requests, attribute, distinct);
  }
}
