// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import io.exaplane.operator.names.NodePoolNames;
import io.exaplane.operator.nodepool.address.NodeTurn;
import io.exaplane.operator.nodepool.upgrade.AwayNodes;
import io.exaplane.operator.nodepool.upgrade.Drain;
import io.exaplane.operator.nodepool.upgrade.Turn;
import io.exaplane.operator.nodepool.upgrade.UpgradeAct;
import io.exaplane.operator.nodepool.upgrade.UpgradeAct.Kind;
import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.NodeList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Carries out the upgrade of a pool's nodes in a hosted cluster: Nodes are written only onto the
 * very version that was seen, and requests go out {@link #AT_ONCE} at a time. Thread-safe.
 */
final class NodeTurns {
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
  private static final PatchContext MERGE =
      new PatchContext.Builder()
          .withPatchType(PatchType.JSON_MERGE)
          .withFieldManager("exaplane-operator")
          .build();

  private static final Drain FAULT =
      new Drain(
          1,
          "The operator failed to check the pods by its own fault, and tries again. If this persists for 5 minutes, report the fault with the operator's log.",
          true);

  private static final Logger LOG = Logger.getLogger(NodeTurns.class);
  private static final int AT_ONCE = 8;

  /** A Node with its images has up to 20 KB. */
  private static final long PAGE = 200;

  /** Of each kind, in one call. Those that were looked at longest ago come first. */
  private static final int MOST = 200;

  private final Map<String, Drain> drains = new ConcurrentHashMap<>();
  private final Map<String, Instant> looks = new ConcurrentHashMap<>();
  private final Set<String> returned = ConcurrentHashMap.newKeySet();
  private final AwayNodes away = new AwayNodes();

  /** The last look at the pods of each Node that is drained. */
  Map<String, Drain> drains() {
    return Map.copyOf(drains);
  }

  /** When Nodes were deleted so that their hosts make others, which are not among these yet. */
  Map<String, Instant> away(List<NodeTurn> nodes, Instant now) {
    return away.look(nodes, now);
  }

  /** Names of Nodes whose turn ended since this was asked last. */
  List<String> takeReturned() {
    List<String> taken = returned.stream().sorted().toList();
    taken.forEach(returned::remove);
    return taken;
  }

  /**
   * Does what is due, and waits for all answers. One that does not come is asked for again later.
   *
   * @return the first write that the API refused
   */
  Optional<KubernetesClientException> carryOut(
      List<UpgradeAct> acts, Instant now, KubernetesClient client) {
    List<String> draining =
        acts.stream()
            .filter(act -> act.kind() == Kind.DRAIN)
            .map(act -> act.node().name())
            .toList();
    drains.keySet().retainAll(draining);
    looks.keySet().retainAll(draining);
    AtomicReference<KubernetesClientException> refusal = new AtomicReference<>();
    Semaphore turns = new Semaphore(AT_ONCE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      due(acts)
          .forEach(
              act ->
                  threads.execute(
                      () -> {
                        turns.acquireUninterruptibly();
                        try {
                          if (carryOut(act, now, client) && act.kind() == Kind.RETURN) {
                            returned.add(act.node().name());
                          }
                        } catch (KubernetesClientException e) {
                          if (!Refusals.of(e).passes()) {
                            refusal.compareAndSet(null, e);
                          }
                        } catch (RuntimeException | Error e) {
                          failed(act, e);
                        } finally {
                          turns.release();
                        }
                      }));
    }
    return Optional.ofNullable(refusal.get());
  }

  /** Nobody else sees what a thread of a turn throws. */
  private void failed(UpgradeAct act, Throwable fault) {
    String name = act.node().name();
    LOG.errorf(fault, "%s of Node %s failed by a fault of the operator", act.kind(), name);
    if (act.kind() == Kind.DRAIN) {
      drains.put(name, FAULT);
    }
  }

  private Stream<UpgradeAct> due(List<UpgradeAct> acts) {
    return acts.stream().collect(Collectors.groupingBy(UpgradeAct::kind)).values().stream()
        .flatMap(
            kind ->
                kind.stream()
                    .sorted(
                        Comparator.comparing(
                            act -> looks.getOrDefault(act.node().name(), Instant.MIN)))
                    .limit(MOST));
  }

  /** Returns whether the Node was written. */
  private boolean carryOut(UpgradeAct act, Instant now, KubernetesClient client) {
    NodeTurn node = act.node();
    if (act.kind() != Kind.DRAIN) {
      return write(node, patch(act), client);
    }
    looks.put(node.name(), now);
    Drain found = NodePods.drain(node.name(), client);
    drains.put(node.name(), found);
    if (found.left() > 0) {
      return false;
    }
    if (!node.moves() || !act.turn().uncordons()) {
      return write(
          node, patch(new UpgradeAct(Kind.RETARGET, node, act.turn().drained(now))), client);
    }
    if (NodeDeletion.delete(node.name(), node.resourceVersion(), client)) {
      away.add(node, now);
      LOG.infof("Node %s is deleted, since its host has another prefix", node.name());
    }
    return false;
  }

  private static Map<String, Object> patch(UpgradeAct act) {
    boolean ends = act.kind() == Kind.RETURN;
    Map<String, Object> annotations = new HashMap<>();
    annotations.put(NodePoolNames.UPGRADE, ends ? null : act.turn().text());
    annotations.put(NodePoolNames.UPGRADE_FAILED, null);
    Map<String, Object> patch = new HashMap<>();
    patch.put(
        "metadata",
        Map.of(
            "uid",
            act.node().uid(),
            "resourceVersion",
            act.node().resourceVersion(),
            "annotations",
            annotations));
    if (act.kind() == Kind.CORDON) {
      patch.put("spec", Map.of("unschedulable", true));
    } else if (ends && act.turn().uncordons()) {
      Map<String, Object> spec = new HashMap<>();
      spec.put("unschedulable", null);
      patch.put("spec", spec);
    }
    return patch;
  }

  private static boolean write(NodeTurn node, Map<String, Object> patch, KubernetesClient client) {
    try {
      client.nodes().withName(node.name()).patch(MERGE, SERIALIZATION.asJson(patch));
      return true;
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT
          || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        // Somebody wrote it meanwhile, or it is gone: the next plan decides.
        return false;
      }
      throw e;
    }
  }

  /**
   * Ends the turns of all Nodes of a pool, whatever they wait for.
   *
   * @param now against which turns are read
   * @return whether none is left
   * @throws KubernetesClientException if the API does not answer, or refuses
   */
  static boolean giveBack(String pool, Instant now, KubernetesClient client) {
    List<UpgradeAct> acts = new ArrayList<>();
    String next = null;
    do {
      NodeList page =
          client
              .nodes()
              .withLabel(NodePoolNames.NODE_LABEL, pool)
              .list(new ListOptionsBuilder().withLimit(PAGE).withContinue(next).build());
      page.getItems().stream()
          .map(NodeTurn::of)
          .forEach(
              node ->
                  Turn.parse(node.upgrade(), now)
                      .ifPresent(turn -> acts.add(new UpgradeAct(Kind.RETURN, node, turn))));
      next = page.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());
    return acts.stream().filter(act -> write(act.node(), patch(act), client)).count()
        == acts.size();
  }
}
