// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.plane.Kind;
import io.exaplane.cli.plane.Management;
import io.exaplane.cli.plane.NoAnswer;
import io.exaplane.cli.plane.PlaneException;
import io.exaplane.cli.plane.PlaneView;
import io.exaplane.cli.plane.Reshard;
import io.exaplane.cli.plane.Resource;
import io.exaplane.cli.plane.TaskFollower;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Moves Kinds to another store, after questions. */
@Command(
    name = "reshard",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Moves resources of a ControlPlane to another of its stores, after you typed its name.",
      "Creates a ControlPlaneTask and follows it to its end. The task continues if you stop the command."
    })
final class ReshardCommand implements Callable<Integer> {
  private static final int MOST_SECONDS = 604_800;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "CONTROLPLANE",
      description = "A ControlPlane (default: the only one of the namespace).")
  private String name;

  @Option(
      names = "--to",
      paramLabel = "STORE",
      description = "The store that gets the resources (default: asked for).")
  private String toStore;

  @Option(
      names = "--resources",
      paramLabel = "NAME[,NAME…]",
      description =
          "Built-in resources, for example pods,leases.coordination.k8s.io (default: asked for).")
  private String resources;

  @Option(
      names = "--confirm",
      paramLabel = "NAME",
      description = "The name of the ControlPlane, for scripts: the question is not asked.")
  private String confirmed;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "3600",
      description = "How long to follow the task (default: ${DEFAULT-VALUE}).")
  private int timeout;

  @Option(names = "--no-follow", description = "Ends as soon as the task is created.")
  private boolean detached;

  @Mixin private PlaneOptions where;
  @Mixin private FormatOption chosen;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (timeout < 1 || timeout > MOST_SECONDS) {
      throw new InvalidInputException(
          "timeout", Integer.toString(timeout), "must be 1 to 604800 seconds", "write 3600");
    }
    try (Management management = where.connect()) {
      String in = where.in(management);
      JsonNode plane = where.plane(management, name);
      List<String> gaps = new ArrayList<>();
      List<JsonNode> tasks =
          PlaneView.of(
              PlaneView.name(plane),
              PlaneView.allowed(gaps, () -> management.list(Kind.TASK, in, null)));
      if (!detached) {
        TaskFollower.requireRight(management, in);
      }
      Reshard move = asked(plane, tasks, management, in);
      JsonNode task = create(management, in, move);
      print(management, in, task, gaps);
    }
    return 0;
  }

  private static JsonNode create(Management management, String in, Reshard move) {
    try {
      return management.create(Kind.TASK, in, move.task(), false);
    } catch (NoAnswer e) {
      if (!e.mayBeDone()) {
        throw e;
      }
      throw new PlaneException(
          "no answer about the new ControlPlaneTask (%s): it may have been created; check 'kubectl -n %s get cpltask' first, and repeat the command only if no new one exists"
              .formatted(e.why(), in));
    }
  }

  /** The questions. Before the last one, the server is asked whether it would take the task. */
  private Reshard asked(JsonNode plane, List<JsonNode> tasks, Management management, String in)
      throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    Questions questions = new Questions(err);
    if (toStore == null || resources == null) {
      stores(plane).print(err);
    }
    String store =
        toStore != null
            ? toStore
            : questions.ask("Which store gets the resources? ", "to", "add --to=STORE");
    String moved =
        resources != null
            ? resources
            : questions.ask(
                "Which resources move, for example pods,leases.coordination.k8s.io? ",
                "resources",
                "add --resources=NAME");
    Reshard move = new Reshard(plane, store, Resource.all(moved));
    management.create(Kind.TASK, in, move.task(), true);
    move.plan(tasks).forEach(err::println);
    String expected = PlaneView.name(plane);
    String answer =
        confirmed != null
            ? confirmed
            : questions.ask(
                "Type the name of the ControlPlane to begin: ",
                "confirm",
                "add --confirm=" + expected);
    if (!answer.equals(expected)) {
      throw new PlaneException(
          "nothing was moved: '%s' is not '%s'; repeat the command if you want to move resources of ControlPlane %2$s"
              .formatted(answer, expected));
    }
    return move;
  }

  private static Table stores(JsonNode plane) {
    Table table = new Table("STORE", "CRITICALITY", "READY", "RESOURCES");
    for (Reshard.Store store : Reshard.stores(plane)) {
      table.row(
          store.name(),
          store.criticality(),
          store.ready() ? "yes" : "no",
          store.resources().isEmpty()
              ? store.name().equals("default") ? "all others" : "none"
              : String.join(", ", store.resources().stream().map(Resource::toString).toList()));
    }
    return table;
  }

  private void print(Management management, String in, JsonNode created, List<String> gaps)
      throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    boolean forPeople = chosen.format == TuneCommand.Format.TABLE;
    String title = PlaneView.name(created);
    if (forPeople) {
      gaps.forEach(out::println);
      out.println("created ControlPlaneTask " + title);
      out.flush();
    }
    JsonNode task = created;
    if (!detached) {
      task =
          new TaskFollower(management, in, created)
              .follow(
                  Duration.ofSeconds(timeout),
                  line -> {
                    if (forPeople) {
                      out.println(line);
                      out.flush();
                    }
                  });
      if (forPeople) {
        moves(task).print(out);
        out.println(
            "Next: write the new spec.storage.routes into your manifests, and keep spec.storage.movedBy.");
        out.flush();
      }
    }
    if (!forPeople) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("controlPlane", task.at("/spec/controlPlaneRef/name"));
      document.put("task", title);
      document.put("status", task.path("status"));
      document.put("gaps", gaps);
      Documents.print(out, chosen.format, document);
    }
  }

  private static Table moves(JsonNode task) {
    Table table = new Table("");
    for (JsonNode move : task.at("/status/moves")) {
      JsonNode pause = move.path("pauseMilliseconds");
      table.row(
          new Resource(move.at("/resource/group").asText(), move.at("/resource/resource").asText())
              .toString(),
          "from " + move.path("fromStore").asText(),
          move.path("keys").asText("0") + " keys",
          pause.isNumber() ? "writes waited " + pause.asText() + " ms" : "");
    }
    return table;
  }
}
