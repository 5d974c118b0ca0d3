// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodeUpgradeSpec;
import io.exaplane.operator.nodepool.address.NodeTurn;
import io.exaplane.operator.nodepool.upgrade.Turn.Phase;
import io.exaplane.operator.nodepool.upgrade.UpgradeAct.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clusters in memory are upgraded while pods leave slowly, hosts fail and die, the guard freezes,
 * writes conflict and operators begin anew, which know nothing but the Nodes.
 */
class UpgradeSimulationTest {
  private static final String OLD = "1.36.4";
  private static final String NEW = "1.37.2";
  private static final Duration STEP = Duration.ofSeconds(10);

  private final Map<String, Host> hosts = new TreeMap<>();
  private final AwayNodes away = new AwayNodes();
  private int made;
  private final NavigableMap<Instant, Host> coming = new TreeMap<>();
  private Instant now = Instant.parse("2026-11-28T12:00:00Z");
  private Random random;
  private int percent;
  private int evictions;

  /** A node with pods of one service, of which the budget lets one be away at a time. */
  private final class Host {
    private final String name;
    private final String zone;
    private final boolean wasCordoned;
    private final String uid = "uid-" + made++;
    private boolean cameBack;
    private int version = 1;
    private boolean ready = true;
    private boolean cordoned;
    private String kubelet = OLD;
    private String upgrade = "";
    private String failure = "";
    private int pods;
    private boolean moves;
    private Instant brings = Instant.MAX;

    Host(String name, String zone, boolean wasCordoned, int pods) {
      this.name = name;
      this.zone = zone;
      this.wasCordoned = wasCordoned;
      this.cordoned = wasCordoned;
      this.pods = pods;
    }

    NodeTurn sight() {
      NodeTurn sight =
          new NodeTurn(
              name,
              uid,
              Integer.toString(version),
              zone,
              ready,
              kubelet,
              cordoned,
              upgrade,
              failure);
      return moves ? sight.moving() : sight;
    }

    /** As the host's program does: now and then it fails, and a person helps. */
    void live() {
      Optional<Turn> turn = Turn.parse(upgrade, now);
      if (turn.isEmpty() || turn.get().phase() != Phase.Drained || kubelet.equals(NEW)) {
        return;
      }
      if (!failure.isEmpty()) {
        if (random.nextInt(60) == 0) {
          failure = "";
          version++;
        }
      } else if (brings.equals(Instant.MAX)) {
        brings = now.plusSeconds(random.nextInt(300));
      } else if (!now.isBefore(brings)) {
        brings = Instant.MAX;
        version++;
        if (random.nextInt(10) == 0) {
          failure = NEW + ": no such package";
        } else {
          kubelet = NEW;
        }
      }
    }
  }

  /** What the operator's own class does with the API, on memory. */
  private Map<String, Drain> carryOut(List<UpgradeAct> acts, boolean frozen) {
    Map<String, Drain> drains = new HashMap<>();
    for (UpgradeAct act : acts) {
      Host host = hosts.get(act.node().name());
      if (host == null) {
        continue;
      }
      if (act.kind() == Kind.DRAIN) {
        assertThat(frozen).as("evictions while frozen").isFalse();
        assertThat(host.cordoned).as("a node that is drained takes no pods").isTrue();
        evict(host);
        drains.put(host.name, new Drain(host.pods, "", false));
        if (host.pods > 0) {
          continue;
        }
      }
      // Somebody else wrote the Node meanwhile.
      if (random.nextInt(5) == 0
          || Integer.parseInt(act.node().resourceVersion()) != host.version) {
        continue;
      }
      host.version++;
      switch (act.kind()) {
        case CORDON -> {
          assertThat(frozen).isFalse();
          host.cordoned = true;
          host.upgrade = act.turn().text();
        }
        case DRAIN -> {
          if (act.node().moves() && act.turn().uncordons()) {
            delete(host);
          } else {
            host.upgrade = act.turn().drained(now).text();
          }
        }
        case RETARGET -> host.upgrade = act.turn().text();
        case RETURN -> {
          host.upgrade = "";
          host.cordoned = !act.turn().uncordons();
        }
      }
    }
    return drains;
  }

