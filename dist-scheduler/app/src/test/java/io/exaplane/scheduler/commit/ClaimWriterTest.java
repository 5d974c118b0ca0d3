// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.exaplane.scheduler.engine.model.NodeSelector;
import io.exaplane.scheduler.engine.model.Requirement;
import io.exaplane.scheduler.engine.model.device.Allocation;
import io.exaplane.scheduler.engine.model.device.DeviceId;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.plugin.Grant;
import io.exaplane.scheduler.lease.Standing;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ClaimWriterTest {
  private static final PodRef POD = new PodRef("ns", "p", "pod-uid", "default-scheduler");
  private static final String CLAIM = "/apis/resource.k8s.io/v1/namespaces/ns/resourceclaims/c";

  private static final String NOT_FOR_THE_POD =
      "{metadata: {uid: claim-uid}, status: {reservedFor: [{$patch: delete, uid: pod-uid}]}}";

  private final ScriptedApi api = new ScriptedApi();
  private final Sender sender = new Sender(api, () -> Standing.HELD, new Concurrency(8));

  private ClaimWriter writer(ClaimPlan plan) {
    return new ClaimWriter(sender, POD, plan);
  }

  private static ClaimPlan granted() {
    Grant grant = new Grant(claim(null), allocation());
    return new ClaimPlan(List.of(grant), List.of(), List.of(), List.of());
  }

  private static ResourceClaim claim(Allocation allocation) {
    return new ResourceClaim(
        "ns",
        "c",
        "claim-uid",
        false,
        "",
        false,
        List.of(),
        List.of(),
        allocation,
        List.of(),
        Map.of());
  }

  private static Allocation allocation() {
    Requirement node = new Requirement("metadata.name", Requirement.Operator.IN, List.of("n1"));
    return new Allocation(
        List.of(
            result("gpu", "d1", false, Map.of()),
            result("any/small", "d2", true, Map.of("memory", new BigDecimal("4E+9")))),
        new NodeSelector(List.of(new NodeSelector.Term(List.of(), List.of(node)))),
        0);
  }

  private static Allocation.Result result(
      String request, String device, boolean shared, Map<String, BigDecimal> consumed) {
    return new Allocation.Result(
        request,
        new DeviceId("x.io", "pool", device),
        false,
        shared,
        consumed,
        List.of(),
        List.of());
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> yaml(String text) throws Exception {
    return new YAMLMapper().readValue(text, Map.class);
  }

  private static Map<String, Object> stored(String more) throws Exception {
    return yaml(
        """
        metadata: {name: c, namespace: ns, uid: claim-uid, resourceVersion: "7", %s}
        spec:
          devices:
            requests:
            - {name: gpu, exactly: {deviceClassName: big, tolerations: [{key: t, operator: Exists}]}}
            - {name: any, firstAvailable: [{name: large, deviceClassName: big}, {name: small, deviceClassName: little}]}
            config:
            - {opaque: {driver: x.io, parameters: {all: 1}}}
            - {requests: [any], opaque: {driver: x.io, parameters: {any: 1}}}
            - {requests: [any/large], opaque: {driver: x.io, parameters: {large: 1}}}
        """
            .formatted(more));
  }

  @Test
  void aClaimIsKeptFromGoingGetsItsDevicesAndIsKeptForThePod() throws Exception {
    api.answer(200, stored("finalizers: [a]"));
    api.answer(200, stored("finalizers: [a, resource.kubernetes.io/delete-protection]"));
    api.answer(200, yaml("spec: {config: [{opaque: {driver: x.io, parameters: {big: 1}}}]}"));
    api.answer(404, Map.of());
    api.answer(200, Map.of());
    String trouble = writer(granted()).write();
    assertThat(trouble).isNull();
    assertThat(api.methods())
        .containsExactly(
            "GET " + CLAIM,
            "PATCH " + CLAIM,
            "GET /apis/resource.k8s.io/v1/deviceclasses/big",
            "GET /apis/resource.k8s.io/v1/deviceclasses/little",
            "PATCH " + CLAIM + "/status");
    assertThat(api.asked.get(1).body())
        .isEqualTo(
            yaml(
                "metadata: {resourceVersion: \"7\", finalizers: [a, resource.kubernetes.io/delete-protection]}"));
    Map<String, Object> body = api.asked.getLast().body();
    assertThat(body.get("metadata")).isEqualTo(Map.of("uid", "claim-uid"));
    Map<String, Object> status = Allocations.child(body, "status");
    assertThat(status.get("reservedFor"))
        .isEqualTo(List.of(Map.of("resource", "pods", "name", "p", "uid", "pod-uid")));
    Map<String, Object> allocation = Allocations.child(status, "allocation");
    assertThat(allocation.get("nodeSelector"))
        .isEqualTo(
            yaml(
                "nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]"));
    Map<String, Object> devices = Allocations.child(allocation, "devices");
    assertThat(devices.get("config"))
        .isEqualTo(
            yaml("""
                    config:
                    - {opaque: {driver: x.io, parameters: {big: 1}}, source: FromClass, requests: [gpu]}
                    - {opaque: {driver: x.io, parameters: {all: 1}}, source: FromClaim}
                    - {requests: [any], opaque: {driver: x.io, parameters: {any: 1}}, source: FromClaim}
                    """)
                .get("config"));
    List<Map<String, Object>> results = Allocations.list(devices, "results");
    assertThat(results.getFirst())
        .isEqualTo(
            yaml(
                "{request: gpu, driver: x.io, pool: pool, device: d1, tolerations: [{key: t, operator: Exists}]}"));
    assertThat(results.getLast())
        .containsEntry("request", "any/small")
        .containsEntry("consumedCapacity", Map.of("memory", "4000000000"))
        .containsKey("shareID")
        .doesNotContainKey("tolerations");
  }

  @Test
  void whatBecameOfTheClaimMeanwhileIsTold() throws Exception {
    ClaimPlan plan = granted();
    api.answer(404, Map.of("message", "not found"));
    assertThat(writer(plan).write()).isEqualTo("claim ns/c: not found");
    api.answer(200, yaml("metadata: {uid: another}"));
    assertThat(writer(plan).write()).isEqualTo("claim ns/c was deleted and created again");
    api.answer(200, yaml("{metadata: {uid: claim-uid}, status: {allocation: {devices: {}}}}"));
    assertThat(writer(plan).write()).contains("got allocated elsewhere");
    api.answer(200, yaml("metadata: {uid: claim-uid, deletionTimestamp: now}"));
    assertThat(writer(plan).write()).contains("got deleted");
  }

  @Test
  void aClaimThatHasItsDevicesIsOnlyKeptForThePodAndNoLongerThanThat() throws Exception {
    ClaimPlan plan = new ClaimPlan(List.of(), List.of(claim(allocation())), List.of(), List.of());
    ClaimWriter writer = writer(plan);
    api.answer(200, allocated("d1", "d2"));
    assertThat(writer.write()).isNull();
    assertThat(writer.allocated()).as("by this").isEmpty();
    assertThat(api.asked.getLast().body())
        .isEqualTo(
            yaml(
                "{metadata: {uid: claim-uid}, status: {reservedFor: [{resource: pods, name: p, uid: pod-uid}]}}"));
    writer.release();
    assertThat(api.asked.getLast().body()).isEqualTo(yaml(NOT_FOR_THE_POD));
  }

  /** Somebody gave it back and it got others between the decision and this. */
  @Test
  void aClaimThatHasOtherDevicesThanThoseThatWereLookedAtIsNotUsed() throws Exception {
    ClaimPlan plan = new ClaimPlan(List.of(), List.of(claim(allocation())), List.of(), List.of());
    ClaimWriter writer = writer(plan);
    api.answer(200, allocated("d1", "other"));
    assertThat(writer.write()).isEqualTo("claim ns/c got allocated elsewhere in the meantime");
    writer.release();
    assertThat(api.asked.getLast().body()).isEqualTo(yaml(NOT_FOR_THE_POD));
  }

  private static Map<String, Object> allocated(String... devices) throws Exception {
    String results =
        Arrays.stream(devices)
            .map("{request: r, driver: x.io, pool: pool, device: %s}"::formatted)
            .collect(Collectors.joining(", "));
    return yaml("status: {allocation: {devices: {results: [%s]}}}".formatted(results));
  }

  @Test
  void aClaimThatIsOfNoUseGivesItsDevicesBackUnlessOthersUseThem() throws Exception {
    ClaimWriter.deallocate(sender, claim(allocation()), POD);
    assertThat(api.asked.getLast().body())
        .isEqualTo(
            yaml(
                "{metadata: {uid: claim-uid}, status: {allocation: null, reservedFor: [{$patch: delete, uid: pod-uid}]}}"));
  }

  @Test
  void withoutTheConfigurationOfAClassNothingIsAllocated() throws Exception {
    api.answer(200, stored("finalizers: [resource.kubernetes.io/delete-protection]"));
    api.answer(403, Map.of("message", "forbidden"));
    ClaimWriter writer = writer(granted());
    assertThat(writer.write()).isEqualTo("device class big: forbidden");
    assertThat(writer.allocated()).isEmpty();
  }

  private ClaimWriter whoWrote() throws Exception {
    api.answer(200, stored("finalizers: [resource.kubernetes.io/delete-protection]"));
    api.answer(404, Map.of()).answer(404, Map.of()).answer(200, Map.of());
    ClaimWriter writer = writer(granted());
    assertThat(writer.write()).isNull();
    api.asked.clear();
    return writer;
  }

  /** The pod's next attempt finds it as it is, as with kube-scheduler. */
  @Test
  void whatAClaimWasGivenItKeepsWhenItsPodDoesNotGetThere() throws Exception {
    ClaimWriter writer = whoWrote();
    writer.release();
    assertThat(writer.allocated()).containsExactly("claim-uid");
    assertThat(api.asked).hasSize(1);
    assertThat(api.asked.getLast().body()).isEqualTo(yaml(NOT_FOR_THE_POD));
  }

  @Test
  void whatAnotherGaveIsNotTakenBack() throws Exception {
    api.answer(200, yaml("{metadata: {uid: claim-uid}, status: {allocation: {devices: {}}}}"));
    ClaimWriter writer = writer(granted());
    assertThat(writer.write()).contains("got allocated elsewhere");
    writer.release();
    assertThat(api.asked).hasSize(1);
  }
}
