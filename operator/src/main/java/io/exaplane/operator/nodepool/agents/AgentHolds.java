// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Sets listed DaemonSets to OnDelete, and gives others their own strategy back. Which ones the
 * operator holds is read from the DaemonSets alone. Another program that sets the strategy again
 * and again gets slower and slower answers, and is told of. One thread.
 */
final class AgentHolds {
  private static final Logger LOG = Logger.getLogger(AgentHolds.class);

  /** Writes of one DaemonSet that need no explanation. */
  private static final int FEW = 4;

  private static final Duration CALM = Duration.ofMinutes(10);
  private static final Duration MOST = Duration.ofMinutes(1);

  private final Map<String, Writes> writes = new HashMap<>();
  private final Map<String, String> problems = new HashMap<>();
  private final AgentPort port;

  /** Of one DaemonSet. */
  private record Writes(int number, Instant last) {
    Instant next() {
      Duration pause = Duration.ofSeconds(1L << Math.min(number, 6));
      return last.plus(pause.compareTo(MOST) < 0 ? pause : MOST);
    }
  }

  AgentHolds(AgentPort port) {
    this.port = port;
  }

  /** The sentence on a DaemonSet. */
  static String sentence(List<String> pools) {
    return "Exaplane restarts these pods in waves, so updateStrategy is OnDelete; remove this DaemonSet from spec.agents.daemonSets of NodePool %s to end that."
        .formatted(String.join(" and ", pools));
  }

  /**
   * Brings one DaemonSet to where it should be.
   *
   * @param pools that list it; none to give it back
   */
  void ensure(AgentSet set, List<String> pools, Instant now) {
    String sentence = pools.isEmpty() ? "" : sentence(pools);
    boolean isRight = pools.isEmpty() ? set.told().isEmpty() : set.isHeld(sentence);
    if (isRight || set.isLeaving()) {
      Writes last = writes.get(set.uid());
      boolean isCalm = last == null || last.last().plus(CALM).isBefore(now);
      if (isRight && (set.told().isEmpty() || isCalm)) {
        problems.remove(set.text());
      }
      return;
    }
    Writes before = writes.get(set.uid());
    int number = before == null || before.last().plus(CALM).isBefore(now) ? 0 : before.number();
    if (number > 0 && now.isBefore(before.next())) {
      return;
    }
    writes.put(set.uid(), new Writes(number + 1, now));
    try {
      if (pools.isEmpty()) {
        port.release(set);
        LOG.infof("DaemonSet %s has its own updateStrategy again", set.text());
      } else {
        port.hold(set, sentence);
        LOG.infof("DaemonSet %s restarts in waves", set.text());
      }
      problems.remove(set.text());
      if (number >= FEW) {
        problems.put(
            set.text(),
            "DaemonSet %s: another program has set updateStrategy %d times within 10 minutes. Remove updateStrategy.type from the manifest that the program applies."
                .formatted(set.text(), number));
      }
    } catch (KubernetesClientException e) {
      problems.put(set.text(), "DaemonSet %s: %s".formatted(set.text(), Refusals.of(e).text()));
    }
  }

  /** Why a DaemonSet is not as it should be. */
  Optional<String> problem(String set) {
    return Optional.ofNullable(problems.get(set));
  }

  /** Drops DaemonSets that are gone, and who has been calm. */
  void forget(Map<String, AgentSet> sets, Instant now) {
    problems.keySet().retainAll(sets.keySet());
    writes.values().removeIf(each -> each.last().plus(CALM).isBefore(now));
  }
}
