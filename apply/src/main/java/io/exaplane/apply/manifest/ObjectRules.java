// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** What an object must have before anybody asks a server about it. Pure. */
final class ObjectRules {
  /** What a kube-apiserver takes as one request, in bytes. */
  static final int MOST_BYTES = 3 << 20;

  private static final int MOST_NAME = 253;
  private static final int MOST_SHOWN = 80;
  private static final Pattern API_VERSION =
      Pattern.compile(
          "(?:[a-z0-9](?:[-a-z0-9.]{0,250}[a-z0-9])?/)?[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern KIND = Pattern.compile("[A-Za-z][A-Za-z0-9]{0,62}");
  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?");
  private static final String APPLY_SET = "applyset.kubernetes.io/";
  private static final String KUSTOMIZE = "kustomize.config.k8s.io/";

  private ObjectRules() {}

  /** The manifest of an object that stands at a place. */
  static Manifest manifest(JsonNode value, Manifest.Source source) throws Unreadable {
    if (!(value instanceof ObjectNode object)) {
      throw bad("is no object: " + shown(value) + "; write apiVersion, kind and metadata");
    }
    refuseOthersFiles(object, source);
    String apiVersion = word(object, "apiVersion", "apiVersion", API_VERSION, "v1 or apps/v1");
    String kind = word(object, "kind", "kind", KIND, "ConfigMap");
    if (apiVersion.startsWith(KUSTOMIZE)) {
      throw bad(
          "kind: '"
              + kind
              + "' is for kustomize, which no API server serves; apply what 'kubectl kustomize' prints");
    }
    JsonNode metadata = object.path("metadata");
    if (!metadata.isObject()) {
      throw bad("metadata: must be a map with a name; write metadata.name");
    }
    Gvk gvk = Gvk.of(apiVersion, kind);
    ObjectKey key = new ObjectKey(gvk.group(), kind, namespace(metadata), name(metadata));
    Map<String, String> annotations = words(metadata, "annotations");
    refuseSets(annotations, "annotations");
    refuseSets(words(metadata, "labels"), "labels");
    byte[] body = Canonical.of(isSecret(gvk) ? encoded(object) : object);
    if (body.length > MOST_BYTES) {
      throw bad(
          "has %d bytes, and a kube-apiserver takes %d at most; split the object"
              .formatted(body.length, MOST_BYTES));
    }
    return new Manifest(gvk, key, body, Hashes.of(body), annotations, source);
  }

  /** Files of other tools, which say only by their names what they are. */
  private static void refuseOthersFiles(ObjectNode object, Manifest.Source source)
      throws Unreadable {
    String file = source.file().substring(source.file().lastIndexOf('/') + 1);
    if (file.matches("kustomization\\.ya?ml") && !object.has("apiVersion")) {
      throw bad("is a file for kustomize; apply what 'kubectl kustomize' prints for the folder");
    }
    if (file.equals("Chart.yaml") && !object.has("kind")) {
      throw bad("is a chart of Helm; apply what 'helm template' prints for the folder");
    }
  }

  private static String name(JsonNode metadata) throws Unreadable {
    JsonNode name = metadata.path("name");
    if (name.isMissingNode() || name.isNull()) {
      throw bad(
          metadata.hasNonNull("generateName")
              ? "metadata.generateName: makes another object with each apply; write metadata.name"
              : "metadata.name: is missing; write one");
    }
    String text = name.asText();
    if (!name.isTextual()) {
      throw bad("metadata.name: " + shown(name) + " must be a string; put it in quotes");
    }
    boolean isSegment =
        !text.isEmpty()
            && text.length() <= MOST_NAME
            && !text.equals(".")
            && !text.equals("..")
            && text.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '/' && c != '%');
    if (!isSegment) {
      throw bad(
          "metadata.name: '"
              + cut(text)
              + "' must be 1 to 253 visible ASCII characters without / and %; choose another name");
    }
    return text;
  }

