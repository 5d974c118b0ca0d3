// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.exaplane.operator.console.Section.Block;
import io.exaplane.operator.console.Table.Cell;
import io.exaplane.operator.console.Table.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The model's values with their grounds, a table for each component. Pure. */
final class TuningSection {
  static final String NAME = "tuning";
  static final String TITLE = "Tuning values and their grounds";
  private static final YAMLMapper YAML = new YAMLMapper();

  private TuningSection() {}

  static Section of(Optional<String> yaml) {
    if (yaml.isEmpty()) {
      return Section.note(
          NAME,
          TITLE,
          "The ConfigMap with the tuned values does not exist yet. No action is needed.");
    }
    try {
      return of(YAML.readTree(yaml.get()));
    } catch (JsonProcessingException e) {
      return Section.note(
          NAME,
          TITLE,
          "The ConfigMap with the tuned values cannot be read. Delete the ConfigMap; the operator"
              + " writes it again.");
    }
  }

  private static Section of(JsonNode document) {
    List<String> notes = new ArrayList<>();
    document
        .path("warnings")
        .forEach(
            each ->
                notes.add(
                    (each.path("message").asText() + " " + each.path("next").asText("")).strip()));
    Map<String, List<Row>> components = new TreeMap<>();
    document
        .path("items")
        .forEach(
            item ->
                components
                    .computeIfAbsent(item.path("component").asText(), _ -> new ArrayList<>())
                    .add(row(item)));
    List<Block> blocks = new ArrayList<>();
    components.forEach(
        (component, rows) ->
            blocks.add(
                new Block(
                    "%s: %d values".formatted(component, rows.size()),
                    true,
                    null,
                    new Table(
                        component,
                        List.of("Name", "Value", "Default", "Reason", "Source", "Confidence"),
                        rows))));
    return new Section(NAME, TITLE, notes, blocks);
  }

  private static Row row(JsonNode item) {
    return Row.of(
        Cell.of(item.path("name").asText()),
        Cell.of(text(item.path("value"))),
        Cell.of(text(item.path("default"))),
        Cell.of(item.path("reason").asText()),
        Cell.of(item.path("source").asText()),
        Cell.of(item.path("confidence").asText()));
  }

  private static String text(JsonNode value) {
    return value.isNull() || value.isMissingNode()
        ? ""
        : value.isValueNode() ? value.asText() : value.toString();
  }
}
