// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests to GKE, of which Cloud Logging keeps other fields than kube-apiserver writes. */
class GoogleEntryTest {
  private final List<AuditEvent> events = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({
    "core.v1.pods.list,              core/v1/namespaces/a/pods,             pods,             a, '',  /api/v1/namespaces/a/pods",
    "core.v1.pods.list,              core/v1/pods,                          pods,            '', '',  /api/v1/pods",
    "core.v1.nodes.get,              core/v1/nodes/n1,                      nodes,           '', n1,  /api/v1/nodes/n1",
    "core.v1.namespaces.get,         core/v1/namespaces/a,                  namespaces,       a, a,   /api/v1/namespaces/a",
    "core.v1.pods.status.patch,      core/v1/namespaces/a/pods/p/status,    pods/status,      a, p,   /api/v1/namespaces/a/pods/p/status",
    "apps.v1.deployments.list,       apps/v1/deployments,                   apps/deployments,'', '',  /apis/apps/v1/deployments",
    "get,                            apis,                                  '',              '', '',  /apis/apis",
  })
  void namesAreThoseOfKubernetes(
      String method, String name, String resource, String namespace, String object, String uri)
      throws IOException {
    read(entry(method, name, "", "0"));
    assertThat(events)
        .containsExactly(
            new AuditEvent(
                method.substring(method.lastIndexOf('.') + 1),
                "me@example.org",
                "kubectl/v1.36.3",
                "10.0.0.1",
                resource.isEmpty() ? events.getFirst().uri() : uri,
                resource,
                namespace,
                object,
                200,
                1_795_341_600_250_000L));
  }

  @ParameterizedTest
  @CsvSource({"0, 200", "7, 403", "8, 429", "13, 500", "403, 403"})
  void codesAreThoseOfHttp(String code, int expected) throws IOException {
    read(entry("core.v1.pods.list", "core/v1/pods", "", code));
    assertThat(events.getFirst().code()).isEqualTo(expected);
  }

  @Test
  void aWatchIsCountedOnceByItsBeginning() throws IOException {
    String first = entry("core.v1.pods.watch", "core/v1/pods", "\"first\":true,", "0");
    String last = entry("core.v1.pods.watch", "core/v1/pods", "\"last\":\"true\",", "0");
    AuditLog.Read read = read(first + first + last + last);
    assertThat(events).hasSize(2);
    assertThat(read.otherStages()).isEqualTo(2);
    events.clear();
    read(last);
    assertThat(events).as("the beginning was before the log").hasSize(1);
  }

  @Test
  void entriesOfOtherServicesAreNoRequests() throws IOException {
    AuditLog.Read read =
        read(
            entry("x", "projects/p/clusters/c", "", "0")
                .replace("k8s.io", "container.googleapis.com")
                .replace("io.k8s.x", "google.container.v1.ClusterManager.GetCluster"));
    assertThat(read.requests()).isZero();
    assertThat(read.unrecognised()).isEqualTo(1);
  }

  private AuditLog.Read read(String text) throws IOException {
    return AuditLog.read(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), events::add);
  }

  private static String entry(String method, String name, String operation, String code) {
    return """
        {
          "insertId": "a-1",
          "logName": "projects/p/logs/cloudaudit.googleapis.com%%2Fdata_access",
          "operation": {%s"id": "o", "producer": "k8s.io"%s},
          "protoPayload": {
            "@type": "type.googleapis.com/google.cloud.audit.AuditLog",
            "authenticationInfo": {"principalEmail": "me@example.org"},
            "authorizationInfo": [{"granted": true, "permission": "io.k8s.core.v1.pods.list"}],
            "methodName": "io.k8s.%s",
            "requestMetadata": {"callerIp": "10.0.0.1", "callerSuppliedUserAgent": "kubectl/v1.36.3"},
            "resourceName": "%s",
            "serviceName": "k8s.io",
            "status": {"code": %s}
          },
          "receiveTimestamp": "2026-11-22T10:00:09Z",
          "resource": {"labels": {"cluster_name": "c"}, "type": "k8s_cluster"},
          "timestamp": "2026-11-22T10:00:00.250000Z"
        }
        """
        .formatted(
            operation,
            operation.isEmpty() ? ", \"first\": true, \"last\": true" : "",
            method,
            name,
            code);
  }
}
