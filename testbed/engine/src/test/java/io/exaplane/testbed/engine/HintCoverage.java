// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.engine;

import io.exaplane.scheduler.engine.event.Hint;
import io.exaplane.scheduler.engine.event.Registration;
import io.exaplane.scheduler.engine.queue.Hints;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** How often each hint was asked about which resource, and what it said. */
final class HintCoverage {
  /** No volume is detached, and who is gated is told of its own gates alone. */
  private static final Set<String> LEFT_OUT =
      Set.of("NodeVolumeLimits VOLUME_ATTACHMENT", "SchedulingGates POD");

  /**
   * From 1.37 on these are asked only where they say yes: an update of the pod itself, and a node
   * whose features are others.
   */
  private static final Set<String> ALWAYS_YES =
      Set.of("InterPodAffinity TARGET_POD", "NodeDeclaredFeatures NODE");

  private final Map<String, int[]> answers = new TreeMap<>();
  private final Set<String> always = new TreeSet<>();

  Hints watch(List<Registration> registrations) {
    return new Hints(registrations.stream().map(this::watch).toList());
  }

  private Registration watch(Registration registration) {
    String name = registration.plugin() + " " + registration.event().resource();
    int[] counts = answers.computeIfAbsent(name, n -> new int[2]);
    if (registration.hint() == Hint.ALWAYS) {
      always.add(name);
    }
    return new Registration(
        registration.plugin(),
        registration.event(),
        (pod, change) -> {
          boolean helps = registration.hint().mayHelp(pod, change);
          counts[helps ? 1 : 0]++;
          return helps;
        });
  }

  /** Hints that never said yes, or never no though they may. */
  List<String> missing() {
    return answers.keySet().stream()
        .filter(name -> !LEFT_OUT.contains(name))
        .filter(name -> answers.get(name)[1] == 0 || never(name))
        .toList();
  }

  private boolean never(String name) {
    return !always.contains(name) && !ALWAYS_YES.contains(name) && answers.get(name)[0] == 0;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("hints (no, yes):");
    answers.forEach(
        (name, counts) ->
            text.append("\n  ")
                .append(name)
                .append(": ")
                .append(counts[0])
                .append(", ")
                .append(counts[1]));
    return text.toString();
  }
}
