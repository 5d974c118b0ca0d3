// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.scheduler.engine.model.InvalidObjectException;
import io.exaplane.scheduler.engine.protobuf.DamagedException;
import io.exaplane.scheduler.engine.protobuf.ProtobufObjects;
import io.exaplane.tuning.lists.Unpacked;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.reader.UnicodeReader;

/**
 * Files of Kubernetes objects, in JSON, YAML or the API server's protobuf: lists of any kind, lists
 * in lists, single objects, several documents. They are read one object after another, so that a
 * file may be larger than the memory.
 */
final class ClusterFiles {
  private static final int PEEKED = 4096;
  private static final int SHOWN = 80;
  private static final String KIND = "kind";
  private static final String ITEMS = "items";
  private static final String LIST = "List";
  private static final String MERGE = "<<";

  /** Braces are YAML, too: in JSON, a quote is next. */
  private static final Pattern JSON =
      Pattern.compile("^\\uFEFF?\\s*(?:\\[\\s*)?(?:\\{\\s*[\"}]|\\]).*", Pattern.DOTALL);

  /** What Jackson says of an input of which it knows no name. */
  private static final Pattern SOURCE = Pattern.compile(" \\(start marker at .*\\)");

  private final ObjectMapper mapper = JsonMapper.builder().build();
  private final Sink sink;
  private final boolean strict;
  private final String action;

  /** Takes what files hold. */
  @FunctionalInterface
  interface Sink {
    /** An object; items of lists come by themselves. */
    void object(Map<String, Object> object);

    /**
     * A list was read.
     *
     * @param more whether the server has more of it
     */
    default void list(String kind, boolean more) {}
  }

  /**
   * Passes on what it reads.
   *
   * @param strict whether YAML may have a key once only; else the last counts, as with kubectl
   * @param action what to do where a file is not one of these
   */
  ClusterFiles(Sink sink, boolean strict, String action) {
    this.sink = sink;
    this.strict = strict;
    this.action = action;
  }

  /**
   * Passes on the objects of a file; - is the standard input.
   *
   * @throws InvalidInputException if it can't be read, or is none of these
   */
  void read(Path file) {
    try (InputStream in = new BufferedInputStream(Unpacked.of(TextFiles.open(file)), 1 << 16)) {
      in.mark(PEEKED);
      byte[] beginning = in.readNBytes(PEEKED);
      in.reset();
      if (ProtobufObjects.isBeginning(beginning)) {
        ProtobufObjects objects = new ProtobufObjects(sink::object);
        objects.read(in);
        sink.list(file.toString(), objects.listMeta().containsKey("continue"));
      } else if (JSON.matcher(new String(beginning, StandardCharsets.UTF_8)).matches()) {
        json(in, file);
      } else {
        yaml(in, file);
      }
    } catch (InvalidObjectException e) {
      throw e.in(file.toString());
    } catch (DamagedException e) {
      throw invalid(file, "begins like protobuf but is damaged: " + e.getMessage());
    } catch (MarkedYAMLException e) {
      throw invalid(
          file,
          "is not valid YAML: %s at line: %d, column: %d"
              .formatted(
                  e.getProblem(),
                  e.getProblemMark().getLine() + 1,
                  e.getProblemMark().getColumn() + 1));
    } catch (YAMLException e) {
      throw invalid(file, "is not valid YAML: " + e.getMessage());
    } catch (JsonProcessingException e) {
      throw invalid(
          file,
          "is not valid JSON: "
              + SOURCE.matcher(e.getOriginalMessage()).replaceAll("")
              + (e.getLocation() == null ? "" : " at " + e.getLocation().offsetDescription()));
    } catch (IOException e) {
      throw TextFiles.unreadable("file", file, e);
    }
  }

  private void json(InputStream in, Path file) throws IOException {
    try (JsonParser parser = new JsonFactory().createParser(new WithoutLogs(in))) {
      parser.setCodec(mapper);
      while (parser.nextToken() != null) {
        JsonTokens tokens = new JsonTokens(parser, mapper);
        if (parser.currentToken() == JsonToken.START_OBJECT) {
          document(tokens);
        } else if (parser.currentToken() == JsonToken.START_ARRAY) {
          bare(tokens, file);
        } else if (parser.currentToken() != JsonToken.VALUE_NULL) {
          throw noObject(file, parser.readValueAs(Object.class));
        }
      }
    }
  }

