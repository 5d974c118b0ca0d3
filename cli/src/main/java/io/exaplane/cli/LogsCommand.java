// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.plane.LogLines;
import io.exaplane.cli.plane.LogQuery;
import io.exaplane.cli.plane.Management;
import io.exaplane.cli.plane.PlaneException;
import io.exaplane.cli.plane.PlaneView;
import io.exaplane.cli.plane.PodLogs;
import io.exaplane.cli.plane.RightMissing;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.version.Durations;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The logs of a control plane, as one. */
@Command(
    name = "logs",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Prints the logs of all components, stores and scheduler pools of a ControlPlane, merged by time.",
      "Each line has its pod and container in front."
    })
final class LogsCommand implements Callable<Integer> {
  private static final List<String> COMPONENTS =
      List.of("apiserver", "controller-manager", "scheduler", "store", "pool");

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "CONTROLPLANE",
      description = "A ControlPlane (default: the only one of the namespace).")
  private String name;

  @Option(
      names = {"-c", "--component"},
      paramLabel = "COMPONENT",
      description =
          "Only one of apiserver, controller-manager, scheduler, store, pool (default: all).")
  private String component;

  @Option(
      names = "--tail",
      paramLabel = "LINES",
      defaultValue = "20",
      description = "Newest lines of each container; 0 for all (default: ${DEFAULT-VALUE}).")
  private int tail;

  @Option(
      names = "--since",
      paramLabel = "DURATION",
      description = "Only lines of this time, for example 10m or 2h. Without --tail, all of them.")
  private String since;

  @Option(
      names = {"-p", "--previous"},
      description = "The containers before their last restart.")
  private boolean previous;

  @Option(
      names = {"-f", "--follow"},
      description =
          "Prints lines as they come, until you end the command. Pods that start later are missing.")
  private boolean follow;

  @Option(names = "--timestamps", description = "Prints the time of each line.")
  private boolean timestamps;

  @Mixin private PlaneOptions where;
  @Mixin private FormatOption chosen;

  @Override
  public Integer call() throws InterruptedException {
    check();
    try (Management management = where.connect()) {
      JsonNode plane = where.plane(management, name);
      String in = where.in(management);
      List<PodLogs.Source> sources =
          PodLogs.of(PlaneView.pods(management, in, PlaneView.name(plane)), component).stream()
              .filter(source -> !previous || source.restarted())
              .toList();
      if (sources.isEmpty()) {
        throw new PlaneException(
            "ControlPlane %s has no container with a log like that; 'status %s' shows its pods"
                .formatted(PlaneView.name(plane), PlaneView.name(plane)));
      }
      return follow ? follow(management, in, sources) : print(management, in, sources);
    }
  }

  private void check() {
    if (component != null && !COMPONENTS.contains(component)) {
      throw new InvalidInputException(
          "component",
          component,
          "must be a component",
          "choose from: " + String.join(", ", COMPONENTS));
    }
    if (tail < 0) {
      throw new InvalidInputException(
          "tail", Integer.toString(tail), "must be at least 0", "write 0 for all lines");
    }
    if (follow && (previous || chosen.format == TuneCommand.Format.YAML)) {
      throw new InvalidInputException(
          "follow",
          previous ? "--previous" : "-o yaml",
          "must not be used together with --follow",
          "leave one of the two out");
    }
    seconds();
  }

  private long seconds() {
    if (since == null) {
      return 0;
    }
    try {
      long seconds = Duration.ofNanos(Durations.nanos(since)).toSeconds();
      if (seconds > 0) {
        return seconds;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new InvalidInputException(
        "since", since, "must be a duration of a second at least", "write it as 10m");
  }

  private LogQuery query(PodLogs.Source source, boolean follows) {
    boolean tailIsGiven = spec.commandLine().getParseResult().hasMatchedOption("--tail");
    int lines = since != null && !tailIsGiven ? 0 : tail;
    return new LogQuery(source.pod(), source.container(), previous, follows, lines, seconds());
  }

  private int print(Management management, String in, List<PodLogs.Source> sources) {
    List<List<LogLines.Line>> logs = new ArrayList<>();
    int failed = 0;
    for (PodLogs.Source source : sources) {
      try {
        String log = management.log(in, query(source, false));
        logs.add(LogLines.of(source.pod(), source.container(), log));
      } catch (RightMissing e) {
        throw e;
      } catch (PlaneException e) {
        // A pod that is gone or does not answer hides no other.
        failed++;
        spec.commandLine().getErr().println("error: " + e.getMessage());
      }
    }
    List<LogLines.Line> lines = LogLines.merged(logs);
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.format == TuneCommand.Format.TABLE) {
      lines.forEach(line -> out.println(text(line)));
      out.flush();
    } else {
      Documents.print(out, chosen.format, lines);
    }
    return failed == 0 ? 0 : Exactl.FAILED;
  }

  private String text(LogLines.Line line) {
    return "[%s %s] %s%s"
        .formatted(
            line.pod(),
            line.container(),
            timestamps && !line.time().isEmpty() ? line.time() + " " : "",
            line.text());
  }

  /**
   * Each container has a thread, and lines come in the order in which they arrive. Ends with the
   * last of them, or when nobody reads the lines any more.
   */
  private int follow(Management management, String in, List<PodLogs.Source> sources)
      throws InterruptedException {
    List<PlaneException> failures = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger open = new AtomicInteger(sources.size());
    CountDownLatch end = new CountDownLatch(1);
    for (PodLogs.Source source : sources) {
      Thread.ofVirtual()
          .start(
              () -> {
                boolean unread = false;
                try {
                  unread = follow(management, in, source);
                } catch (PlaneException e) {
                  failures.add(e);
                } finally {
                  if (open.decrementAndGet() == 0 || unread) {
                    end.countDown();
                  }
                }
              });
    }
    end.await();
    List<PlaneException> told = List.copyOf(failures);
    told.forEach(each -> spec.commandLine().getErr().println("error: " + each.getMessage()));
    return told.isEmpty() ? 0 : Exactl.FAILED;
  }

  /** Whether nobody reads what it writes, such as behind 'grep -m 1'. */
  private boolean follow(Management management, String in, PodLogs.Source source) {
    PrintWriter out = spec.commandLine().getOut();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                management.stream(in, query(source, true)), StandardCharsets.UTF_8))) {
      for (String raw = reader.readLine(); raw != null; raw = reader.readLine()) {
        LogLines.Line line = LogLines.line(source.pod(), source.container(), raw);
        synchronized (out) {
          if (chosen.format == TuneCommand.Format.JSON) {
            out.println(Documents.line(line));
          } else {
            out.println(text(line));
          }
          if (out.checkError()) {
            return true;
          }
        }
      }
      return false;
    } catch (IOException e) {
      throw new PlaneException(
          "the log of container %s of pod %s broke off (%s); repeat the command"
              .formatted(source.container(), source.pod(), e.getMessage()));
    }
  }
}
