// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A part of an object as a JSON or YAML parser leaves it: maps, lists, strings, numbers and
 * booleans of the JDK, and {@link Instant} where times are not strings. What is absent reads as
 * nothing, as Kubernetes' own decoder has it; what has the wrong type throws {@link
 * InvalidObjectException} with the path to it.
 */
public final class Fields {
  /** The time of an object that has none. */
  public static final long NO_TIME = Long.MIN_VALUE;

  private static final Fields NONE = new Fields(Map.of(), "");
  private static final int NOT_LISTED = -1;

  private final Map<String, Object> values;

  /** The object that this is a field of; null for the first. */
  private final Fields parent;

  private final String name;
  private final int index;

  private Fields(Map<String, Object> values, String path) {
    this(values, null, path, NOT_LISTED);
  }

  private Fields(Map<String, Object> values, Fields parent, String name, int index) {
    this.values = values;
    this.parent = parent;
    this.name = name;
    this.index = index;
  }

  /** A whole object; errors call it by kind, namespace and name. */
  public static Fields ofObject(Object value) {
    Fields object = of(value, "");
    Fields meta = object.child("metadata");
    String name = meta.has("namespace") ? meta.string("namespace") + "/" : "";
    String path = object.string("kind") + " " + name + meta.string("name") + ":";
    return new Fields(object.values, path);
  }

  /** An object's fields; the path is what errors call it. */
  public static Fields of(Object value, String path) {
    return new Fields(NONE.object(value, path, NOT_LISTED), path);
  }

  private Fields part(Object value, String field, int at) {
    return new Fields(object(value, field, at), this, field, at);
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> object(Object value, String field, int at) {
    if (value instanceof Map<?, ?> map) {
      return (Map<String, Object>) map;
    }
    throw new InvalidObjectException(
        path(field, at), value, "it has to be an object", "see the API reference of its kind");
  }

  /** What errors call it; made up when somebody asks. */
  public String path() {
    return parent == null ? name : parent.path(name, index);
  }

  /** What errors call one of its fields. */
  public String path(String field) {
    String path = path();
    if (path.isEmpty()) {
      return field;
    }
    return path.endsWith(":") ? path + " " + field : path + "." + field;
  }

  private String path(String field, int at) {
    return at == NOT_LISTED ? path(field) : path(field) + "[" + at + "]";
  }

  public boolean has(String name) {
    return values.get(name) != null;
  }

  /** The field as it is, or null. */
  public Object raw(String name) {
    return values.get(name);
  }

  /** The names of the fields, in the order in which they were read. */
  public Iterable<String> names() {
    return values.keySet();
  }

  public Fields child(String name) {
    Object value = values.get(name);
    return value == null ? NONE : part(value, name, NOT_LISTED);
  }

  public String string(String name) {
    return string(name, "");
  }

  public String string(String name, String absent) {
    return typed(name, absent, String.class, "a string");
  }

  /** A string that is one of a few. */
  public String oneOf(String name, String absent, Set<String> allowed) {
    String value = string(name, absent);
    if (!allowed.contains(value)) {
      throw wrong(name, value, "one of " + TextList.of(allowed));
    }
    return value;
  }

  /** A string that has to be there. */
  public String required(String name) {
    String value = string(name);
    if (value.isEmpty()) {
      throw wrong(name, value, "given");
    }
    return value;
  }

  /** A whole number that has to be there, in a range. */
  public int between(String name, int least, int most) {
    long value = integer(name, 0);
    if (value < least || value > most) {
      boolean below = value < least && most == Integer.MAX_VALUE;
      throw wrong(name, value, below ? "at least " + least : least + " to " + most);
    }
    return (int) value;
  }

  /** The same of one that may be as large as it likes. */
  public long atLeast(String name, long least, long absent) {
    long value = integer(name, absent);
    if (value < least) {
      throw wrong(name, value, "at least " + least);
    }
    return value;
  }

  public boolean bool(String name, boolean absent) {
    return typed(name, absent, Boolean.class, "true or false");
  }

  private <T> T typed(String name, T absent, Class<T> type, String rule) {
    Object value = values.get(name);
    if (value == null) {
      return absent;
    }
    if (type.isInstance(value)) {
      return type.cast(value);
    }
    throw wrong(name, value, rule);
  }

  public long integer(String name, long absent) {
    Object value = values.get(name);
    if (value == null) {
      return absent;
    }
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    throw wrong(name, value, "a whole number");
  }

  /** Nanoseconds since 1970, or {@link #NO_TIME}. */
  public long time(String name) {
    if (values.get(name) instanceof Instant read) {
      return Rfc3339.toNs(read);
    }
    String text = string(name);
    if (text.isEmpty()) {
      return NO_TIME;
    }
    try {
      return Rfc3339.parseNs(text);
    } catch (DateTimeParseException e) {
      throw wrong(name, text, "a time as in RFC 3339");
    }
  }

  public List<Fields> children(String name) {
    return list(name, (value, at) -> part(value, name, at));
  }

  public List<String> strings(String name) {
    return list(
        name,
        (value, at) -> {
          if (value instanceof String text) {
            return text;
          }
          throw new InvalidObjectException(
              path(name, at), value, "it has to be a string", "see the API reference of its kind");
        });
  }

  /** A map of strings, in the order of the document; empty if absent. */
  public Map<String, String> stringMap(String name) {
    Fields map = child(name);
    Map<String, String> result = new LinkedHashMap<>();
    for (String key : map.names()) {
      result.put(key, map.string(key));
    }
    return result;
  }

  /** The field through a parser whose IllegalArgumentException says what the value has to be. */
  public <T> T parsed(String name, T absent, Function<String, T> parser) {
    Object value = values.get(name);
    if (value == null) {
      return absent;
    }
    try {
      return parser.apply(value.toString());
    } catch (IllegalArgumentException e) {
      throw wrong(name, value, e.getMessage());
    }
  }

  /** The elements of a list through a parser, as {@link #parsed} takes a single field. */
  public <T> List<T> parsedAll(String name, Function<String, T> parser) {
    return list(
        name,
        (value, at) -> {
          try {
            return parser.apply(value.toString());
          } catch (IllegalArgumentException e) {
            throw new InvalidObjectException(
                path(name, at),
                value,
                "it has to be " + e.getMessage(),
                "see the API reference of its kind");
          }
        });
  }

  private interface Element<T> {
    T of(Object value, int index);
  }

  private <T> List<T> list(String name, Element<T> element) {
    Object value = values.get(name);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> list)) {
      throw wrong(name, value, "a list");
    }
    if (list.isEmpty()) {
      return List.of();
    }
    List<T> result = new ArrayList<>(list.size());
    for (int i = 0; i < list.size(); i++) {
      result.add(element.of(list.get(i), i));
    }
    return result;
  }

  private InvalidObjectException wrong(String name, Object value, String rule) {
    return new InvalidObjectException(
        path(name), value, "it has to be " + rule, "see the API reference of its kind");
  }
}
