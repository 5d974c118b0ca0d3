// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.CharConversionException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Reads audit logs as they are stored: kube-apiserver's own lines, and what container runtimes, log
 * shippers and managed clouds wrap around them, recognised by content. Files that follow each other
 * are read by one instance: what breaks off at the end of one goes on at the beginning of the next.
 * Memory stays the same however long they are. One thread.
 */
public final class AuditLog {
  private static final int EXAMPLE = 100;
  private static final int YAML_PEEKED = 1 << 14;

  /** A document's beginning, and one of an event's fields at the beginning of a line. */
  private static final Pattern YAML =
      Pattern.compile(
          "\\s*(?:#[^\n]*\n\\s*)*(?:---|- |[A-Za-z]+:).*?^[ -]*(?:apiVersion:[ \"']+audit\\.k8s\\.io/|auditID: |requestURI: |methodName: io\\.k8s\\.|stage: (?:Request|Response|Panic)).*",
          Pattern.DOTALL | Pattern.MULTILINE);

  private final Consumer<AuditEvent> consumer;
  private final JsonFactory yaml;
  private final AuditValues values = new AuditValues(this::take);
  private AuditLines lines;
  private boolean watchesBegin;
  private long requests;
  private long otherStages;
  private long unrecognised;
  private String example = "";
  private byte[] brokenOff = {};
  private boolean separated;
  private AuditTable table;

  /** Hands each completed request to a consumer, in their order. Takes YAML for text. */
  public AuditLog(Consumer<AuditEvent> consumer) {
    this(consumer, null);
  }

  /**
   * The same.
   *
   * @param yaml makes parsers of YAML; null for none
   */
  public AuditLog(Consumer<AuditEvent> consumer, JsonFactory yaml) {
    this.consumer = consumer;
    this.yaml = yaml;
  }

  /**
   * What was in the logs.
   *
   * @param requests that were completed
   * @param otherStages events of requests that were not completed yet, or were counted before
   * @param unrecognised lines and documents without an event, such as one that was cut off
   * @param example the beginning of the first of them
   */
  public record Read(long requests, long otherStages, long unrecognised, String example) {}

  /**
   * Reads a log that stands alone.
   *
   * @throws IOException if it can't be read; what was handed on before stays
   */
  public static Read read(InputStream log, Consumer<AuditEvent> consumer) throws IOException {
    AuditLog reader = new AuditLog(consumer);
    reader.read(log);
    return reader.summary();
  }

  /**
   * The first request of a log; nothing if it has none.
   *
   * @param yaml makes parsers of YAML; null for none
   */
  public static Optional<AuditEvent> first(InputStream log, JsonFactory yaml) throws IOException {
    AuditEvent[] first = {null};
    AuditLog[] reader = new AuditLog[1];
    reader[0] =
        new AuditLog(
            event -> {
              boolean earlier =
                  first[0] == null || event.receivedMicros() < first[0].receivedMicros();
              first[0] = earlier ? event : first[0];
              reader[0].lines.stop();
            },
            yaml);
    reader[0].read(log);
    return Optional.ofNullable(first[0]);
  }

  /**
   * Reads one more file.
   *
   * @throws IOException if it can't be read; what was handed on before stays
   */
  public void read(InputStream log) throws IOException {
    Unpacked.forEach(log, this::file);
  }

  private void file(InputStream plain) throws IOException {
    BufferedInputStream in = new BufferedInputStream(plain);
    if (yaml != null && isYaml(in)) {
      yaml(in);
      return;
    }
    lines = new AuditLines(in);
    table = null;
    boolean more = lines.next();
    if (brokenOff.length > 0 && more) {
      more = joined();
    }
    brokenOff = new byte[0];
    int from = 0;
    while (more) {
      from = part(from);
      if (from < 0) {
        more = lines.next();
        from = 0;
      }
    }
    values.pass();
    if (table != null && table.isOpen()) {
      rows(table.broken());
    }
  }

