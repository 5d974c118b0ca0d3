// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.dashboards;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A dashboard as Grafana reads it, and as an object from which its sidecar takes it. Pure. */
public final class Grafana {
  /** The label by which Grafana's sidecar finds dashboards. */
  public static final String SIDECAR_LABEL = "grafana_dashboard";

  /** Of Grafana 11; later ones read it, too. */
  private static final int SCHEMA = 39;

  private static final int WIDTH = 24;
  private static final int ROW_HEIGHT = 1;
  private static final String GREEN = "green";

  /** The data source that people choose. */
  private static final Map<String, Object> SOURCE =
      ordered("type", "prometheus", "uid", "${datasource}");

  private final List<Map<String, Object>> panels = new ArrayList<>();
  private int x;
  private int y;
  private int rowHeight;

  private Grafana() {}

  /** The document of a dashboard. */
  public static Map<String, Object> document(Dashboard dashboard) {
    Grafana drawing = new Grafana();
    dashboard.rows().forEach(drawing::draw);
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("uid", dashboard.uid());
    document.put("title", dashboard.title());
    document.put("description", dashboard.shows());
    document.put("tags", List.of("exaplane"));
    document.put("schemaVersion", SCHEMA);
    document.put("editable", true);
    document.put("graphTooltip", 1);
    document.put("refresh", "30s");
    document.put("time", ordered("from", "now-1h", "to", "now"));
    document.put("timezone", "browser");
    document.put("links", List.of(links()));
    document.put("templating", Map.of("list", choices(dashboard)));
    document.put("panels", drawing.panels);
    return document;
  }

  /** The document as a file that people can read. */
  public static String json(Dashboard dashboard) {
    try {
      return JsonMapper.builder()
              .enable(SerializationFeature.INDENT_OUTPUT)
              .build()
              .writeValueAsString(document(dashboard))
          + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(dashboard.name() + " cannot be written", e);
    }
  }

  /** A ConfigMap that Grafana's sidecar reads. */
  public static Map<String, Object> configMap(Dashboard dashboard) {
    Map<String, Object> labels =
        ordered(
            "app.kubernetes.io/name",
            "exaplane",
            "app.kubernetes.io/component",
            "dashboards",
            SIDECAR_LABEL,
            "1");
    return ordered(
        "apiVersion",
        "v1",
        "kind",
        "ConfigMap",
        "metadata",
        ordered("name", "exaplane-dashboard-" + dashboard.name(), "labels", labels),
        "data",
        ordered(dashboard.uid() + ".json", json(dashboard)));
  }

  private static Map<String, Object> links() {
    return ordered(
        "type",
        "dashboards",
        "title",
        "Exaplane",
        "tags",
        List.of("exaplane"),
        "asDropdown",
        true,
        "includeVars",
        true,
        "keepTime",
        true);
  }

  private static List<Map<String, Object>> choices(Dashboard dashboard) {
    List<Map<String, Object>> all = new ArrayList<>();
    all.add(
        ordered(
            "name",
            "datasource",
            "label",
            "Data source",
            "type",
            "datasource",
            "query",
            "prometheus"));
    for (Dashboard.Choice choice : dashboard.choices()) {
      String question = "label_values(%s, %s)".formatted(choice.metric(), choice.value());
      all.add(
          ordered(
              "name",
              choice.name(),
              "label",
              choice.label(),
              "type",
              "query",
              "datasource",
              SOURCE,
              "query",
              ordered("query", question, "refId", choice.name()),
              "refresh",
              2,
              "sort",
              1));
    }
    return all;
  }

  private void draw(Dashboard.Row row) {
    lineBreak();
    Map<String, Object> heading = new LinkedHashMap<>();
    heading.put("id", panels.size() + 1);
    heading.put("type", "row");
    heading.put("title", row.title());
    heading.put("collapsed", false);
    heading.put("gridPos", place(WIDTH, ROW_HEIGHT));
    heading.put("panels", List.of());
    panels.add(heading);
    for (Panel panel : row.panels()) {
      panels.add(panel(panel));
    }
  }

  private void lineBreak() {
    y += rowHeight;
    x = 0;
    rowHeight = 0;
  }

  private Map<String, Object> place(int width, int height) {
    if (x + width > WIDTH) {
      lineBreak();
    }
    Map<String, Object> place = ordered("h", height, "w", width, "x", x, "y", y);
    x += width;
    rowHeight = Math.max(rowHeight, height);
    return place;
  }

  private Map<String, Object> panel(Panel panel) {
    boolean isGraph = panel.form() == Panel.Form.GRAPH;
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("id", panels.size() + 1);
    document.put("type", isGraph ? "timeseries" : "stat");
    document.put("title", panel.title());
    document.put("description", panel.about());
    document.put("gridPos", isGraph ? place(12, 8) : place(4, 4));
    document.put("datasource", SOURCE);
    document.put("fieldConfig", ordered("defaults", field(panel, isGraph), "overrides", List.of()));
    document.put("options", isGraph ? graphOptions() : numberOptions());
    List<Map<String, Object>> targets = new ArrayList<>();
    for (Panel.Query query : panel.queries()) {
      targets.add(
          ordered(
              "refId",
              String.valueOf((char) ('A' + targets.size())),
              "datasource",
              SOURCE,
              "expr",
              query.promql(),
              "legendFormat",
              query.legend(),
              "range",
              true));
    }
    document.put("targets", targets);
    return document;
  }

  private static Map<String, Object> field(Panel panel, boolean isGraph) {
    Map<String, Object> field = new LinkedHashMap<>();
    field.put("unit", panel.unit().grafana());
    field.put("min", 0);
    if (!panel.quiet().isEmpty()) {
      field.put("noValue", panel.quiet());
    }
    List<Map<String, Object>> steps = new ArrayList<>();
    Map<String, Object> base = new LinkedHashMap<>();
    base.put("color", GREEN);
    base.put("value", null);
    steps.add(base);
    if (!Double.isNaN(panel.warnAt())) {
      steps.add(ordered("color", "yellow", "value", panel.warnAt()));
    }
    if (!Double.isNaN(panel.badAt())) {
      steps.add(ordered("color", "red", "value", panel.badAt()));
    }
    field.put("thresholds", ordered("mode", "absolute", "steps", steps));
    field.put("color", ordered("mode", isGraph ? "palette-classic" : "thresholds"));
    if (isGraph) {
      field.put(
          "custom",
          ordered(
              "lineWidth",
              1,
              "fillOpacity",
              10,
              "showPoints",
              "never",
              "thresholdsStyle",
              ordered("mode", steps.size() > 1 ? "dashed" : "off")));
    }
    return field;
  }

  private static Map<String, Object> graphOptions() {
    return ordered(
        "legend",
        ordered(
            "displayMode", "table", "placement", "bottom", "calcs", List.of("lastNotNull", "max")),
        "tooltip",
        ordered("mode", "multi", "sort", "desc"));
  }

  private static Map<String, Object> numberOptions() {
    return ordered(
        "reduceOptions",
        ordered("calcs", List.of("lastNotNull"), "fields", "", "values", false),
        "colorMode",
        "value",
        "graphMode",
        "area",
        "textMode",
        "auto");
  }

  /** A map of names and values by turns, in this order. */
  private static Map<String, Object> ordered(Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }
}
