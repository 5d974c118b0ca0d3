// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * From the texts of files to manifests and problems. A bad document stops neither the others of its
 * file nor other files. One thread.
 */
class Texts {
  private static final String SEPARATOR = "---";

  private final List<Manifest> manifests = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private final Map<ObjectKey, Manifest.Source> places = new HashMap<>();

  List<Manifest> manifests() {
    return manifests;
  }

  List<Problem> problems() {
    return problems;
  }

  /** Notes what is wrong with a file; line 0 for the whole of it. */
  void problem(String file, int line, String message) {
    problems.add(new Problem(new Manifest.Source(file, line), message));
  }

  /** Takes a file's text, in YAML or JSON. */
  void take(String file, String text) {
    boolean isJson = file.endsWith(".json");
    if (isJson || text.stripLeading().startsWith("{")) {
      try {
        List<Document> documents = json(text);
        documents.forEach(document -> objects(file, document));
        return;
      } catch (Unreadable e) {
        if (isJson) {
          problem(file, e.line(), e.getMessage());
          return;
        }
        // YAML's maps may stand in braces, too.
      }
    }
    yaml(file, text);
  }

  private static List<Document> json(String text) throws Unreadable {
    List<Document> documents = new ArrayList<>();
    try (JsonValues values = new JsonValues(text)) {
      for (Optional<Document> next = values.next(); next.isPresent(); next = values.next()) {
        documents.add(next.get());
      }
    } catch (IOException e) {
      throw new Unreadable(0, "cannot be read: " + e.getMessage() + "; try again");
    }
    return documents;
  }

  /** Splits where YAML does, before a line that begins with three dashes. */
  private void yaml(String file, String text) {
    int begin = 0;
    int line = 0;
    int lines = 0;
    for (int at = 0; at < text.length(); ) {
      int end = text.indexOf('\n', at);
      end = end < 0 ? text.length() : end + 1;
      if (at > begin && isSeparator(text, at, end)) {
        yaml(file, text.substring(begin, at), line);
        begin = at;
        line = lines;
      }
      lines++;
      at = end;
    }
    yaml(file, text.substring(begin), line);
  }

  private static boolean isSeparator(String text, int at, int end) {
    int after = at + SEPARATOR.length();
    return text.startsWith(SEPARATOR, at)
        && (after >= end || Character.isWhitespace(text.charAt(after)));
  }

  private void yaml(String file, String part, int skipped) {
    try {
      YamlValues values = new YamlValues(part, skipped);
      for (Optional<Document> next = values.next(); next.isPresent(); next = values.next()) {
        objects(file, next.get());
      }
    } catch (Unreadable e) {
      problem(file, e.line(), e.getMessage());
    }
  }

  /** A document is empty, or an object, or a list of them as 'kubectl get' prints it. */
  private void objects(String file, Document document) {
    JsonNode value = document.value();
    if (value.isNull()) {
      return;
    }
    JsonNode items = value.path("items");
    String kind = value.path("kind").asText("");
    if (!kind.endsWith("List") || !items.isArray()) {
      object(file, document.line(value), value);
      return;
    }
    String apiVersion = value.path("apiVersion").asText("");
    boolean isTyped = !kind.equals("List");
    int line = document.line(value);
    for (JsonNode item : items) {
      int at = item.isObject() ? document.line(item) : line;
      object(file, at, isTyped ? typed(item, apiVersion, kind) : item);
    }
  }

  /** Items of a list of one kind may leave that kind out. */
  private static JsonNode typed(JsonNode item, String apiVersion, String list) {
    if (!(item instanceof ObjectNode object) || object.has("kind") && object.has("apiVersion")) {
      return item;
    }
    ObjectNode copy = object.objectNode();
    copy.setAll(object);
    copy.put("apiVersion", apiVersion);
    copy.put("kind", list.substring(0, list.length() - "List".length()));
    return copy;
  }

  /** Takes one object of a document. */
  void object(String file, int line, JsonNode value) {
    Manifest.Source source = new Manifest.Source(file, line);
    try {
      Manifest manifest = ObjectRules.manifest(value, source);
      Manifest.Source first = places.putIfAbsent(manifest.key(), source);
      if (first != null) {
        problem(
            file, line, manifest.key() + " stands in " + first + " already; remove one of the two");
        return;
      }
      manifests.add(manifest);
    } catch (Unreadable e) {
      problem(file, line, e.getMessage());
    }
  }
}
