// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/**
 * What 'kubectl explain' shows of a CustomResourceDefinition and does not help with: it prints
 * types and values of enums beside a description, and neither units nor defaults. Pure.
 */
final class Descriptions {
  private static final int LEAST_WORDS = 4;

  /** So many words say what a value of an enum does. */
  private static final int WORDS_OF_A_VALUE = 3;

  private static final Pattern UNIT_IN_NAME =
      Pattern.compile(".*(Seconds|Minutes|Hours|Days|Bytes|Percent|Milliseconds|PerSecond)");
  private static final Pattern UNIT =
      Pattern.compile(
          "(?i).*\\b((milli|micro|nano)?seconds?|minutes|hours|days|bytes|percent(age)?|cores|GOGC"
              + "|number of|generation|revision|port|line of|length|replicas|nodes|pods|objects"
              + "|restarts|requests|stores|shards)\\b.*");
  private static final Pattern OF_TIME = Pattern.compile(".*(\\||\\[|[0-9}])[smh]+[])|$].*");
  private static final Pattern OF_EXAMPLES =
      Pattern.compile(".*(CIDRs?|Ranges|[pP]refixes|[sS]elector|cron|size|[qQ]uota)");
  private static final Pattern EXAMPLE = Pattern.compile(".*\\b([Ff]or example|such as)\\b.*");
  private static final Pattern WITHOUT =
      Pattern.compile(".*\\b([Dd]efault|[Uu]nless|[Ww]ithout|[Aa]bsent|A new value)\\b.*");
  private static final Pattern VERB = Pattern.compile("(Whether|[A-Z][a-z]+s)\\b.*");

  private Descriptions() {}

  /** Each field with the reason why its description does not help. */
  static List<String> faults(String crd) throws IOException {
    JsonNode schema =
        new ObjectMapper(new YAMLFactory())
            .readTree(crd)
            .at("/spec/versions/0/schema/openAPIV3Schema");
    List<String> faults = new ArrayList<>();
    collect(schema, "", faults);
    return faults;
  }

  private static void collect(JsonNode schema, String path, List<String> faults) {
    List<String> required =
        StreamSupport.stream(schema.path("required").spliterator(), false)
            .map(JsonNode::asText)
            .toList();
    schema
        .path("properties")
        .properties()
        .forEach(
            property -> {
              String at = path + "." + property.getKey();
              JsonNode field = property.getValue();
              check(at, property.getKey(), field, required.contains(property.getKey()))
                  .forEach(
                      fault ->
                          faults.add(
                              "%s: %s: \"%s\""
                                  .formatted(at, fault, field.path("description").asText())));
              collect(field, at, faults);
              collect(field.path("items"), at + "[]", faults);
              collect(field.path("additionalProperties"), at + "{}", faults);
            });
  }

  private static List<String> check(String path, String name, JsonNode field, boolean required) {
    List<String> faults = new ArrayList<>();
    String text = field.path("description").asText();
    String type = field.path("type").asText();
    boolean scalar = !type.equals("object") && !type.equals("array");
    boolean asked = path.startsWith(".spec.");
    if (words(text) < LEAST_WORDS || !text.endsWith(".")) {
      faults.add("write a sentence of at least " + LEAST_WORDS + " words, with a period");
    }
    if (type.equals("integer")
        && !UNIT_IN_NAME.matcher(name).matches()
        && !UNIT.matcher(text).matches()) {
      faults.add("name the unit, or what is counted: 'Number of …'");
    }
    if (asked && wantsExample(name, type, field) && !EXAMPLE.matcher(text).matches()) {
      faults.add("give an example: 'for example …'");
    }
    if (field.has("default")
        && scalar
        && !text.contains("Default: " + field.path("default").asText())) {
      faults.add("name the default, 'Default: %s'".formatted(field.path("default").asText()));
    }
    if (asked && scalar && !required && !WITHOUT.matcher(text).matches()) {
      faults.add("say what holds without a value: 'Default: …'");
    }
    if (type.equals("boolean") && !VERB.matcher(text).matches()) {
      faults.add("begin with 'Whether', or with a verb");
    }
    JsonNode values = field.has("enum") ? field.path("enum") : field.path("items").path("enum");
    for (JsonNode value : values) {
      if (!explained(text, value.asText(), values)) {
        faults.add("say what the value %s does".formatted(value.asText()));
      }
    }
    return faults;
  }

  private static boolean wantsExample(String name, String type, JsonNode field) {
    boolean text = type.equals("string") && !field.has("enum");
    return text && OF_TIME.matcher(field.path("pattern").asText()).matches()
        || (text || type.equals("array")) && OF_EXAMPLES.matcher(name).matches();
  }

  /** Whether some words follow the value before another value or the end. */
  private static boolean explained(String text, String value, JsonNode values) {
    for (String after : following(text, value)) {
      String own = after;
      for (JsonNode other : values) {
        if (!other.asText().equals(value)) {
          own = own.split("\\b" + Pattern.quote(other.asText()) + "\\b", 2)[0];
        }
      }
      if (words(own) >= WORDS_OF_A_VALUE) {
        return true;
      }
    }
    return false;
  }

  private static List<String> following(String text, String value) {
    List<String> after = new ArrayList<>();
    var found = Pattern.compile("\\b" + Pattern.quote(value) + "\\b").matcher(text);
    while (found.find()) {
      after.add(text.substring(found.end()));
    }
    return after;
  }

  private static int words(String text) {
    return text.isBlank() ? 0 : text.strip().split("\\s+").length;
  }
}
