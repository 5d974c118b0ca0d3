// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.compare.Comparison;
import io.exaplane.tuning.compare.Difference;
import io.exaplane.tuning.compare.RunningFile;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.MinorVersion;
import io.exaplane.tuning.version.VersionMatrix;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** What a cluster's components should be set to, and why. */
@Command(
    name = "tune",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Advises settings for the components of a control plane, with the reason of each.",
      "Prints only flags and gates that the version accepts and that change something."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the answer was printed; with --diff: no change is advised",
      "1:with --diff: a change is advised, or a value keeps the component from starting",
      "2:an input cannot be read or is invalid"
    })
final class TuneCommand implements Callable<Integer> {
  /** How to print it. */
  enum Format {
    TABLE,
    JSON,
    YAML
  }

  private CommandSpec spec;

  @Spec
  void describe(CommandSpec spec) {
    this.spec = spec;
    ShapeOptions.addTo(spec);
  }

  @Mixin private FormatOption chosen;

  @Option(
      names = "--explain",
      paramLabel = "NAME",
      description = "Explain one value: a flag, gate, variable, field or object.")
  private String explained;

  @Option(
      names = "--diff",
      paramLabel = "FILE",
      description =
          "Compare with the flags of a running component. Forms: /proc/PID/cmdline, a static "
              + "pod, lines of ps, a unit of systemd, the configuration of k3s, RKE, kubeadm, Talos or OpenShift, "
              + "'kubectl get pod -o yaml', or plain flags. Version and memory limit are taken from "
              + "the file if no option gives them. - is the standard input.")
  private Path running;

  @Option(
      names = "--component",
      paramLabel = "NAME",
      description =
          "Component for --diff: kube-apiserver, kube-controller-manager, kube-scheduler or "
              + "kubelet (default: the first of these in the file).")
  private String component;

  @Override
  public Integer call() {
    VersionMatrix matrix = VersionMatrix.load();
    if (running != null) {
      return compare(matrix);
    }
    Tuning tuning =
        Tuning.of(ShapeOptions.shape(spec.commandLine().getParseResult(), matrix), matrix);
    TuningOutput output = new TuningOutput(spec.commandLine().getOut(), chosen.format);
    if (explained != null) {
      output.explanation(Explanation.of(tuning, matrix, explained));
    } else {
      output.all(tuning);
    }
    return 0;
  }

  private int compare(VersionMatrix matrix) {
    ParseResult options = spec.commandLine().getParseResult();
    Shape asked = ShapeOptions.shape(options, matrix);
    String text = TextFiles.read(running);
    Documents.fault(text).ifPresent(this::warnOfFault);
    RunningFile file =
        RunningFile.of(
            text,
            Documents::parsed,
            component == null ? null : comparable(),
            matrix,
            asked.version());
    Tuning tuning =
        Tuning.of(ShapeOptions.shape(options, matrix, told(file, asked, matrix)), matrix);
    List<Difference> differences = Comparison.of(tuning, matrix, file.component(), file.running());
    new TuningOutput(spec.commandLine().getOut(), chosen.format)
        .differences(file, tuning, differences);
    return differences.stream().allMatch(d -> d.type().isFine()) ? 0 : 1;
  }

  /** What the file says of the cluster; options and the file of inputs override it. */
  private Map<Input, String> told(RunningFile file, Shape asked, VersionMatrix matrix) {
    Map<Input, String> told = new EnumMap<>(Input.class);
    String version = file.version().orElse("");
    boolean given = asked.given(Input.KUBERNETES_VERSION).isPresent();
    if (!version.isEmpty() && matrix.minors().contains(MinorVersion.parse(version))) {
      told.put(Input.KUBERNETES_VERSION, version);
    } else if (!version.isEmpty() && !given) {
      spec.commandLine()
          .getErr()
          .printf(
              "warning: diff: the file is for Kubernetes %s, but flags are known for %s to %s only; "
                  + "compared with %s%n",
              version, matrix.minors().getFirst(), matrix.minors().getLast(), asked.version());
    }
    String memory = file.running().memory();
    if (file.component() == Component.KUBE_APISERVER && !memory.isEmpty()) {
      try {
        asked.with(Input.APISERVER_MEMORY, memory);
        told.put(Input.APISERVER_MEMORY, memory);
      } catch (InvalidInputException e) {
        spec.commandLine()
            .getErr()
            .println("warning: diff: the container's limit is not used: " + e.getMessage());
      }
    }
    return told;
  }

  private void warnOfFault(String fault) {
    spec.commandLine()
        .getErr()
        .printf(
            "warning: diff: '%s' %s, and is read as plain text; correct the file%n",
            running, fault);
  }

  private Component comparable() {
    return RunningFile.COMPARABLE.stream()
        .filter(known -> known.label().equals(component))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidInputException(
                    "component",
                    component,
                    "has no known flags",
                    "name one of "
                        + RunningFile.COMPARABLE.stream()
                            .map(Component::label)
                            .collect(Collectors.joining(", "))));
  }
}
