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
 * file nor other files. Nothing is read behind a maximum of objects and bytes. One thread.
 */
class Texts implements AutoCloseable {
  private static final String SEPARATOR = "---";

  private final List<Manifest> manifests = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private final Map<ObjectKey, Manifest.Source> places = new HashMap<>();

  /** What the reading before found in the file that is being read. */
  private Map<ObjectKey, Manifest> known = Map.of();

  private final Packer packer = new Packer();

  /** Kinds and namespaces, of which many objects have the same. */
  private final Map<Gvk, Gvk> kinds = new HashMap<>();

  private final Map<String, String> namespaces = new HashMap<>();
  private final int mostObjects;
  private final long mostBytes;
  private int objects;
  private long bytes;
  private long repeated;

  /**
   * With a maximum, behind which reading ends.
   *
   * @param mostObjects good or bad ones; one more is read
   * @param mostBytes of the bodies of the objects; the first object beyond is read, too
   */
  Texts(int mostObjects, long mostBytes) {
    this.mostObjects = mostObjects;
    this.mostBytes = mostBytes;
  }

  private boolean isFull() {
    return objects > mostObjects || bytes > mostBytes;
  }

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

  /** What aliases came to so far, in characters. */
  long repeated() {
    return repeated;
  }

  /** Takes the text of a file that the reading before has: what is still the same is kept once. */
  void take(String file, String text, List<Manifest> before) {
    Map<ObjectKey, Manifest> all = HashMap.newHashMap(before.size());
    before.forEach(one -> all.put(one.key(), one));
    known = all;
    take(file, text);
    known = Map.of();
  }

  /** Takes a file whose bytes are those of the reading before. */
  void again(List<Manifest> unchanged) {
    for (Manifest one : unchanged) {
      objects++;
      packer.passed(one.bodyBytes());
      add(one);
    }
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

  private List<Document> json(String text) throws Unreadable {
    List<Document> documents = new ArrayList<>();
    try (JsonValues values = new JsonValues(text)) {
      Optional<Document> next = values.next();
      while (next.isPresent() && documents.size() <= mostObjects) {
        documents.add(next.get());
        next = values.next();
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
    for (int at = 0; at < text.length() && !isFull(); ) {
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
    if (!isFull()) {
      yaml(file, text.substring(begin), line);
    }
  }

  private static boolean isSeparator(String text, int at, int end) {
    int after = at + SEPARATOR.length();
    return text.startsWith(SEPARATOR, at)
        && (after >= end || Character.isWhitespace(text.charAt(after)));
  }

  private void yaml(String file, String part, int skipped) {
    YamlValues values = new YamlValues(part, skipped, repeated);
    try {
      Optional<Document> next = values.next();
      while (next.isPresent()) {
        objects(file, next.get());
        next = isFull() ? Optional.empty() : values.next();
      }
    } catch (Unreadable e) {
      objects++;
      problem(file, e.line(), e.getMessage());
    } finally {
      repeated = values.repeated();
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
      counted(file, document.line(value), value);
      return;
    }
    String apiVersion = value.path("apiVersion").asText("");
    boolean isTyped = !kind.equals("List");
    int line = document.line(value);
    for (JsonNode item : items) {
      int at = item.isObject() ? document.line(item) : line;
      counted(file, at, isTyped ? typed(item, apiVersion, kind) : item);
    }
  }

  private void counted(String file, int line, JsonNode value) {
    if (!isFull()) {
      objects++;
      object(file, line, value);
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

  /** The same, with what others have already: fifty thousand objects are to fit into memory. */
  private Manifest shared(Manifest own) {
    Manifest before = known.get(own.key());
    if (before != null && before.hash() == own.hash() && before.ignored().isEmpty()) {
      packer.passed(before.bodyBytes());
      return own.source().equals(before.source())
          ? before
          : before.with(before.gvk(), before.key(), own.source());
    }
    Gvk gvk = kinds.computeIfAbsent(own.gvk(), any -> any);
    String namespace = namespaces.computeIfAbsent(own.key().namespace(), any -> any);
    ObjectKey key = new ObjectKey(gvk.group(), gvk.kind(), namespace, own.key().name());
    return own.with(gvk, key, own.source()).packed(packer);
  }

  /** Takes one object of a document. */
  void object(String file, int line, JsonNode value) {
    Manifest.Source source = new Manifest.Source(file, line);
    try {
      add(shared(ObjectRules.manifest(value, source)));
    } catch (Unreadable e) {
      problem(file, line, e.getMessage());
    }
  }

  /** An object stands once in all files. */
  private void add(Manifest manifest) {
    Manifest.Source source = manifest.source();
    Manifest.Source first = places.putIfAbsent(manifest.key(), source);
    if (first != null) {
      problem(
          source.file(),
          source.line(),
          manifest.key() + " stands in " + first + " already; remove one of the two");
      return;
    }
    bytes += manifest.bodyBytes();
    manifests.add(manifest);
  }

  @Override
  public void close() {
    packer.close();
  }
}
