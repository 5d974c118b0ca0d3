// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.compare;

import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.compare.Difference.Type;
import io.exaplane.tuning.rules.Item;
import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.Flag;
import io.exaplane.tuning.version.Gate;
import io.exaplane.tuning.version.MinorVersion;
import io.exaplane.tuning.version.Run;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A running component's flags beside the advice for its cluster. Pure. */
public final class Comparison {
  private static final String GATE = "feature-gates.";
  private static final Set<String> ALL_OF_A_STAGE = Set.of("AllAlpha", "AllBeta");

  private static final String VARIABLE = "env.";

  private static final Comparator<Difference> ORDER =
      Comparator.comparing(Difference::type).thenComparing(Difference::name);

  private final Tuning tuning;
  private final VersionMatrix matrix;
  private final Component component;
  private final MinorVersion version;

  private Comparison(Tuning tuning, VersionMatrix matrix, Component component) {
    this.tuning = tuning;
    this.matrix = matrix;
    this.component = component;
    this.version = tuning.estimate().shape().version();
  }

  /**
   * What differs, the worst first.
   *
   * @param running as {@link Arguments#parse} gives it
   */
  public static List<Difference> of(
      Tuning tuning, VersionMatrix matrix, Component component, Map<String, String> running) {
    return new Comparison(tuning, matrix, component).differences(running);
  }

  /** What differs from a program of a file, its environment included if the file has that. */
  public static List<Difference> of(
      Tuning tuning, VersionMatrix matrix, Component component, Running running) {
    Comparison comparison = new Comparison(tuning, matrix, component);
    Map<String, String> flags = new LinkedHashMap<>(running.flags());
    List<Difference> apart = comparison.booleansApart(running, flags);
    List<Difference> differences = new ArrayList<>(comparison.differences(flags));
    differences.addAll(apart);
    comparison.variables(running, differences);
    if (running.where().equals(RunningTree.CONFIGURATION)) {
      // The kubelet's flags are deprecated in favour of this file.
      differences.removeIf(difference -> difference.type() == Type.DEPRECATED);
    }
    differences.sort(ORDER);
    return differences;
  }

  /**
   * Boolean flags with a word behind them, which is no value: the flag is true, and the word is an
   * argument, which no component takes. A word that is no boolean may be the shell's.
   */
  private List<Difference> booleansApart(Running running, Map<String, String> flags) {
    List<Difference> apart = new ArrayList<>();
    for (String name : Arguments.apart(running.words())) {
      Optional<Flag> flag = matrix.flag(component, version, name);
      if (flag.isPresent() && flag.get().type().equals("bool") && flags.containsKey(name)) {
        String word = flags.put(name, "true");
        if (Values.bool(word).isPresent()) {
          flags.remove(name);
          String why = "a boolean flag takes no value behind a blank; write --" + name + "=" + word;
          apart.add(new Difference(Type.INVALID, name, word, "", why));
        }
      }
    }
    return apart;
  }

  private void variables(Running running, List<Difference> differences) {
    Map<String, String> environment = running.environment();
    for (Item item : tuning.items(component, Item.Type.ENV)) {
      String value = environment.get(item.name());
      String advised = item.value().toString();
      String name = VARIABLE + item.name();
      if (value == null) {
        if (running.knowsEnvironment()) {
          differences.add(new Difference(Type.ADD, name, "", advised, item.reason()));
        }
        continue;
      }
      if (value.equals(Running.ELSEWHERE)) {
        String why = "comes from another field or object, and is not compared";
        differences.add(new Difference(Type.FINE, name, value, advised, why));
        continue;
      }
      Optional<String> fault = Values.faultOfVariable(item.name(), value);
      Type type =
          fault.isPresent()
              ? Type.INVALID
              : Values.sameVariable(value, advised) ? Type.FINE : Type.CHANGE;
      String why = type == Type.FINE ? "equals the advice" : fault.orElse(item.reason());
      differences.add(new Difference(type, name, value, advised, why));
    }
  }

  private List<Difference> differences(Map<String, String> running) {
    Map<String, Item> advised = new HashMap<>();
    tuning.items(component, Item.Type.FLAG).forEach(item -> advised.put(item.name(), item));
    tuning.items(component, Item.Type.GATE).forEach(item -> advised.put(GATE + item.name(), item));
    List<Difference> differences = new ArrayList<>();
    running.forEach(
        (name, value) ->
            judge(name, value, Optional.ofNullable(advised.get(name))).ifPresent(differences::add));
    advised.forEach(
        (name, item) -> {
          if (!running.containsKey(name)) {
            differences.add(
                new Difference(Type.ADD, name, "", item.value().toString(), item.reason()));
          }
        });
    differences.sort(ORDER);
    return differences;
  }

