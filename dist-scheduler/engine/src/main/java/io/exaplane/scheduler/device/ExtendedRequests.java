// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.device;

import io.exaplane.scheduler.model.ContainerDevices;
import io.exaplane.scheduler.model.device.DeviceRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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

  private static DeviceRequest request(
      ContainerDevices container, ContainerDevices.Wanted wanted, String deviceClass, long count) {
    String name = "container-%d-request-%d".formatted(container.index(), wanted.place());
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
