// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.engine.model.device.DeviceRequest;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.kube.ApiWriter.Request;
import java.util.List;
import java.util.Map;

/** Requests about ResourceClaims. */
final class ClaimRequests {
  static final String FINALIZER = "resource.kubernetes.io/delete-protection";
  private static final String ANNOTATION = "resource.kubernetes.io/extended-resource-claim";
  private static final String GROUP = "/apis/resource.k8s.io/v1/";
  private static final String JSON = "application/json";
  private static final String MERGE = "application/merge-patch+json";
  private static final String STRATEGIC = "application/strategic-merge-patch+json";

  private ClaimRequests() {}

  static String path(ResourceClaim claim) {
    return claims(claim.namespace()) + "/" + claim.name();
  }

  private static String claims(String namespace) {
    return GROUP + "namespaces/" + namespace + "/resourceclaims";
  }

  static Request deviceClass(String name) {
    return Requests.get(GROUP + "deviceclasses/" + name);
  }

  static Request status(ResourceClaim claim, Map<String, Object> status) {
    return new Request(
        "PATCH",
        path(claim) + "/status",
        STRATEGIC,
        Map.of("metadata", Map.of("uid", claim.uid()), "status", status));
  }

  static List<?> finalizers(Map<String, Object> claim) {
    Object all = Allocations.child(claim, "metadata").get("finalizers");
    return all instanceof List<?> list ? list : List.of();
  }

  /** Other finalizers, unless the claim has changed. */
  static Request finalizers(ResourceClaim claim, Map<String, Object> now, List<?> finalizers) {
    String version = Allocations.text(Allocations.child(now, "metadata"), "resourceVersion");
    return new Request(
        "PATCH",
        path(claim),
        MERGE,
        Map.of("metadata", Map.of("resourceVersion", version, "finalizers", finalizers)));
  }

  /** A claim in place of a pod's extended resources; what it asks for is exact. */
  static Request made(PodRef pod, ResourceClaim claim) {
    Map<String, Object> owner =
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Pod",
            "name",
            pod.name(),
            "uid",
            pod.uid(),
            "controller",
            true);
    Map<String, Object> metadata =
        Map.of(
            "name", claim.name(),
            "namespace", pod.namespace(),
            "annotations", Map.of(ANNOTATION, "true"),
            "finalizers", List.of(FINALIZER),
            "ownerReferences", List.of(owner));
    return new Request(
        "POST",
        claims(pod.namespace()),
        JSON,
        Map.of(
            "apiVersion",
            "resource.k8s.io/v1",
            "kind",
            "ResourceClaim",
            "metadata",
            metadata,
            "spec",
            Map.of(
                "devices",
                Map.of(
                    "requests", claim.requests().stream().map(ClaimRequests::request).toList()))));
  }

  private static Map<String, Object> request(DeviceRequest request) {
    DeviceRequest.Option exactly = request.options().getFirst();
    return Map.of(
        "name",
        request.name(),
        "exactly",
        Map.of(
            "deviceClassName",
            exactly.deviceClass(),
            "allocationMode",
            "ExactCount",
            "count",
            exactly.count()));
  }

  static Request deletion(ResourceClaim claim) {
    return Requests.deletion(path(claim), claim.uid());
  }
}
