// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What kube-apiserver wrote down of the operator's writes, one line each. Stateless. */
final class AuditLog {
  /**
   * Of the operator's writes only, once each; its own Lease is renewed all the time, and what it
   * may do is a question that is asked as a creation.
   */
  static final String POLICY =
      """
      apiVersion: audit.k8s.io/v1
      kind: Policy
      omitStages: [RequestReceived]
      rules:
      - level: None
        resources:
        - {group: coordination.k8s.io, resources: [leases]}
        - {group: authorization.k8s.io, resources: [selfsubjectrulesreviews]}
      - level: Metadata
        users: ["%s"]
        verbs: [create, update, patch, delete, deletecollection]
      - level: None
      """
          .formatted(Management.OPERATOR);

  private static final Pattern WRITE =
      Pattern.compile("\"requestURI\":\"([^\"]*)\",\"verb\":\"(\\w+)\"");

  private final Path file;

  AuditLog(Path file) {
    this.file = file;
  }

  /** How many writes there were. */
  int count() throws IOException {
    if (!Files.exists(file)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(file)) {
      return (int) lines.count();
    }
  }

  /** Those after the first {@code skipped}, as verb and path. */
  List<String> after(int skipped) throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    try (Stream<String> lines = Files.lines(file)) {
      return lines.skip(skipped).map(AuditLog::text).toList();
    }
  }

  /** Those of an account's UID, as verb and path. */
  List<String> of(String uid) throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.contains("\"uid\":\"" + uid + "\""))
          .map(AuditLog::text)
          .toList();
    }
  }

  private static String text(String line) {
    Matcher write = WRITE.matcher(line);
    return write.find() ? write.group(2) + " " + write.group(1) : line;
  }
}
