// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Puts what is known of a control plane into a support bundle, without secrets. It never reads a
 * Secret. Used by one thread.
 */
public final class Reported {
  private static final String OWNED = "app.kubernetes.io/managed-by=exaplane";
  private static final List<Kind> LABELLED =
      List.of(Kind.DEPLOYMENT, Kind.STATEFUL_SET, Kind.SERVICE, Kind.CONFIG_MAP, Kind.CLAIM);
  private static final int TAIL = 5_000;

  private final Management management;
  private final String in;
  private final PlaneView view;
  private final SupportBundle bundle;
  private final Function<JsonNode, String> yaml;
  private final Redaction redaction = new Redaction();
  private final List<String> gaps;
  private final PlaneView shown;

  /**
   * A report that is to be written.
   *
   * @param yaml how an object is written
   */
  public Reported(
      Management management,
      String in,
      PlaneView view,
      SupportBundle bundle,
      Function<JsonNode, String> yaml) {
    this.management = management;
    this.in = in;
    this.view = view;
    this.bundle = bundle;
    this.yaml = yaml;
    this.gaps = new ArrayList<>(view.gaps());
    this.shown = view.with(redaction.object(view.plane()));
  }

  /** The control plane without secrets, for answers about it. */
  public PlaneView shown() {
    return shown;
  }

  /** What the account may not read, in words. */
  public List<String> gaps() {
    return gaps.stream().distinct().toList();
  }

  /** How many values were left out. */
  public int removed() {
    return redaction.removed();
  }

  /** A text of ours, such as the answers of status. */
  public void text(String name, String text) throws IOException {
    bundle.add(name, redaction.text(text));
  }

  /** All objects, their Events and their logs. */
  public void write() throws IOException {
    text("version.json", management.version().toPrettyString());
    object(Kind.CONTROL_PLANE, shown.plane());
    for (Kind kind :
        List.of(Kind.STORE_SHARD, Kind.SCHEDULER_POOL, Kind.NODE_POOL, Kind.TASK, Kind.POD)) {
      objects(kind, view.all(kind));
    }
    for (Kind kind : LABELLED) {
      objects(kind, owned(kind));
    }
    events();
    for (PodLogs.Source source : PodLogs.of(view.pods(), null)) {
      log(source, false);
      if (source.restarted()) {
        log(source, true);
      }
    }
  }

  /** Of the control plane, its stores and its pools. Claims that are kept lack the first label. */
  private List<JsonNode> owned(Kind kind) {
    String owner = "exaplane.io/control-plane=" + view.name();
    String selector = kind == Kind.CLAIM ? owner : OWNED + "," + owner;
    Map<String, JsonNode> found = new LinkedHashMap<>();
    List<String> selectors = new ArrayList<>(List.of(selector));
    view.shards()
        .forEach(
            shard -> selectors.add(OWNED + ",exaplane.io/store-shard=" + PlaneView.name(shard)));
    view.schedulerPools()
        .forEach(
            pool -> selectors.add(OWNED + ",exaplane.io/scheduler-pool=" + PlaneView.name(pool)));
    for (String each : selectors) {
      PlaneView.allowed(gaps, () -> management.list(kind, in, each))
          .forEach(object -> found.put(PlaneView.name(object), object));
    }
    if (kind == Kind.CONFIG_MAP) {
      sources().forEach(found::remove);
    }
    return List.copyOf(found.values());
  }

  /** ConfigMaps of add-ons, which are a user's, whatever labels they have. */
  private List<String> sources() {
    List<String> names = new ArrayList<>();
    view.plane().at("/spec/addons").forEach(each -> names.add(each.at("/configMap/name").asText()));
    return names;
  }

  private void objects(Kind kind, List<JsonNode> objects) throws IOException {
    for (JsonNode object : objects) {
      object(kind, redaction.object(object));
    }
  }

  private void object(Kind kind, JsonNode clean) throws IOException {
    bundle.add(
        "objects/%s/%s.yaml".formatted(kind.plural(), PlaneView.name(clean)), yaml.apply(clean));
  }

  /** Of the objects in the report, the oldest first. */
  private void events() throws IOException {
    Set<String> names = new java.util.HashSet<>();
    bundle.entries().stream()
        .filter(entry -> entry.startsWith("objects/"))
        .forEach(entry -> names.add(entry.replaceAll("^.*/|\\.yaml$", "")));
    StringBuilder lines = new StringBuilder();
    PlaneView.allowed(gaps, () -> management.list(Kind.EVENT, in, null)).stream()
        .filter(event -> names.contains(event.at("/involvedObject/name").asText()))
        .sorted(Comparator.comparing(Reported::time))
        .forEach(
            event ->
                lines.append(
                    "%s %s %s/%s %s: %s%n"
                        .formatted(
                            time(event),
                            event.path("type").asText(),
                            event.at("/involvedObject/kind").asText(),
                            event.at("/involvedObject/name").asText(),
                            event.path("reason").asText(),
                            redaction.message(
                                event.path("reason").asText(), event.path("message").asText()))));
    text("events.txt", lines.toString());
  }

  private static String time(JsonNode event) {
    String last = event.path("lastTimestamp").asText("");
    String time = last.isEmpty() || last.equals("null") ? event.path("eventTime").asText("") : last;
    return time.isEmpty() || time.equals("null")
        ? event.at("/metadata/creationTimestamp").asText()
        : time;
  }

  private void log(PodLogs.Source source, boolean previous) throws IOException {
    String name =
        "logs/%s/%s%s.log".formatted(source.pod(), source.container(), previous ? ".previous" : "");
    try {
      String log =
          management.log(in, LogQuery.tail(source.pod(), source.container(), previous, TAIL));
      text(name, log);
    } catch (RightMissing e) {
      gaps.add(e.gap());
    } catch (PlaneException e) {
      gaps.add(redaction.text("%s is missing: %s".formatted(name, e.getMessage())));
    }
  }
}