  private static boolean isYaml(BufferedInputStream in) throws IOException {
    in.mark(YAML_PEEKED);
    byte[] start;
    try {
      start = in.readNBytes(YAML_PEEKED - 1);
    } catch (EOFException e) {
      start = new byte[0]; // packed data that breaks off soon
    }
    in.reset();
    return YAML.matcher(new String(start, StandardCharsets.UTF_8)).matches();
  }

  /** Documents or a list; what was read before the file breaks off counts. */
  private void yaml(InputStream in) throws IOException {
    lines = new AuditLines(in);
    try (JsonParser parser = yaml.createParser(lines.documentFrom(0))) {
      while (parser.nextToken() != null) {
        boolean any = values.value(parser, true);
        if (!any) {
          unrecognised("a YAML document without an audit event");
        }
        values.pass();
      }
    } catch (JsonProcessingException e) {
      values.pass();
      unrecognised(e.getOriginalMessage());
    }
  }

  public Read summary() {
    return new Read(requests, otherStages, unrecognised + values.unfinished(), example);
  }

  /** The line that the file before broke off may go on here; false if that was all. */
  private boolean joined() throws IOException {
    byte[] whole = new byte[brokenOff.length + lines.length()];
    System.arraycopy(brokenOff, 0, whole, 0, brokenOff.length);
    System.arraycopy(lines.buffer(), 0, whole, brokenOff.length, lines.length());
    if (!text(new String(whole, StandardCharsets.UTF_8))) {
      return true;
    }
    unrecognised--;
    example = unrecognised == 0 ? "" : example;
    return lines.next();
  }

  /** Reads what begins in the line; where to go on in it, or -1 behind its end. */
  private int part(int from) throws IOException {
    byte[] line = lines.buffer();
    int at = from;
    while (at < lines.length() && isLeftOver(line[at])) {
      at++;
    }
    if (at == lines.length()) {
      return -1;
    }
    if (table != null && table.isOpen()) {
      row(new String(line, from, lines.length() - from, StandardCharsets.UTF_8));
      return -1;
    }
    if (line[at] == '{' || line[at] == '[' && isList(line, at)) {
      return document(at);
    }
    if (table != null) {
      row(new String(line, from, lines.length() - from, StandardCharsets.UTF_8));
      return -1;
    }
    String content = new String(line, at, lines.length() - at, StandardCharsets.UTF_8);
    if (text(content)) {
      separated |= content.contains("{\"\"");
      brokenOff = new byte[0];
      return -1;
    }
    int brace = openAfterPrefix(at);
    if (brace > 0) {
      return longDocument(brace);
    }
    table = AuditTable.begunBy(content);
    if (table != null) {
      return -1;
    }
    if (!separated || content.indexOf('{') >= 0) {
      // A newline at the end of a quoted field leaves lines with the fields behind it.
      brokenOff(at);
      unrecognised(content);
    }
    return -1;
  }

  /** Where a document for people to read begins behind a prefix, and goes on in the next lines. */
  private int openAfterPrefix(int from) {
    int end = lines.length() - 1;
    while (end > from && (lines.buffer()[end] == ' ' || lines.buffer()[end] == '\r')) {
      end--;
    }
    boolean open = end > from && lines.buffer()[end] == '{' && lines.buffer()[end - 1] == ' ';
    return open && lines.ended() ? end : -1;
  }

  private void row(String line) throws IOException {
    if (!line.isBlank() || table.isOpen()) {
      rows(table.rows(line));
    }
  }

  private void rows(List<AuditTable.Row> rows) throws IOException {
    for (AuditTable.Row row : rows) {
      boolean blank = row.text().isBlank();
      if (!blank && !passed(Boolean.TRUE.equals(values.json(row.json(), 0, "", 0)))) {
        unrecognised(row.text());
      }
    }
  }

  private boolean text(String content) throws IOException {
    return passed(values.text(content, "", 0));
  }

  private boolean passed(boolean any) {
    values.pass();
    return any;
  }

