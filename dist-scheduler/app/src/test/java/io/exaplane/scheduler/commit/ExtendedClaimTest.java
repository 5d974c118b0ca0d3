// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.device.ExtendedRequests.Mapping;
import io.exaplane.scheduler.engine.model.device.Allocation;
import io.exaplane.scheduler.engine.model.device.DeviceId;
import io.exaplane.scheduler.engine.model.device.DeviceRequest;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.plugin.Grant;
import io.exaplane.scheduler.lease.Standing;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExtendedClaimTest {
  private static final PodRef POD = new PodRef("ns", "p", "pod-uid", "default-scheduler");
  private static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/ns/resourceclaims";
  private static final String REQUEST = "container-0-request-0";

  private final ScriptedApi api = new ScriptedApi();
  private final ClaimWriter writer =
      new ClaimWriter(
          new Sender(api, () -> Standing.HELD, new Concurrency(8)),
          POD,
          new ClaimPlan(
              List.of(new Grant(planned(), allocation())),
              List.of(),
              List.of(),
              List.of(new Mapping("c", "x.io/gpu", REQUEST))));

  private static ResourceClaim planned() {
    DeviceRequest.Option two =
        new DeviceRequest.Option(
            REQUEST,
            "gpus",
            List.of(),
            DeviceRequest.Mode.EXACT_COUNT,
            2,
            false,
            List.of(),
            Map.of());
    return ResourceClaim.forExtendedResources(
        "ns", "pod-uid", List.of(new DeviceRequest(REQUEST, false, List.of(two))));
  }

  private static Allocation allocation() {
    DeviceId device = new DeviceId("x.io", "pool", "d1");
    return new Allocation(
        List.of(
            new Allocation.Result(
                REQUEST, device, false, false, Map.of(), List.of("ready"), List.of("broken"))),
        null,
        0);
  }

  private static Map<String, Object> made(String ownerUid) {
    return Map.of(
        "metadata",
        Map.of(
            "uid",
            "claim-uid",
            "resourceVersion",
            "7",
            "finalizers",
            List.of(ClaimRequests.FINALIZER),
            "ownerReferences",
            List.of(Map.of("uid", ownerUid))));
  }

  private String name() {
    return Allocations.text(Allocations.child(api.asked.getFirst().body(), "metadata"), "name");
  }

  @Test
  void itIsMadeGetsItsDevicesAndThePodIsTold() throws Exception {
    api.answer(201, made("pod-uid"));
    api.answer(200, Map.of());
    api.answer(200, Map.of());
    assertThat(writer.write()).isNull();
    assertThat(name()).startsWith("p-extended-resources-").hasSize(26);
    assertThat(api.methods())
        .containsExactly(
            "POST " + CLAIMS,
            "PATCH " + CLAIMS + "/" + name() + "/status",
            "PATCH /api/v1/namespaces/ns/pods/p/status");
    Map<String, Object> claim = api.asked.getFirst().body();
    assertThat(claim.toString())
        .contains("extended-resource-claim=true", "controller=true", "uid=pod-uid", "count=2");
    String status = api.asked.get(1).body().toString();
    assertThat(status).contains("uid=claim-uid", "device=d1", "bindingConditions=[ready]");
    assertThat(status).contains("bindingFailureConditions=[broken]", "reservedFor");
    assertThat(api.asked.get(2).body().get("status"))
        .isEqualTo(
            Map.of(
                "extendedResourceClaimStatus",
                Map.of(
                    "resourceClaimName",
                    name(),
                    "requestMappings",
                    List.of(
                        Map.of(
                            "containerName", "c",
                            "resourceName", "x.io/gpu",
                            "requestName", REQUEST)))));
  }

  /** The answer to the first request was lost. */
  @Test
  void oneThatIsThereAlreadyIsItsOwn() throws Exception {
    api.answer(409, Map.of("message", "already exists"));
    api.answer(200, made("pod-uid"));
    api.answer(200, Map.of());
    api.answer(200, Map.of());
    assertThat(writer.write()).isNull();
  }

  @Test
  void anothersIsNotTouched() throws Exception {
    api.answer(409, Map.of("message", "already exists"));
    api.answer(200, made("another"));
    assertThat(writer.write())
        .isEqualTo("create claim for extended resources ns/p: already exists");
    writer.release();
    assertThat(api.asked).hasSize(2);
  }

  @Test
  void itGoesWithItsFinalizerWhenThePodDoesNotGetThere() throws Exception {
    api.answer(201, made("pod-uid"));
    api.answer(422, Map.of("message", "no"));
    assertThat(writer.write()).contains("add allocation and reservation", "no");
    api.answer(200, made("pod-uid"));
    api.answer(200, Map.of());
    api.answer(200, Map.of());
    writer.release();
    String claim = CLAIMS + "/" + name();
    assertThat(api.methods().subList(2, 5))
        .containsExactly("GET " + claim, "PATCH " + claim, "DELETE " + claim);
    assertThat(api.asked.get(3).body())
        .isEqualTo(Map.of("metadata", Map.of("resourceVersion", "7", "finalizers", List.of())));
    assertThat(api.asked.get(4).body().toString()).contains("uid=claim-uid");
  }
}
