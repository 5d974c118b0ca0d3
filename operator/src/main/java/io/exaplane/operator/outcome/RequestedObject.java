// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.outcome;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which object a failed request was about, from the request's own line. Pure.
 *
 * @param object kind and name
 * @param verb create, apply, change, delete or read
 */
record RequestedObject(String object, String verb) {
  private static final Pattern REQUEST =
      Pattern.compile(
          "Failure executing: (\\w+) at: (?:https?://[^/]+)?(/[^\\s?]+?)\\.?(\\?\\S*)?(?:\\s|$)");
  private static final Pattern OPERATION =
      Pattern.compile(
          "Operation: \\[(\\w+)\\]\\s+for kind: \\[(\\w+)\\]\\s+with name: \\[([^\\]]*)\\]");
  private static final Pattern QUOTED = Pattern.compile("^[\\w.]+ \"([^\"]+)\"");
  private static final Map<String, String> VERBS =
      Map.of("POST", "create", "PUT", "change", "PATCH", "change", "DELETE", "delete");
  private static final Map<String, String> KINDS =
      Map.ofEntries(
          Map.entry("services", "Service"),
          Map.entry("secrets", "Secret"),
          Map.entry("configmaps", "ConfigMap"),
          Map.entry("pods", "Pod"),
          Map.entry("nodes", "Node"),
          Map.entry("events", "Event"),
          Map.entry("persistentvolumeclaims", "PersistentVolumeClaim"),
          Map.entry("deployments", "Deployment"),
          Map.entry("statefulsets", "StatefulSet"),
          Map.entry("poddisruptionbudgets", "PodDisruptionBudget"),
          Map.entry("leases", "Lease"),
          Map.entry("storageclasses", "StorageClass"),
          Map.entry("controlplanes", "ControlPlane"),
          Map.entry("storeshards", "StoreShard"),
          Map.entry("schedulerpools", "SchedulerPool"),
          Map.entry("nodepools", "NodePool"),
          Map.entry("controlplanetasks", "ControlPlaneTask"),
          Map.entry("replicasets", "ReplicaSet"),
          Map.entry("tokenreviews", "TokenReview"),
          Map.entry("subjectaccessreviews", "SubjectAccessReview"),
          Map.entry("roles", "Role"),
          Map.entry("rolebindings", "RoleBinding"),
          Map.entry("clusterroles", "ClusterRole"),
          Map.entry("clusterrolebindings", "ClusterRoleBinding"),
          Map.entry("endpointslices", "EndpointSlice"),
          Map.entry("flowschemas", "FlowSchema"),
          Map.entry("namespaces", "Namespace"),
          Map.entry("priorityclasses", "PriorityClass"),
          Map.entry("servicecidrs", "ServiceCIDR"),
          Map.entry("validatingadmissionpolicies", "ValidatingAdmissionPolicy"),
          Map.entry("validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding"),
          Map.entry("customresourcedefinitions", "CustomResourceDefinition"),
          Map.entry("certificatesigningrequests", "CertificateSigningRequest"),
          Map.entry("endpoints", "Endpoints"),
          Map.entry("serviceaccounts", "ServiceAccount"),
          Map.entry("prioritylevelconfigurations", "PriorityLevelConfiguration"));

  /** Of this failure; as much as it tells. */
  static RequestedObject of(KubernetesClientException failure) {
    String message = String.valueOf(failure.getMessage());
    Matcher request = REQUEST.matcher(message);
    if (request.find()) {
      RequestedObject asked =
          ofPath(request.group(1), request.group(2), String.valueOf(request.group(3)));
      return asked.verb().equals("create")
          ? new RequestedObject(named(asked.object(), nameOf(failure.getStatus())), asked.verb())
          : asked;
    }
    Matcher operation = OPERATION.matcher(message);
    if (operation.find()) {
      return new RequestedObject(
          named(operation.group(2), operation.group(3)), verbOf(operation.group(1)));
    }
    if (failure.getStatus() != null && failure.getStatus().getDetails() != null) {
      return new RequestedObject(
          named(
              kind(String.valueOf(failure.getStatus().getDetails().getKind())),
              failure.getStatus().getDetails().getName()),
          "apply");
    }
    return new RequestedObject("an object", "apply");
  }

  /** Of an object that is to be made: its request's line has no name. Null if nothing tells it. */
  private static String nameOf(Status status) {
    if (status == null) {
      return null;
    }
    if (status.getDetails() != null && status.getDetails().getName() != null) {
      return status.getDetails().getName();
    }
    Matcher quoted = QUOTED.matcher(String.valueOf(status.getMessage()));
    return quoted.find() ? quoted.group(1) : null;
  }

  private static String verbOf(String operation) {
    return switch (operation) {
      case "get", "list", "watch" -> "read";
      case "patch", "update", "replace", "edit" -> "change";
      default -> operation;
    };
  }

  /** As /apis/apps/v1/namespaces/NAMESPACE/deployments/NAME/status. */
  private static RequestedObject ofPath(String method, String path, String query) {
    List<String> parts = Arrays.stream(path.split("/")).filter(part -> !part.isEmpty()).toList();
    int at = parts.getFirst().equals("api") ? 2 : 3;
    if (parts.size() > at + 2 && parts.get(at).equals("namespaces")) {
      at += 2;
    }
    if (parts.size() <= at) {
      return new RequestedObject(path, VERBS.getOrDefault(method, "read"));
    }
    String name = parts.size() > at + 1 ? parts.get(at + 1) : "";
    String object = named(kind(parts.get(at)), name);
    boolean applies = method.equals("PATCH") && query.contains("fieldManager=");
    return new RequestedObject(
        parts.size() > at + 2 ? "the %s of %s".formatted(parts.get(at + 2), object) : object,
        applies ? "apply" : VERBS.getOrDefault(method, "read"));
  }

  private static String kind(String plural) {
    return KINDS.getOrDefault(plural, plural);
  }

  private static String named(String kind, String name) {
    return name == null || name.isEmpty() || name.equals("null") ? kind : kind + " " + name;
  }
}
