// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.rotation;

import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.api.v1alpha1.RotationWish;
import io.exaplane.operator.rotation.RotationStep.Look;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A control plane during rotations, as a simple model: two kube-apiservers, two components that
 * follow them, a node and a pod with a token. The operator makes its writes one at a time and is
 * killed between any two of them; pods start, and read files again, whenever they like.
 */
final class RotationModel {
  /** What a Secret of a component holds, of both keys. */
  record Files(Set<String> trusted, String client, String server, Set<String> verify, String sign) {
    static Files of(RotatedKey ca, RotatedKey tokens) {
      return new Files(
          names(ca),
          ca.current().get(NAME),
          ca.served().get(NAME),
          names(tokens),
          tokens.current().get(NAME));
    }

    private static Set<String> names(RotatedKey key) {
      return key.trusted().stream().map(one -> one.get(NAME)).collect(Collectors.toSet());
    }
  }

  /** A process: what it read at its start, and what it reads again by itself. */
  static final class Pod {
    final int component;
    String epoch;
    Files atStart;
    Files reread;

    Pod(int component, String epoch, Files files) {
      this.component = component;
      start(epoch, files);
    }

    void start(String epoch, Files files) {
      this.epoch = epoch;
      this.atStart = files;
      this.reread = files;
    }
  }

  private static final String NAME = "name";
  private static final int SERVERS = 0;

  /** It signs no tokens. */
  private static final int SCHEDULER = 2;

  private static final int COMPONENTS = 3;

  private final Random random;
  private final boolean waits;
  private int keysMade;
  private RotatedKey ca = first("ca");
  private RotatedKey tokens = first("tokens");
  private final List<Files> secrets = new ArrayList<>();
  private final List<String> templates = new ArrayList<>();
  private final List<Pod> pods = new ArrayList<>();

  /** What status knows. */
  private String knownCa = ca.current().get(NAME);

  private String knownTokens = tokens.current().get(NAME);
  RotationPhase caPhase;
  RotationPhase tokensPhase;

  RotationWish caWish;
  RotationWish tokensWish;

  /** Outside of the operator's reach: whom a node trusts, who issued its certificate. */
  private Set<String> nodeTrusts;

  private String nodeIssuer;
  private String podToken;

  /**
   * A control plane that was never rotated.
   *
   * @param waits whether the operator waits until everybody runs with a step
   */
  RotationModel(long seed, boolean waits) {
    this.random = new Random(seed);
    this.waits = waits;
    Files files = Files.of(ca, tokens);
    for (int component = 0; component < COMPONENTS; component++) {
      secrets.add(files);
      templates.add("");
      pods.add(new Pod(component, "", files));
    }
    pods.add(new Pod(SERVERS, "", files));
    refreshNode();
    refreshToken();
  }

  private RotatedKey first(String kind) {
    return new RotatedKey(
        Stage.SINGLE, 0, Instant.EPOCH, Map.of(NAME, kind + keysMade++), Map.of());
  }

  private String epoch(int component) {
    RotationEpochs epochs = RotationEpochs.of(ca, tokens);
    return List.of(epochs.apiServer(), epochs.controllerManager(), epochs.scheduler())
        .get(component);
  }

  private boolean isComplete(int component) {
    return pods.stream()
        .filter(pod -> pod.component == component)
        .allMatch(pod -> pod.epoch.equals(templates.get(component)));
  }

  private boolean isSettled() {
    for (int component = 0; component < COMPONENTS; component++) {
      if (!isComplete(component) || !templates.get(component).equals(epoch(component))) {
        return false;
      }
    }
    return true;
  }

