// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Simulated nodes in two zones that run the pods of one DaemonSet: Leases are renewed, and pods are
 * bound, Ready and stopped as a scheduler and kubelets do. An agent that starts lists Nodes, Pods
 * and EndpointSlices. Thread-safe.
 */
final class AgentNodes implements AutoCloseable {
  /** The form of a Lease's times. */
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private static final Duration RENEWAL =
      Duration.ofSeconds(Integer.getInteger("renewalSeconds", 10));
  private static final int LEASE_FACTOR = 4;
  private static final Duration STARTS = Duration.ofMillis(300);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SLICES = "/apis/discovery.k8s.io/v1/endpointslices";
  private static final int JOINING = 32;

  /** What an agent lists grows with its cluster. Here all agents list as on so many nodes. */
  private static final int LISTED = 200;

  /** Whose requests priority and fairness queues: an administrator's would never wait. */
  private static final List<String> AGENT =
      List.of("system:serviceaccount:default:agent", "system:serviceaccounts");

  /** Renewals do not wait for what agents ask: each node has connections of its kubelet's. */
  private final Connections kubelets;

  private final Connections agents;

  /** Says when; what is then asked waits for its answer in a thread of {@link #threads}. */
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("nodes").factory());

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Long> renewals = Collections.synchronizedList(new ArrayList<>());
  private final ConcurrentLinkedQueue<Instant> stops = new ConcurrentLinkedQueue<>();
  private final Set<String> stopped = ConcurrentHashMap.newKeySet();
  private final Set<String> begun = ConcurrentHashMap.newKeySet();
  private final Set<String> seenNotReady = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
  private final int count;
  private final SharedIndexInformer<Pod> pods;
  private final Set<String> unready = new HashSet<>();
  private boolean staysUnready;

  private AgentNodes(String server, KubernetesClient client, int count) {
    kubelets = new Connections(server, 8);
    agents = new Connections(server, 16);
    this.count = count;
    pods =
        client
            .pods()
            .inNamespace("default")
            .inform(
                new ResourceEventHandler<>() {
                  @Override
                  public void onAdd(Pod pod) {
                    act(pod);
                  }

                  @Override
                  public void onUpdate(Pod before, Pod pod) {
                    act(pod);
                  }

                  @Override
                  public void onDelete(Pod pod, boolean isUnknown) {
                    begun.remove(pod.getMetadata().getUid());
                  }
                });
  }

  /** Duration of the nodes' Leases, of which four renewals are the model's rule. */
  static int leaseSeconds() {
    return (int) (LEASE_FACTOR * RENEWAL.toSeconds());
  }

  static AgentNodes start(String server, KubernetesClient client, int count, String pool)
      throws Exception {
    AgentNodes nodes = new AgentNodes(server, client, count);
    Semaphore free = new Semaphore(JOINING);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < count; i++) {
        String name = "agent-%05d".formatted(i);
        String zone = i % 2 == 0 ? "east" : "west";
        free.acquire();
        threads.execute(
            () -> {
              nodes.guarded(() -> nodes.join(name, zone, pool));
              free.release();
            });
      }
    }
    assertThat(nodes.failures()).isEmpty();
    return nodes;
  }

  private void join(String node, String zone, String pool) throws Exception {
    ask(
        "POST",
        "/api/v1/nodes",
        """
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s",
         "labels": {"exaplane.io/pool": "%s", "topology.kubernetes.io/zone": "%s", "kubernetes.io/os": "linux"}},
         "status": {"nodeInfo": {"kubeletVersion": "v1.37.2"}}}
        """
            .formatted(node, pool, zone));
    ready(node);
    ask(
        "POST",
        "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases",
        """
        {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "%1$s"},
         "spec": {"holderIdentity": "%1$s", "leaseDurationSeconds": %3$d, "renewTime": "%2$s"}}
        """
            .formatted(node, now(), leaseSeconds()));
    long first = ThreadLocalRandom.current().nextLong(RENEWAL.toMillis());
    renewAfter(first, node);
  }

  private void renewAfter(long millis, String node) {
    after(
        millis,
        () -> {
          try {
            renew(node);
          } finally {
            renewAfter(RENEWAL.toMillis(), node);
          }
        });
  }

  private void after(long millis, Task task) {
    try {
      timer.schedule(() -> threads.execute(() -> guarded(task)), millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // The nodes are closed.
    }
  }

  private void ready(String node) throws Exception {
    ask(
        "PATCH",
        "/api/v1/nodes/" + node + "/status",
        """
        {"status": {"conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "simulated",
         "lastHeartbeatTime": "%1$s", "lastTransitionTime": "%1$s"}]}}
        """
            .formatted(Instant.now().truncatedTo(ChronoUnit.SECONDS)));
  }

  private static String now() {
    return MICROS.format(Instant.now());
  }

  private void renew(String node) throws Exception {
    long began = System.nanoTime();
    kubelets.ask(
        List.of("system:node:" + node, "system:nodes"),
        "PATCH",
        "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/" + node,
        "{\"spec\": {\"renewTime\": \"%s\"}}".formatted(now()));
    renewals.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
  }

  /** As a scheduler and a kubelet do. */
  private void act(Pod pod) {
    String uid = pod.getMetadata().getUid();
    String path = "/api/v1/namespaces/default/pods/" + pod.getMetadata().getName();
    if (pod.getMetadata().getDeletionTimestamp() != null) {
      if (stopped.add(uid)) {
        stops.add(deletedAt(pod));
        after(0, () -> stop(path, uid));
      }
    } else if (pod.getSpec().getNodeName() == null) {
      if (begun.add(uid)) {
        after(0, () -> bind(pod, path));
      }
    } else if (begun.add(uid + " starts")) {
      after(STARTS.toMillis(), () -> starts(path));
    }
  }

  /** By the server's clock: when it was asked to delete the pod. */
  private static Instant deletedAt(Pod pod) {
    Long grace = pod.getMetadata().getDeletionGracePeriodSeconds();
    return Instant.parse(pod.getMetadata().getDeletionTimestamp())
        .minusSeconds(grace == null ? 0 : grace);
  }

  private void stop(String path, String uid) throws Exception {
    ask(
        "DELETE",
        path,
        "{\"kind\": \"DeleteOptions\", \"apiVersion\": \"v1\", \"gracePeriodSeconds\": 0, \"preconditions\": {\"uid\": \"%s\"}}"
            .formatted(uid));
  }

  private void bind(Pod pod, String path) throws Exception {
    String node =
        pod.getSpec()
            .getAffinity()
            .getNodeAffinity()
            .getRequiredDuringSchedulingIgnoredDuringExecution()
            .getNodeSelectorTerms()
            .getFirst()
            .getMatchFields()
            .getFirst()
            .getValues()
            .getFirst();
    ask(
        "POST",
        path + "/binding",
        """
        {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "%s"}, "target": {"apiVersion": "v1", "kind": "Node", "name": "%s"}}
        """
            .formatted(pod.getMetadata().getName(), node));
  }

  private void starts(String path) throws Exception {
    for (String listed : listed()) {
      agents.ask(AGENT, "GET", listed, "");
    }
    if (!isHeld(path)) {
      becomeReady(path);
    }
  }

  /** Whether the pod waits until all may become Ready. */
  private synchronized boolean isHeld(String path) {
    return staysUnready && unready.add(path);
  }

  /** From now on pods that start do not become Ready. */
  synchronized void stayUnready() {
    staysUnready = true;
  }

  /** Pods become Ready again, also those that wait. */
  synchronized void becomeReady() {
    staysUnready = false;
    unready.forEach(path -> after(0, () -> becomeReady(path)));
    unready.clear();
  }

  private void becomeReady(String path) throws Exception {
    ask(
        "PATCH",
        path + "/status",
        "{\"status\": {\"phase\": \"Running\", \"conditions\": [{\"type\": \"Ready\", \"status\":"
            + " \"True\"}]}}");
  }

  /** All of 200 nodes, and of more nodes as much: all Pods of 20,000 would be 80 MB each time. */
  private List<String> listed() {
    String page = count > LISTED ? "?limit=" + LISTED : "";
    return List.of("/api/v1/nodes" + page, "/api/v1/pods" + page, SLICES);
  }

  private interface Task {
    void run() throws Exception;
  }

  private void guarded(Task task) {
    try {
      task.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception | Error e) {
      // One that left this method would end all renewals of a node.
      failures.add(e.toString());
    }
  }

  private String ask(String method, String path, String body)
      throws IOException, InterruptedException {
    return agents.ask(List.of(), method, path, body);
  }

  /** Pods that began to stop, by time. */
  List<Instant> stops() {
    return stops.stream().sorted().toList();
  }

  /** Forgets what was measured. */
  void reset() {
    stops.clear();
    renewals.clear();
  }

  /** Of the durations of renewals, in milliseconds. */
  long renewalP99() {
    List<Long> all = new ArrayList<>(List.copyOf(renewals));
    Collections.sort(all);
    return all.isEmpty() ? 0 : all.get((int) Math.floor(0.99 * (all.size() - 1)));
  }

  /** Nodes that were seen not Ready at this or an earlier look; none of them gets Ready again. */
  Set<String> notReady() throws Exception {
    for (JsonNode node : JSON.readTree(ask("GET", "/api/v1/nodes", "")).path("items")) {
      for (JsonNode condition : node.path("status").path("conditions")) {
        if (condition.path("type").asText().equals("Ready")
            && !condition.path("status").asText().equals("True")) {
          seenNotReady.add(node.path("metadata").path("name").asText());
        }
      }
    }
    return new HashSet<>(seenNotReady);
  }

  /** What the simulation could not do. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  String metrics() throws Exception {
    return ask("GET", "/metrics", "");
  }

  @Override
  public void close() {
    timer.shutdownNow();
    threads.shutdownNow();
    pods.close();
    kubelets.close();
    agents.close();
  }
}
