// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.apply.manifest.Hashes;
import io.exaplane.apply.port.FieldManager;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Hashes of what field managers own. Pure; any thread.
 *
 * <p>The server takes a field out of the set of its owner as soon as somebody else changes or
 * removes the field. So the set alone, which metadata holds, tells drift; the time of the set tells
 * applies by a second process of our name. Values are hashed where the whole object is read anyway.
 */
public final class OwnedHash {
  private static final ObjectMapper JSON = new ObjectMapper();

  private OwnedHash() {}

  /**
   * The fields that we own, and when that last changed.
   *
   * @param managers {@code metadata.managedFields}
   * @param manager our name
   * @return 64 bits; 0 when we own nothing
   */
  public static long fields(List<FieldManager> managers, String manager) {
    MessageDigest digest = null;
    for (FieldManager one : managers) {
      if (one.isApplyOf(manager)) {
        digest = digest == null ? Hashes.digest() : digest;
        text(digest, one.apiVersion());
        text(digest, one.time());
        bytes(digest, one.fieldsV1());
      }
    }
    return digest == null ? 0 : Hashes.end(digest);
  }

  /**
   * What all others own of the object itself, whenever that was.
   *
   * @param managers {@code metadata.managedFields}
   * @param manager our name
   * @return 64 bits; 0 when nobody else owns anything
   */
  public static long others(List<FieldManager> managers, String manager) {
    MessageDigest digest = null;
    for (FieldManager one : managers) {
      if (one.subresource().isEmpty() && !one.isApplyOf(manager)) {
        digest = digest == null ? Hashes.digest() : digest;
        text(digest, one.manager());
        text(digest, one.operation());
        text(digest, one.apiVersion());
        bytes(digest, one.fieldsV1());
      }
    }
    return digest == null ? 0 : Hashes.end(digest);
  }

  /**
   * The values of the fields that we own.
   *
   * @param object the whole object
   * @param managers its {@code metadata.managedFields}
   * @param manager our name
   * @return 64 bits; 0 when we own nothing
   * @throws IllegalArgumentException when {@code fieldsV1} is no JSON
   */
  public static long values(JsonNode object, List<FieldManager> managers, String manager) {
    MessageDigest digest = null;
    for (FieldManager one : managers) {
      if (one.isApplyOf(manager)) {
        digest = digest == null ? Hashes.digest() : digest;
        walk(digest, tree(one), object);
      }
    }
    return digest == null ? 0 : Hashes.end(digest);
  }

  static JsonNode tree(FieldManager manager) {
    try {
      return JSON.readTree(manager.fieldsV1());
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "metadata.managedFields of manager '"
              + manager.manager()
              + "' must be JSON; ask the server's owner",
          e);
    }
  }

  /** Sets come sorted from the server, so the order of the walk is that of the set. */
  private static void walk(MessageDigest digest, JsonNode set, JsonNode value) {
    if (set.isEmpty()) {
      canonical(digest, value);
      return;
    }
    for (Map.Entry<String, JsonNode> child : set.properties()) {
      text(digest, child.getKey());
      if (!child.getKey().equals(".")) {
        walk(digest, child.getValue(), step(child.getKey(), value));
      } else {
        digest.update((byte) (value.isMissingNode() ? 0 : 1));
      }
    }
  }

  /** The part of a value that one path element names; missing when there is none. */
  private static JsonNode step(String element, JsonNode value) {
    String rest = rest(element);
    return switch (element.charAt(0)) {
      case 'f' -> value.path(rest);
      case 'i' -> value.path(index(rest));
      case 'k' -> item(parse(rest), value);
      case 'v' -> member(parse(rest), value);
      default ->
          throw new IllegalArgumentException(
              "metadata.managedFields: '" + element + "' must begin with f:, k:, v: or i:");
    };
  }

  private static int index(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "metadata.managedFields: 'i:" + text + "' must name an item by its number", e);
    }
  }

  /** What follows the two letters of a path element; an aggregated API may answer anything. */
  static String rest(String element) {
    if (element.length() < 2 || element.charAt(1) != ':') {
      throw new IllegalArgumentException(
          "metadata.managedFields: '" + element + "' must begin with f:, k:, v: or i:");
    }
    return element.substring(2);
  }

  private static JsonNode item(JsonNode keys, JsonNode list) {
    for (JsonNode one : list) {
      boolean fits = true;
      for (Map.Entry<String, JsonNode> key : keys.properties()) {
        fits &= one.path(key.getKey()).equals(key.getValue());
      }
      if (fits) {
        return one;
      }
    }
    return list.path(-1);
  }

  private static JsonNode member(JsonNode wanted, JsonNode list) {
    for (JsonNode one : list) {
      if (one.equals(wanted)) {
        return one;
      }
    }
    return list.path(-1);
  }

  private static JsonNode parse(String json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "metadata.managedFields: '" + json + "' must be JSON; ask the server's owner", e);
    }
  }

  /** Objects by sorted names: two servers of one cluster need not write the same order. */
  private static void canonical(MessageDigest digest, JsonNode value) {
    if (value.isObject()) {
      digest.update((byte) '{');
      List<String> names = new ArrayList<>(value.size());
      value.fieldNames().forEachRemaining(names::add);
      names.sort(null);
      for (String name : names) {
        text(digest, name);
        canonical(digest, value.get(name));
      }
      digest.update((byte) '}');
    } else if (value.isArray()) {
      digest.update((byte) '[');
      for (JsonNode one : value) {
        canonical(digest, one);
      }
      digest.update((byte) ']');
    } else {
      digest.update((byte) value.getNodeType().ordinal());
      text(digest, value.asText());
    }
  }

  private static void text(MessageDigest digest, String text) {
    bytes(digest, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void bytes(MessageDigest digest, byte[] bytes) {
    int length = bytes.length;
    digest.update(
        new byte[] {
          (byte) (length >>> 24), (byte) (length >>> 16), (byte) (length >>> 8), (byte) length
        });
    digest.update(bytes);
  }
}
