// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.addr.AddressPlan;
import io.exaplane.tuning.addr.Limit;
import io.exaplane.tuning.addr.PartPlan;
import io.exaplane.tuning.addr.Problem;
import io.exaplane.tuning.addr.UInt128;
import io.exaplane.tuning.model.Numbers;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Plans of addresses as tables for people. */
final class AddrOutput {
  private static final String UNKNOWN = "unknown";
  private static final double PERCENT = 100;
  private final PrintWriter out;

  AddrOutput(PrintWriter out) {
    this.out = out;
  }

  /** One row for each provider. */
  void comparison(List<AddressPlan> plans) {
    Table table =
        new Table(
            "PROVIDER", "A NODE GETS", "NODES", "PODS A NODE", "CARRIES", "RUNS OUT FIRST", "NEXT");
    for (AddressPlan plan : plans) {
      PartPlan part = plan.parts().getFirst();
      Optional<Limit> first = plan.first();
      table.row(
          part.provider().name(),
          "/" + part.nodeLength(),
          text(plan.nodes()),
          Numbers.text(part.podsPerNode()),
          carries(plan),
          first.map(Limit::name).orElse(UNKNOWN),
          first.or(() -> part.limits().stream().findFirst()).map(Limit::next).orElse(""));
    }
    table.print(out);
    out.printf(
        "%nNetworks and quotas are the providers' defaults. Describe yours with --provider NAME.%n");
    out.flush();
  }

  private static String carries(AddressPlan plan) {
    if (plan.wanted().isEmpty()) {
      return "";
    }
    return !plan.carries() ? "no" : plan.nodes().isEmpty() ? UNKNOWN : "yes";
  }

  /** Everything about a plan. */
  void plan(AddressPlan plan) {
    boolean single = plan.parts().size() == 1;
    for (PartPlan part : plan.parts()) {
      if (part != plan.parts().getFirst()) {
        out.println();
      }
      part(part, single ? plan.limitsOf(part) : part.limits());
    }
    if (!single) {
      total(plan);
    }
    out.printf(
        "%nServices: %s addresses in %s (Kubernetes %s)%n",
        plan.cluster().services().addresses().text(),
        plan.cluster().services(),
        plan.cluster().version());
    problems("problems", plan, true);
    problems("warnings", plan, false);
    out.flush();
  }

  private void part(PartPlan part, List<Limit> limits) {
    out.printf(
        "%s%s%n",
        part.provider().title(),
        part.wanted().map(nodes -> ", " + Numbers.text(nodes) + " nodes").orElse(""));
    Table facts = new Table("", "");
    facts.row("provider", part.provider().gives());
    if (!part.prefixes().isEmpty()) {
      facts.row(
          "network",
          String.join(", ", part.prefixes())
              + (part.assumed() ? " (assumed; name yours with --prefixes)" : ""));
    }
    part.subnetLength().ifPresent(length -> facts.row("subnets", "/" + length));
    facts.row(
        "a node",
        "/"
            + part.nodeLength()
            + part.firstNode()
                .flatMap(
                    first -> part.lastNode().map(last -> ", from %s to %s".formatted(first, last)))
                .orElse(""));
    facts.row(
        "its pods",
        part.podAddresses().equals(UInt128.ZERO)
            ? "no addresses"
            : "%s pods in a /%d with %s addresses, %s"
                .formatted(
                    Numbers.text(part.podsPerNode()),
                    part.podLength(),
                    part.podAddresses().text(),
                    delivery(part.delivery())));
    facts.print(out);
    out.println();
    limits(limits, part.wanted());
    Optional<UInt128> nodes = limits.stream().findFirst().flatMap(Limit::nodes);
    carries(nodes, nodes.map(part::podsOn));
    part.provider().notes().forEach(note -> out.printf("  note: %s%n", note));
  }

  private static String delivery(String delivery) {
    return switch (delivery) {
      case "routed" -> "routed to the node";
      case "on-link" -> "on-link: the node answers neighbour solicitations for them";
      case "your-routes" -> "with a route or a tunnel from you";
      default -> "delivery unknown";
    };
  }

  private void carries(Optional<UInt128> nodes, Optional<UInt128> pods) {
    if (nodes.isEmpty()) {
      out.println("  no limit is known; set the quotas above");
    } else {
      out.printf("  carries %s nodes and %s pods%n", text(nodes), text(pods));
    }
  }

  private void limits(List<Limit> limits, Optional<Long> wanted) {
    Table table = new Table("", "NODES", "USE", "LIMIT", "HOW", "NEXT", "SOURCE");
    boolean first = true;
    for (Limit limit : limits) {
      boolean known = limit.nodes().isPresent();
      table.row(
          first && known ? "first" : "",
          text(limit.nodes()),
          use(limit, wanted),
          limit.name(),
          limit.how(),
          limit.next(),
          "%s, %s".formatted(limit.source(), limit.date()));
      first = false;
    }
    table.print(out);
  }

  private static String use(Limit limit, Optional<Long> wanted) {
    if (wanted.isEmpty() || limit.nodes().isEmpty()) {
      return "";
    }
    double nodes = limit.nodes().get().doubleValue();
    double percent = PERCENT * wanted.get() / nodes;
    if (nodes == 0) {
      return "too few";
    }
    return percent < 1 ? "below 1 %" : String.format(Locale.ROOT, "%,.0f %%", Math.ceil(percent));
  }

  private void total(AddressPlan plan) {
    out.printf(
        "%nThe cluster%s%n",
        plan.wanted().map(nodes -> ", " + Numbers.text(nodes) + " nodes").orElse(""));
    if (!plan.limits().isEmpty()) {
      limits(plan.limits(), plan.wanted());
    }
    carries(plan.nodes(), plan.pods());
  }

  private void problems(String title, AddressPlan plan, boolean fatal) {
    List<Problem> found =
        plan.problems().stream().filter(problem -> problem.fatal() == fatal).toList();
    if (found.isEmpty()) {
      return;
    }
    out.printf("%n%s%n", title);
    found.forEach(
        problem ->
            out.printf(
                "  %s: %s%n      next: %s%n", problem.name(), problem.message(), problem.next()));
  }

  private static String text(Optional<UInt128> number) {
    return number.map(UInt128::text).orElse(UNKNOWN);
  }
}
