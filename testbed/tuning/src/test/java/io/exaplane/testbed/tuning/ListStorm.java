// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.testbed.machine.ApiServerCommand;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.apf.FlowControl;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Two kube-apiservers on a store full of pods, nodes and Services, with many informers and kubelets
 * that renew their Leases; all kube-apiservers are killed at once. Used by one thread.
 */
final class ListStorm implements AutoCloseable {
  private static final String GROUP = "stormers";
  private static final String PROXY = "proxy";
  private static final String AGENT = "agent";
  private static final int CALM_RENEWALS = 100;

  /**
   * How large it is.
   *
   * @param patience for all informers to be there again
   */
  record Size(
      int nodes, int pods, int services, int informers, int listingPercent, Duration patience) {
    int objects(String kind) {
      return switch (kind) {
        case "pods" -> pods;
        case "nodes" -> nodes;
        default -> services;
      };
    }
  }

  /** What kube-apiservers are started with. */
  record Policy(String name, List<String> flags, Map<String, String> environment) {}

  private final Path folder;
  private final Size size;
  private final Tuning tuning;
  private final Server store;
  private final int[] ports;

  ListStorm(Path folder, Size size, Tuning tuning) throws Exception {
    this.folder = folder;
    this.size = size;
    this.tuning = tuning;
    this.store = ControlPlane.startStore(folder);
    this.ports = new int[] {Machine.freePort(), Machine.freePort()};
  }

  /** What every kube-apiserver does by itself. */
  Policy upstream() {
    return new Policy("upstream", List.of(), Map.of());
  }

  /** What the model says of a cluster of this shape. */
  Policy advised() {
    return new Policy(
        "policy",
        ControlPlane.advised(tuning, ControlPlane.address(store)),
        ControlPlane.environment(tuning));
  }

  /**
   * Fills the store: one kube-apiserver makes the first object of each Kind. It is gone before the
   * others come, which it would load, too.
   *
   * @param flowControl whether the model's priority levels and flow schemas are there from now on
   */
  void fill(boolean flowControl) throws Exception {
    List<KeptServer> one = start(upstream(), 1);
    try {
      ControlPlane server = ControlPlane.at(folder, ports[0]);
      awaitReady(one);
      server.admit(GROUP, GROUP);
      server.admit("kubelets", Kubelets.GROUP);
      Renewals.create(server);
      for (String kind : Informers.KINDS) {
        server.create(collection(kind), StormObjects.first(kind));
      }
      if (flowControl) {
        server.apply(flowControl());
      }
    } finally {
      closeAll(one);
    }
    try (StoredObjects stored = new StoredObjects(store.page())) {
      for (String kind : Informers.KINDS) {
        stored.copy(StormObjects.key(kind), size.objects(kind));
      }
    }
  }

  /** The model's priority levels and flow schemas are there from now on. */
  void applyFlowControl() throws Exception {
    List<KeptServer> one = start(upstream(), 1);
    try {
      awaitReady(one);
      ControlPlane.at(folder, ports[0]).apply(flowControl());
    } finally {
      closeAll(one);
    }
  }

  private FlowControl flowControl() {
    return FlowControl.of(tuning.estimate(), Clusters.MATRIX);
  }

  /** Kills all kube-apiservers of a policy at once, and waits for all informers. */
  StormOutcome run(Policy policy) throws Exception {
    List<KeptServer> servers = start(policy, ports.length);
    List<String> addresses = IntStream.of(ports).mapToObj(port -> "127.0.0.1:" + port).toList();
    try {
      awaitReady(servers);
      try (Informers informers =
              Informers.start(
                  size.informers,
                  size.listingPercent,
                  addresses,
                  tokens(),
                  folder.resolve("informers-" + policy.name + ".log"));
          SteadyRenewals renewals = new SteadyRenewals(() -> readyOf(servers))) {
        awaitRevisions(informers, mark(servers));
        return storm(policy, servers, informers, renewals);
      } catch (AssertionError late) {
        throw new AssertionError(
            "%s; servers ended %d times, %d for their memory, with peaks of %s"
                .formatted(
                    late.getMessage(),
                    servers.stream().mapToInt(KeptServer::ends).sum(),
                    outOfMemory(servers),
                    servers.stream().map(KeptServer::peakBytes).toList()),
            late);
      }
    } finally {
      closeAll(servers);
    }
  }

  private StormOutcome storm(
      Policy policy, List<KeptServer> servers, Informers informers, SteadyRenewals renewals)
      throws Exception {
    long calm = System.nanoTime();
    await("calm renewals", () -> renewals.answeredSince(calm) >= CALM_RENEWALS);
    JsonNode before = informers.line();
    long killed = System.nanoTime();
    servers.parallelStream().forEach(KeptServer::kill);
    try (StormLoad load = new StormLoad(servers)) {
      await("a server is ready", () -> servers.stream().anyMatch(KeptServer::isReady));
      long ready = System.nanoTime();
      String collapse = collapse(informers, servers);
      long recovered = System.nanoTime();
      JsonNode after = informers.line();
      if (collapse.isEmpty()) {
        awaitRevisions(informers, mark(servers));
      }
      return new StormOutcome(
          policy.name,
          seconds(ready - killed),
          seconds(recovered - killed),
          collapse,
          renewals.between(calm, killed),
          renewals.between(ready, recovered),
          servers.stream().map(KeptServer::peakBytes).toList(),
          servers.stream().mapToInt(KeptServer::ends).sum(),
          outOfMemory(servers),
          servers.stream().mapToInt(KeptServer::unready).sum(),
          before,
          after,
          informers.line(),
          load.looks());
    }
  }

