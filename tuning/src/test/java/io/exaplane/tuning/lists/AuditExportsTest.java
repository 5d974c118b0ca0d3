// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Events with other names, in tables, and in forms for people: the same requests come out. */
class AuditExportsTest {
  private static final int EVENTS = 5;

  @ParameterizedTest
  @EnumSource
  void theSameRequestsComeOut(AuditExport form) throws IOException {
    List<AuditEvent> expected = new ArrayList<>();
    read(AuditForm.lines(events(), s -> s), StandardCharsets.UTF_8, expected);
    assertThat(expected).hasSize(EVENTS);
    String file = form.file(events());
    for (Charset charset :
        List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
      List<AuditEvent> read = new ArrayList<>();
      AuditLog.Read summary = read(file, charset, read);
      assertThat(read).as(charset + ": " + file).isEqualTo(expected);
      assertThat(summary.unrecognised())
          .isEqualTo(form == AuditExport.PRETTY_BELOW_A_PREFIX ? EVENTS : 0);
    }
  }

  /** A line that a parser takes for UTF-16 in the middle of another file once held it forever. */
  @ParameterizedTest
  @ValueSource(strings = {"{\0\"\0a\0", "\0{\0\"", "{\0}\0{\0}\0", "[\0{\0", "{\0\0\0\"\0\0\0"})
  void zeroBytesDoNotHoldTheReader(String line) {
    List<AuditEvent> read = new ArrayList<>();
    String event = events().getFirst();
    Assertions.assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> read("x\n" + line + "\n" + event + "\n", StandardCharsets.UTF_8, read));
    assertThat(read).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "user.username | user.username",
        "kubernetes.audit.user.username | user.username",
        "User_Username | user.username",
        "objectref_apigroup | objectRef.apiGroup",
        "sourceIPs{} | sourceIPs.0",
        "sourceIPs[0] | sourceIPs.0",
        "sourceIPs.3 | sourceIPs.n",
        "RequestReceivedTime [UTC] | requestReceivedTimestamp",
        "kubernetes.audit.verb.keyword | verb",
        "impersonatedUser.username | impersonatedUser.username",
        "impersonatedUser_username | impersonatedUser_username",
        "requestObject.spec.user.username | requestObject.spec.user.username",
        "responseObject/kind | responseObject/kind",
        "annotations.verb | annotations.verb",
        "user.groups.0 | user.groups.0",
        "verbs | verbs",
        "message | message",
      })
  void namesAreThoseOfEventsAlone(String field, String plain) {
    assertThat(new AuditNames().plain(field)).isEqualTo(plain);
  }

  @ParameterizedTest
  @CsvSource({
    "1795341600, 1795341600000000",
    "1795341600.25, 1795341600250000",
    "1795341600250, 1795341600250000",
    "1795341600250123, 1795341600250123",
    "1795341600250123456, 1795341600250123",
    "2026-11-22T10:00:00.25Z, 1795341600250000",
    "2026-11-22 10:00:00.250 UTC, 1795341600250000",
    "2026-11-22T12:00:00.250+02:00, 1795341600250000",
    "'11/22/2026, 10:00:00.250 AM', 1795341600250000",
    "'11/22/2026, 10:00:00 PM', 1795384800000000",
  })
  void timesAreRead(String text, long micros) {
    assertThat(AuditTimes.micros(text)).isEqualTo(micros);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yesterday", "2026-11-22", "12345"})
  void whatIsNoTimeIsSaid(String time) throws IOException {
    String event =
        events().getFirst().replaceFirst("Received(Timestamp\":\")[^\"]*", "Received$1" + time);
    List<AuditEvent> read = new ArrayList<>();
    String other = event.replaceFirst(",\"stageTimestamp\":\"[^\"]*\"", "");
    AuditLog.Read summary = read(other + "\n", StandardCharsets.UTF_8, read);
    assertThat(read).isEmpty();
    assertThat(summary.example()).contains("requestReceivedTimestamp").contains(time);
  }

  /** The second file of a table has its own head, or is no table. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTableEndsWithItsFile(boolean again) throws IOException {
    List<AuditEvent> read = new ArrayList<>();
    AuditLog log = new AuditLog(read::add);
    log.read(stream(AuditExport.COMMAS.file(events()), StandardCharsets.UTF_8));
    String next = again ? AuditExport.TABS.file(events()) : String.join("\n", events());
    log.read(stream(next, StandardCharsets.UTF_8));
    assertThat(read).hasSize(2 * EVENTS);
    assertThat(log.summary().unrecognised()).isZero();
  }

  /** What was cut costs the row that was cut, and is said. */
  @ParameterizedTest
  @EnumSource(names = {"COMMAS", "TABS", "NEW_LINES_IN_FIELDS"})
  void aTableMayEndAnywhere(AuditExport form) throws IOException {
    byte[] file = form.file(events()).getBytes(StandardCharsets.UTF_8);
    int most = 0;
    for (int length = 200; length < file.length; length += 97) {
      List<AuditEvent> read = new ArrayList<>();
      AuditLog.read(new ByteArrayInputStream(Arrays.copyOf(file, length)), read::add);
      assertThat(read.size()).isGreaterThanOrEqualTo(most);
      most = read.size();
    }
    assertThat(most).isGreaterThanOrEqualTo(EVENTS - 1);
  }

  /** Where nothing is quoted, a user agent may begin with a quote: the rows behind it count. */
  @ParameterizedTest
  @ValueSource(ints = {3, 20_000})
  void aSingleQuoteCostsItsRow(int rows) throws IOException {
    String head =
        "auditID,stage,verb,requestURI,user.username,objectRef.resource,responseStatus.code,requestReceivedTimestamp,stageTimestamp,userAgent";
    StringBuilder file = new StringBuilder(head.replace(',', '\t')).append('\n');
    for (int i = 0; i <= rows; i++) {
      file.append(
          "%d\tResponseComplete\tlist\t/api/v1/pods?limit=5\tu\tpods\t200\t2026-11-22T10:00:01Z\t2026-11-22T10:00:02Z\t%s\n"
              .formatted(i, i == 0 ? "\"curl" : "curl"));
    }
    List<AuditEvent> read = new ArrayList<>();
    AuditLog.Read[] summary = new AuditLog.Read[1];
    Assertions.assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> summary[0] = read(file.toString(), StandardCharsets.UTF_8, read));
    assertThat(summary[0].unrecognised()).isEqualTo(1);
    assertThat(summary[0].example()).startsWith("0 ResponseComplete").endsWith("\"c");
    assertThat(read).hasSize(rows);
  }

  /** A pattern once recursed for each part of a name. */
  @Test
  void aNameOfManyPartsIsItself() {
    String name = "a.".repeat(50_000) + "verb";
    assertThat(new AuditNames().plain(name)).isEqualTo(name);
  }

  private static AuditLog.Read read(String file, Charset charset, List<AuditEvent> into)
      throws IOException {
    return AuditLog.read(stream(file, charset), into::add);
  }

  private static ByteArrayInputStream stream(String file, Charset charset) {
    return new ByteArrayInputStream(file.getBytes(charset));
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
          "stageTimestamp":"2026-11-22T10:00:59.3Z",\
          "annotations":{"authorization.k8s.io/decision":"allow"}}\
          """
              .formatted(i, i, i)
              .strip());
    }
    return events;
  }
}
