// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoField;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/**
 * Reads kube-apiserver's audit log: an event on each line, as its log backend writes them; plain or
 * compressed by gzip. Memory stays the same however long it is.
 */
public final class AuditLog {
  private static final int BUFFER = 1 << 18;
  private static final int GZIP_MAGIC = 0x1f8b;
  private static final JsonFactory JSON = new JsonFactory();

  private static final String STARTED = "ResponseStarted";
  private boolean watchesBegin;

  private AuditLog() {}

  /**
   * What was in a log.
   *
   * @param events requests that were completed
   * @param broken lines that are no event, such as one that was cut off
   */
  public record Read(long events, long broken) {}

  /**
   * Hands each completed request of a log to a consumer, in their order.
   *
   * @throws IOException if it can't be read; what was handed on before stays
   */
  public static Read read(InputStream log, Consumer<AuditEvent> consumer) throws IOException {
    AuditLog reader = new AuditLog();
    Lines lines = new Lines(plain(new BufferedInputStream(log, BUFFER)));
    long events = 0;
    long broken = 0;
    while (lines.next()) {
      try (JsonParser parser = JSON.createParser(lines.buffer(), 0, lines.length())) {
        AuditEvent event = reader.event(parser);
        if (event != null) {
          consumer.accept(event);
          events++;
        }
      } catch (JsonProcessingException | DateTimeException e) {
        broken++;
      }
    }
    return new Read(events, broken);
  }

  private static InputStream plain(BufferedInputStream log) throws IOException {
    log.mark(2);
    int magic = log.read() << 8 | log.read();
    log.reset();
    return magic == GZIP_MAGIC
        ? new BufferedInputStream(new GZIPInputStream(log, BUFFER), BUFFER)
        : log;
  }

  /**
   * The event of a line, or null if it is of a request that is not completed. A watch is counted
   * when it begins, since its end comes minutes later or not before the log ends; by its end where
   * the audit policy leaves beginnings out.
   */
  private AuditEvent event(JsonParser parser) throws IOException {
    Fields fields = new Fields();
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw new JsonParseException(parser, "no object");
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      switch (name) {
        case "stage" -> fields.stage = parser.getText();
        case "verb" -> fields.verb = parser.getText();
        case "requestURI" -> fields.uri = parser.getText();
        case "userAgent" -> fields.userAgent = parser.getText();
        case "requestReceivedTimestamp" -> fields.receivedMicros = micros(parser.getText());
        case "user" -> fields.user(parser);
        case "sourceIPs" -> fields.sources(parser);
        case "objectRef" -> fields.object(parser);
        case "responseStatus" -> fields.response(parser);
        default -> {
          if (value.isStructStart()) {
            parser.skipChildren();
          }
        }
      }
    }
    watchesBegin |= fields.verb.equals("watch") && fields.stage.equals(STARTED);
    return fields.event(watchesBegin);
  }

  private static long micros(String timestamp) {
    OffsetDateTime time = OffsetDateTime.parse(timestamp);
    return time.toEpochSecond() * 1_000_000 + time.get(ChronoField.MICRO_OF_SECOND);
  }

  /** What was seen of an event so far. */
  private static final class Fields {
    private String stage = "";
    private String verb = "";
    private String uri = "";
    private String userAgent = "";
    private String user = "";
    private String sourceIp = "";
    private String group = "";
    private String resource = "";
    private String subresource = "";
    private String namespace = "";
    private String name = "";
    private int code;
    private long receivedMicros;

    void user(JsonParser parser) throws IOException {
      each(
          parser,
          field -> {
            if (field.equals("username")) {
              user = parser.getText();
            }
          });
    }

    void response(JsonParser parser) throws IOException {
      each(
          parser,
          field -> {
            if (field.equals("code")) {
              code = parser.getIntValue();
            }
          });
    }

    void object(JsonParser parser) throws IOException {
      each(
          parser,
          field -> {
            switch (field) {
              case "apiGroup" -> group = parser.getText();
              case "resource" -> resource = parser.getText();
              case "subresource" -> subresource = parser.getText();
              case "namespace" -> namespace = parser.getText();
              case "name" -> name = parser.getText();
              default -> {}
            }
          });
    }

    /** The first is the client; proxies follow. */
    void sources(JsonParser parser) throws IOException {
      if (parser.currentToken() != JsonToken.START_ARRAY) {
        parser.skipChildren();
        return;
      }
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        if (sourceIp.isEmpty()) {
          sourceIp = parser.getText();
        }
      }
    }

    private static void each(JsonParser parser, Field action) throws IOException {
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        return;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        if (parser.nextToken().isStructStart()) {
          parser.skipChildren();
        } else {
          action.take(field);
        }
      }
    }

    AuditEvent event(boolean watchesBegin) {
      boolean watch = verb.equals("watch");
      boolean begun = watch && stage.equals(STARTED);
      boolean completed = stage.equals("ResponseComplete") && !(watch && watchesBegin);
      if (!begun && !completed) {
        return null;
      }
      String full = subresource.isEmpty() ? resource : resource + "/" + subresource;
      return new AuditEvent(
          verb,
          user,
          userAgent,
          sourceIp,
          uri,
          group.isEmpty() ? full : group + "/" + full,
          namespace,
          name,
          code,
          receivedMicros);
    }
  }

  /** One field of an object. */
  private interface Field {
    void take(String name) throws IOException;
  }

  /** Lines of a stream in one buffer that grows to the longest. */
  private static final class Lines {
    private final InputStream in;
    private final byte[] chunk = new byte[BUFFER];
    private int begin;
    private int end;
    private byte[] line = new byte[BUFFER];
    private int length;

    Lines(InputStream in) {
      this.in = in;
    }

    boolean next() throws IOException {
      length = 0;
      while (true) {
        if (begin == end) {
          begin = 0;
          end = in.read(chunk, 0, chunk.length);
          if (end <= 0) {
            end = 0;
            return length > 0;
          }
        }
        int newline = begin;
        while (newline < end && chunk[newline] != '\n') {
          newline++;
        }
        append(newline - begin);
        begin = newline;
        if (newline < end) {
          begin++;
          if (length > 0) {
            return true;
          }
        }
      }
    }

    private void append(int count) {
      if (length + count > line.length) {
        line = Arrays.copyOf(line, Math.max(2 * line.length, length + count));
      }
      System.arraycopy(chunk, begin, line, length, count);
      length += count;
    }

    byte[] buffer() {
      return line;
    }

    int length() {
      return length;
    }
  }
}
