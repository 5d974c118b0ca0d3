// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.device.ExtendedRequests.Mapping;
import io.exaplane.scheduler.engine.model.ContainerDevices;
import io.exaplane.scheduler.engine.model.ContainerDevices.Wanted;
import io.exaplane.scheduler.engine.model.device.DeviceRequest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ExtendedRequestsTest {
  private static final Map<String, String> CLASSES = Map.of("x.io/gpu", "gpus", "x.io/nic", "nics");

  private static ContainerDevices container(int index, boolean longLived, String of, long count) {
    return new ContainerDevices(
        "c" + index, index, longLived, new TreeMap<>(Map.of(of, new Wanted(count, 0))));
  }

  private static List<Mapping> mappings(List<ContainerDevices> containers) {
    return ExtendedRequests.mappings(containers, ExtendedRequests.of(containers, CLASSES));
  }

  private static Mapping gpu(int container, int of) {
    return new Mapping("c" + container, "x.io/gpu", "container-%d-request-0".formatted(of));
  }

  @Test
  void eachContainerHasItsOwn() {
    List<ContainerDevices> containers =
        List.of(container(0, true, "x.io/gpu", 1), container(1, true, "x.io/nic", 2));
    assertThat(mappings(containers))
        .containsExactly(gpu(0, 0), new Mapping("c1", "x.io/nic", "container-1-request-0"));
  }

  @Test
  void anInitContainerUsesThoseOfLaterOnesFirst() {
    List<ContainerDevices> containers =
        List.of(
            container(0, false, "x.io/gpu", 1),
            container(1, false, "x.io/gpu", 3),
            container(2, true, "x.io/gpu", 1),
            container(3, true, "x.io/gpu", 1));
    assertThat(mappings(containers))
        .containsExactly(
            gpu(2, 2), gpu(3, 3), // what they have is theirs
            gpu(0, 2), // one is enough
            gpu(1, 2), gpu(1, 3), gpu(1, 1));
  }

  @Test
  void initContainersThatNeedMoreShareTheLargestRequest() {
    List<ContainerDevices> containers =
        List.of(
            container(0, false, "x.io/gpu", 2),
            container(1, false, "x.io/gpu", 4),
            container(2, false, "x.io/gpu", 3),
            container(3, true, "x.io/gpu", 1));
    assertThat(ExtendedRequests.of(containers, CLASSES))
        .extracting(DeviceRequest::name)
        .containsExactly("container-1-request-0", "container-3-request-0");
    assertThat(mappings(containers))
        .containsExactly(
            gpu(3, 3), gpu(0, 3), gpu(0, 1), gpu(1, 3), gpu(1, 1), gpu(2, 3), gpu(2, 1));
  }

  @Test
  void whatANodeHasWithoutAClaimIsNoneOfThem() {
    List<ContainerDevices> containers =
        List.of(container(0, true, "x.io/gpu", 1), container(1, true, "x.io/nic", 2));
    List<DeviceRequest> onlyNics = ExtendedRequests.of(containers, Map.of("x.io/nic", "nics"));
    assertThat(ExtendedRequests.mappings(containers, onlyNics))
        .containsExactly(new Mapping("c1", "x.io/nic", "container-1-request-0"));
  }
}
