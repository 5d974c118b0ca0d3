// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.plane.Kind;
import io.exaplane.cli.plane.Management;
import io.exaplane.cli.plane.PlaneException;
import io.exaplane.cli.plane.PlaneView;
import io.exaplane.cli.plane.RightMissing;
import io.exaplane.cli.plane.Usage;
import io.exaplane.tuning.model.Bytes;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What a control plane uses. */
@Command(
    name = "top",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Shows CPU and memory of each container beside its limit, and what the stores hold.",
      "CPU and memory come from metrics-server."
    })
final class TopCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "CONTROLPLANE",
      description = "A ControlPlane (default: the only one of the namespace).")
  private String name;

  @Mixin private PlaneOptions where;
  @Mixin private FormatOption chosen;

  @Override
  public Integer call() {
    List<String> gaps = new ArrayList<>();
    Usage usage;
    try (Management management = where.connect()) {
      usage = usage(management, gaps);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.format != TuneCommand.Format.TABLE) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("containers", usage.containers());
      document.put("stores", usage.stores());
      document.put("gaps", gaps);
      Documents.print(out, chosen.format, document);
      return 0;
    }
    print(out, usage);
    gaps.forEach(out::println);
    out.flush();
    return 0;
  }

  private Usage usage(Management management, List<String> gaps) {
    String in = where.in(management);
    String plane = PlaneView.name(where.plane(management, name));
    List<JsonNode> pods = PlaneView.pods(management, in, plane);
    String owned = "exaplane.io/control-plane=" + plane;
    return Usage.of(
        pods,
        shown(gaps, management, Kind.POD_METRICS, in, null),
        shown(gaps, management, Kind.STORE_SHARD, in, owned));
  }

  /** What can be read; the rest is said to be missing. */
  private static List<JsonNode> shown(
      List<String> gaps, Management management, Kind kind, String in, String selector) {
    try {
      return management.list(kind, in, selector);
    } catch (RightMissing e) {
      gaps.add(e.gap());
    } catch (PlaneException e) {
      gaps.add("not shown: " + e.getMessage());
    }
    return List.of();
  }

  private static void print(PrintWriter out, Usage usage) {
    Table table = new Table("POD", "CONTAINER", "CPU CORES", "MEMORY", "LIMIT", "USED", "RESTARTS");
    for (Usage.Container each : usage.containers()) {
      table.row(
          each.pod(),
          each.name(),
          each.millicores() == null
              ? "-"
              : String.format(Locale.ROOT, "%.3f", each.millicores() / 1000.0),
          bytes(each.bytes()),
          bytes(each.limit()),
          each.percent() == null ? "-" : each.percent() + " %",
          Integer.toString(each.restarts()));
    }
    table.print(out);
    if (!usage.stores().isEmpty()) {
      out.println();
      Table stores = new Table("STORE", "KEYS", "DATA", "QUOTA", "REVISION", "WATCHES");
      for (Usage.Store each : usage.stores()) {
        stores.row(
            each.name(),
            number(each.keys()),
            bytes(each.bytes()),
            bytes(each.quota()),
            number(each.revision()),
            number(each.watchers()));
      }
      stores.print(out);
    }
  }

  private static String bytes(Long bytes) {
    return bytes == null ? "-" : Bytes.text(bytes);
  }

  private static String number(Long number) {
    return number == null ? "-" : String.format(Locale.ROOT, "%,d", number);
  }
}