  /** One pass: a write after the other, until all are made or the operator is killed. */
  private void pass() {
    int killedAfter = random.nextInt(12);
    List<Runnable> writes = new ArrayList<>();
    RotatedKey seenCa = ca;
    RotatedKey seenTokens = tokens;
    boolean settled = !waits || isSettled();
    List<String> epochs = List.of(epoch(0), epoch(1), epoch(2));
    Files files = Files.of(seenCa, seenTokens);
    for (int component = 0; component < COMPONENTS; component++) {
      int one = component;
      writes.add(() -> secrets.set(one, files));
    }
    Look caLook = new Look(caWish, settled, knownCa.equals(seenCa.current().get(NAME)), true, true);
    Look tokensLook =
        new Look(
            tokensWish, settled, knownTokens.equals(seenTokens.current().get(NAME)), false, true);
    writes.add(() -> next(seenCa, caLook, "ca").ifPresent(next -> ca = next));
    writes.add(() -> next(seenTokens, tokensLook, "tokens").ifPresent(next -> tokens = next));
    writes.add(() -> templates.set(SERVERS, epochs.get(SERVERS)));
    for (int component = 1; component < COMPONENTS; component++) {
      int one = component;
      writes.add(
          () -> {
            if (isComplete(SERVERS) && templates.get(SERVERS).equals(epochs.get(SERVERS))) {
              templates.set(one, epochs.get(one));
            }
          });
    }
    writes.add(
        () -> {
          knownCa = seenCa.current().get(NAME);
          knownTokens = seenTokens.current().get(NAME);
          caPhase = RotationStep.phase(seenCa, caLook, caPhase).orElse(null);
          tokensPhase = RotationStep.phase(seenTokens, tokensLook, tokensPhase).orElse(null);
        });
    writes.stream().limit(killedAfter).forEach(Runnable::run);
  }

  private Optional<RotatedKey> next(RotatedKey key, Look look, String kind) {
    return RotationStep.next(
        key, look, () -> Map.of(NAME, kind + keysMade++), Instant.EPOCH.plusSeconds(keysMade));
  }

  /** Something happens. */
  void act() {
    Pod pod = pods.get(random.nextInt(pods.size()));
    switch (random.nextInt(4)) {
      case 0, 1 -> pass();
      case 2 -> pod.start(templates.get(pod.component), secrets.get(pod.component));
      default -> pod.reread = secrets.get(pod.component);
    }
  }

  /** A person gives a node the bundle, and the node gets a certificate. */
  void refreshNode() {
    nodeTrusts = secrets.get(SERVERS).trusted();
    // kube-controller-manager reads the CA that signs again by itself.
    nodeIssuer = pods.get(1).reread.client();
  }

  /** A kubelet renews the token of a pod, at any of the servers. */
  void refreshToken() {
    podToken = servers().get(random.nextInt(2)).atStart.sign();
  }

  private List<Pod> servers() {
    return pods.stream().filter(pod -> pod.component == SERVERS).toList();
  }

  /** Who is refused although the credential is valid; empty when nobody is. */
  Set<String> refused() {
    Set<String> refused = new TreeSet<>();
    for (Pod server : servers()) {
      for (Pod client : pods) {
        if (client.component != SERVERS) {
          // Certificates are read again, CAs of servers only at the start.
          check(
              refused,
              "client " + client.component,
              server.reread.trusted(),
              client.reread.client());
          check(
              refused,
              "server for " + client.component,
              client.atStart.trusted(),
              server.reread.server());
        }
      }
      check(refused, "server for the node", nodeTrusts, server.reread.server());
      check(refused, "the node", server.reread.trusted(), nodeIssuer);
      check(refused, "a token of the pod", server.atStart.verify(), podToken);
      for (Pod signer : pods) {
        if (signer.component != SCHEDULER) {
          check(refused, "a new token", server.atStart.verify(), signer.atStart.sign());
        }
      }
    }
    return refused;
  }

  private static void check(Set<String> refused, String who, Set<String> trusted, String issuer) {
    if (!trusted.contains(issuer)) {
      refused.add("%s: %s is not among %s".formatted(who, issuer, trusted));
    }
  }

  /** All keys that anything trusts. */
  Set<String> trusted() {
    Set<String> all = new HashSet<>();
    for (Pod pod : pods) {
      all.addAll(pod.atStart.trusted());
      all.addAll(pod.reread.trusted());
      if (pod.component == SERVERS) {
        all.addAll(pod.atStart.verify());
      }
    }
    return all;
  }

  Set<String> inForce() {
    return Set.of(ca.current().get(NAME), tokens.current().get(NAME));
  }
}