  private Optional<Difference> judge(String name, String value, Optional<Item> advised) {
    return name.startsWith(GATE)
        ? judgeGate(name, value, advised)
        : judgeFlag(name, value, advised);
  }

  private Optional<Difference> judgeFlag(String name, String value, Optional<Item> advised) {
    Optional<Flag> flag = matrix.flag(component, version, name);
    if (name.startsWith("-")) {
      String why = "a long flag begins with two dashes; write -" + name;
      return Optional.of(new Difference(Type.INVALID, name, value, "", why));
    }
    if (flag.isEmpty()) {
      String history =
          matrix.flagRuns(component, name).isEmpty()
              ? history(List.of(), "flag") + Similar.flag(matrix, component, version, name, value)
              : history(matrix.flagRuns(component, name), "flag");
      return Optional.of(new Difference(Type.UNKNOWN, name, value, "", history));
    }
    Optional<String> fault = Values.fault(name, flag.get(), value);
    if (fault.isPresent()) {
      String instead = advised.map(item -> item.value().toString()).orElse("");
      return Optional.of(new Difference(Type.INVALID, name, value, instead, fault.get()));
    }
    if (flag.get().isDeprecated()) {
      String why = flag.get().deprecated();
      return Optional.of(new Difference(Type.DEPRECATED, name, value, "", why));
    }
    if (advised.isPresent()) {
      return sameValue(flag.get(), value, advised.get())
          ? Optional.of(fine(name, value, advised.get()))
          : Optional.of(change(name, value, advised.get()));
    }
    if (isDefault(flag.get(), value)) {
      return Optional.of(new Difference(Type.DEFAULT, name, value, "", "is the default"));
    }
    return tuning.kept().stream()
        .filter(kept -> kept.component() == component && kept.name().equals(name))
        .findFirst()
        .map(kept -> new Difference(Type.CHANGE, name, value, kept.defaultValue(), kept.reason()));
  }

  private static boolean sameValue(Flag flag, String value, Item advised) {
    return isDefault(new Flag(flag.type(), advised.value().toString(), ""), value);
  }

  /** What is no value of the flag's type is not its default either. */
  private static boolean isDefault(Flag flag, String value) {
    try {
      return flag.isDefault(value);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private Optional<Difference> judgeGate(String name, String value, Optional<Item> advised) {
    String gateName = name.substring(GATE.length());
    if (Values.bool(value).isEmpty()) {
      return Optional.of(new Difference(Type.INVALID, name, value, "", "must be true or false"));
    }
    if (ALL_OF_A_STAGE.contains(gateName)) {
      return Optional.empty();
    }
    Optional<Gate> gate = matrix.gate(component, version, gateName);
    if (gate.isEmpty()) {
      String history =
          history(matrix.gateRuns(component, gateName), "gate")
              + (matrix.gateRuns(component, gateName).isEmpty()
                  ? Similar.gate(matrix, component, version, gateName)
                  : "");
      return Optional.of(new Difference(Type.UNKNOWN, name, value, "", history));
    }
    boolean on = Values.isTrue(value);
    boolean isDefault = on == gate.get().enabledByDefault();
    if (gate.get().locked() && !isDefault) {
      return Optional.of(
          new Difference(
              Type.UNKNOWN, name, value, "", "is locked to " + gate.get().enabledByDefault()));
    }
    if (advised.isPresent()) {
      return advised.get().value().equals(Boolean.toString(on))
          ? Optional.of(fine(name, value, advised.get()))
          : Optional.of(change(name, value, advised.get()));
    }
    return isDefault
        ? Optional.of(new Difference(Type.DEFAULT, name, value, "", "is the default"))
        : Optional.empty();
  }

  private static Difference fine(String name, String value, Item advised) {
    return new Difference(Type.FINE, name, value, advised.value().toString(), "equals the advice");
  }

  private static Difference change(String name, String value, Item advised) {
    return new Difference(Type.CHANGE, name, value, advised.value().toString(), advised.reason());
  }

  private String history(List<? extends Run<?>> runs, String what) {
    if (runs.isEmpty()) {
      return "no version from "
          + matrix.minors().getFirst()
          + " to "
          + matrix.minors().getLast()
          + " has this "
          + what;
    }
    return String.format(
        "%s has no such %s; versions %s to %s have it",
        version, what, runs.getFirst().from(), runs.getLast().until());
  }
}
