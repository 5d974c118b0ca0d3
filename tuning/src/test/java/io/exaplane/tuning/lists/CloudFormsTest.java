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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Line 26: logs that clouds keep of their clusters; the same requests come out of each. */
class CloudFormsTest {
  private static final int EVENTS = 4;

  @ParameterizedTest
  @EnumSource
  void theSameRequestsComeOut(CloudForm form) throws IOException {
    List<AuditEvent> expected = new ArrayList<>();
    read(AuditForm.lines(events(), s -> s), expected);
    assertThat(expected).hasSize(EVENTS);
    List<AuditEvent> read = new ArrayList<>();
    AuditLog.Read summary = read(form.file(events()), read);
    assertThat(read).as(form.file(events())).isEqualTo(expected);
    assertThat(summary.unrecognised()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "apps.v1.deployments.delete, apps/deployments, delete",
    "core.v1.pods.list, pods, list",
    "v1.pods.log.get, pods/log, get",
    "batch.v1beta1.cronjobs.watch, batch/cronjobs, watch",
    "widgets.example.com.v1alpha1.widgets.patch, widgets.example.com/widgets, patch",
  })
  void anEventOfOraclesIsKnownByItsName(String name, String resource, String verb)
      throws IOException {
    List<AuditEvent> read = new ArrayList<>();
    read(
        "{\"eventTime\":\"2026-11-22T10:00:00Z\",\"data\":{\"eventName\":\"" + name + "\"}}", read);
    assertThat(read)
        .singleElement()
        .returns(resource, AuditEvent::resource)
        .returns(verb, AuditEvent::verb)
        .returns(1_795_341_600_000_000L, AuditEvent::receivedMicros);
  }

  /** Other events of Oracle's and of Amazon's are no requests to a cluster. */
  @ParameterizedTest
  @ValueSource(strings = {"GetInstance", "ClustersAPI.v1.CreateCluster", "apps.v1.deployments"})
  void otherEventsAreNone(String name) throws IOException {
    List<AuditEvent> read = new ArrayList<>();
    AuditLog.Read summary =
        read(
            "{\"eventTime\":\"2026-11-22T10:00:00Z\",\"data\":{\"eventName\":\"" + name + "\"}}",
            read);
    assertThat(read).isEmpty();
    assertThat(summary.unrecognised()).isEqualTo(1);
  }

  /** A wrapper may have fields of these names, and events below them. */
  @Test
  void fieldsOfOraclesInOtherWrappersHideNothing() throws IOException {
    List<AuditEvent> read = new ArrayList<>();
    read("{\"eventName\":\"PutLog\",\"response\":{\"items\":[" + events().getFirst() + "]}}", read);
    assertThat(read).hasSize(1);
  }

  private static AuditLog.Read read(String file, List<AuditEvent> into) throws IOException {
    return AuditLog.read(
        new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8)), into::add);
  }

  private static List<String> events() {
    List<String> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      events.add(
          """
          {"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a-%d",\
          "stage":"ResponseComplete","requestURI":"/apis/apps/v1/namespaces/n/deployments?limit=5",\
          "verb":"list","user":{"username":"system:serviceaccount:n:x","groups":["a","b"]},\
          "sourceIPs":["10.0.0.%d","10.9.9.9"],"userAgent":"tool/v1.2 (linux, amd64)",\
          "objectRef":{"resource":"deployments","namespace":"n","apiGroup":"apps","apiVersion":"v1"},\
          "responseStatus":{"metadata":{},"code":200},\
          "requestReceivedTimestamp":"2026-11-22T10:00:0%dZ",\
          "stageTimestamp":"2026-11-22T10:00:59.3Z"}\
          """
              .formatted(i, i, i)
              .strip());
    }
    return events;
  }
}
