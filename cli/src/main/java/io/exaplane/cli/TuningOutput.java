// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.TuningDocument;
import io.exaplane.tuning.compare.Difference;
import io.exaplane.tuning.compare.RunningFile;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.rules.Figure;
import io.exaplane.tuning.rules.Item;
import io.exaplane.tuning.version.Component;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Prints what the model says. The names in JSON and YAML are fixed: scripts read them. */
final class TuningOutput {
  private static final int VALUE_WIDTH = 44;
  private final PrintWriter out;
  private final TuneCommand.Format format;

  TuningOutput(PrintWriter out, TuneCommand.Format format) {
    this.out = out;
    this.format = format;
  }

  void all(Tuning tuning) {
    if (format == TuneCommand.Format.TABLE) {
      table(tuning);
    } else {
      Documents.print(out, format, TuningDocument.of(tuning));
    }
  }

  void explanation(Explanation explanation) {
    if (format != TuneCommand.Format.TABLE) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("name", explanation.name());
      document.put("items", explanation.items().stream().map(TuningDocument::item).toList());
      document.put("versions", explanation.history());
      Documents.print(out, format, document);
      return;
    }
    explanation.items().forEach(this::explain);
    if (explanation.items().isEmpty()) {
      out.println(explanation.name() + ": the model keeps the default for this cluster");
      explanation.kept().forEach(reason -> out.println("  " + reason));
    }
    explanation.history().forEach(line -> out.println("  " + line));
  }

  void differences(RunningFile file, Tuning tuning, List<Difference> differences) {
    Component component = file.component();
    long errors = differences.stream().filter(d -> d.type().isError()).count();
    if (format != TuneCommand.Format.TABLE) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("version", tuning.estimate().shape().version().toString());
      document.put("component", component.label());
      document.put("where", file.running().where());
      document.put("others", file.others());
      document.put("uneven", file.uneven());
      document.put("fileVersion", file.version().orElse(""));
      document.put("fileMemory", file.running().memory());
      document.put("environmentKnown", file.running().knowsEnvironment());
      document.put("startsNot", errors > 0);
      document.put("differences", differences.stream().map(TuningOutput::difference).toList());
      document.put("warnings", tuning.warnings().stream().map(TuningDocument::warning).toList());
      Documents.print(out, format, document);
      return;
    }
    out.println(component + " of " + tuning.estimate().shape().version() + named(file, tuning));
    if (!file.uneven().isEmpty()) {
      out.printf(
          "warning: the file contains several of %s, which differ in %s; set the same values%n",
          component, cutEach(file.uneven()));
    }
    if (errors > 0) {
      out.printf(
          "error: %s %s does not start with %d of these values; remove or change the marked "
              + "values%n",
          component, tuning.estimate().shape().version(), errors);
    } else if (differences.stream().allMatch(d -> d.type().isFine())) {
      out.println(component + " has all advised values.");
    }
    Table table = new Table("", "NAME", "RUNNING", "ADVISED", "WHY");
    for (Difference difference : differences) {
      String type = difference.type().name().toLowerCase(Locale.ROOT);
      table.row(
          difference.type().isError() ? "error: " + type : type,
          difference.name(),
          cut(difference.running()),
          cut(difference.advised()),
          difference.why());
    }
    if (!table.isEmpty()) {
      table.print(out);
    }
    warnings(tuning);
    out.flush();
  }

  private static String cutEach(List<String> names) {
    return RunningFile.some(names.stream().map(TuningOutput::cut).toList());
  }

  private static String named(RunningFile file, Tuning tuning) {
    String where = file.running().where();
    String choose = file.choice() ? " (choose with --component)" : "";
    String others =
        file.others().isEmpty()
            ? ""
            : "; the file also contains " + RunningFile.some(file.others()) + choose;
    String environment =
        file.running().knowsEnvironment()
            ? ""
            : "; the file does not contain the environment (GOGC, GOMEMLIMIT)";
    String version = file.version().map(told -> "; the file is for " + told).orElse("");
    Optional<String> limit = tuning.estimate().shape().given(Input.APISERVER_MEMORY);
    String memory =
        limit.isPresent() && limit.get().equals(file.running().memory())
            ? ", with a memory limit of " + limit.get()
            : "";
    return (where.isEmpty() ? "" : ", " + where) + version + memory + others + environment;
  }

  private void table(Tuning tuning) {
    var estimate = tuning.estimate();
    out.printf(
        Locale.ROOT,
        "Kubernetes %s, %s nodes: %d kube-apiservers%n",
        estimate.shape().version(),
        Numbers.text(estimate.shape().nodes()),
        estimate.replicas());
    for (Component component : Component.values()) {
      Table table = new Table("KIND", "NAME", "VALUE", "DEFAULT", "SURE", "WHY");
      tuning.items().stream()
          .filter(item -> item.component() == component)
          .forEach(
              item ->
                  table.row(
                      kind(item),
                      item.name(),
                      shortValue(item),
                      cut(item.defaultValue()),
                      item.confidence().name(),
                      item.reason()));
      if (!table.isEmpty()) {
        out.printf("%n%s%n", component);
        table.print(out);
      }
    }
    out.printf("%nexpected%n");
    Table figures = new Table("WHAT", "HOW MUCH", "HOW");
    tuning.figures().forEach(figure -> figures.row(figure.name(), amount(figure), figure.how()));
    figures.print(out);
    warnings(tuning);
    out.println();
    out.println(
        "Use --explain NAME for one value in detail, and -o yaml for everything, objects "
            + "included.");
  }

  private void warnings(Tuning tuning) {
    if (!tuning.warnings().isEmpty()) {
      out.printf("%nwarnings%n");
      tuning
          .warnings()
          .forEach(
              warning ->
                  out.printf(
                      "  %s: %s%n      next: %s%n",
                      warning.name(), warning.message(), warning.next()));
    }
  }

  private void explain(Item item) {
    out.printf("%s %s of %s%n", kind(item), item.name(), item.component());
    Table table = new Table("", "");
    table.row("value", shortValue(item));
    table.row("default", item.defaultValue());
    table.row("why", item.reason());
    table.row("rule", item.rule());
    item.inputs().forEach((name, value) -> table.row("input", name + " = " + value));
    table.row("source", item.source());
    table.row("confidence", item.confidence().name());
    table.row("risk", item.risk());
    table.print(out);
    if (item.value() instanceof Map) {
      out.print(Documents.yaml(item.value()));
    }
  }

  private static Map<String, Object> difference(Difference difference) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("type", difference.type().name().toLowerCase(Locale.ROOT));
    shown.put("error", difference.type().isError());
    shown.put("name", difference.name());
    shown.put("running", difference.running());
    shown.put("advised", difference.advised());
    shown.put("why", difference.why());
    return shown;
  }

  private static String kind(Item item) {
    return item.kind().name().toLowerCase(Locale.ROOT);
  }

  private static String shortValue(Item item) {
    return item.value() instanceof Map ? "(object)" : cut(item.value().toString());
  }

  private static String cut(String text) {
    return text.length() <= VALUE_WIDTH ? text : text.substring(0, VALUE_WIDTH - 1) + "…";
  }

  private static String amount(Figure figure) {
    return switch (figure.unit()) {
      case "bytes" -> Bytes.text(figure.value());
      case "bytes/s" -> Bytes.text(figure.value()) + "/s";
      case "1/s" -> Numbers.text(figure.value()) + "/s";
      default -> Numbers.text(figure.value());
    };
  }
}
