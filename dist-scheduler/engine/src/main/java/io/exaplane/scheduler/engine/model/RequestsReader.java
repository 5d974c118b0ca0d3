// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Adds up what the containers of a pod ask for: init containers one after another, sidecars
 * besides, the pod's own requests and overhead. Source: component-helpers/resource/helpers.go;
 * pkg/scheduler/framework/types.go, CalculateResource.
 */
final class RequestsReader {
  private static final Map<String, BigDecimal> DEFAULTS =
      Map.of(Amounts.CPU, new BigDecimal("0.1"), Amounts.MEMORY, BigDecimal.valueOf(200L << 20));

  /** Of pods that run: what containers were given. */
  private static final List<String> CONTAINER_STATUSES =
      List.of("containerStatuses", "initContainerStatuses");

  private static final int MOST_KNOWN = 10_000;

  private final Map<String, BigDecimal> parsed = new HashMap<>();
  private final Map<List<Object>, Requests> known = new HashMap<>();
  private final Version version;

  RequestsReader(Version version) {
    this.version = version;
  }

  /** What a pod asks for; that of pods which ask for the same is worked out once. */
  Requests read(Fields spec, Fields status) {
    List<Object> asked = asked(spec, status);
    Requests same = known.get(asked);
    if (same == null) {
      same = sum(spec, status);
      if (known.size() >= MOST_KNOWN) {
        known.clear();
      }
      known.put(asked, same);
    }
    return same;
  }

  /** All that decides, as it was read. */
  private static List<Object> asked(Fields spec, Fields status) {
    List<Object> asked = new ArrayList<>();
    add(spec.children("containers"), asked, "name", "resources");
    add(spec.children("initContainers"), asked, "name", "resources", "restartPolicy");
    asked.add(spec.raw("overhead"));
    asked.add(spec.raw("resources"));
    asked.add(status.raw("resources"));
    asked.add(status.raw("allocatedResources"));
    for (String list : CONTAINER_STATUSES) {
      add(status.children(list), asked, "name", "resources", "allocatedResources");
    }
    asked.add(isResizeInfeasible(status));
    return asked;
  }

  private static void add(List<Fields> all, List<Object> to, String... names) {
    to.add(all.size());
    for (Fields one : all) {
      for (String name : names) {
        to.add(one.raw(name));
      }
    }
  }

  private static boolean isResizeInfeasible(Fields status) {
    for (Fields condition : status.children("conditions")) {
      if (condition.string("type").equals("PodResizePending")) {
        return condition.string("reason").equals("Infeasible");
      }
    }
    return false;
  }

  private Requests sum(Fields spec, Fields status) {
    Sum fit = new Sum(spec, status, false, true, Map.of());
    Sum placed = new Sum(spec, status, true, true, Map.of());
    Map<String, BigDecimal> placedRequests = placed.requests();
    Map<String, BigDecimal> nonZero =
        new Sum(spec, status, true, true, missing(spec, placedRequests)).requests();
    return new Requests(
        Amounts.of(fit.requests()),
        Amounts.of(placedRequests),
        Amounts.counted(Amounts.CPU, nonZero.getOrDefault(Amounts.CPU, BigDecimal.ZERO)),
        Amounts.counted(Amounts.MEMORY, nonZero.getOrDefault(Amounts.MEMORY, BigDecimal.ZERO)),
        counted(new Sum(spec, status, false, false, DEFAULTS).requests()),
        counted(placedRequests));
  }

  /** Allocatable resources of a node, or any other list of resources. */
  Map<String, BigDecimal> quantities(Fields list) {
    Map<String, BigDecimal> quantities = new LinkedHashMap<>();
    for (String name : list.names()) {
      quantities.put(
          name,
          list.parsed(
              name, BigDecimal.ZERO, text -> parsed.computeIfAbsent(text, Quantity::parseAmount)));
    }
    return quantities;
  }

  /** With requests of the pod as a whole, a default counts only for what nobody asks for at all. */
  private static Map<String, BigDecimal> missing(Fields spec, Map<String, BigDecimal> requests) {
    if (!asksAsAWhole(spec)) {
      return DEFAULTS;
    }
    Map<String, BigDecimal> missing = new HashMap<>(DEFAULTS);
    missing.keySet().removeAll(requests.keySet());
    return missing;
  }

