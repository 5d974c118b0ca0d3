// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.apply.engine.Notice;
import io.exaplane.apply.engine.Options;
import io.exaplane.apply.engine.Runner;
import io.exaplane.apply.engine.Summary;
import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.manifest.Problem;
import io.exaplane.apply.manifest.Reading;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.server.ServerPort;
import io.exaplane.cli.measure.ApiServer;
import io.exaplane.cli.measure.MeasurementException;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Brings objects of files into a cluster, and does nothing when nothing changed. */
@Command(
    name = "apply",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    subcommands = ApplyStatusCommand.class,
    description = {
      "Applies the objects of files, artifacts and repositories to a cluster, and leaves unchanged"
          + " objects alone.",
      "The exit code is 0 if every object is as its file says, 1 if a file or an object failed, "
          + "and 2 for bad input."
    })
final class ApplyCommand implements Callable<Integer> {
  static final String MANAGER = "exactl";

  @Spec private CommandSpec spec;

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE|DIR|-|ADDRESS",
      description = {
        "File or folder in YAML or JSON, also several times; - is the standard input. Plain or gzip.",
        "Artifact: oci://HOST/NAME:TAG, or @DIGEST; repository: git+https://HOST/PATH?ref=NAME."
            + " Both take path=FOLDER behind a ?, and render an overlay that the folder holds."
            + " Without TLS: oci+http:// and git+http://."
      })
  private List<String> files;

  @Mixin private ApplySourceOptions source;
  @Mixin private ServerOption server;
  @Mixin private ApplyFetchOptions fetch;

  @Option(
      names = "--prune",
      description =
          "Delete what the source applied before and no longer has, except namespaces and"
              + " CustomResourceDefinitions. Nothing is deleted if a file cannot be read. Not together"
              + " with --include and --exclude that leave out kinds.")
  private boolean prune;

  @Option(
      names = "--respect-conflicts",
      description = "Leave objects alone whose fields another manager owns (default: take them).")
  private boolean respect;

  @Option(names = "--dry-run", description = "Only say which objects would change.")
  private boolean dryRun;

  @Option(names = "--diff", description = "Only say which fields would change.")
  private boolean diff;

  @Option(
      names = {"-w", "--watch"},
      description =
          "Stay, put right what others change, and read the files again from time to time. Ends with"
              + " Ctrl-C.")
  private boolean watch;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description =
          "With --watch, how often the files and addresses are read again (default:"
              + " ${DEFAULT-VALUE}).")
  private int interval;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "300",
      description = "How long to wait for all objects (default: ${DEFAULT-VALUE}).")
  private int timeout;

  @Mixin private DefinitionFilterOptions filter;

  @Option(
      names = "--accept-memory",
      description =
          "Apply CustomResourceDefinitions even if kube-apiserver has too little memory for them.")
  private boolean acceptMemory;

  @Mixin private FormatOption chosen;

  @Override
  public Integer call() throws InterruptedException {
    if (files == null) {
      throw new InvalidInputException(
          "filename", "", "must name a file, folder or address", "add -f FILE or -f DIR");
    }
    if (timeout < 1 || timeout > 86_400) {
      throw new InvalidInputException(
          "timeout", Integer.toString(timeout), "must be 1 to 86400 seconds", "write 300");
    }
    if (prune) {
      source.requireNamed();
    }
    checkWatch();
    try (SmallHeap _ = watch ? SmallHeap.begun() : null) {
      return carriedOut();
    }
  }

  private int carriedOut() throws InterruptedException {
    ApplySet set = source.set();
    ApplyInputs.Known known = new ApplyInputs.Known();
    Reading reading = ApplyInputs.read(files, fetch, System.in, known);
    PrintWriter err = spec.commandLine().getErr();
    for (Problem problem : reading.problems()) {
      err.println("error: " + problem);
    }
    boolean hasAddress = files.stream().anyMatch(word -> word.contains("://"));
    if (reading.manifests().isEmpty() && hasAddress && !reading.isWhole()) {
      return Exactl.FAILED;
    }
    reading = checked(set, reading, err);
    try (ServerPort api = ServerPort.of(ApiServer.config(server.kubeconfig), MANAGER)) {
      if (diff || dryRun) {
        return preview(api, set, reading);
      }
      if (!fits(api, reading, err, true)) {
        return Exactl.FAILED;
      }
      return watch ? follow(api, set, reading, known) : apply(api, set, reading);
    }
  }

  /** Of options that say nothing together, one would be silently left out. */
  private void checkWatch() {
    boolean table = chosen.format == TuneCommand.Format.TABLE;
    boolean limited = spec.commandLine().getParseResult().hasMatchedOption("--timeout");
    boolean spaced = spec.commandLine().getParseResult().hasMatchedOption("--interval");
    if (!watch && spaced) {
      throw new InvalidInputException(
          "interval", Integer.toString(interval), "is for --watch only", "add --watch");
    }
    if (interval < 1 || interval > 86_400) {
      throw new InvalidInputException(
          "interval", Integer.toString(interval), "must be 1 to 86400 seconds", "write 10");
    }
    if (watch && (diff || dryRun || limited || !table)) {
      throw new InvalidInputException(
          "watch",
          "true",
          "must not stand with --diff, --dry-run, --timeout, -o json or -o yaml",
          "leave out one of the two");
    }
    if (watch && files.contains("-")) {
      throw new InvalidInputException(
          "watch", "true", "must not stand with the standard input", "name a file or folder");
    }
  }

  private int follow(ServerPort api, ApplySet set, Reading first, ApplyInputs.Known known) {
    PrintWriter quiet = new PrintWriter(Writer.nullWriter());
    PrintWriter err = spec.commandLine().getErr();
    ApplyWatch all =
        new ApplyWatch(
            api, set, options(), Duration.ofSeconds(interval), spec.commandLine().getOut(), err);
    boolean good =
        all.run(
            first,
            new ApplyWatch.Files() {
              @Override
              public Reading read() throws InterruptedException {
                return checked(set, ApplyInputs.read(files, fetch, System.in, known), quiet);
              }

              @Override
              public String unfit(Reading reading) throws InterruptedException {
                StringWriter words = new StringWriter();
                return fits(api, reading, new PrintWriter(words, true), false)
                    ? ""
                    : words.toString().strip().replaceFirst("^error: ", "");
              }
            });
    return good ? 0 : Exactl.FAILED;
  }

  private Options options() {
    return Options.DEFAULTS
        .as(MANAGER)
        .in(source.namespace)
        .forcing(!respect)
        .pruning(prune, false);
  }

  /** What of a reading is to be applied. */
  private Reading checked(ApplySet set, Reading all, PrintWriter err) {
    Reading reading = filter.chosen(all, prune, err);
    if (reading.manifests().isEmpty()) {
      // With pruning, an empty folder would delete all.
      throw new InvalidInputException(
          "filename", files.toString(), "must hold an object at least", "check -f");
    }
    reading.manifests().forEach(manifest -> requireOther(set, manifest));
    return reading;
  }

  /** An object that is the inventory itself would lose what its file says. */
  private static void requireOther(ApplySet set, Manifest manifest) {
    ObjectKey key = manifest.key();
    boolean isMap = key.group().isEmpty() && key.kind().equals("ConfigMap");
    boolean isThere = key.namespace().isEmpty() || key.namespace().equals(set.namespace());
    if (isMap && isThere && key.name().matches(set.name() + "(-[0-9]{1,4})?")) {
      throw new InvalidInputException(
          "source",
          set.name(),
          "must not be the name of an applied ConfigMap, and %s is one".formatted(manifest),
          "choose another name for the source, whose inventory is that ConfigMap");
    }
  }

  /**
   * Says what many new definitions take; false if they would fill the server's memory. The watch
   * does not wait, since it asks again at each interval.
   */
  private boolean fits(ServerPort api, Reading reading, PrintWriter err, boolean patient)
      throws InterruptedException {
    Optional<DefinitionCheck> check;
    try {
      check =
          patient && !acceptMemory
              ? DefinitionCheck.patient(
                  api, reading.manifests(), DefinitionCheck.Waiting.SYSTEM, err::println)
              : DefinitionCheck.of(api, reading.manifests());
    } catch (ApiException e) {
      // The engine asks the same, several times, and has the words for who does not answer.
      return true;
    }
    boolean refused = check.isPresent() && check.get().tooMany() && !acceptMemory;
    check.ifPresent(
        one ->
            err.println(
                refused ? "error: " + one.words() + ", or add --accept-memory" : one.words()));
    return !refused;
  }

  private int preview(ServerPort api, ApplySet set, Reading reading) throws InterruptedException {
    List<ApplyPreview.Row> rows;
    try {
      rows =
          new ApplyPreview(api, set, MANAGER, !respect)
              .of(reading.manifests(), Duration.ofSeconds(timeout));
    } catch (ApiException e) {
      throw new MeasurementException(
          "the server cannot be asked (" + e.getMessage() + "); check --kubeconfig");
    }
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.format == TuneCommand.Format.TABLE) {
      for (ApplyPreview.Row row : rows) {
        String words = row.words().isEmpty() ? "" : ": " + row.words();
        out.println(row.outcome() + " " + row.object() + " (" + row.place() + ")" + words);
        if (diff) {
          row.fields().forEach(field -> out.println("  " + field));
        }
      }
      out.flush();
    } else {
      Documents.print(out, chosen.format, Map.of("objects", rows));
    }
    boolean failed =
        rows.stream()
            .anyMatch(row -> row.outcome().equals("failed") || row.outcome().equals("taken"));
    return failed || !reading.isWhole() ? Exactl.FAILED : 0;
  }

  private int apply(ServerPort api, ApplySet set, Reading reading) throws InterruptedException {
    AtomicLong pruned = new AtomicLong();
    List<String> told = new ArrayList<>();
    try (Runner runner = new Runner(api, options(), notice -> take(notice, pruned, told))) {
      runner.want(set, reading.manifests(), reading.isWhole());
      boolean late = false;
      Summary summary;
      try (ApplyProgress _ =
          new ApplyProgress(
              ApplyProgress.isTerminal(), spec.commandLine().getErr(), () -> runner.summary(set))) {
        summary = runner.awaitIdle(set, Duration.ofSeconds(timeout));
      } catch (TimeoutException e) {
        late = true;
        summary = runner.summary(set);
      }
      print(summary, reading, pruned.get(), told, late);
      return summary.good() && reading.isWhole() && !late ? 0 : Exactl.FAILED;
    }
  }

  /** By the engine's thread; read after the engine is idle. */
  private static void take(Notice notice, AtomicLong pruned, List<String> told) {
    switch (notice.kind()) {
      case PRUNED -> pruned.incrementAndGet();
      case APPLIED, FAILED -> {
        // The summary has them.
      }
      default -> {
        synchronized (told) {
          told.add(notice.message());
        }
      }
    }
  }

  private void print(
      Summary summary, Reading reading, long pruned, List<String> told, boolean late) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("source", summary.source());
    for (Outcome outcome : Outcome.values()) {
      document.put(outcome.name().toLowerCase(Locale.ROOT), summary.count(outcome));
    }
    document.put("pruned", pruned);
    document.put("unreadable", reading.problems().size());
    document.put("requests", summary.cost().requests());
    document.put("sentBytes", summary.cost().sentBytes());
    document.put("readBytes", summary.counters().bytes());
    document.put("requestsAvoided", summary.counters().avoided());
    List<String> words = new ArrayList<>();
    for (Summary.Item item : summary.items()) {
      boolean good = item.outcome() == Outcome.APPLIED || item.outcome() == Outcome.UNCHANGED;
      if (!good) {
        words.add(
            "%s (%s): %s: %s"
                .formatted(
                    item.key(),
                    item.place(),
                    item.outcome().name().toLowerCase(Locale.ROOT),
                    item.words()));
      }
    }
    summary.problems().forEach(one -> words.add(one.message()));
    if (!summary.halted().isEmpty()) {
      words.add(summary.halted());
    }
    if (late) {
      words.add("not done within " + timeout + " s; repeat the command, or raise --timeout");
    }
    synchronized (told) {
      document.put("notices", List.copyOf(told));
    }
    document.put("problems", words);
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.format != TuneCommand.Format.TABLE) {
      Documents.print(out, chosen.format, document);
      return;
    }
    synchronized (told) {
      told.forEach(out::println);
    }
    words.forEach(word -> spec.commandLine().getErr().println("error: " + word));
    out.println(
        "%d applied, %d unchanged, %d pruned, %d failed"
            .formatted(
                summary.count(Outcome.APPLIED),
                summary.count(Outcome.UNCHANGED),
                pruned,
                words.size() + reading.problems().size()));
    out.flush();
  }
}
