// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import io.exaplane.scheduler.engine.model.ContainerDevices;
import io.exaplane.scheduler.engine.model.device.DeviceRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a claim has to ask for in place of a pod's extended resources, where a node has none of them
 * but devices. Source: plugins/dynamicresources/extendeddynamicresources.go,
 * createRequestsAndMappings.
 */
public final class ExtendedRequests {
  private ExtendedRequests() {}

  /**
   * One request for each container that runs as long as the pod and asks for devices; init
   * containers use those of later containers, and the one that needs most besides gets a request.
   *
   * @param classes by resource, the name of the class that stands for it
   */
  public static List<DeviceRequest> of(
      List<ContainerDevices> containers, Map<String, String> classes) {
    List<DeviceRequest> requests = new ArrayList<>();
    new TreeMap<>(classes)
        .forEach((resource, name) -> addRequests(containers, resource, name, requests));
    requests.sort(Comparator.comparing(DeviceRequest::name));
    return requests;
  }

  /**
   * By which of a claim's requests a container gets an extended resource.
   *
   * @param request its name
   */
  public record Mapping(String container, String resource, String request) {}

  /**
   * Which container gets what by which request.
   *
   * @param requests what {@link #of} has made of these containers
   */
  public static List<Mapping> mappings(
      List<ContainerDevices> containers, List<DeviceRequest> requests) {
    Set<String> names = requests.stream().map(DeviceRequest::name).collect(Collectors.toSet());
    TreeSet<String> resources = new TreeSet<>();
    for (ContainerDevices container : containers) {
      container
          .wanted()
          .forEach(
              (resource, wanted) -> {
                if (names.contains(name(container, wanted))) {
                  resources.add(resource);
                }
              });
    }
    List<Mapping> mappings = new ArrayList<>();
    resources.forEach(resource -> addMappings(containers, resource, names, mappings));
    return mappings;
  }

  /** Those that run as long as the pod come first. */
  private static void addMappings(
      List<ContainerDevices> containers,
      String resource,
      Set<String> requests,
      List<Mapping> mappings) {
    List<ContainerDevices> asking =
        containers.stream().filter(each -> each.wanted().containsKey(resource)).toList();
    for (ContainerDevices each : asking) {
      if (each.longLived()) {
        mappings.add(new Mapping(each.name(), resource, name(each, each.wanted().get(resource))));
      }
    }
    String most =
        asking.stream()
            .filter(each -> !each.longLived())
            .map(each -> name(each, each.wanted().get(resource)))
            .filter(requests::contains)
            .findFirst()
            .orElse(null);
    for (int i = 0; i < asking.size(); i++) {
      if (!asking.get(i).longLived()) {
        addOfInitContainer(asking, i, resource, most, mappings);
      }
    }
  }

  /** It uses what later containers have, and, if that is too little, the request besides. */
  private static void addOfInitContainer(
      List<ContainerDevices> asking,
      int i,
      String resource,
      String besides,
      List<Mapping> mappings) {
    String container = asking.get(i).name();
    long missing = asking.get(i).wanted().get(resource).count();
    for (ContainerDevices later : asking.subList(i, asking.size())) {
      if (later.longLived() && missing > 0) {
        ContainerDevices.Wanted wanted = later.wanted().get(resource);
        mappings.add(new Mapping(container, resource, name(later, wanted)));
        missing -= wanted.count();
      }
    }
    if (missing > 0) {
      mappings.add(new Mapping(container, resource, besides));
    }
  }

  private static void addRequests(
      List<ContainerDevices> containers,
      String resource,
      String deviceClass,
      List<DeviceRequest> to) {
    long[] longLived = new long[containers.size()];
    for (int i = 0; i < longLived.length; i++) {
      ContainerDevices.Wanted wanted = containers.get(i).wanted().get(resource);
      if (wanted != null && containers.get(i).longLived()) {
        longLived[i] = wanted.count();
        to.add(request(containers.get(i), wanted, deviceClass, wanted.count()));
      }
    }
    DeviceRequest most = null;
    long mostCount = 0;
    for (int i = 0; i < longLived.length; i++) {
      ContainerDevices.Wanted wanted = containers.get(i).wanted().get(resource);
      if (wanted != null && !containers.get(i).longLived()) {
        long later = Arrays.stream(longLived, i, longLived.length).sum();
        long besides = wanted.count() - later;
        if (besides > mostCount) {
          mostCount = besides;
          most = request(containers.get(i), wanted, deviceClass, besides);
        }
      }
    }
    if (most != null) {
      to.add(most);
    }
  }

  private static String name(ContainerDevices container, ContainerDevices.Wanted wanted) {
    return "container-%d-request-%d".formatted(container.index(), wanted.place());
  }

  private static DeviceRequest request(
      ContainerDevices container, ContainerDevices.Wanted wanted, String deviceClass, long count) {
    String name = name(container, wanted);
    return new DeviceRequest(
        name,
        false,
        List.of(
            new DeviceRequest.Option(
                name,
                deviceClass,
                List.of(),
                DeviceRequest.Mode.EXACT_COUNT,
                count,
                false,
                List.of(),
                Map.of())));
  }
}
