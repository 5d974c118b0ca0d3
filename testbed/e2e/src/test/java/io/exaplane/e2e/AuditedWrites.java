// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the operator wrote, by the audit log of the management cluster's API. */
final class AuditedWrites {
  private static final ObjectMapper JSON = new ObjectMapper();

  private AuditedWrites() {}

  /** A request that changed something, or was to. */
  record Write(Instant time, String verb, String uri) {
    /** Whether it wrote a Deployment or StatefulSet of a namespace, and not only a status. */
    boolean isOfWorkload(String namespace) {
      return uri.matches(
              "/apis/apps/v1/namespaces/"
                  + namespace
                  + "/(deployments|statefulsets)(/[^/?]+)?([?].*)?")
          && !uri.contains("dryRun=");
    }
  }

  /** All since then, oldest first. A log that is put aside meanwhile is read again. */
  static List<Write> since(Instant start) {
    while (true) {
      Set<Path> files = files();
      try {
        List<Write> writes = read(files, start);
        if (files.equals(files())) {
          return writes;
        }
      } catch (UncheckedIOException e) {
        if (files.equals(files())) {
          throw e;
        }
      }
    }
  }

  private static Set<Path> files() {
    try (Stream<Path> all = Files.list(Bed.STATE.resolve("audit"))) {
      return all.filter(file -> file.toString().endsWith(".log"))
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Write> read(Set<Path> files, Instant start) {
    return files.stream()
        .flatMap(AuditedWrites::ofTheOperator)
        .filter(event -> isWrite(event, start))
        .map(
            event ->
                new Write(
                    time(event), event.path("verb").asText(), event.path("requestURI").asText()))
        .sorted((one, other) -> one.time().compareTo(other.time()))
        .toList();
  }

  private static boolean isWrite(JsonNode event, Instant start) {
    return event.path("user").path("username").asText().equals(Operator.USER)
        && event.path("responseStatus").path("code").asInt() < 300
        && !time(event).isBefore(start);
  }

  private static Instant time(JsonNode event) {
    return Instant.parse(event.path("requestReceivedTimestamp").asText());
  }

  /** The log is long, and most of it is of others. */
  private static Stream<JsonNode> ofTheOperator(Path log) {
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .filter(line -> line.contains(Operator.USER))
          // The last one may be on its way into the file.
          .filter(line -> line.endsWith("}"))
          .map(AuditedWrites::event)
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode event(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
