// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.exaplane.tuning.lists.AuditEvent;
import io.exaplane.tuning.lists.AuditLog;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * The audit logs that were named, in the order of their first requests: rotated files are named in
 * any order by a shell's pattern.
 */
final class AuditFiles {
  private static final String INPUT = "audit-log";
  private final List<Path> files;
  private final PrintWriter err;

  AuditFiles(List<Path> files, PrintWriter err) {
    this.files = once(files, err);
    this.err = err;
  }

  /** Each file once, also where a link names one again; what can't be read is said later. */
  private static List<Path> once(List<Path> files, PrintWriter err) {
    Map<Object, Path> once = new LinkedHashMap<>();
    for (Path file : files) {
      Path same = once.putIfAbsent(identity(file), file);
      if (same != null) {
        err.printf("warning: audit-log: '%s' is the same file as '%s'; read once%n", file, same);
      }
    }
    return List.copyOf(once.values());
  }

  private static Object identity(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException e) {
      return file;
    }
  }

  /**
   * Hands their completed requests to a consumer.
   *
   * @throws InvalidInputException if one can't be read, or if there is no request in all of them
   */
  AuditLog.Read read(Consumer<AuditEvent> consumer) {
    AuditLog log = new AuditLog(consumer, yaml());
    List<Path> without = new ArrayList<>();
    for (Path file : inOrder()) {
      AuditLog.Read before = log.summary();
      read(file, log);
      if (log.summary().requests() == before.requests()) {
        without.add(file);
      }
    }
    AuditLog.Read read = log.summary();
    if (read.requests() == 0) {
      throw nothing(read);
    }
    without.forEach(
        file -> err.printf("warning: audit-log: '%s' contains no completed request%n", file));
    return read;
  }

  /** What kubectl and yq write; larger than SnakeYAML takes by itself. */
  private static JsonFactory yaml() {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE);
    return YAMLFactory.builder().loaderOptions(options).build();
  }

  private InvalidInputException nothing(AuditLog.Read read) {
    String names = files.stream().map(Path::toString).collect(Collectors.joining(", "));
    if (read.otherStages() > 0) {
      return new InvalidInputException(
          INPUT,
          names,
          "contains %d events, but none of a completed request".formatted(read.otherStages()),
          "remove ResponseComplete from omitStages in the audit policy");
    }
    String rule =
        read.unrecognised() == 0
            ? "is empty"
            : "contains no audit event, but %d other lines or documents; the first is '%s'"
                .formatted(
                    read.unrecognised(),
                    read.example().indexOf('\ufffd') < 0 ? read.example() : "binary");
    return new InvalidInputException(
        INPUT,
        names,
        rule,
        "pass the file of kube-apiserver's --audit-log-path, or a JSON export of a log service");
  }

  /** As named if one of them can be read only once. */
  private List<Path> inOrder() {
    if (files.size() < 2 || !files.stream().allMatch(Files::isRegularFile)) {
      return files;
    }
    Map<Path, Long> begins = new HashMap<>();
    Map<AuditEvent, Path> firsts = new HashMap<>();
    for (Path file : files) {
      try (InputStream in = TextFiles.open(file)) {
        Optional<AuditEvent> first = AuditLog.first(in, yaml());
        begins.put(file, first.map(AuditEvent::receivedMicros).orElse(Long.MIN_VALUE));
        first.ifPresent(event -> warnOfCopy(firsts.putIfAbsent(event, file), file));
      } catch (IOException e) {
        throw TextFiles.unreadable(INPUT, file, e);
      }
    }
    return files.stream().sorted(Comparator.comparing(begins::get)).toList();
  }

  /** While kube-apiserver rotates a log, it is there plain and packed. */
  private void warnOfCopy(Path before, Path file) {
    if (before != null) {
      err.printf(
          "warning: audit-log: '%s' begins with the same request as '%s'. If one is a copy, its "
              + "requests count twice; name one of them%n",
          file, before);
    }
  }

  private static void read(Path file, AuditLog log) {
    try (InputStream in = TextFiles.open(file)) {
      log.read(in);
    } catch (IOException e) {
      throw TextFiles.unreadable(INPUT, file, e);
    }
  }
}
