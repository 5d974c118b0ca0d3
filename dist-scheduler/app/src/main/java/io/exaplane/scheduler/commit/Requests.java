// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.kube.ApiWriter.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Requests as kube-scheduler makes them. Source: pkg/scheduler/framework/plugins/defaultbinder,
 * pkg/scheduler/schedule_one.go, pkg/scheduler/framework/preemption/executor.go.
 */
final class Requests {
  private static final String JSON = "application/json";
  private static final String STRATEGIC = "application/strategic-merge-patch+json";
  private static final String MERGE = "application/merge-patch+json";

  /** More an Event's note must not have, in bytes. */
  private static final int MOST_NOTE = 1024;

  private static final String CUT = " ...";

  private Requests() {}

  static Request get(String path) {
    return new Request("GET", path, JSON, null);
  }

  /**
   * A binding.
   *
   * @param timeout after which the server gives it up
   */
  static Request binding(PodRef pod, String node, Duration timeout) {
    return new Request(
        "POST",
        pod.path() + "/binding?timeout=" + timeout.toMillis() + "ms",
        JSON,
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Binding",
            "metadata",
            Map.of("namespace", pod.namespace(), "name", pod.name(), "uid", pod.uid()),
            "target",
            Map.of("kind", "Node", "name", node)));
  }

  /** The pod's status, as far as the scheduler says it. */
  static Request status(PodRef pod, PodStatus status, boolean first, Instant now) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (status.nominatedNode() != null) {
      String node = status.nominatedNode();
      fields.put("nominatedNodeName", node.isEmpty() ? null : node);
    }
    if (status.reason() != null) {
      Map<String, Object> condition = new LinkedHashMap<>();
      condition.put("type", "PodScheduled");
      condition.put("status", "False");
      condition.put("reason", status.reason());
      condition.put("message", status.message());
      if (first) {
        condition.put("lastTransitionTime", seconds(now));
      }
      fields.put("conditions", List.of(condition));
    }
    return statusPatch(pod, fields);
  }

  /** That a pod has to go for a more important one, or for a group. */
  static Request disruption(PodRef victim, Preemptor by, Instant now) {
    Map<String, Object> condition =
        Map.of(
            "type",
            "DisruptionTarget",
            "status",
            "True",
            "reason",
            "PreemptionByScheduler",
            "message",
            by.scheduler() + ": preempting to accommodate a higher priority " + by.type(),
            "lastTransitionTime",
            seconds(now));
    return statusPatch(victim, Map.of("conditions", List.of(condition)));
  }

  static Request statusPatch(PodRef pod, Map<String, Object> status) {
    return new Request(
        "PATCH",
        pod.path() + "/status",
        STRATEGIC,
        Map.of("metadata", Map.of("uid", pod.uid()), "status", status));
  }

  /** The condition of a group's status that the scheduler says. */
  static Request groupStatus(String path, String uid, Map<String, Object> condition) {
    return new Request(
        "PATCH",
        path + "/status",
        STRATEGIC,
        Map.of("metadata", Map.of("uid", uid), "status", Map.of("conditions", List.of(condition))));
  }

  static Request deletion(PodRef pod) {
    return deletion(pod.path(), pod.uid());
  }

  /** Of an object, if it is still this one. */
  static Request deletion(String path, String uid) {
    return new Request(
        "DELETE",
        path,
        JSON,
        Map.of("apiVersion", "v1", "kind", "DeleteOptions", "preconditions", Map.of("uid", uid)));
  }

  /** A part of an object, if nobody changed it since. */
  static Request patch(
      String path, String version, Map<String, Object> annotations, Map<String, Object> spec) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("metadata", Map.of("resourceVersion", version, "annotations", annotations));
    if (!spec.isEmpty()) {
      body.put("spec", spec);
    }
    return new Request("PATCH", path, MERGE, body);
  }

  /**
   * An Event.
   *
   * @param instance which process reports it
   */
  static Request event(Notice notice, String name, String instance, Instant now) {
    Map<String, Object> event = new LinkedHashMap<>();
    PodRef pod = notice.pod();
    event.put("apiVersion", "events.k8s.io/v1");
    event.put("kind", "Event");
    event.put("metadata", Map.of("name", name, "namespace", pod.namespace()));
    event.put("eventTime", micros(now));
    event.put("reportingController", notice.reporter());
    event.put("reportingInstance", instance);
    event.put("action", notice.action());
    event.put("reason", notice.reason());
    event.put("regarding", reference(pod));
    if (notice.related() != null) {
      event.put("related", notice.related().reference());
    }
    event.put("note", cut(notice.note()));
    event.put("type", notice.warning() ? "Warning" : "Normal");
    return new Request("POST", eventsPath(pod), JSON, event);
  }

  /** An Event has happened so often. */
  static Request eventSeries(PodRef pod, String name, int count, Instant now) {
    return new Request(
        "PATCH",
        eventsPath(pod) + "/" + name,
        MERGE,
        Map.of("series", Map.of("count", count, "lastObservedTime", micros(now))));
  }

  private static String eventsPath(PodRef pod) {
    return "/apis/events.k8s.io/v1/namespaces/" + pod.namespace() + "/events";
  }

  private static Map<String, Object> reference(PodRef pod) {
    return Map.of(
        "apiVersion",
        "v1",
        "kind",
        "Pod",
        "namespace",
        pod.namespace(),
        "name",
        pod.name(),
        "uid",
        pod.uid());
  }

  static String cut(String note) {
    return note.length() <= MOST_NOTE ? note : note.substring(0, MOST_NOTE - CUT.length()) + CUT;
  }

  static String seconds(Instant time) {
    return Instant.ofEpochSecond(time.getEpochSecond()).toString();
  }

  private static String micros(Instant time) {
    long micros = time.getNano() / 1000;
    String whole = Instant.ofEpochSecond(time.getEpochSecond()).toString();
    return whole.substring(0, whole.length() - 1) + ".%06dZ".formatted(micros);
  }
}
