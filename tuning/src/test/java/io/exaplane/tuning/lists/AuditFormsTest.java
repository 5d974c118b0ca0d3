// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Audit logs in the forms in which they are stored, cut and split where it pleases nobody: {@code
 * -Dapart=N -Ddamaged=N} does so more often.
 */
class AuditFormsTest {
  private static final int EVENTS = 7;

  /** Of a file of some 8,000 bytes, one place in so many at most is tried. */
  private static final int APART = Integer.getInteger("apart", 1000);

  private static final int DAMAGED = Integer.getInteger("damaged", 8);
  private final Random random = new Random(26);

  @ParameterizedTest
  @EnumSource
  void everyFormHoldsTheSameEvents(AuditForm form) throws IOException {
    List<String> events = events();
    byte[] file = form.file(events).getBytes(StandardCharsets.UTF_8);
    List<AuditEvent> expected = expected(events);
    for (byte[] stored :
        List.of(
            file,
            gzip(file),
            utf16(file),
            Archives.tar(file),
            gzip(Archives.tar(file)),
            Archives.zip(gzip(file)),
            ("\uFEFF" + new String(file, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8),
            blankLines(form, file))) {
      List<AuditEvent> read = new ArrayList<>();
      AuditLog.Read summary = AuditLog.read(new ByteArrayInputStream(stored), read::add);
      assertThat(read).isEqualTo(expected);
      assertThat(summary.unrecognised()).isEqualTo(form.heads());
    }
  }

  /** As editors, terminals and pipelines leave them. */
  private static byte[] blankLines(AuditForm form, byte[] file) {
    String text = new String(file, StandardCharsets.UTF_8);
    String spaced = form.isOfLines() ? text.replace("\n", "\r\n\r\n  \n") : text;
    return ("\n \r\n" + spaced + "\n\n").getBytes(StandardCharsets.UTF_8);
  }

  /** Rotated files in one archive: a line that one breaks off goes on in the next. */
  @ParameterizedTest
  @EnumSource
  void anArchiveOfFilesIsReadInItsOrder(AuditForm form) throws IOException {
    List<String> events = events();
    byte[] file = form.file(events).getBytes(StandardCharsets.UTF_8);
    for (int at = 1; form.isOfLines() && at < file.length; at += 1 + random.nextInt(4 * APART)) {
      byte[] first = gzip(Arrays.copyOf(file, at));
      byte[] second = Arrays.copyOfRange(file, at, file.length);
      for (byte[] archive : List.of(Archives.tar(first, second), Archives.zip(first, second))) {
        List<AuditEvent> read = new ArrayList<>();
        AuditLog.read(new ByteArrayInputStream(archive), read::add);
        assertThat(read).as("split at %d", at).isEqualTo(expected(events));
      }
    }
  }

  /** As a copy that was broken off: what is there counts. */
  @Test
  void anArchiveMayBreakOff() throws IOException {
    List<String> events = events();
    byte[] file = AuditForm.LINES.file(events).getBytes(StandardCharsets.UTF_8);
    byte[] archive = Archives.tar(file, file);
    int most = 0;
    for (int length = 0; length < archive.length; length += 97) {
      List<AuditEvent> read = new ArrayList<>();
      try {
        AuditLog.read(new ByteArrayInputStream(Arrays.copyOf(archive, length)), read::add);
      } catch (EOFException e) {
        // between two files
      }
      assertThat(read).hasSizeGreaterThanOrEqualTo(most);
      most = read.size();
    }
    assertThat(most).isEqualTo(2 * EVENTS);
  }

  /** What was read before the cut stays, and the cut is said. */
  @ParameterizedTest
  @EnumSource
  void aFileMayEndAnywhere(AuditForm form) throws IOException {
    List<String> events = events();
    List<AuditEvent> expected = expected(events);
    byte[] file = form.file(events).getBytes(StandardCharsets.UTF_8);
    int most = 0;
    for (int length = 0; length < file.length; length = nextCut(length, file.length)) {
      List<AuditEvent> read = new ArrayList<>();
      AuditLog.read(new ByteArrayInputStream(Arrays.copyOf(file, length)), read::add);
      assertThat(read).as("%d bytes", length).isEqualTo(expected.subList(0, read.size()));
      assertThat(read).hasSizeGreaterThanOrEqualTo(most);
      most = read.size();
    }
    assertThat(most).isGreaterThanOrEqualTo(EVENTS - 1);
  }

  @ParameterizedTest
  @EnumSource
  void aFileMayBeginAnywhereAndTheRestIsFound(AuditForm form) throws IOException {
    List<String> events = events();
    List<AuditEvent> expected = expected(events);
    byte[] file = form.file(events).getBytes(StandardCharsets.UTF_8);
    for (int from = 0; form.isOfLines() && from < file.length; from += 1 + random.nextInt(APART)) {
      List<AuditEvent> read = new ArrayList<>();
      byte[] rest = Arrays.copyOfRange(file, from, file.length);
      AuditLog.read(new ByteArrayInputStream(rest), read::add);
      assertThat(read)
          .as("from %d", from)
          .endsWith(
              expected
                  .subList(EVENTS - Math.min(EVENTS, newlines(rest) - 1), EVENTS)
                  .toArray(AuditEvent[]::new));
    }
  }

  /** Rotated in the middle of a line: its end is in the next file. */
  @ParameterizedTest
  @EnumSource
  void filesOfALogGoOnWhereTheOneBeforeBrokeOff(AuditForm form) throws IOException {
    List<String> events = events();
    byte[] file = form.file(events).getBytes(StandardCharsets.UTF_8);
    for (int at = 1; form.isOfLines() && at < file.length; at += 1 + random.nextInt(APART)) {
      List<AuditEvent> read = new ArrayList<>();
      AuditLog log = new AuditLog(read::add);
      log.read(new ByteArrayInputStream(gzip(Arrays.copyOf(file, at))));
      log.read(new ByteArrayInputStream(Arrays.copyOfRange(file, at, file.length)));
      assertThat(read).as("split at %d", at).isEqualTo(expected(events));
      // One or two where the event was whole and its wrapper was not.
      assertThat(log.summary().unrecognised()).as("split at %d", at).isBetween(0L, 2L);
    }
  }

  /** A line that was cut in the middle of a file costs that line and no other. */
  @ParameterizedTest
  @EnumSource
  void aLineThatIsCutCostsThatLine(AuditForm form) throws IOException {
    List<String> events = events();
    List<AuditEvent> expected = new ArrayList<>(expected(events));
    expected.remove(3);
    String[] lines = form.file(events).split("(?<=\n)");
    String third = form.isOfLines() ? lines[3] : "";
    for (int length = 1; length < third.length() - 3; length += 1 + random.nextInt(APART)) {
      lines[3] = third.substring(0, length) + "\n";
      List<AuditEvent> read = new ArrayList<>();
      AuditLog.Read summary =
          AuditLog.read(
              new ByteArrayInputStream(String.join("", lines).getBytes(StandardCharsets.UTF_8)),
              read::add);
      read.remove(expected(events).get(3)); // whole, in a wrapper that was not
      assertThat(read).as("cut at %d: %s", length, lines[3]).isEqualTo(expected);
      assertThat(summary.unrecognised()).isBetween(0L, 1L);
    }
  }

  /** gzip that was copied while it was written. */
  @ParameterizedTest
  @ValueSource(ints = {20, 40, 60, 80, 99})
  void packedDataMayBreakOff(int percent) throws IOException {
    List<String> events = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      events.addAll(events());
    }
    byte[] packed = gzip(AuditForm.lines(events, s -> s).getBytes(StandardCharsets.UTF_8));
    List<AuditEvent> read = new ArrayList<>();
    AuditLog.read(
        new ByteArrayInputStream(Arrays.copyOf(packed, packed.length * percent / 100)), read::add);
    assertThat(read).isNotEmpty().isEqualTo(expected(events).subList(0, read.size()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "I1122 10:00:00.1 1 trace.go:236] Trace[1]: \"List\" url:/api/v1/pods",
        "{\"kind\":\"EventList\",\"apiVersion\":\"v1\",\"items\":[{\"kind\":\"Event\",\"apiVersion\":\"v1\",\"reason\":\"Failed\"}]}",
        "apiserver_resource_objects{group=\"\",resource=\"pods\"} 5000",
        "2026-11-22T10:00:00Z stdout F I1122 10:00:00.1 1 httplog.go:132]",
        "{\"log\":\"{\\\"a\\\":1}\\n\",\"stream\":\"stdout\"}",
        "{\"stage\":\"build\",\"verb\":\"run\"}",
        "{",
        "[[[[",
        "\"{\\\"requestURI",
        "{\"\"requestURI",
        "x AUDIT: id=\"",
        "\u0000\u0001\u0002",
      })
  void whatIsNoAuditEventIsCountedAndShown(String line) throws IOException {
    AuditLog.Read read =
        AuditLog.read(
            new ByteArrayInputStream((line + "\n").getBytes(StandardCharsets.UTF_8)), event -> {});
    assertThat(read.requests()).isZero();
    assertThat(read.unrecognised() + read.otherStages()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "28b52ffd00",
        "fd377a585a00",
        "425a6839",
        "04224d18",
        "02214c18",
        "1f9d90",
        "5d00008000"
      })
  void whatIsPackedInAnotherWayIsNamed(String beginning) {
    byte[] file = java.util.HexFormat.of().parseHex(beginning);
    assertThatThrownBy(() -> AuditLog.read(new ByteArrayInputStream(file), event -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is compressed with ");
  }

  /** Bytes that nobody meant never stop the reader, and never make it find what was not written. */
  @ParameterizedTest
  @EnumSource
  void damageIsSurvived(AuditForm form) throws IOException {
    List<String> events = events();
    byte[] file = form.file(events).getBytes(StandardCharsets.UTF_8);
    for (int run = 0; run < DAMAGED; run++) {
      byte[] damaged = file.clone();
      damaged[random.nextInt(file.length)] =
          (byte) "\n{}[]\",:x\\\u0000".charAt(random.nextInt(11));
      List<AuditEvent> read = new ArrayList<>();
      AuditLog.read(new ByteArrayInputStream(damaged), read::add);
      // One that is there twice is taken for two if only one of them is damaged.
      assertThat(read.size())
          .isLessThanOrEqualTo(EVENTS + (form == AuditForm.ELASTIC_BOTH ? 1 : 0));
      if (form.isOfLines()) {
        assertThat(read).as(form + " " + run).hasSizeGreaterThanOrEqualTo(EVENTS - 2);
      }
    }
  }

  /** A place behind one where a file was cut; the last one is before the file's last byte. */
  private int nextCut(int cut, int end) {
    int next = cut + 1 + random.nextInt(APART);
    return next < end || cut == end - 1 ? next : end - 1;
  }

  private static int newlines(byte[] bytes) {
    int count = 0;
    for (byte b : bytes) {
      count += b == '\n' ? 1 : 0;
    }
    return count;
  }

  private List<String> events() {
    List<String> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      events.add(event(i));
    }
    return events;
  }

  private String event(int i) {
    String odd = random.nextInt(3) == 0 ? "ä😀\\\"{[,\\\\" : "";
    String ns = "ns" + random.nextInt(5);
    return """
    {"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"%08x-%d","stage":"ResponseComplete",\
    "requestURI":"/apis/apps/v1/namespaces/%s/deployments?limit=%d&labelSelector=a%%3D%%7B%d%%7D","verb":"list",\
    "user":{"username":"system:serviceaccount:%s:x","groups":["a","b"],"extra":{"k":["v"]}},"sourceIPs":["10.0.0.%d","10.9.9.9"],\
    "userAgent":"tool%s/v1.2 (linux)","objectRef":{"resource":"deployments","namespace":"%s","apiGroup":"apps","apiVersion":"v1"},\
    "responseStatus":{"metadata":{},"code":%d},"requestReceivedTimestamp":"2026-11-22T10:00:%02d.25%dZ",\
    "stageTimestamp":"2026-11-22T10:00:59.300000Z","annotations":{"authorization.k8s.io/decision":"allow"}}\
    """
        .formatted(
            random.nextInt(),
            i,
            ns,
            random.nextInt(500),
            i,
            ns,
            random.nextInt(250),
            odd,
            ns,
            random.nextBoolean() ? 200 : 429,
            i,
            random.nextInt(1000));
  }

  private static List<AuditEvent> expected(List<String> events) {
    return events.stream()
        .map(AuditForm::tree)
        .map(
            e ->
                new AuditEvent(
                    "list",
                    e.at("/user/username").asText(),
                    e.get("userAgent").asText(),
                    e.at("/sourceIPs/0").asText(),
                    e.get("requestURI").asText(),
                    "apps/deployments",
                    e.at("/objectRef/namespace").asText(),
                    "",
                    e.at("/responseStatus/code").asInt(),
                    java.time.Instant.parse(e.get("requestReceivedTimestamp").asText())
                                .toEpochMilli()
                            * 1000
                        + java.time.Instant.parse(e.get("requestReceivedTimestamp").asText())
                                .getNano()
                            / 1000
                            % 1000))
        .toList();
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    // As 'cat a.gz b.gz' makes it.
    for (byte[] part :
        List.of(
            Arrays.copyOf(plain, plain.length / 2),
            Arrays.copyOfRange(plain, plain.length / 2, plain.length))) {
      try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
        gzip.write(part);
      }
    }
    return packed.toByteArray();
  }

  private static byte[] utf16(byte[] plain) {
    return ("\uFEFF" + new String(plain, StandardCharsets.UTF_8))
        .getBytes(StandardCharsets.UTF_16LE);
  }
}
