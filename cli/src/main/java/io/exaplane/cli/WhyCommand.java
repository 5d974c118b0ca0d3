// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.plane.Chain;
import io.exaplane.cli.plane.Condition;
import io.exaplane.cli.plane.Kind;
import io.exaplane.cli.plane.Management;
import io.exaplane.cli.plane.PlaneView;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The cause of a condition. */
@Command(
    name = "why",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Follows a condition to its cause: object, pod, line of the log, and the next action."
    })
final class WhyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "CONDITION",
      defaultValue = "Ready",
      description = "Type of a condition, or a reason (default: ${DEFAULT-VALUE}).")
  private String condition;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "[KIND/]NAME",
      description =
          "A ControlPlane, or an object such as shard/demo-default, spool/demo or npool/workers"
              + " (default: the only ControlPlane of the namespace).")
  private String object;

  @Mixin private PlaneOptions where;
  @Mixin private FormatOption chosen;

  @Override
  public Integer call() {
    try (Management management = where.connect()) {
      Chain chain = chain(management);
      PrintWriter out = spec.commandLine().getOut();
      if (chosen.format == TuneCommand.Format.TABLE) {
        print(out, chain);
      } else {
        Documents.print(out, chosen.format, chain);
      }
    }
    return 0;
  }

  private Chain chain(Management management) {
    String in = where.in(management);
    int slash = object == null ? -1 : object.indexOf('/');
    Kind kind = slash < 0 ? Kind.CONTROL_PLANE : kind(object.substring(0, slash));
    String name = slash < 0 ? object : object.substring(slash + 1);
    PlaneView view =
        kind == Kind.CONTROL_PLANE
            ? PlaneView.read(management, in, name)
            : PlaneView.around(management, in, kind, management.get(kind, in, name));
    JsonNode subject = view.plane();
    Condition asked = asked(subject, condition);
    return Chain.of(view, kind, subject, asked, query -> management.log(in, query));
  }

  private Kind kind(String word) {
    return Kind.named(word)
        .orElseThrow(
            () ->
                new InvalidInputException(
                    "object",
                    object,
                    "must begin with a kind of Exaplane's",
                    "write cpl, shard, spool, npool or cpltask before the slash"));
  }

  /** By its type, or by the reason of one that is not good. */
  private static Condition asked(JsonNode object, String word) {
    List<Condition> all = Condition.of(object);
    Optional<Condition> found =
        Condition.of(object, word)
            .or(
                () ->
                    all.stream()
                        .filter(each -> each.reason().equalsIgnoreCase(word) && !each.isGood())
                        .findFirst());
    return found.orElseThrow(
        () ->
            new InvalidInputException(
                "condition",
                word,
                "must be a condition of " + PlaneView.name(object),
                all.isEmpty()
                    ? "wait until the operator has processed the object"
                    : "choose from: "
                        + String.join(", ", all.stream().map(Condition::type).toList())));
  }

  static void print(PrintWriter out, Chain chain) {
    String indent = "";
    for (Chain.Link link : chain.links()) {
      out.printf("%s%s: %s%n", indent, link.object(), link.words().strip());
      indent = indent.isEmpty() ? "└─ " : "   " + indent;
    }
    out.println();
    out.println("Next: " + chain.next());
    if (!chain.pages().isEmpty()) {
      out.println("Page: " + String.join(", ", chain.pages()));
    }
    chain.gaps().forEach(out::println);
    out.flush();
  }
}
