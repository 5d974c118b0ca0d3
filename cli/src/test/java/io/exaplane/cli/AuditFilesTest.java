// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.tuning.lists.AuditEvent;
import io.exaplane.tuning.lists.AuditLog;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Audit events that were exported as YAML. */
class AuditFilesTest {
  private static final int EVENTS = 5;

  /** How events are written. */
  enum Form {
    LIST(
        e ->
            "apiVersion: audit.k8s.io/v1\nitems:\n"
                + indented(e, "- ", "  ")
                + "kind: EventList\n"),
    LIST_INDENTED(
        e ->
            "---\napiVersion: audit.k8s.io/v1\nkind: EventList\nitems:\n"
                + indented(e, "  - ", "    ")),
    PLAIN_LIST(e -> "# of a night\n" + indented(e, "- ", "  ")),
    DOCUMENTS(e -> e.stream().map(each -> "---\n" + each).collect(Collectors.joining())),
    KUBECTL_LIST(e -> "apiVersion: v1\nkind: List\nitems:\n" + indented(e, "- ", "  "));

    final Function<List<String>, String> writer;

    Form(Function<List<String>, String> writer) {
      this.writer = writer;
    }

    private static String indented(List<String> events, String first, String others) {
      return events.stream()
          .map(each -> first + each.strip().replace("\n", "\n" + others) + "\n")
          .collect(Collectors.joining());
    }
  }

  @TempDir Path folder;

  private final List<AuditEvent> read = new ArrayList<>();

  private static String event(int i) {
    return """
        apiVersion: audit.k8s.io/v1
        auditID: 0000000%d-1111-2222-3333-444444444444
        kind: Event
        level: Metadata
        objectRef:
          apiVersion: v1
          resource: pods
        requestReceivedTimestamp: "2026-11-22T10:00:0%d.000000Z"
        requestURI: /api/v1/pods?limit=%d
        responseStatus:
          code: 200
        sourceIPs:
        - 10.0.0.%d
        stage: ResponseComplete
        user:
          groups: [a, b]
          username: "system:node:n%d"
        userAgent: 'kubelet/v1.36.3 (linux)'
        verb: list
        """
        .formatted(i, i, i, i, i);
  }

  private static String file(Form form) {
    return form.writer.apply(IntStream.range(0, EVENTS).mapToObj(AuditFilesTest::event).toList());
  }

  private AuditLog.Read readAll(String text) throws Exception {
    Path file = Files.writeString(folder.resolve("audit.yaml"), text);
    read.clear();
    return new AuditFiles(List.of(file), new PrintWriter(new StringWriter())).read(read::add);
  }

  @ParameterizedTest
  @EnumSource
  void yamlIsReadAsJsonIs(Form form) throws Exception {
    List<UnaryOperator<String>> changes =
        List.of(
            s -> s,
            s -> s.replace("\n", "\r\n"),
            s -> "\uFEFF" + s,
            s -> "\n\n" + s + "\n\n",
            s -> new String(s.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
    for (UnaryOperator<String> change : changes) {
      var summary = readAll(change.apply(file(form)));
      assertThat(summary.requests()).isEqualTo(EVENTS);
      assertThat(summary.unrecognised()).isZero();
      assertThat(read)
          .extracting(AuditEvent::user)
          .containsExactly(
              "system:node:n0",
              "system:node:n1",
              "system:node:n2",
              "system:node:n3",
              "system:node:n4");
      assertThat(read).allMatch(each -> each.code() == 200 && each.resource().equals("pods"));
    }
  }

  /** What was read before the cut stays. */
  @ParameterizedTest
  @EnumSource
  void yamlMayBreakOff(Form form) throws Exception {
    String whole = file(form);
    int cut = whole.indexOf("requestURI: /api/v1/pods?limit=4");
    for (int length = cut; length < whole.length(); length += 13) {
      var summary = readAll(whole.substring(0, length));
      assertThat(summary.requests()).as("%d bytes", length).isBetween(4L, 5L);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n",
        "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: None}]\n",
        "apiVersion: audit.k8s.io/v1\nkind: EventList\nitems: []\n",
        "auditID: [\n",
      })
  void yamlWithoutARequestIsAnError(String text) {
    assertThatThrownBy(() -> readAll(text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("contains no audit event");
  }

  /** gcloud's default output. */
  @ParameterizedTest
  @ValueSource(strings = {"", "---\n", "# logs\n---\n"})
  void cloudLoggingAsYaml(String start) throws Exception {
    String entry =
        """
        insertId: a
        operation:
          first: true
          id: x
          last: true
        protoPayload:
          '@type': type.googleapis.com/google.cloud.audit.AuditLog
          authenticationInfo:
            principalEmail: system:serviceaccount:mon:agent
          methodName: io.k8s.core.v1.pods.list
          requestMetadata:
            callerIp: 10.0.0.1
            callerSuppliedUserAgent: agent/v1
          resourceName: core/v1/pods
          serviceName: k8s.io
        timestamp: '2026-11-22T10:00:00.25Z'
        """;
    var summary = readAll(start + entry + "---\n" + entry);
    assertThat(summary.requests()).isEqualTo(2);
    assertThat(summary.unrecognised()).isZero();
    assertThat(read.getFirst().user()).isEqualTo("system:serviceaccount:mon:agent");
  }

  /** While kube-apiserver rotates a log, it is there plain and packed. */
  @Test
  void aCopyIsSaid() throws Exception {
    StringWriter err = new StringWriter();
    Path one = Files.writeString(folder.resolve("a"), file(Form.DOCUMENTS));
    Path same = Files.writeString(folder.resolve("b"), file(Form.DOCUMENTS));
    Path other = Files.writeString(folder.resolve("c"), "---\n" + event(7));
    new AuditFiles(List.of(one, same, other), new PrintWriter(err, true)).read(read::add);
    assertThat(err.toString().lines())
        .containsExactly(
            "warning: audit-log: '%s' begins with the same request as '%s'. If one is a copy, its requests count twice; name one of them"
                .formatted(same, one));
  }
}