  /** Waits for all informers; "" if all have a change that is made now, else why they do not. */
  private String collapse(Informers informers, List<KeptServer> servers) throws Exception {
    try {
      awaitRevisions(informers, mark(servers));
      return "";
    } catch (AssertionError late) {
      return late.getMessage();
    }
  }

  private static int outOfMemory(List<KeptServer> servers) throws Exception {
    int kills = 0;
    for (KeptServer server : servers) {
      kills += server.outOfMemory();
    }
    return kills;
  }

  private static double seconds(long nanos) {
    return nanos / 1e9;
  }

  /** Changes an object of each Kind, and returns the revisions that this makes. */
  private Map<String, Long> mark(List<KeptServer> servers) throws Exception {
    Map<String, Long> revisions = new HashMap<>();
    for (String kind : Informers.KINDS) {
      await(
          "a change of " + kind,
          () -> {
            URI object =
                readyOf(servers)
                    .resolve(collection(kind) + "/" + StormObjects.NAME + "?fieldManager=storm");
            HttpResponse<String> answer = Http.apply(object, StormObjects.mark(kind));
            if (answer.statusCode() / 100 == 2) {
              revisions.put(kind, StormObjects.revision(answer.body()));
            }
            return revisions.containsKey(kind);
          });
    }
    return revisions;
  }

  private void awaitRevisions(Informers informers, Map<String, Long> revisions) throws Exception {
    await(
        "all informers have the changes",
        () ->
            revisions.entrySet().stream()
                .allMatch(r -> informers.reached(r.getKey(), r.getValue())));
  }

  private static String collection(String kind) {
    return kind.equals("nodes") ? "/api/v1/nodes" : "/api/v1/namespaces/default/" + kind;
  }

  private URI readyOf(List<KeptServer> servers) {
    List<KeptServer> ready = servers.stream().filter(KeptServer::isReady).toList();
    List<KeptServer> any = ready.isEmpty() ? servers : ready;
    return any.get((int) (System.nanoTime() / 1_000 % any.size())).page("/");
  }

  private List<KeptServer> start(Policy policy, int count) throws Exception {
    List<KeptServer> started = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Path own = Files.createDirectories(folder.resolve("apiserver-" + i));
      List<String> command =
          ApiServerCommand.of(own, ControlPlane.address(store), ports[i], accounts());
      command.add("--disable-admission-plugins=ServiceAccount");
      command.addAll(policy.flags);
      started.add(
          KeptServer.start(
              command,
              policy.environment,
              ControlPlane.at(folder, ports[i]).uri("/"),
              own.resolve(policy.name + ".log"),
              (long) tuning.estimate().memoryLimit()));
    }
    return started;
  }

  private static void awaitReady(List<KeptServer> servers) throws Exception {
    Await.until("kube-apiservers are ready", () -> servers.stream().allMatch(KeptServer::isReady));
  }

  private static void closeAll(List<KeptServer> servers) throws Exception {
    for (KeptServer server : servers) {
      server.close();
    }
  }

  /** Kubelets, an agent of each node, and what users install: a third of the informers each. */
  private static List<String> accounts() {
    List<String> accounts = new ArrayList<>();
    for (int i = 0; i < Kubelets.COUNT; i++) {
      accounts.add(
          "%1$s,%2$s,%1$s,%3$s".formatted(Kubelets.token(i), Kubelets.user(i), Kubelets.GROUP));
    }
    accounts.add(account(PROXY, "kube-system", "kube-proxy"));
    accounts.add(account(AGENT, "tools", "agent"));
    return accounts;
  }

  private static String account(String token, String namespace, String name) {
    return "%1$s,system:serviceaccount:%2$s:%3$s,%1$s,\"%4$s,system:serviceaccounts,system:serviceaccounts:%2$s\""
        .formatted(token, namespace, name, GROUP);
  }

  private static List<String> tokens() {
    return IntStream.range(0, Kubelets.COUNT)
        .boxed()
        .flatMap(i -> List.of(Kubelets.token(i), PROXY, AGENT).stream())
        .toList();
  }

  private void await(String what, Callable<Boolean> holds) throws Exception {
    long deadline = System.nanoTime() + size.patience.toNanos();
    while (true) {
      IOException failure = null;
      try {
        if (holds.call()) {
          return;
        }
      } catch (IOException e) {
        // A server that was ready has ended since then.
        failure = e;
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within %s: %s".formatted(size.patience, what), failure);
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