  /** The host makes another Node in a while, with the prefix that it has by then. */
  private void delete(Host host) {
    hosts.remove(host.name);
    Host other = new Host(host.name, host.zone, false, 0);
    other.kubelet = host.kubelet;
    other.cameBack = true;
    away.add(host.sight(), now);
    coming.put(now.plusSeconds(10 + random.nextInt(400)).plusNanos(coming.size()), other);
  }

  private void arrive() {
    var due = coming.headMap(now, true);
    due.values().forEach(host -> hosts.put(host.name, host));
    due.clear();
  }

  /** The budget lets one pod of all nodes leave in a step. */
  private void evict(Host host) {
    if (host.pods > 0 && evictions++ == 0) {
      host.pods--;
    }
  }

  private Collection<Host> going() {
    return hosts.values().stream().filter(host -> !host.upgrade.isEmpty()).toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyNodeComesToTheVersionAndNoMoreThanTheShareAreAway(long seed) {
    random = new Random(seed);
    percent = 1 + random.nextInt(30);
    int count = 10 + random.nextInt(60);
    int most = Math.max(1, count * percent / 100);
    for (int i = 0; i < count; i++) {
      String name = "n%03d".formatted(i);
      hosts.put(name, new Host(name, "zone" + i % 3, random.nextInt(20) == 0, random.nextInt(6)));
      hosts.get(name).moves = seed % 2 == 0 && random.nextInt(3) == 0;
    }
    Map<String, Drain> drains = Map.of();
    int step = 0;
    for (; step < 60_000 && !isOver(); step++) {
      boolean frozen = step % 50 < 5;
      if (random.nextInt(40) == 0) {
        drains = Map.of(); // an operator that begins
      }
      UpgradePlan plan = plan(drains, frozen);
      long broken =
          hosts.values().stream().filter(host -> !host.ready && host.upgrade.isEmpty()).count();
      int before = going().size();
      evictions = 0;
      drains = carryOut(plan.acts(), frozen);
      if (going().size() > before) {
        assertThat(going().size() + coming.size() + broken)
            .as("away at step " + step)
            .isLessThanOrEqualTo(most);
      }
      assertThat(going().stream().map(host -> host.zone).collect(Collectors.toSet()))
          .as("zones at a time")
          .hasSizeLessThanOrEqualTo(1);
      hosts.values().forEach(Host::live);
      arrive();
      fate();
      now = now.plus(STEP);
    }
    assertThat(isOver()).as("all have the version after %d steps".formatted(step)).isTrue();
    assertThat(hosts.values()).allMatch(host -> host.cordoned == host.wasCordoned);
    assertThat(plan(Map.of(), false).acts()).as("a look at what is done does nothing").isEmpty();
  }

  /** A node is not Ready for a while, or its Node is deleted. */
  private void fate() {
    for (Host host : new ArrayList<>(hosts.values())) {
      if (host.ready ? random.nextInt(5000) == 0 : random.nextInt(30) == 0) {
        host.ready = !host.ready;
        host.version++;
      }
      if (hosts.size() > 8 && random.nextInt(host.cameBack ? 200 : 100_000) == 0) {
        hosts.remove(host.name);
      }
    }
  }

  private UpgradePlan plan(Map<String, Drain> drains, boolean frozen) {
    List<NodeTurn> nodes = hosts.values().stream().map(Host::sight).toList();
    Map<String, Instant> waits = away.look(nodes, now);
    assertThat(waits.keySet())
        .as("hosts that are waited for")
        .containsExactlyInAnyOrderElementsOf(
            coming.values().stream().map(host -> host.name).toList());
    return UpgradePlan.of(
        new UpgradePlan.Input(
            Optional.of(new NodeUpgradeSpec(percent, 10, 10).filled()),
            NEW,
            nodes,
            drains,
            waits,
            frozen ? Optional.of("The guard. See it.") : Optional.empty(),
            now));
  }

  private boolean isOver() {
    return coming.isEmpty()
        && hosts.values().stream()
            .allMatch(
                host ->
                    Set.of(NEW).contains(host.kubelet)
                        && host.upgrade.isEmpty()
                        && (!host.moves || host.wasCordoned));
  }
}
