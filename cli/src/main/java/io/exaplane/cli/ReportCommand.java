// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.measure.FileFailure;
import io.exaplane.cli.plane.Chain;
import io.exaplane.cli.plane.Comparison;
import io.exaplane.cli.plane.Condition;
import io.exaplane.cli.plane.Kind;
import io.exaplane.cli.plane.Management;
import io.exaplane.cli.plane.PlaneView;
import io.exaplane.cli.plane.ReportFile;
import io.exaplane.cli.plane.Reported;
import io.exaplane.cli.plane.SupportBundle;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
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

/** A support bundle. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Writes a support bundle without secrets: answers of status and why, objects, Events and logs.",
      "Secrets are never read, and values that look like secrets are left out.",
      "--compare prints what differs between two bundles.",
      "Read the bundle before you give it away."
    })
final class ReportCommand implements Callable<Integer> {
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "CONTROLPLANE",
      description = "A ControlPlane (default: the only one of the namespace).")
  private String name;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "File to create (default: exaplane-NAMESPACE-NAME-TIME.tar.gz in this folder).")
  private Path file;

  @Option(
      names = "--compare",
      arity = "2",
      paramLabel = "FILE",
      description = {
        "Prints what differs between two bundles that this command wrote, the older one first:",
        "counts, sizes, rates, settings and conditions. One of them may be -, the standard input.",
        "Nothing is asked of a cluster."
      })
  private List<Path> compared = List.of();

  @Mixin private PlaneOptions where;
  @Mixin private FormatOption chosen;

  @Override
  public Integer call() throws IOException {
    if (!compared.isEmpty()) {
      return compare();
    }
    try (Management management = where.connect()) {
      String in = where.in(management);
      PlaneView view = PlaneView.read(management, in, name);
      Instant now = Instant.now();
      String title = "exaplane-%s-%s-%s".formatted(in, view.name(), NAME.format(now));
      Path target = file == null ? Path.of(title + ".tar.gz") : file;
      boolean whole = false;
      try (SupportBundle bundle = new SupportBundle(target, title, now)) {
        Reported reported = new Reported(management, in, view, bundle, Documents::yaml);
        reported.text("status.txt", status(reported.shown()));
        reported.text("why.txt", why(reported.shown()));
        reported.write();
        bundle.add("README.txt", readme(view, now, reported));
        whole = true;
        print(target, bundle.entries(), reported);
      } catch (FileAlreadyExistsException e) {
        whole = true;
        throw new InvalidInputException(
            "file", target.toString(), "must not exist", "name another file");
      } catch (IOException e) {
        throw new InvalidInputException(
            "file",
            target.toString(),
            "cannot be written: " + FileFailure.reason(e),
            "name another file");
      } finally {
        if (!whole) {
          Files.deleteIfExists(target);
        }
      }
    }
    return 0;
  }

  private int compare() {
    if (name != null || file != null) {
      throw new InvalidInputException(
          "compare",
          compared.toString(),
          "compares two files and writes none",
          "leave out the name and --file");
    }
    Comparison comparison =
        Comparison.of(ReportFile.read(compared.get(0)), ReportFile.read(compared.get(1)));
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.format == TuneCommand.Format.TABLE) {
      ReportComparison.print(out, comparison);
    } else {
      Documents.print(out, chosen.format, comparison);
    }
    return 0;
  }

  private static String status(PlaneView view) {
    StringWriter text = new StringWriter();
    StatusCommand.print(new PrintWriter(text), view);
    return text.toString();
  }

  /** The chains of all conditions that are not good; the logs are in the bundle as a whole. */
  private static String why(PlaneView view) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    JsonNode plane = view.plane();
    for (Condition condition : Condition.of(plane)) {
      if (!condition.isGood()) {
        WhyCommand.print(out, Chain.of(view, Kind.CONTROL_PLANE, plane, condition, query -> ""));
        out.println();
      }
    }
    out.flush();
    return text.toString();
  }

  private static String readme(PlaneView view, Instant now, Reported reported) {
    String gaps =
        reported.gaps().isEmpty() ? "none" : String.join(System.lineSeparator(), reported.gaps());
    return """
        Support bundle of ControlPlane %s in namespace %s, made at %s.

        status.txt   the four answers, and the tree of objects
        why.txt      the chain of each condition that is not good
        events.txt   Events of the objects, the oldest first
        objects/     objects as the API has them
        logs/        the newest lines of each container, and of the container before

        Left out: all Secrets, all values of environment variables and HTTP headers, annotations of
        others, add-ons and messages about their objects, and texts with the form of a Secret, a key,
        a password or a token: %d values. Each is replaced by <removed>.

        Missing, since the account may not read it or a container does not answer:
        %s
        """
        .formatted(
            view.name(),
            view.plane().at("/metadata/namespace").asText(),
            now,
            reported.removed(),
            gaps);
  }

  private void print(Path target, List<String> entries, Reported reported) {
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.format != TuneCommand.Format.TABLE) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("file", target.toString());
      document.put("entries", entries);
      document.put("removed", reported.removed());
      document.put("gaps", reported.gaps());
      Documents.print(out, chosen.format, document);
      return;
    }
    out.printf(
        "%s: %d files, %d values left out; read the bundle before you give it away%n",
        target, entries.size(), reported.removed());
    reported.gaps().forEach(out::println);
    out.flush();
  }
}
