// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.engine.model.NodeSelector;
import io.exaplane.scheduler.engine.model.Requirement;
import io.exaplane.scheduler.engine.model.device.Allocation;
import io.exaplane.scheduler.engine.model.device.DeviceId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Allocations as a ResourceClaim's status has them. Objects are as a JSON parser leaves them. Pure
 * but for the names of shares. Source: k8s.io/dynamic-resource-allocation/structured.
 */
final class Allocations {
  private Allocations() {}

  /**
   * The alternative of each request of a claim that got devices, with the class that it names.
   *
   * @param name as results have it: the request's, with the alternative's behind a slash
   * @param of the request, or its alternative
   */
  record Selected(String name, Map<String, Object> of) {
    String deviceClass() {
      return text(of, "deviceClassName");
    }
  }

  /** Those of a claim's requests that got something, in the claim's order. */
  static List<Selected> selected(Map<String, Object> claim, Allocation allocation) {
    List<Selected> all = new ArrayList<>();
    for (Map<String, Object> request : list(child(child(claim, "spec"), "devices"), "requests")) {
      String name = text(request, "name");
      for (Allocation.Result result : allocation.results()) {
        Map<String, Object> of = null;
        if (result.request().equals(name)) {
          of = child(request, "exactly");
        } else if (result.request().startsWith(name + "/")) {
          String alternative = result.request().substring(name.length() + 1);
          of =
              list(request, "firstAvailable").stream()
                  .filter(each -> text(each, "name").equals(alternative))
                  .findFirst()
                  .orElse(Map.of());
        }
        if (of != null) {
          all.add(new Selected(result.request(), of));
          break;
        }
      }
    }
    return all;
  }

  /**
   * The allocation.
   *
   * @param claim as the server has it
   * @param classes the DeviceClasses that its requests name
   */
  static Map<String, Object> of(
      Allocation allocation,
      Map<String, Object> claim,
      Map<String, Map<String, Object>> classes,
      Instant now) {
    List<Selected> selected = selected(claim, allocation);
    Map<String, Object> devices = new LinkedHashMap<>();
    devices.put(
        "results", allocation.results().stream().map(each -> result(each, selected)).toList());
    List<Map<String, Object>> configuration = configuration(claim, selected, classes);
    if (!configuration.isEmpty()) {
      devices.put("config", configuration);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("devices", devices);
    if (allocation.nodes() != null) {
      all.put("nodeSelector", nodeSelector(allocation.nodes()));
    }
    all.put("allocationTimestamp", Instant.ofEpochSecond(now.getEpochSecond()).toString());
    return all;
  }

  /** What a claim has, as the server tells it. */
  static Set<DeviceId> devices(Map<String, Object> claim) {
    Map<String, Object> allocation = child(child(claim, "status"), "allocation");
    return list(child(allocation, "devices"), "results").stream()
        .map(each -> new DeviceId(text(each, "driver"), text(each, "pool"), text(each, "device")))
        .collect(Collectors.toSet());
  }

  private static Map<String, Object> result(Allocation.Result result, List<Selected> selected) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("request", result.request());
    all.put("driver", result.device().driver());
    all.put("pool", result.device().pool());
    all.put("device", result.device().device());
    if (result.adminAccess()) {
      all.put("adminAccess", true);
    }
    selected.stream()
        .filter(each -> each.name().equals(result.request()))
        .map(each -> each.of().get("tolerations"))
        .filter(java.util.Objects::nonNull)
        .findFirst()
        .ifPresent(tolerations -> all.put("tolerations", tolerations));
    if (!result.bindingConditions().isEmpty()) {
      all.put("bindingConditions", result.bindingConditions());
    }
    if (!result.bindingFailureConditions().isEmpty()) {
      all.put("bindingFailureConditions", result.bindingFailureConditions());
    }
    if (result.shared()) {
      all.put("shareID", UUID.randomUUID().toString());
      Map<String, Object> consumed = new LinkedHashMap<>();
      result.consumed().forEach((name, amount) -> consumed.put(name, amount.toPlainString()));
      all.put("consumedCapacity", consumed);
    }
    return all;
  }

  /** Of each class once, with the requests that name it; then the claim's own. */
  private static List<Map<String, Object>> configuration(
      Map<String, Object> claim,
      List<Selected> selected,
      Map<String, Map<String, Object>> classes) {
    Map<String, List<String>> requests = new LinkedHashMap<>();
    for (Selected each : selected) {
      requests.computeIfAbsent(each.deviceClass(), c -> new ArrayList<>()).add(each.name());
    }
    List<Map<String, Object>> all = new ArrayList<>();
    requests.forEach(
        (name, by) -> {
          Map<String, Object> of = classes.getOrDefault(name, Map.of());
          for (Map<String, Object> each : list(child(of, "spec"), "config")) {
            all.add(entry("FromClass", by, each));
          }
        });
    List<String> names = selected.stream().map(Selected::name).toList();
    for (Map<String, Object> each : list(child(child(claim, "spec"), "devices"), "config")) {
      List<?> by = each.get("requests") instanceof List<?> l ? l : List.of();
      boolean applies =
          by.isEmpty()
              || names.stream()
                  .anyMatch(name -> by.contains(name) || by.contains(name.replaceFirst("/.*", "")));
      if (applies) {
        all.add(entry("FromClaim", by, each));
      }
    }
    return all;
  }

  private static Map<String, Object> entry(
      String source, List<?> requests, Map<String, Object> configuration) {
    Map<String, Object> entry = new LinkedHashMap<>(configuration);
    entry.put("source", source);
    if (!requests.isEmpty()) {
      entry.put("requests", requests);
    }
    return entry;
  }

  private static Map<String, Object> nodeSelector(NodeSelector nodes) {
    return Map.of(
        "nodeSelectorTerms",
        nodes.terms().stream()
            .map(
                term -> {
                  Map<String, Object> all = new LinkedHashMap<>();
                  put(all, "matchExpressions", term.expressions());
                  put(all, "matchFields", term.fields());
                  return all;
                })
            .toList());
  }

  private static void put(Map<String, Object> to, String name, List<Requirement> requirements) {
    if (!requirements.isEmpty()) {
      to.put(name, requirements.stream().map(Allocations::requirement).toList());
    }
  }

  private static Map<String, Object> requirement(Requirement requirement) {
    String operator =
        switch (requirement.operator()) {
          case IN -> "In";
          case NOT_IN -> "NotIn";
          case EXISTS -> "Exists";
          case DOES_NOT_EXIST -> "DoesNotExist";
          case GT -> "Gt";
          case LT -> "Lt";
        };
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("key", requirement.key());
    all.put("operator", operator);
    if (!requirement.values().isEmpty()) {
      all.put("values", requirement.values());
    }
    return all;
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> child(Map<String, Object> object, String name) {
    return object.get(name) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  @SuppressWarnings("unchecked")
  static List<Map<String, Object>> list(Map<String, Object> object, String name) {
    return object.get(name) instanceof List<?> all
        ? (List<Map<String, Object>>) (List<?>) all
        : List.of();
  }

  static String text(Map<String, Object> object, String name) {
    return object.get(name) instanceof String text ? text : "";
  }
}