  /** What stands between documents, is left of a list without a beginning, or of a crash. */
  private static boolean isLeftOver(byte b) {
    return b == ' ' || b == '\t' || b == '\r' || b == ',' || b == ']' || b == '}' || b == 0x1e
        || b == 0;
  }

  /** In JSON, one of these is next; a pod's name in brackets is a prefix. */
  private boolean isList(byte[] line, int at) {
    int next = at + 1;
    while (next < lines.length() && (line[next] == ' ' || line[next] == '\r')) {
      next++;
    }
    return next == lines.length() || "{[\"]".indexOf(line[next]) >= 0;
  }

  /** A document that mostly ends with its line, and else is read on. */
  private int document(int from) throws IOException {
    int length = lines.length() - from;
    if (!lines.goesOn()) {
      try (JsonParser parser = AuditValues.json().createParser(lines.buffer(), from, length)) {
        parser.nextToken();
        boolean any = passed(values.value(parser, false));
        if (!any) {
          unrecognised(from);
        }
        // Of what it takes for UTF-16, the parser has no offset.
        long behind = parser.currentLocation().getByteOffset();
        return behind > 0 ? from + (int) behind : -1;
      } catch (CharConversionException e) {
        return brokenDocument(from); // zero bytes are no UTF-32
      } catch (JsonProcessingException e) {
        if (!AuditValues.breaksOff(e, length)
            || !lines.ended()
            || values.inEvent()
            || !endsOpen()) {
          return brokenDocument(from);
        }
        values.forget();
      }
    }
    return longDocument(from);
  }

  /** What was whole in it counts. */
  private int brokenDocument(int from) {
    if (!values.any()) {
      brokenOff(from);
    }
    values.pass();
    unrecognised(from);
    return -1;
  }

  /** Where a document goes on in the next line, for people to read. */
  private boolean endsOpen() {
    int end = lines.length() - 1;
    while (end > 0 && (lines.buffer()[end] == ' ' || lines.buffer()[end] == '\r')) {
      end--;
    }
    return "{[,:".indexOf(lines.buffer()[end]) >= 0;
  }

  private int longDocument(int from) throws IOException {
    long began = lines.number();
    String start = start(from);
    try (JsonParser parser = AuditValues.json().createParser(lines.documentFrom(from))) {
      parser.nextToken();
      if (parser.currentToken() == JsonToken.START_ARRAY
          || parser.currentToken() == JsonToken.START_OBJECT) {
        boolean any = values.value(parser, true);
        passed(true);
        if (!any) {
          unrecognised(start);
        }
      }
      ByteArrayOutputStream rest = new ByteArrayOutputStream();
      parser.releaseBuffered(rest);
      return Math.max(0, lines.handed() - rest.size());
    } catch (JsonProcessingException | CharConversionException e) {
      values.pass();
      unrecognised(start);
      if (lines.number() == began) {
        return -1;
      }
      // The line at which it broke is perhaps the first of another document.
      return lines.length() > 0 ? 0 : -1;
    }
  }

  /** Keeps a last line that has no end. */
  private void brokenOff(int from) {
    if (!lines.ended() && !lines.goesOn()) {
      brokenOff = Arrays.copyOfRange(lines.buffer(), from, lines.length());
    }
  }

  private void unrecognised(int from) {
    unrecognised(start(from));
  }

  private String start(int from) {
    int length = Math.min(2 * EXAMPLE, lines.length() - from);
    return new String(lines.buffer(), from, length, StandardCharsets.UTF_8);
  }

  private void unrecognised(String content) {
    if (unrecognised++ == 0) {
      String plain = content.replaceAll("\\p{Cntrl}", " ").strip();
      example = plain.substring(0, Math.min(plain.length(), EXAMPLE));
    }
  }

  private void take(AuditFields event) {
    watchesBegin |= event.watchBegins();
    AuditEvent request;
    try {
      request = event.event(watchesBegin);
    } catch (DateTimeException e) {
      unrecognised(e.getMessage());
      return;
    }
    if (request == null) {
      otherStages++;
    } else {
      requests++;
      consumer.accept(request);
    }
  }
}
