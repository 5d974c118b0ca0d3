// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.apply.yaml.YamlCharacters;
import io.exaplane.apply.yaml.YamlScalars;
import java.io.Reader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * YAML as a JSON parser would leave it, as kubectl reads it: aliases and merge keys are followed,
 * keys become strings, tags but !!str say nothing. It is read part by part, so that a list may be
 * larger than the memory. One thread; what it throws is a YAMLException.
 */
final class YamlTree implements Tokens {
  private static final String MERGE = "<<";
  private static final String TEXT = "tag:yaml.org,2002:str";
  private static final int MOST_LEVELS = 1000;

  /**
   * Of one part: a few lines of aliases of aliases stand for more than anybody can walk through.
   */
  private static final long MOST_OF_ALIASES = 10_000_000;

  private final Parser events;
  private final boolean strict;
  private final boolean digits;
  private final Map<String, Object> anchors = new HashMap<>();
  private final Map<String, Long> sizes = new HashMap<>();
  private Event next;
  private int level;
  private long values;
  private long ofAliases;

  /**
   * Of all documents that there are.
   *
   * @param strict whether a key may be there once only; else the last counts
   */
  YamlTree(Reader in, boolean strict) {
    this(in, strict, false);
  }

  private YamlTree(Reader in, boolean strict, boolean digits) {
    LoaderOptions options = new LoaderOptions();
    // Clusters are larger than what SnakeYAML takes by itself.
    options.setCodePointLimit(Integer.MAX_VALUE);
    events = new ParserImpl(new YamlCharacters(in), options);
    this.strict = strict;
    this.digits = digits;
  }

  /** Of what a person wrote: a key is there once, and fractions are numbers with their digits. */
  static YamlTree ofInputs(Reader in) {
    return new YamlTree(in, true, true);
  }

  /** Goes to the next document, whose value has to be read then; false after the last. */
  boolean nextDocument() {
    next = null;
    while (next == null && events.peekEvent() != null) {
      if (events.getEvent().is(Event.ID.DocumentStart)) {
        next = events.getEvent();
        anchors.clear();
        ofAliases = 0;
      }
    }
    return next != null;
  }

  /** Goes into the map that is next; false if it is none. */
  boolean enter() {
    if (!next.is(Event.ID.MappingStart)) {
      return false;
    }
    next = events.getEvent();
    return true;
  }

  @Override
  public String nextField() {
    if (next.is(Event.ID.MappingEnd)) {
      next = null;
      return null;
    }
    return key();
  }

  @Override
  public boolean enterList() {
    if (!next.is(Event.ID.SequenceStart)) {
      return false;
    }
    next = events.getEvent();
    return true;
  }

  @Override
  public boolean nextElement() {
    if (next.is(Event.ID.SequenceEnd)) {
      next = events.getEvent();
      return false;
    }
    if (level == 0) {
      // What is read part by part is held part by part.
      ofAliases = 0;
    }
    return true;
  }

  @Override
  public Object value() {
    Event event = next;
    next = events.getEvent();
    long before = values++;
    Object value =
        switch (event) {
          case AliasEvent alias -> aliased(alias);
          case ScalarEvent scalar -> remember(scalar, scalar(scalar));
          case MappingStartEvent map -> map(map);
          case SequenceStartEvent list -> list(list);
          default -> throw new YAMLException("a value is missing");
        };
    if (event instanceof NodeEvent node && !event.is(Event.ID.Alias) && node.getAnchor() != null) {
      sizes.put(node.getAnchor(), values - before);
    }
    return value;
  }

  private Object aliased(AliasEvent alias) {
    if (!anchors.containsKey(alias.getAnchor())) {
      throw problem("alias *" + alias.getAnchor() + " refers to no earlier anchor", alias);
    }
    long size = sizes.get(alias.getAnchor());
    values += size;
    ofAliases += size;
    if (ofAliases > MOST_OF_ALIASES) {
      throw problem("aliases stand for more than " + MOST_OF_ALIASES + " values", alias);
    }
    return anchors.get(alias.getAnchor());
  }

  private Object remember(NodeEvent event, Object value) {
    if (event.getAnchor() != null) {
      anchors.put(event.getAnchor(), value);
    }
    return value;
  }

  private Map<String, Object> map(MappingStartEvent start) {
    down(start);
    Map<String, Object> own = new LinkedHashMap<>();
    Map<String, Object> merged = new LinkedHashMap<>();
    while (!next.is(Event.ID.MappingEnd)) {
      Event at = next;
      String name = key();
      Object value = value();
      if (name.equals(MERGE)) {
        merge(value, merged, at);
      } else if (strict && own.containsKey(name)) {
        throw problem("found duplicate key " + name, at);
      } else {
        own.put(name, value);
      }
    }
    next = events.getEvent();
    merged.forEach(own::putIfAbsent);
    level--;
    remember(start, own);
    return own;
  }

  private List<Object> list(SequenceStartEvent start) {
    down(start);
    List<Object> list = new ArrayList<>();
    while (!next.is(Event.ID.SequenceEnd)) {
      list.add(value());
    }
    next = events.getEvent();
    level--;
    remember(start, list);
    return list;
  }

  private void down(Event at) {
    if (++level > MOST_LEVELS) {
      throw problem("values are nested more than " + MOST_LEVELS + " times", at);
    }
  }

  private String key() {
    Event at = next;
    Object key = value();
    if (key instanceof Map<?, ?> || key instanceof List<?>) {
      throw problem("a key must be a word", at);
    }
    return String.valueOf(key);
  }

  private static void merge(Object value, Map<String, Object> into, Event at) {
    for (Object source :
        value instanceof List<?> several ? several : Collections.singletonList(value)) {
      if (!(source instanceof Map<?, ?> map)) {
        throw problem("<< merges only maps", at);
      }
      map.forEach((name, field) -> into.putIfAbsent((String) name, field));
    }
  }

  private Object scalar(ScalarEvent scalar) {
    boolean text = !scalar.isPlain() || TEXT.equals(scalar.getTag());
    Object value = text ? scalar.getValue() : YamlScalars.value(scalar.getValue());
    return digits && value instanceof Double
        ? new BigDecimal(scalar.getValue().replace("_", ""))
        : value;
  }

  private static YAMLException problem(String what, Event at) {
    return new Problem(what, at);
  }

  /** With the place where it was seen. */
  private static final class Problem extends MarkedYAMLException {
    private static final long serialVersionUID = 1L;

    Problem(String what, Event at) {
      super(null, null, what, at.getStartMark());
    }
  }
}
