// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.compare;

import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.MinorVersion;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The program of a file that is compared, and the others in it.
 *
 * @param others as people call them, with where they stand
 */
public record RunningFile(Component component, Running running, List<String> others) {
  /** Whose flags are known, in the order in which they are chosen. */
  public static final List<Component> COMPARABLE =
      List.of(
          Component.KUBE_APISERVER,
          Component.KUBE_CONTROLLER_MANAGER,
          Component.KUBE_SCHEDULER,
          Component.KUBELET);

  private static final int SHOWN = 80;
  private static final int MOST_NAMED = 10;

  /**
   * Chooses from a file.
   *
   * @param parser reads YAML and JSON; nothing if a text is neither
   * @param asked the component that is wanted, or null
   * @throws InvalidInputException if there is no flag in it, or none of that component
   */
  public static RunningFile of(
      String text,
      Function<String, List<Object>> parser,
      Component asked,
      VersionMatrix matrix,
      MinorVersion version) {
    List<Running> all = new ArrayList<>(RunningTree.of(parser.apply(text), parser, matrix));
    if (all.isEmpty()) {
      all.addAll(RunningText.of(text));
    }
    if (all.stream().allMatch(running -> running.flags().isEmpty())) {
      throw nothing(text);
    }
    if (all.size() == 1 && all.getFirst().name().isEmpty()) {
      Component component = asked == null ? mostLikely(all.getFirst(), matrix, version) : asked;
      return new RunningFile(component, all.getFirst(), List.of());
    }
    Optional<Running> chosen =
        asked == null
            ? COMPARABLE.stream().flatMap(c -> of(all, c)).findFirst()
            : of(all, asked).findFirst();
    String there = some(all.stream().map(RunningFile::called).toList());
    if (chosen.isEmpty()) {
      throw new InvalidInputException(
          asked == null ? "diff" : "component",
          asked == null ? there : asked.label(),
          asked == null
              ? "is the component in the file, but its flags are not known"
              : "is not among the components of the file: " + there,
          "name a file that contains "
              + (asked == null ? "a kube-apiserver" : "a " + asked.label())
              + ", or omit --component");
    }
    Component component = chosen.get().component().orElseThrow();
    return new RunningFile(
        component,
        chosen.get(),
        all.stream().filter(one -> one != chosen.get()).map(RunningFile::called).toList());
  }

  private static Stream<Running> of(List<Running> all, Component component) {
    return all.stream().filter(one -> one.component().equals(Optional.of(component)));
  }

  /** How people find it. */
  public static String called(Running running) {
    return running.where().isEmpty()
        ? running.name()
        : running.name() + " (" + running.where() + ")";
  }

  /** The component that knows most of the flags. */
  private static Component mostLikely(Running running, VersionMatrix matrix, MinorVersion version) {
    return COMPARABLE.stream()
        .max(
            Comparator.comparingLong(
                    (Component c) ->
                        running.flags().keySet().stream()
                            .filter(name -> matrix.flag(c, version, name).isPresent())
                            .count())
                .thenComparing(c -> -COMPARABLE.indexOf(c)))
        .orElseThrow();
  }

  /** The beginning of the first line, without what a terminal would not show. */
  private static String shown(String text) {
    String start = text.strip().lines().findFirst().orElse("");
    String plain =
        start.substring(0, Math.min(start.length(), SHOWN)).replaceAll("[\\p{Cntrl}\\ufffd]", " ");
    return start.length() > SHOWN ? plain + "…" : plain;
  }

  /** Names of programs, as many as anybody reads. */
  public static String some(List<String> names) {
    int more = names.size() - MOST_NAMED;
    return more <= 0
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, MOST_NAMED)) + ", and " + more + " more";
  }

  private static InvalidInputException nothing(String text) {
    return new InvalidInputException(
        "diff",
        shown(text),
        "contains no flag",
        "give a component's command line: /proc/PID/cmdline, a static pod, a line of ps, a unit of"
            + " systemd, the configuration of k3s, RKE, kubeadm, kops, kubespray, Talos or"
            + " OpenShift, or flags such as --max-requests-inflight=800");
  }
}
