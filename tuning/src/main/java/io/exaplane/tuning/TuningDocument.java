// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning;

import io.exaplane.tuning.rules.Item;
import io.exaplane.tuning.rules.Warning;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What the model says as JSON and YAML have it. Its names are fixed: scripts read them. */
public final class TuningDocument {
  private TuningDocument() {}

  /** All that the model says. */
  public static Map<String, Object> of(Tuning tuning) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("version", tuning.estimate().shape().version().toString());
    document.put("items", tuning.items().stream().map(TuningDocument::item).toList());
    document.put("warnings", tuning.warnings().stream().map(TuningDocument::warning).toList());
    document.put("figures", tuning.figures());
    return document;
  }

  /** One value with its grounds. */
  public static Map<String, Object> item(Item item) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("component", item.component().label());
    shown.put("kind", item.kind().name().toLowerCase(Locale.ROOT));
    shown.put("name", item.name());
    shown.put("value", item.value());
    shown.put("default", item.defaultValue());
    shown.put("rule", item.rule());
    shown.put("reason", item.reason());
    shown.put("inputs", item.inputs());
    shown.put("source", item.source());
    shown.put("confidence", item.confidence().name());
    shown.put("risk", item.risk());
    return shown;
  }

  /** One warning. */
  public static Map<String, Object> warning(Warning warning) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", warning.name());
    shown.put("message", warning.message());
    shown.put("inputs", warning.inputs());
    shown.put("source", warning.source());
    shown.put("next", warning.next());
    return shown;
  }
}
