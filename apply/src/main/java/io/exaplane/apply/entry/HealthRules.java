// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.entry;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.port.Health;
import java.util.Set;

/** Health by an object's status, as Kubernetes' own kinds and most custom ones write it. Pure. */
public final class HealthRules {
  private static final Set<String> WITH_STATUS =
      Set.of(
          "Deployment.apps",
          "StatefulSet.apps",
          "DaemonSet.apps",
          "ReplicaSet.apps",
          "Job.batch",
          "CustomResourceDefinition.apiextensions.k8s.io",
          "APIService.apiregistration.k8s.io",
          "Namespace",
          "Pod",
          "PersistentVolumeClaim");

  private HealthRules() {}

  /**
   * Whether the health of a kind is worth whole objects on the wire.
   *
   * @param groupKind {@link Gvk#groupKind}
   * @return true for the kinds of Kubernetes that become ready some time after they exist
   */
  public static boolean needsStatus(String groupKind) {
    return WITH_STATUS.contains(groupKind);
  }

  /**
   * The health of an object.
   *
   * @param gvk its kind
   * @param object the whole object
   * @return never {@link Health#UNKNOWN} for kinds that {@link #needsStatus}
   */
  public static Health of(Gvk gvk, JsonNode object) {
    if (object.path("metadata").hasNonNull("deletionTimestamp")) {
      return Health.TERMINATING;
    }
    JsonNode status = object.path("status");
    long generation = object.path("metadata").path("generation").asLong(0);
    if (status.has("observedGeneration")
        && status.path("observedGeneration").asLong(0) < generation) {
      return Health.IN_PROGRESS;
    }
    return switch (gvk.groupKind()) {
      case "Deployment.apps" -> deployment(object);
      case "StatefulSet.apps", "ReplicaSet.apps" -> replicas(object);
      case "DaemonSet.apps" -> daemons(object);
      case "Job.batch" -> job(status);
      case "CustomResourceDefinition.apiextensions.k8s.io" -> definition(status);
      case "APIService.apiregistration.k8s.io" -> current(is(status, "Available", "True"));
      case "Namespace" ->
          status.path("phase").asText("").equals("Terminating")
              ? Health.TERMINATING
              : Health.CURRENT;
      case "Pod" -> pod(status);
      case "PersistentVolumeClaim" -> claim(status);
      default -> custom(status);
    };
  }

  private static Health current(boolean ready) {
    return ready ? Health.CURRENT : Health.IN_PROGRESS;
  }

  private static Health deployment(JsonNode object) {
    JsonNode status = object.path("status");
    for (JsonNode one : status.path("conditions")) {
      if (one.path("reason").asText("").equals("ProgressDeadlineExceeded")) {
        return Health.FAILED;
      }
    }
    long wanted = object.path("spec").path("replicas").asLong(1);
    return current(
        status.has("observedGeneration")
            && status.path("updatedReplicas").asLong(0) >= wanted
            && status.path("replicas").asLong(0) == status.path("updatedReplicas").asLong(0)
            && status.path("availableReplicas").asLong(0) >= wanted);
  }

  private static Health replicas(JsonNode object) {
    JsonNode status = object.path("status");
    long wanted = object.path("spec").path("replicas").asLong(1);
    return current(
        status.has("observedGeneration")
            && status.path("readyReplicas").asLong(0) >= wanted
            && (!status.has("updateRevision")
                || isOnDelete(object)
                || status.path("updatedReplicas").asLong(0) >= wanted - heldBack(object)));
  }

  /** Only the deletion of a pod updates the pod: the user holds pods back on purpose. */
  private static boolean isOnDelete(JsonNode object) {
    return object.path("spec").path("updateStrategy").path("type").asText("").equals("OnDelete");
  }

  /** Pods below the partition keep the former revision on purpose; the others are to be new. */
  private static long heldBack(JsonNode object) {
    JsonNode strategy = object.path("spec").path("updateStrategy");
    return strategy.path("rollingUpdate").path("partition").asLong(0);
  }

  private static Health daemons(JsonNode object) {
    JsonNode status = object.path("status");
    long wanted = status.path("desiredNumberScheduled").asLong(0);
    return current(
        status.has("observedGeneration")
            && (isOnDelete(object) || status.path("updatedNumberScheduled").asLong(0) >= wanted)
            && status.path("numberAvailable").asLong(0) >= wanted);
  }

  private static Health claim(JsonNode status) {
    return switch (status.path("phase").asText("")) {
      case "Bound" -> Health.CURRENT;
      case "Lost" -> Health.FAILED;
      default -> Health.IN_PROGRESS;
    };
  }

  private static Health job(JsonNode status) {
    if (is(status, "Failed", "True")) {
      return Health.FAILED;
    }
    return current(is(status, "Complete", "True"));
  }

  private static Health definition(JsonNode status) {
    if (is(status, "NamesAccepted", "False") || is(status, "Terminating", "True")) {
      return Health.FAILED;
    }
    return current(is(status, "Established", "True"));
  }

  private static Health pod(JsonNode status) {
    return switch (status.path("phase").asText("")) {
      case "Succeeded" -> Health.CURRENT;
      case "Failed" -> Health.FAILED;
      default -> current(is(status, "Ready", "True"));
    };
  }

  /** Custom kinds: conditions as most of them have; a kind without any is ready when it exists. */
  private static Health custom(JsonNode status) {
    if (is(status, "Stalled", "True")) {
      return Health.FAILED;
    }
    if (is(status, "Reconciling", "True")
        || has(status, "Ready") && !is(status, "Ready", "True")
        || has(status, "Available") && !is(status, "Available", "True")) {
      return Health.IN_PROGRESS;
    }
    return Health.CURRENT;
  }

  private static boolean has(JsonNode status, String type) {
    for (JsonNode one : status.path("conditions")) {
      if (one.path("type").asText("").equals(type)) {
        return true;
      }
    }
    return false;
  }

  private static boolean is(JsonNode status, String type, String value) {
    for (JsonNode one : status.path("conditions")) {
      if (one.path("type").asText("").equals(type)) {
        return one.path("status").asText("").equals(value);
      }
    }
    return false;
  }
}
