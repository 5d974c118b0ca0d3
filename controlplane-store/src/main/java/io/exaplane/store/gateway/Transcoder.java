// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.gateway;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.request.Slice;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * JSON to protobuf and back, as protobuf's mapping to JSON has it and etcd's gateway uses it: names
 * as in the .proto files, 64 bits as texts, bytes in base64, what has its default left out. Used by
 * one thread at a time.
 */
final class Transcoder {
  /** Of a number, zeroes included; no field has more than twenty digits. */
  private static final int MOST_DIGITS = 100;

  /** Fields of which one at most is set, by message; the .proto files have them as oneof. */
  private static final Map<String, Set<String>> ONE_OF =
      Map.of(
          "RequestOp",
          Set.of("request_range", "request_put", "request_delete_range", "request_txn"),
          "WatchRequest",
          Set.of("create_request", "cancel_request", "progress_request"),
          "Compare",
          Set.of("version", "create_revision", "mod_revision", "value", "lease"));

  private final Schema schema;

  Transcoder(Schema schema) {
    this.schema = schema;
  }

  /**
   * A message of a JSON object; fields that it does not have are ignored.
   *
   * @throws IllegalArgumentException if the object is none of the type
   */
  byte[] encode(String type, Object object) {
    ReverseWriter out = new ReverseWriter();
    write(out, type, object);
    return out.copy();
  }

  private void write(ReverseWriter out, String type, Object value) {
    if (!(value instanceof Map<?, ?> object)) {
      throw new IllegalArgumentException("unexpected token %s, want an object".formatted(value));
    }
    Schema.Message message = schema.message(type);
    requireOnce(type, message, object);
    List<? extends Map.Entry<?, ?>> entries = new ArrayList<>(object.entrySet());
    for (Map.Entry<?, ?> entry : entries.reversed()) {
      Schema.Field field = message.byName().get(entry.getKey());
      if (field == null || entry.getValue() == null) {
        continue;
      }
      if (!field.repeated()) {
        field(out, field, entry.getValue());
      } else if (entry.getValue() instanceof List<?> list) {
        list.reversed().forEach(each -> field(out, field, each));
      } else {
        throw invalid(field, entry.getValue());
      }
    }
  }

  /** A field has two names, and of some fields one at most is set. */
  private static void requireOnce(String type, Schema.Message message, Map<?, ?> object) {
    Set<Schema.Field> seen = new HashSet<>();
    Set<String> alternatives = ONE_OF.getOrDefault(type, Set.of());
    boolean isSet = false;
    for (Map.Entry<?, ?> entry : object.entrySet()) {
      Schema.Field field = message.byName().get(entry.getKey());
      if (field == null) {
        continue;
      }
      if (!seen.add(field)) {
        throw new IllegalArgumentException("duplicate field \"%s\"".formatted(entry.getKey()));
      }
      if (entry.getValue() != null && alternatives.contains(field.name())) {
        if (isSet) {
          throw new IllegalArgumentException(
              "error parsing \"%s\", another one of %s is already set"
                  .formatted(field.name(), new TreeSet<>(alternatives)));
        }
        isSet = true;
      }
    }
  }

  private static IllegalArgumentException invalid(Schema.Field field, Object value) {
    String shown =
        value instanceof JsonReader.Number number ? number.text() : String.valueOf(value);
    return new IllegalArgumentException(
        "invalid value for %s field %s: %s".formatted(field.type(), field.name(), shown));
  }

  private void field(ReverseWriter out, Schema.Field field, Object value) {
    switch (field.type()) {
      case "bool" -> {
        if (!(value instanceof Boolean flag)) {
          throw invalid(field, value);
        }
        out.flag(field.number(), flag);
      }
      case "int64", "uint64", "int32", "uint32" -> number(out, field, number(field, value));
      case "string" -> bytes(out, field, text(field, value).getBytes(StandardCharsets.UTF_8));
      case "bytes" -> bytes(out, field, base64(field, text(field, value)));
      default -> {
        Map<String, Integer> values = schema.enumeration(field.type());
        if (values != null) {
          // A name that it does not have is ignored, as a field is.
          if (!(value instanceof String name) || values.containsKey(name)) {
            number(out, field, enumerated(field, values, value));
          }
        } else {
          int mark = out.length();
          write(out, field.type(), value);
          out.message(field.number(), mark);
        }
      }
    }
  }

  private static void number(ReverseWriter out, Schema.Field field, long number) {
    if (field.repeated()) {
      out.element(field.number(), number);
    } else {
      out.number(field.number(), number);
    }
  }

  private static void bytes(ReverseWriter out, Schema.Field field, byte[] bytes) {
    out.bytes(field.number(), bytes, 0, bytes.length);
  }

  private static String text(Schema.Field field, Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw invalid(field, value);
  }

