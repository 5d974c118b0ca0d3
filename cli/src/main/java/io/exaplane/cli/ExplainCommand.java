// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.exaplane.cli.plane.Fields;
import io.exaplane.cli.plane.Guide;
import io.exaplane.cli.plane.Kind;
import io.exaplane.cli.plane.Management;
import io.exaplane.cli.plane.PlaneException;
import io.exaplane.cli.plane.PlaneView;
import io.exaplane.tuning.compare.Similar;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What a word of Exaplane's means. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Explains a condition, a reason, a field, or a value that the tuning model chose for a ControlPlane.",
      "A condition or a reason needs no cluster: the answer has the part of the documentation that says what to do. Write a field as cpl.spec.storage, and a tuned value as max-requests-inflight."
    })
final class ExplainCommand implements Callable<Integer> {
  private static final String TUNING = "tuning.yaml";

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "WORD",
      description =
          "A condition or reason such as StoreUnavailable, a field such as cpl.spec.storage, or the name of a tuned value.")
  private String word;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "NAME",
      description =
          "For a field, the object whose value is shown (default: none). For a tuned value, the ControlPlane (default: the only one of the namespace).")
  private String name;

  @Mixin private PlaneOptions where;
  @Mixin private FormatOption chosen;

  @Override
  public Integer call() throws IOException {
    Guide guide = Guide.load();
    Optional<Guide.Meaning> meaning = guide.of(word);
    if (meaning.isPresent()) {
      answer(meaning.get(), out -> print(out, meaning.get()));
      return 0;
    }
    List<String> parts = new ArrayList<>(List.of(word.split("\\.")));
    Optional<Kind> kind = parts.isEmpty() ? Optional.empty() : Kind.named(parts.removeFirst());
    Optional<String> near = Similar.nearest(guide.words(), word);
    if (kind.isEmpty() && near.isPresent()) {
      throw new InvalidInputException(
          "word", word, "is no condition and no reason", "write " + near.get());
    }
    try (Management management = where.connect()) {
      if (kind.isPresent()) {
        field(management, kind.get(), parts);
      } else {
        tuned(management, guide);
      }
    }
    return 0;
  }

  private interface Text {
    void print(PrintWriter out);
  }

  private void answer(Object document, Text text) {
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.format == TuneCommand.Format.TABLE) {
      text.print(out);
      out.flush();
    } else {
      Documents.print(out, chosen.format, document);
    }
  }

  private static void print(PrintWriter out, Guide.Meaning meaning) {
    meaning.lines().forEach(out::println);
    for (Guide.Section section : meaning.sections()) {
      out.println();
      out.println("From " + section.page() + ":");
      out.println();
      out.println(section.text());
    }
  }

  private void field(Management management, Kind kind, List<String> path) {
    JsonNode schemas =
        management
            .schemas()
            .orElseThrow(
                () ->
                    new PlaneException(
                        "the management cluster has no kinds of Exaplane; check --kubeconfig and --context, and install Exaplane"));
    Fields.Field field = new Fields(schemas).find(kind, path);
    Optional<JsonNode> value =
        name == null
            ? Optional.empty()
            : Fields.value(management.get(kind, where.in(management), name), path);
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("field", field);
    if (name != null) {
      document.put("object", kind.title() + "/" + name);
      document.put("value", value.orElse(null));
    }
    answer(document, out -> print(out, field, kind, value));
  }

  private void print(PrintWriter out, Fields.Field field, Kind kind, Optional<JsonNode> value) {
    out.println(field.path() + ": " + field.type());
    if (!field.preset().isEmpty()) {
      out.println("Default: " + field.preset());
    }
    if (!field.description().isEmpty()) {
      out.println(field.description());
    }
    if (name != null) {
      out.printf(
          "In %s %s: %s%n", kind.title(), name, value.map(JsonNode::toString).orElse("not set"));
    }
    field.rules().forEach(rule -> out.println("Rule: " + rule));
    if (!field.inside().isEmpty()) {
      out.println();
      Table table = new Table("FIELD", "TYPE", "MEANING");
      field.inside().forEach(each -> table.row(each.name(), each.type(), each.words()));
      table.print(out);
    }
  }

  private void tuned(Management management, Guide guide) throws IOException {
    JsonNode plane = where.plane(management, name);
    String title = PlaneView.name(plane);
    JsonNode values = management.get(Kind.CONFIG_MAP, where.in(management), title + "-tuning");
    JsonNode tuning = new YAMLMapper().readTree(values.path("data").path(TUNING).asText());
    String asked = word.replaceFirst("^--", "");
    List<JsonNode> items = new ArrayList<>();
    for (JsonNode item : tuning.path("items")) {
      String given = item.path("name").asText();
      if (given.equals(asked) || given.endsWith("/" + asked)) {
        items.add(item);
      }
    }
    if (items.isEmpty()) {
      throw new InvalidInputException(
          "word",
          word,
          "has no meaning here and is no tuned value of ControlPlane " + title,
          next(guide));
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("controlPlane", title);
    document.put("items", new ObjectMapper().convertValue(items, Object.class));
    answer(document, out -> items.forEach(item -> print(out, title, item)));
  }

  private String next(Guide guide) {
    String small = word.toLowerCase(Locale.ROOT);
    List<String> similar =
        guide.words().stream()
            .filter(each -> each.toLowerCase(Locale.ROOT).contains(small))
            .limit(5)
            .toList();
    return similar.isEmpty()
        ? "write a reason of 'status', a field as cpl.spec.storage, or a name that 'tune' prints"
        : "choose from " + String.join(", ", similar);
  }

  private static void print(PrintWriter out, String plane, JsonNode item) {
    out.printf(
        "%s of ControlPlane %s, %s %s: %s (default: %s)%n",
        item.path("name").asText(),
        plane,
        item.path("component").asText(),
        item.path("kind").asText(),
        text(item.path("value")),
        text(item.path("default")));
    for (String part : List.of("reason", "inputs", "source", "confidence", "risk")) {
      String words = text(item.path(part));
      if (!words.isEmpty()) {
        out.println("  " + part + ": " + words);
      }
    }
  }

  private static String text(JsonNode value) {
    return value.isValueNode() || value.isMissingNode() ? value.asText() : value.toString();
  }
}
