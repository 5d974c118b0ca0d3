// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class AuditLogTest {
  private static final String LIST =
      """
      {"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a","stage":"ResponseComplete",\
      "requestURI":"/api/v1/namespaces/a/pods?limit=500&resourceVersion=0","verb":"list","user":{"username":"u","groups":["g"],\
      "extra":{"x":["y"]}},"sourceIPs":["10.0.0.1","10.0.0.2"],"userAgent":"tool/v1.2 (linux)","objectRef":{"resource":"pods",\
      "namespace":"a","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":200},\
      "requestReceivedTimestamp":"2026-11-22T10:00:00.250000Z","stageTimestamp":"2026-11-22T10:00:00.300000Z",\
      "annotations":{"authorization.k8s.io/decision":"allow"}}
      """;

  private final List<AuditEvent> events = new ArrayList<>();

  @Test
  void readsWhatTheAnalysisNeeds() throws IOException {
    read(LIST);
    assertThat(events)
        .containsExactly(
            new AuditEvent(
                "list",
                "u",
                "tool/v1.2 (linux)",
                "10.0.0.1",
                "/api/v1/namespaces/a/pods?limit=500&resourceVersion=0",
                "pods",
                "a",
                "",
                200,
                1_795_341_600_250_000L));
  }

  /** BigQuery, ClickHouse and others write times as their tables do. */
  @Test
  void readsTheTimesOfTables() throws IOException {
    for (String time :
        List.of(
            "2026-11-22 10:00:00.250000 UTC",
            "2026-11-22 10:00:00.25Z",
            "2026-11-22T11:00:00.25+01:00")) {
      read(LIST.replace("2026-11-22T10:00:00.250000Z", time));
    }
    assertThat(events).hasSize(3);
    assertThat(events)
        .allSatisfy(e -> assertThat(e.receivedMicros()).isEqualTo(1_795_341_600_250_000L));
  }

  @Test
  void readsGzipToo() throws IOException {
    AuditLog.read(new ByteArrayInputStream(gzip(LIST + LIST)), events::add);
    assertThat(events).hasSize(2);
  }

  /** By 'ssh node cat audit-*.gz', the second file comes when the first one has been read. */
  @Test
  void readsEachGzipOfAPipeThatHasNoBytesAtTheMoment() throws IOException {
    StringBuilder noise = new StringBuilder();
    new Random(1).ints(2000, 'a', 'z').forEach(noise::appendCodePoint);
    byte[] file = gzip(LIST.replace("\"auditID\":\"a\"", "\"auditID\":\"" + noise + "\""));
    InputStream pipe =
        new SequenceInputStream(new ByteArrayInputStream(file), new ByteArrayInputStream(file)) {
          @Override
          public int available() {
            return 0;
          }
        };
    assertThat(AuditLog.read(pipe, events::add)).isEqualTo(new AuditLog.Read(2, 0, 0, ""));
    assertThat(events).hasSize(2);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }

  @Test
  void countsLinesThatAreNoEventsAndGoesOn() throws IOException {
    AuditLog.Read read = read(LIST + LIST.substring(0, 80) + "\n[1]\n\n" + LIST);
    assertThat(read).isEqualTo(new AuditLog.Read(2, 0, 2, LIST.substring(0, 80)));
  }

  @Test
  void countsARequestOnceAndAWatchWhenItBegins() throws IOException {
    String started = LIST.replace("ResponseComplete", "ResponseStarted");
    String watch = started.replace("\"list\"", "\"watch\"");
    read(started + watch + watch.replace("ResponseStarted", "ResponseComplete"));
    assertThat(events).extracting(AuditEvent::verb).containsExactly("watch");
  }

  @Test
  void countsAWatchByItsEndWhereThePolicyLeavesBeginningsOut() throws IOException {
    read(LIST.replace("\"list\"", "\"watch\""));
    assertThat(events).extracting(AuditEvent::verb).containsExactly("watch");
  }

  @Test
  void anEventWithoutWhatItShouldHaveIsReadAsFarAsItGoes() throws IOException {
    read(LIST.replace("[\"10.0.0.1\",\"10.0.0.2\"]", "null"));
    read(LIST.replace("[\"10.0.0.1\",\"10.0.0.2\"]", "\"10.0.0.1\""));
    assertThat(events).extracting(AuditEvent::sourceIp).containsExactly("", "10.0.0.1");
  }

  @Test
  void namesSubresourcesAndGroups() throws IOException {
    read(
        LIST.replace(
            "\"resource\":\"pods\"",
            "\"apiGroup\":\"apps\",\"subresource\":\"scale\",\"resource\":\"deployments\""));
    assertThat(events.getFirst().resource()).isEqualTo("apps/deployments/scale");
  }

  /** Lines longer than any buffer, and a hundred megabytes in which nothing is kept. */
  @Test
  void readsHoweverLongLinesAndLogsAre() throws IOException {
    String large = LIST.replace("\"allow\"", "\"" + "x".repeat(1 << 20) + "\"");
    InputStream endless =
        new InputStream() {
          private final byte[] text = large.getBytes(StandardCharsets.UTF_8);
          private long position;

          @Override
          public int read() {
            throw new UnsupportedOperationException();
          }

          @Override
          public int read(byte[] into, int offset, int length) {
            if (position >= 100L * text.length) {
              return -1;
            }
            int from = (int) (position % text.length);
            int count = Math.min(length, text.length - from);
            System.arraycopy(text, from, into, offset, count);
            position += count;
            return count;
          }
        };
    assertThat(AuditLog.read(endless, event -> {}).requests()).isEqualTo(100);
  }

  private AuditLog.Read read(String text) throws IOException {
    return AuditLog.read(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), events::add);
  }
}
