// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.compare;

import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.MinorVersion;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The program of a file that is compared, and the others in it.
 *
 * @param others as people call them, with where they stand
 * @param choice whether {@code --component} chooses another of them
 * @param uneven flags of which instances of the component have different values, with the values
 * @param version of Kubernetes as the file writes it, if it does
 */
public record RunningFile(
    Component component,
    Running running,
    List<String> others,
    boolean choice,
    List<String> uneven,
    Optional<String> version) {
  /** Whose flags are known, in the order in which they are chosen. */
  public static final List<Component> COMPARABLE =
      List.of(
          Component.KUBE_APISERVER,
          Component.KUBE_CONTROLLER_MANAGER,
          Component.KUBE_SCHEDULER,
          Component.KUBELET);

  /** Flags whose values are those of one machine. */
  private static final Set<String> OF_MACHINE =
      Set.of(
          "advertise-address",
          "bind-address",
          "config",
          "etcd-servers",
          "hostname-override",
          "node-ip",
          "node-labels",
          "provider-id");

  private static final Pattern KIND = Pattern.compile("(?m)^\\s*[{]?\\s*\"?kind\"?:\\s*\"?(\\w+)");
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
      return new RunningFile(
          component,
          all.getFirst(),
          List.of(),
          false,
          List.of(),
          RunningVersion.of(text, all.getFirst()));
    }
    // One that has no flags may only wait for the other, or prepare its files.
    List<Running> candidates =
        all.stream()
            .sorted(Comparator.comparing((Running running) -> running.flags().isEmpty()))
            .toList();
    Optional<Running> chosen =
        asked == null
            ? COMPARABLE.stream().flatMap(c -> of(candidates, c)).findFirst()
            : of(candidates, asked).findFirst();
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
    List<Running> others = all.stream().filter(one -> one != chosen.get()).toList();
    return new RunningFile(
        component,
        chosen.get(),
        others.stream().map(RunningFile::called).toList(),
        others.stream()
            .flatMap(one -> one.component().stream())
            .anyMatch(other -> other != component && COMPARABLE.contains(other)),
        uneven(of(all, component).filter(one -> one.where().startsWith("container ")).toList()),
        RunningVersion.of(text, chosen.get()));
  }

  /** Instances of one component are meant to be the same. */
  private static List<String> uneven(List<Running> instances) {
    Map<String, Set<String>> values = new TreeMap<>();
    List<Map<String, String>> all =
        instances.stream().map(Running::flags).filter(flags -> !flags.isEmpty()).toList();
    all.forEach(flags -> flags.keySet().forEach(name -> values.put(name, new LinkedHashSet<>())));
    values.forEach(
        (name, seen) -> all.forEach(flags -> seen.add(flags.getOrDefault(name, "not set"))));
    return values.entrySet().stream()
        .filter(entry -> entry.getValue().size() > 1 && !OF_MACHINE.contains(entry.getKey()))
        .map(entry -> entry.getKey() + " (" + String.join(", ", entry.getValue()) + ")")
        .toList();
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
    Matcher kind = KIND.matcher(text);
    return new InvalidInputException(
        "diff",
        kind.find() ? "kind: " + kind.group(1) : shown(text),
        "contains no flag",
        "give a component's command line: /proc/PID/cmdline, a static pod, a line of ps, a unit of"
            + " systemd, the configuration of k3s, RKE, kubeadm, kops, kubespray, Talos or"
            + " OpenShift, or flags such as --max-requests-inflight=800");
  }
}