  private void yaml(InputStream in, Path file) throws IOException {
    YamlTree yaml = new YamlTree(new UnicodeReader(in), strict);
    while (yaml.nextDocument()) {
      if (yaml.enter()) {
        document(yaml);
      } else if (yaml.enterList()) {
        bare(yaml, file);
      } else {
        Object value = yaml.value();
        if (value != null) {
          throw noObject(file, value);
        }
      }
    }
  }

  /** Objects in a list without more, as jq's '.items' leaves them. */
  private void bare(Tokens tokens, Path file) throws IOException {
    while (tokens.nextElement()) {
      Object element = tokens.value();
      if (!(element instanceof Map<?, ?>)) {
        throw noObject(file, element);
      }
      @SuppressWarnings("unchecked")
      Map<String, Object> one = (Map<String, Object>) element;
      pass(one);
    }
  }

  private InvalidInputException noObject(Path file, Object document) {
    String text = String.valueOf(document);
    return invalid(
        file,
        "contains an entry that is not a Kubernetes object: "
            + text.substring(0, Math.min(text.length(), SHOWN)));
  }

  private InvalidInputException invalid(Path file, String what) {
    return new InvalidInputException("file", file.toString(), what, action);
  }

  /** The items of a list as they come; the fields of anything else together. */
  private void document(Tokens tokens) throws IOException {
    Map<String, Object> object = new LinkedHashMap<>();
    List<Map<String, Object>> kindless = new ArrayList<>();
    boolean list = false;
    for (String name = tokens.nextField(); name != null; name = tokens.nextField()) {
      if (name.equals(ITEMS) && tokens.enterList()) {
        list = true;
        while (tokens.nextElement()) {
          item(tokens.value(), object, kindless);
        }
      } else {
        add(object, name, tokens.value());
      }
    }
    if (object.remove(MERGE) instanceof Map<?, ?> merged) {
      merged.forEach((name, value) -> object.putIfAbsent((String) name, value));
    }
    if (!list) {
      pass(object);
      return;
    }
    for (Map<String, Object> item : kindless) {
      pass(named(item, object));
    }
    tellOfList(object);
  }

  private void add(Map<String, Object> to, String name, Object value) {
    if (to.put(name, value) != null && strict) {
      throw new InvalidObjectException(name, value, "the key appears twice", "remove one");
    }
  }

  /** Items of a list of one kind do not say which; the list itself does, perhaps after them. */
  private void item(Object item, Map<String, Object> list, List<Map<String, Object>> kindless) {
    if (item instanceof Map<?, ?>) {
      @SuppressWarnings("unchecked")
      Map<String, Object> one = (Map<String, Object>) item;
      if (one.containsKey(KIND)) {
        pass(one);
      } else if (list.containsKey(KIND)) {
        pass(named(one, list));
      } else {
        kindless.add(one);
      }
    } else if (item != null) {
      throw new InvalidObjectException(
          list.getOrDefault(KIND, LIST) + ": items",
          item,
          "each must be an object",
          "remove the entry");
    }
  }

  private void tellOfList(Map<String, Object> list) {
    boolean more =
        list.get("metadata") instanceof Map<?, ?> meta
            && meta.get("continue") instanceof String next
            && !next.isEmpty();
    sink.list(String.valueOf(list.get(KIND)), more);
  }

  /** The item of a list of one kind as it would be by itself. */
  private static Map<String, Object> named(Map<String, Object> item, Map<String, Object> list) {
    String kind = String.valueOf(list.get(KIND));
    Map<String, Object> named = new LinkedHashMap<>(item);
    if (kind.endsWith(LIST) && kind.length() > LIST.length()) {
      named.put(KIND, kind.substring(0, kind.length() - LIST.length()));
      named.putIfAbsent("apiVersion", list.get("apiVersion"));
    }
    return named;
  }

  private void pass(Map<String, Object> object) {
    if (!object.containsKey(ITEMS) || !String.valueOf(object.get(KIND)).endsWith(LIST)) {
      sink.object(object);
      return;
    }
    if (object.get(ITEMS) == null) {
      return;
    }
    if (!(object.get(ITEMS) instanceof List<?> items)) {
      throw new InvalidObjectException(
          object.get(KIND) + ": items",
          object.get(ITEMS),
          "the value must be a list",
          "write a dash before each object");
    }
    List<Map<String, Object>> kindless = new ArrayList<>();
    items.forEach(item -> item(item, object, kindless));
    kindless.forEach(item -> pass(named(item, object)));
    tellOfList(object);
  }
}