  private static boolean asksAsAWhole(Fields spec) {
    for (String name : spec.child("resources").child("requests").names()) {
      if (isForPods(name)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isForPods(String resource) {
    return resource.equals(Amounts.CPU)
        || resource.equals(Amounts.MEMORY)
        || resource.startsWith("hugepages-");
  }

  private static SortedMap<String, Long> counted(Map<String, BigDecimal> requests) {
    SortedMap<String, Long> counted = new TreeMap<>();
    requests.forEach((name, amount) -> counted.put(name, Amounts.counted(name, amount)));
    return counted;
  }

  private static void add(Map<String, BigDecimal> sum, Map<String, BigDecimal> more) {
    more.forEach((name, amount) -> sum.merge(name, amount, BigDecimal::add));
  }

  private static void raise(Map<String, BigDecimal> sum, Map<String, BigDecimal> other) {
    other.forEach((name, amount) -> sum.merge(name, amount, BigDecimal::max));
  }

  /** What counts of a container. */
  @FunctionalInterface
  private interface Look {
    /**
     * By resource.
     *
     * @param seen its status, or null if it has none or that does not count
     * @param resizable whether it may be given something else while it runs
     */
    Map<String, BigDecimal> at(Map<String, BigDecimal> wanted, Fields seen, boolean resizable);
  }

  /** One way of adding up. */
  private final class Sum {
    private final Fields spec;
    private final Fields status;
    private final boolean withStatus;
    private final boolean withPodRequests;
    private final Map<String, BigDecimal> missing;
    private final boolean resizeInfeasible;
    private final Map<String, Fields> containerStatuses = new HashMap<>();

    Sum(
        Fields spec,
        Fields status,
        boolean withStatus,
        boolean withPodRequests,
        Map<String, BigDecimal> missing) {
      this.spec = spec;
      this.status = status;
      this.withStatus = withStatus;
      this.withPodRequests = withPodRequests;
      this.missing = missing;
      this.resizeInfeasible = withStatus && isResizeInfeasible(status);
      if (withStatus) {
        for (String list : CONTAINER_STATUSES) {
          status
              .children(list)
              .forEach(container -> containerStatuses.put(container.string("name"), container));
        }
      }
    }

    Map<String, BigDecimal> requests() {
      Map<String, BigDecimal> sum =
          withStatus && version.atLeast(Version.V1_37) ? mostOfAll() : ofContainers(this::together);
      if (withPodRequests && asksAsAWhole(spec)) {
        ofThePod(sum);
      }
      add(sum, quantities(spec.child("overhead")));
      return sum;
    }

    /** What containers ask for in one way of looking at each. */
    private Map<String, BigDecimal> ofContainers(Look look) {
      Map<String, BigDecimal> sum = new HashMap<>();
      for (Fields container : spec.children("containers")) {
        add(sum, ofContainer(look, container, true));
      }
      addInitContainers(look, sum);
      return sum;
    }

    /**
     * From 1.37 on, what all containers want, what all were granted and what all got are added up
     * each, and the most of that counts, not the most of each container.
     */
    private Map<String, BigDecimal> mostOfAll() {
      Map<String, BigDecimal> most = new HashMap<>();
      if (!resizeInfeasible) {
        raise(most, ofContainers((wanted, seen, resizable) -> wanted));
      }
      if (status.has("allocatedResources") && status.child("resources").has("requests")) {
        raise(most, quantities(status.child("allocatedResources")));
        raise(most, quantities(status.child("resources").child("requests")));
        return most;
      }
      raise(most, ofContainers((wanted, seen, resizable) -> granted(wanted, seen)));
      raise(
          most,
          ofContainers(
              (wanted, seen, resizable) ->
                  seen != null && seen.child("resources").has("requests")
                      ? quantities(seen.child("resources").child("requests"))
                      : granted(wanted, seen)));
      return most;
    }

    private Map<String, BigDecimal> granted(Map<String, BigDecimal> wanted, Fields seen) {
      if (seen != null && seen.has("allocatedResources")) {
        return quantities(seen.child("allocatedResources"));
      }
      return resizeInfeasible ? Map.of() : wanted;
    }

    private void addInitContainers(Look look, Map<String, BigDecimal> sum) {
      Map<String, BigDecimal> sidecars = new HashMap<>();
      Map<String, BigDecimal> most = new HashMap<>();
      for (Fields container : spec.children("initContainers")) {
        boolean sidecar = container.string("restartPolicy").equals("Always");
        Map<String, BigDecimal> own = ofContainer(look, container, sidecar);
        if (sidecar) {
          add(sum, own);
          add(sidecars, own);
          raise(most, sidecars);
        } else {
          Map<String, BigDecimal> meanwhile = new HashMap<>(own);
          add(meanwhile, sidecars);
          raise(most, meanwhile);
        }
      }
      raise(sum, most);
    }

    private Map<String, BigDecimal> ofContainer(Look look, Fields container, boolean resizable) {
      Map<String, BigDecimal> wanted = quantities(container.child("resources").child("requests"));
      Fields seen = withStatus ? containerStatuses.get(container.string("name")) : null;
      Map<String, BigDecimal> requests = look.at(wanted, seen, resizable);
      if (missing.isEmpty()) {
        return requests;
      }
      Map<String, BigDecimal> all = new HashMap<>(missing);
      all.putAll(requests);
      return all;
    }

    /** The most of what a container wants, was granted and got. */
    private Map<String, BigDecimal> together(
        Map<String, BigDecimal> wanted, Fields seen, boolean resizable) {
      return seen != null && resizable && seen.has("resources")
          ? effective(
              wanted, seen.child("resources").child("requests"), seen.child("allocatedResources"))
          : wanted;
    }

    private void ofThePod(Map<String, BigDecimal> sum) {
      Map<String, BigDecimal> requests = quantities(spec.child("resources").child("requests"));
      Map<String, BigDecimal> effective = null;
      if (withStatus && version.atLeast(Version.V1_36) && status.has("resources")) {
        effective =
            effective(
                requests,
                status.child("resources").child("requests"),
                status.child("allocatedResources"));
      }
      if (effective != null && version.atLeast(Version.V1_37)) {
        effective.forEach(
            (name, amount) -> {
              if (isForPods(name)) {
                sum.put(name, amount);
              }
            });
        return;
      }
      for (Map.Entry<String, BigDecimal> request : requests.entrySet()) {
        if (isForPods(request.getKey())) {
          sum.put(
              request.getKey(),
              effective == null
                  ? request.getValue()
                  : effective.getOrDefault(request.getKey(), BigDecimal.ZERO));
        }
      }
    }

    private Map<String, BigDecimal> effective(
        Map<String, BigDecimal> wanted, Fields actuated, Fields allocated) {
      Map<String, BigDecimal> most = new HashMap<>();
      if (!resizeInfeasible) {
        raise(most, wanted);
      }
      raise(most, quantities(actuated));
      raise(most, quantities(allocated));
      return most;
    }
  }
}
