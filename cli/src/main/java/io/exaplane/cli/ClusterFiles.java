// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.exaplane.scheduler.protobuf.DamagedException;
import io.exaplane.scheduler.protobuf.ProtobufObjects;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * Files of Kubernetes objects, in JSON, YAML or the API server's protobuf: lists of any kind,
 * single objects, several documents. They are read one object after another, so that a file may be
 * larger than the memory.
 */
final class ClusterFiles {
  private static final TypeReference<LinkedHashMap<String, Object>> OBJECT =
      new TypeReference<>() {};
  private static final int PEEKED = 4096;

  private final ObjectMapper mapper = JsonMapper.builder().build();
  private final Consumer<Map<String, Object>> objects;

  ClusterFiles(Consumer<Map<String, Object>> objects) {
    this.objects = objects;
  }

  /**
   * Passes on the objects of a file; - is the standard input.
   *
   * @throws InvalidInputException if it can't be read, or is none of these
   */
  void read(Path file) {
    try (InputStream in =
        new BufferedInputStream(
            file.toString().equals("-") ? System.in : Files.newInputStream(file), 1 << 16)) {
      in.mark(PEEKED);
      byte[] beginning = in.readNBytes(PEEKED);
      in.reset();
      if (ProtobufObjects.isBeginning(beginning)) {
        new ProtobufObjects(objects).read(in);
      } else {
        text(in, file);
      }
    } catch (NoSuchFileException e) {
      throw invalid(file, "is not there");
    } catch (DamagedException e) {
      throw invalid(file, "begins as protobuf and is damaged: " + e.getMessage());
    } catch (JsonProcessingException e) {
      throw invalid(
          file,
          "is no JSON or YAML: "
              + e.getOriginalMessage()
              + " at "
              + e.getLocation().offsetDescription());
    } catch (IOException e) {
      throw invalid(file, "can't be read: " + e.getMessage());
    }
  }

  private void text(InputStream in, Path file) throws IOException {
    try (JsonParser parser = factory(in).createParser(in)) {
      parser.setCodec(mapper);
      while (parser.nextToken() != null) {
        if (parser.currentToken() == JsonToken.START_OBJECT) {
          document(parser);
        } else if (parser.currentToken() != JsonToken.VALUE_NULL) {
          throw invalid(
              file,
              "holds something that is no Kubernetes object at "
                  + parser.currentLocation().offsetDescription());
        }
      }
    }
  }

  private static InvalidInputException invalid(Path file, String what) {
    return new InvalidInputException(
        "file", file.toString(), what, "'kubectl get nodes,pods -A -o json > FILE' writes one");
  }

  /** JSON begins with a brace; YAML that does is JSON. */
  private static JsonFactory factory(InputStream in) throws IOException {
    in.mark(PEEKED);
    int first = in.read();
    for (int i = 1; i < PEEKED && Character.isWhitespace(first); i++) {
      first = in.read();
    }
    in.reset();
    return first == '{' ? new JsonFactory() : yaml();
  }

  /** Clusters are larger than what SnakeYAML takes by itself. */
  private static JsonFactory yaml() {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE);
    return YAMLFactory.builder().loaderOptions(options).build();
  }

  /** The items of a list as they come; the fields of anything else together. */
  private void document(JsonParser parser) throws IOException {
    Map<String, Object> object = new LinkedHashMap<>();
    List<Map<String, Object>> kindless = new ArrayList<>();
    boolean list = false;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (name.equals("items") && value == JsonToken.START_ARRAY) {
        list = true;
        items(parser, kindless);
      } else {
        object.put(name, mapper.readValue(parser, Object.class));
      }
    }
    if (!list) {
      objects.accept(object);
      return;
    }
    String kind = String.valueOf(object.get("kind"));
    for (Map<String, Object> item : kindless) {
      item.put(
          "kind",
          kind.endsWith("List") ? kind.substring(0, kind.length() - "List".length()) : kind);
      objects.accept(item);
    }
  }

  /** Items of a list of one kind do not say which; the list itself does, perhaps after them. */
  private void items(JsonParser parser, List<Map<String, Object>> kindless) throws IOException {
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      Map<String, Object> item = mapper.readValue(parser, OBJECT);
      if (item == null) {
        continue;
      }
      if (item.containsKey("kind")) {
        objects.accept(item);
      } else {
        kindless.add(item);
      }
    }
  }
}