  private static long number(Schema.Field field, Object value) {
    String text =
        value instanceof JsonReader.Number number
            ? number.text()
            : value instanceof String string ? string : "";
    if (text.length() > MOST_DIGITS || !JsonReader.isNumber(text)) {
      throw invalid(field, value);
    }
    try {
      BigDecimal decimal = new BigDecimal(text);
      if (field.type().equals("uint64")) {
        return unsigned(field, decimal);
      }
      long number = decimal.longValueExact();
      boolean fits =
          switch (field.type()) {
            case "int32" -> number == (int) number;
            case "uint32" -> number >= 0 && number <= 0xffff_ffffL;
            default -> true;
          };
      if (fits) {
        return number;
      }
    } catch (ArithmeticException | NumberFormatException e) {
      throw invalid(field, value);
    }
    throw invalid(field, value);
  }

  private static int enumerated(Schema.Field field, Map<String, Integer> values, Object value) {
    if (value instanceof String name) {
      return values.get(name);
    }
    return (int) number(new Schema.Field(field.number(), field.name(), "int32", false), value);
  }

  private static long unsigned(Schema.Field field, BigDecimal decimal) {
    // Whole numbers of at most 20 digits: others would take memory before they are refused.
    int digits = decimal.precision() - decimal.scale();
    if (decimal.signum() < 0 || decimal.signum() > 0 && (digits <= 0 || digits > 20)) {
      throw invalid(field, new JsonReader.Number(decimal.toString()));
    }
    BigInteger number = decimal.signum() == 0 ? BigInteger.ZERO : decimal.toBigIntegerExact();
    if (number.bitLength() > Long.SIZE) {
      throw invalid(field, new JsonReader.Number(decimal.toString()));
    }
    return number.longValue();
  }

  /**
   * One of both alphabets, with padding or without, as Go reads it: line ends count as nothing, but
   * for the length that tells whether there is padding.
   */
  private static byte[] base64(Schema.Field field, String text) {
    boolean hasPadding = text.length() % 4 == 0;
    String line = text.replace("\r", "").replace("\n", "");
    boolean isRight = hasPadding ? line.length() % 4 == 0 : line.indexOf('=') < 0;
    if (!isRight) {
      throw invalid(field, text);
    }
    boolean isOfUrls = text.indexOf('-') >= 0 || text.indexOf('_') >= 0;
    try {
      return (isOfUrls ? Base64.getUrlDecoder() : Base64.getDecoder()).decode(line);
    } catch (IllegalArgumentException e) {
      throw invalid(field, text);
    }
  }

  /** Writes a message as JSON. */
  void decode(String type, byte[] message, int offset, int length, StringBuilder out) {
    read(type, new ProtoReader().open(message, offset, length), out);
  }

  private void read(String type, ProtoReader in, StringBuilder out) {
    Schema.Message message = schema.message(type);
    Map<Schema.Field, StringBuilder> fields = new LinkedHashMap<>();
    for (int number = in.field(); number != 0; number = in.field()) {
      Schema.Field field = message.byNumber().get(number);
      if (field == null) {
        in.skip();
        continue;
      }
      StringBuilder text = fields.computeIfAbsent(field, _ -> new StringBuilder());
      if (field.repeated()) {
        text.append(text.isEmpty() ? "" : ",");
      } else {
        text.setLength(0);
      }
      value(field, in, text);
    }
    out.append('{');
    boolean first = true;
    for (Map.Entry<Schema.Field, StringBuilder> each : fields.entrySet()) {
      out.append(first ? "\"" : ",\"").append(each.getKey().name()).append("\":");
      boolean repeated = each.getKey().repeated();
      out.append(repeated ? "[" : "").append(each.getValue()).append(repeated ? "]" : "");
      first = false;
    }
    out.append('}');
  }

  private void value(Schema.Field field, ProtoReader in, StringBuilder out) {
    switch (field.type()) {
      case "bool" -> out.append(in.flag());
      case "int64" -> out.append('"').append(in.number()).append('"');
      case "uint64" -> out.append('"').append(Long.toUnsignedString(in.number())).append('"');
      case "int32", "uint32" -> out.append(in.number());
      case "string" -> text(new String(slice(in).copy(), StandardCharsets.UTF_8), out);
      case "bytes" ->
          out.append('"').append(Base64.getEncoder().encodeToString(slice(in).copy())).append('"');
      default -> {
        Map<String, Integer> values = schema.enumeration(field.type());
        if (values == null) {
          int outer = in.enter();
          read(field.type(), in, out);
          in.leave(outer);
        } else {
          enumerated(values, in.number(), out);
        }
      }
    }
  }

  private static Slice slice(ProtoReader in) {
    Slice slice = new Slice();
    in.bytes(slice);
    return slice;
  }

  private static void enumerated(Map<String, Integer> values, long number, StringBuilder out) {
    for (Map.Entry<String, Integer> each : values.entrySet()) {
      if (each.getValue() == number) {
        out.append('"').append(each.getKey()).append('"');
        return;
      }
    }
    out.append(number);
  }

  /** Writes a text in quotes. */
  static void text(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      switch (each) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        default -> {
          if (each < ' ') {
            out.append("\\u%04x".formatted((int) each));
          } else {
            out.append(each);
          }
        }
      }
    }
    out.append('"');
  }
}