  private static String namespace(JsonNode metadata) throws Unreadable {
    JsonNode namespace = metadata.path("namespace");
    if (namespace.isMissingNode() || namespace.isNull() || namespace.asText("x").isEmpty()) {
      return "";
    }
    return word(metadata, "namespace", "metadata.namespace", NAMESPACE, "shop");
  }

  private static String word(
      JsonNode map, String field, String path, Pattern pattern, String example) throws Unreadable {
    JsonNode value = map.path(field);
    if (value.isMissingNode() || value.isNull()) {
      throw bad(path + ": is missing; write one, such as " + example);
    }
    if (!value.isTextual()) {
      throw bad(path + ": " + shown(value) + " must be a string; put it in quotes");
    }
    if (!pattern.matcher(value.asText()).matches()) {
      throw bad(
          path
              + ": '"
              + cut(value.asText())
              + "' is not well formed; write one such as "
              + example);
    }
    return value.asText();
  }

  private static Map<String, String> words(JsonNode metadata, String field) throws Unreadable {
    JsonNode map = metadata.path(field);
    if (map.isMissingNode() || map.isNull()) {
      return Map.of();
    }
    if (!map.isObject()) {
      throw bad("metadata." + field + ": must be a map; write a key and a value a line");
    }
    Map<String, String> words = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> one : map.properties()) {
      if (!one.getValue().isTextual()) {
        throw bad(
            "metadata.%s[%s]: %s must be a string; put it in quotes"
                .formatted(field, cut(one.getKey()), shown(one.getValue())));
      }
      words.put(one.getKey(), one.getValue().asText());
    }
    return Map.copyOf(words);
  }

  private static void refuseSets(Map<String, String> words, String field) throws Unreadable {
    for (String key : words.keySet()) {
      if (key.startsWith(APPLY_SET)) {
        throw bad(
            "metadata.%s[%s]: names the set that an object belongs to, which exactl writes itself; remove the line"
                .formatted(field, cut(key)));
      }
    }
  }

  private static boolean isSecret(Gvk gvk) {
    return gvk.group().isEmpty() && gvk.kind().equals("Secret");
  }

  /**
   * A Secret whose {@code stringData} stands in {@code data}, where servers keep it: they would
   * never delete a key that only {@code stringData} had.
   */
  private static ObjectNode encoded(ObjectNode secret) throws Unreadable {
    JsonNode plain = secret.path("stringData");
    JsonNode data = secret.path("data");
    strings(plain, "stringData", "put it in quotes");
    strings(data, "data", "write it in base64 and in quotes, or under stringData");
    if (plain.isMissingNode() || plain.isNull()) {
      return secret;
    }
    ObjectNode copy = secret.objectNode();
    copy.setAll(secret);
    copy.remove("stringData");
    ObjectNode all = secret.objectNode();
    if (data instanceof ObjectNode given) {
      all.setAll(given);
    }
    for (Map.Entry<String, JsonNode> one : plain.properties()) {
      byte[] bytes = one.getValue().asText().getBytes(StandardCharsets.UTF_8);
      all.put(one.getKey(), Base64.getEncoder().encodeToString(bytes));
    }
    copy.set("data", all);
    return copy;
  }

  /** Servers quote what is no string in what they say; here the value is not shown. */
  private static void strings(JsonNode map, String field, String next) throws Unreadable {
    if (map.isMissingNode() || map.isNull()) {
      return;
    }
    if (!map.isObject()) {
      throw bad(field + ": must be a map; write a key and a value a line");
    }
    for (Map.Entry<String, JsonNode> one : map.properties()) {
      if (!one.getValue().isTextual()) {
        throw bad(field + "." + cut(one.getKey()) + ": must be a string; " + next);
      }
    }
  }

  private static String shown(JsonNode value) {
    return value.isContainerNode()
        ? (value.isArray() ? "a list" : "a map")
        : "'" + cut(value.asText()) + "'";
  }

  private static String cut(String text) {
    String line = text.replaceAll("\\p{Cntrl}", "?");
    return line.length() <= MOST_SHOWN ? line : line.substring(0, MOST_SHOWN) + "…";
  }

  private static Unreadable bad(String message) {
    return new Unreadable(0, message);
  }
}
