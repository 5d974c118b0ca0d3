// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.upgrade;

import io.exaplane.api.v1alpha1.NodeUpgradeSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.address.NodeTurn;
import io.exaplane.operator.nodepool.upgrade.Turn.Phase;
import io.exaplane.operator.nodepool.upgrade.UpgradeAct.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is to be done now for the upgrade of a pool's nodes, and for those whose hosts have another
 * prefix. Immutable.
 *
 * @param version that the nodes are to have
 * @param acts in no order
 * @param registered nodes of the pool
 * @param outdated nodes with an older kubelet, or one that says no version
 * @param unreachable those of them that are not Ready and are not being upgraded
 * @param moving nodes whose hosts have another prefix, and those that were deleted for that and
 *     have not come back
 * @param going nodes that are being upgraded, those that wait for longest first
 * @param hold why no other node begins, if that needs somebody
 */
public record UpgradePlan(
    String version,
    List<UpgradeAct> acts,
    int registered,
    int outdated,
    int unreachable,
    int moving,
    List<Going> going,
    Optional<Hold> hold) {
  /** More at once would be more looks at pods than an operator makes in a pass. */
  static final int MOST_AT_ONCE = 1000;

  /** A host that has not come back by then does not hold the others. */
  public static final Duration AWAY = Duration.ofHours(24);

  private static final int ALL = 100;

  public UpgradePlan {
    acts = List.copyOf(acts);
    going = List.copyOf(going);
  }

  /**
   * What is known.
   *
   * @param spec with every field filled in; empty if nodes that are being upgraded are to return
   * @param version that the nodes are to have, as 1.37.2
   * @param nodes of the pool
   * @param drains the last look at the pods of each Node that is drained
   * @param away when Nodes were deleted so that their hosts make others
   * @param held why nothing is drained, and the next action; empty if nothing is in the way
   */
  public record Input(
      Optional<NodeUpgradeSpec> spec,
      String version,
      List<NodeTurn> nodes,
      Map<String, Drain> drains,
      Map<String, Instant> away,
      Optional<String> held,
      Instant now) {
    public Input {
      nodes = List.copyOf(nodes);
      drains = Map.copyOf(drains);
      away = Map.copyOf(away);
    }

    /** Of a pool none of whose Nodes was deleted. */
    public Input(
        Optional<NodeUpgradeSpec> spec,
        String version,
        List<NodeTurn> nodes,
        Map<String, Drain> drains,
        Optional<String> held,
        Instant now) {
      this(spec, version, nodes, drains, Map.of(), held, now);
    }
  }

  /**
   * A node that is being upgraded.
   *
   * @param obstacle what is in the way, and the next action; "" without one
   */
  public record Going(String node, Turn turn, String obstacle) {}

  /** Why no other node begins, and the next action. */
  public record Hold(Reason reason, String message) {}

  /** Decides. */
  public static UpgradePlan of(Input input) {
    return new Round(input).plan();
  }

  /** Nodes that have the version, or a newer one. */
  public int updated() {
    return registered - outdated;
  }

  /** One decision. */
  private static final class Round {
    private final Input input;
    private final List<UpgradeAct> acts = new ArrayList<>();
    private final List<Going> going = new ArrayList<>();
    private final List<NodeTurn> ready = new ArrayList<>();
    private final List<Hold> failures = new ArrayList<>();
    private final Map<String, Instant> away;
    private final int most;
    private int moving;
    private int outdated;
    private int unreachable;
    private int broken;

    Round(Input input) {
      this.input = input;
      away = new TreeMap<>(input.away());
      input.nodes().forEach(node -> away.remove(node.name()));
      int percent = input.spec().map(NodeUpgradeSpec::maxUnavailablePercent).orElse(1);
      most =
          Math.clamp((long) (input.nodes().size() + away.size()) * percent / ALL, 1, MOST_AT_ONCE);
    }

    UpgradePlan plan() {
      for (NodeTurn node : input.nodes()) {
        Optional<Turn> turn = turn(node);
        boolean isOutdated = !hasVersion(node);
        outdated += isOutdated ? 1 : 0;
        broken += turn.isEmpty() && !node.ready() ? 1 : 0;
        boolean isMoving = moves(node, turn);
        moving += isMoving ? 1 : 0;
        if (turn.isPresent()) {
          going(node, turn.get(), isMoving);
        } else if ((isOutdated || isMoving) && node.ready() && !node.kubelet().isEmpty()) {
          ready.add(node);
        } else if (isOutdated) {
          unreachable++;
        }
      }
      away.forEach(this::away);
      Optional<String> held = input.held().or(this::broken);
      Optional<Hold> hold =
          held.map(text -> new Hold(Reason.UpgradeHeld, text))
              .or(() -> failures.stream().findFirst())
              .or(this::room);
      if (held.isPresent()) {
        acts.removeIf(act -> act.kind() != Kind.RETURN && act.kind() != Kind.RETARGET);
      } else if (hold.isEmpty() && input.spec().isPresent()) {
        begin();
      }
      going.sort(
          Comparator.comparing((Going each) -> each.turn().since()).thenComparing(Going::node));
      return new UpgradePlan(
          input.version(),
          acts,
          input.nodes().size(),
          outdated,
          unreachable,
          moving + away.size(),
          going,
          outdated == 0 && moving == 0 && away.isEmpty() && going.isEmpty()
              ? Optional.empty()
              : hold);
    }

    /** Another Node would take pods, so one that a person cordoned stays as it is. */
    private static boolean moves(NodeTurn node, Optional<Turn> turn) {
      return node.moves() && turn.map(Turn::uncordons).orElse(!node.cordoned());
    }

    private Optional<Turn> turn(NodeTurn node) {
      return Turn.parse(node.upgrade(), input.now());
    }

    private boolean hasVersion(NodeTurn node) {
      return !node.kubelet().isEmpty() && compare(node.kubelet(), input.version()) >= 0;
    }

    private void going(NodeTurn node, Turn turn, boolean isMoving) {
      boolean isOver = input.spec().isEmpty() || hasVersion(node) && node.ready() && !isMoving;
      boolean isAnother = !turn.version().equals(input.version());
      if (isOver) {
        acts.add(new UpgradeAct(Kind.RETURN, node, turn));
      } else if (isAnother) {
        acts.add(new UpgradeAct(Kind.RETARGET, node, turn.toward(input.version(), input.now())));
      } else if (turn.phase() == Phase.Draining || isMoving) {
        acts.add(new UpgradeAct(node.cordoned() ? Kind.DRAIN : Kind.CORDON, node, turn));
      }
      going.add(
          new Going(node.name(), turn, isOver || isAnother ? "" : obstacle(node, turn, isMoving)));
    }

    /** Notes why no other node may begin, too. */
    private String obstacle(NodeTurn node, Turn turn, boolean isMoving) {
      NodeUpgradeSpec spec = input.spec().orElseThrow();
      if (turn.phase() == Phase.Draining || isMoving) {
        Drain drain = input.drains().get(node.name());
        String text = drain == null ? "" : drain.obstacle();
        boolean isLate = isOver(turn, spec.drainTimeoutMinutes());
        if (isLate || drain != null && drain.needsPerson()) {
          failures.add(
              new Hold(
                  Reason.DrainBlocked,
                  "Node %s has been drained since %s, but its pods do not leave. %s Check them with 'kubectl get pods -A --field-selector spec.nodeName=%s' in the hosted cluster. The upgrade continues when they have left."
                      .formatted(node.name(), turn.since(), text, node.name())));
        }
        return text;
      }
      boolean hasFailed = node.failure().startsWith(turn.version() + ":");
      if (!hasFailed && !isOver(turn, spec.returnTimeoutMinutes())) {
        return "";
      }
      String text = hasFailed ? failed(node) : missing(node, turn);
      failures.add(new Hold(Reason.NodeNotUpgraded, text));
      return text;
    }

    /** One whose Node was deleted, and whose host makes another one. */
    private void away(String node, Instant since) {
      if (input.spec().isPresent() && isOver(since, input.spec().get().returnTimeoutMinutes())) {
        failures.add(
            new Hold(
                Reason.NodeNotUpgraded,
                "Node %s was deleted at %s, so that its host joins again with another prefix, and has not come back. Run the join script on its host; /etc/kubernetes/exaplane/readdress.log, if it exists, says why the host failed. If the host is gone, the others continue after %d hours, or at once if you restart the operator."
                    .formatted(node, since, AWAY.toHours())));
      }
    }

    private static String failed(NodeTurn node) {
      return "Node %s is drained, but its host failed to install the new kubelet: %s. Correct the cause on the host. Then remove the annotation exaplane.io/upgrade-failed of the Node."
          .formatted(node.name(), plain(node.failure()));
    }

    /** Hosts write it, so it may be anything. */
    private static String plain(String text) {
      return text.replaceAll("[^ -~]", "?");
    }

    private static String missing(NodeTurn node, Turn turn) {
      return "Node %s has been drained since %s. It is %s with kubelet %s; the pool needs Ready with %s. Install that kubelet on the host, and restart the kubelet there; or delete the Node if its host was replaced."
          .formatted(
              node.name(),
              turn.since(),
              node.ready() ? "Ready" : "not Ready",
              node.kubelet().isEmpty() ? "of no known version" : node.kubelet(),
              turn.version());
    }

    private boolean isOver(Turn turn, int minutes) {
      return isOver(turn.since(), minutes);
    }

    private boolean isOver(Instant since, int minutes) {
      return Duration.between(since, input.now()).compareTo(Duration.ofMinutes(minutes)) >= 0;
    }

    /** That many nodes fail by themselves. */
    private Optional<String> broken() {
      return input.spec().isPresent() && broken > most
          ? Optional.of(
              "Besides the nodes under upgrade, %d of %d nodes are not Ready; spec.upgrade.maxUnavailablePercent %d allows %d. Check these nodes, or delete those whose hosts are gone. The upgrade then continues automatically."
                  .formatted(
                      broken,
                      input.nodes().size(),
                      input.spec().get().maxUnavailablePercent(),
                      most))
          : Optional.empty();
    }

    /** Others that are not Ready take all the room: nobody comes back by waiting. */
    private Optional<Hold> room() {
      return input.spec().isPresent() && !ready.isEmpty() && going.isEmpty() && broken >= most
          ? Optional.of(
              new Hold(
                  Reason.UpgradeHeld,
                  "%d of %d nodes are not Ready, and spec.upgrade.maxUnavailablePercent %d allows %d unavailable nodes, those that are upgraded among them. Check these nodes, delete those whose hosts are gone, or raise the value."
                      .formatted(
                          broken,
                          input.nodes().size(),
                          input.spec().get().maxUnavailablePercent(),
                          most)))
          : Optional.empty();
    }

    /** Of one zone at a time: two would be a service without half of its replicas, twice. */
    private void begin() {
      ready.sort(Comparator.comparing(NodeTurn::zone).thenComparing(NodeTurn::name));
      Optional<String> zone =
          input.nodes().stream()
              .filter(node -> turn(node).isPresent())
              .map(NodeTurn::zone)
              .min(Comparator.naturalOrder())
              .or(() -> ready.stream().findFirst().map(NodeTurn::zone));
      ready.stream()
          .filter(node -> node.zone().equals(zone.orElseThrow()))
          .limit(Math.max(0, most - broken - going.size() - away.size()))
          .forEach(
              node ->
                  acts.add(
                      new UpgradeAct(
                          Kind.CORDON,
                          node,
                          new Turn(
                              input.version(), Phase.Draining, input.now(), !node.cordoned()))));
    }
  }

  /** As numbers. */
  private static int compare(String one, String other) {
    String[] a = one.split("\\.");
    String[] b = other.split("\\.");
    for (int i = 0; i < a.length; i++) {
      int order = Integer.compare(Integer.parseInt(a[i]), Integer.parseInt(b[i]));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
