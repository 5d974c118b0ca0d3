// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.yaml.YamlCharacters;
import io.exaplane.apply.yaml.YamlScalars;
import java.io.StringReader;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;

/**
 * YAML as kubectl takes it, but strict: a key stands once in a map, tags are those of JSON's types,
 * and what aliases repeat is bounded. One thread.
 */
final class YamlValues {
  /**
   * What the aliases of all texts of a reading may come to, in characters: no API server takes a
   * larger object.
   */
  static final int MOST_REPEATED = 3 << 20;

  private static final String MERGE = "<<";
  private static final String TEXT = "tag:yaml.org,2002:str";
  private static final Set<String> TAGS =
      Set.of(
          "!",
          TEXT,
          "tag:yaml.org,2002:int",
          "tag:yaml.org,2002:float",
          "tag:yaml.org,2002:bool",
          "tag:yaml.org,2002:null",
          "tag:yaml.org,2002:map",
          "tag:yaml.org,2002:seq");

  /** Of a scalar beside its characters, and of a map or list: what JSON has around them. */
  private static final int FRAME = 4;

  private final JsonNodeFactory nodes = JsonNodeFactory.instance;
  private final Parser events;
  private final int skipped;
  private final Map<String, Anchored> anchors = new HashMap<>();
  private Document document;
  private Event next;
  private int level;
  private long size;
  private long repeated;

  /** What an anchor names, and its size as JSON. */
  private record Anchored(JsonNode value, long size) {}

  /**
   * Of a text.
   *
   * @param text any number of documents
   * @param skipped lines of the file before it
   * @param repeated what aliases of earlier texts came to
   */
  YamlValues(String text, int skipped, long repeated) {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE); // the file's size has its own bound
    events = new ParserImpl(new YamlCharacters(new StringReader(text)), options);
    this.skipped = skipped;
    this.repeated = repeated;
  }

  /** What the aliases of this text and of earlier ones came to, in characters. */
  long repeated() {
    return repeated;
  }

  /** The next document; nothing after the last one. */
  Optional<Document> next() throws Unreadable {
    try {
      while (events.peekEvent() != null) {
        Event event = events.getEvent();
        if (event.is(Event.ID.DocumentStart)) {
          anchors.clear();
          next = events.getEvent();
          document = new Document();
          int line = line(next);
          document.set(value(), line);
          return Optional.of(document);
        }
      }
      return Optional.empty();
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1 + skipped;
      throw new Unreadable(line, "is not valid YAML: " + words(e) + "; correct the line");
    } catch (YAMLException e) {
      throw new Unreadable(skipped + 1, "is not valid YAML: " + e.getMessage() + "; correct it");
    }
  }

  private static String words(MarkedYAMLException e) {
    String problem = e.getProblem() == null ? "the document is incomplete" : e.getProblem();
    return (e.getContext() == null ? problem : e.getContext() + ", " + problem)
        .replaceAll("\\s*\\R\\s*", " ");
  }

  private int line(Event event) {
    return event.getStartMark().getLine() + 1 + skipped;
  }

  private JsonNode value() throws Unreadable {
    Event event = next;
    next = events.getEvent();
    return switch (event) {
      case AliasEvent alias -> aliased(alias);
      case ScalarEvent scalar -> remember(scalar, size, scalar(scalar));
      case MappingStartEvent map -> map(map);
      case SequenceStartEvent list -> list(list);
      default -> throw new Unreadable(line(event), "lacks a value; write one, or null");
    };
  }

  private JsonNode aliased(AliasEvent alias) throws Unreadable {
    Anchored anchored = anchors.get(alias.getAnchor());
    if (anchored == null) {
      throw new Unreadable(
          line(alias),
          "alias *" + alias.getAnchor() + " has no earlier anchor; write the value itself");
    }
    size += anchored.size();
    repeated += anchored.size();
    if (repeated > MOST_REPEATED) {
      throw new Unreadable(
          line(alias),
          "aliases repeat more than %d characters in all files; write the values themselves"
              .formatted(MOST_REPEATED));
    }
    return anchored.value();
  }

  private JsonNode remember(NodeEvent event, long before, JsonNode value) {
    if (event.getAnchor() != null) {
      anchors.put(event.getAnchor(), new Anchored(value, size - before));
    }
    return value;
  }

  private JsonNode scalar(ScalarEvent scalar) throws Unreadable {
    checkTag(scalar, scalar.getTag());
    size += FRAME + scalar.getValue().length();
    boolean isText =
        !scalar.isPlain() || TEXT.equals(scalar.getTag()) || "!".equals(scalar.getTag());
    return node(isText ? scalar.getValue() : YamlScalars.value(scalar.getValue()));
  }

  private JsonNode node(Object value) {
    return switch (value) {
      case null -> nodes.nullNode();
      case Boolean truth -> nodes.booleanNode(truth);
      case Long whole -> nodes.numberNode(whole);
      case BigInteger large -> nodes.numberNode(large);
      case Double number -> nodes.numberNode(number);
      default -> nodes.textNode(value.toString());
    };
  }

  private JsonNode map(MappingStartEvent start) throws Unreadable {
    checkTag(start, start.getTag());
    down(start);
    long before = size;
    ObjectNode own = nodes.objectNode();
    document.begin(own, level, line(start));
    Map<String, JsonNode> merged = new LinkedHashMap<>();
    while (!next.is(Event.ID.MappingEnd)) {
      Event at = next;
      String name = key();
      JsonNode value = value();
      if (name.equals(MERGE) && at instanceof ScalarEvent key && key.isPlain()) {
        merge(value, merged, at);
      } else if (own.replace(name, value) != null) {
        throw new Unreadable(line(at), "key '" + name + "' stands twice in one map; remove one");
      }
    }
    next = events.getEvent();
    merged.forEach(own::putIfAbsent);
    level--;
    size += FRAME;
    return remember(start, before, own);
  }

  private JsonNode list(SequenceStartEvent start) throws Unreadable {
    checkTag(start, start.getTag());
    down(start);
    long before = size;
    ArrayNode list = nodes.arrayNode();
    while (!next.is(Event.ID.SequenceEnd)) {
      list.add(value());
    }
    next = events.getEvent();
    level--;
    size += FRAME;
    return remember(start, before, list);
  }

  private void down(Event at) throws Unreadable {
    if (++level > Document.MOST_LEVELS) {
      throw new Unreadable(
          line(at),
          "maps and lists are nested more than %d times; nest them less"
              .formatted(Document.MOST_LEVELS));
    }
  }

  private String key() throws Unreadable {
    Event at = next;
    JsonNode key = value();
    if (key.isContainerNode()) {
      throw new Unreadable(line(at), "a key is a map or a list; write a word");
    }
    return key.asText();
  }

  private void merge(JsonNode value, Map<String, JsonNode> into, Event at) throws Unreadable {
    for (JsonNode source : value.isArray() ? value : nodes.arrayNode().add(value)) {
      if (!source.isObject()) {
        throw new Unreadable(line(at), "<< merges something that is no map; name a map");
      }
      source.properties().forEach(one -> into.putIfAbsent(one.getKey(), one.getValue()));
    }
  }

  private void checkTag(Event at, String tag) throws Unreadable {
    if (tag != null && !TAGS.contains(tag)) {
      throw new Unreadable(
          line(at), "tag '" + tag + "' is none of JSON's types; write the value without a tag");
    }
  }
}
