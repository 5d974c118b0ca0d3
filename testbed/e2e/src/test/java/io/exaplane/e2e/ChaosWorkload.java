// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.exaplane.e2e.chaos.Ledger;
import io.exaplane.e2e.chaos.Sightings;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A client that reads and writes every 100 ms, and an informer of the same objects. What they know
 * is compared with what the API has. Who fails reads the kubeconfig Secret again.
 */
final class ChaosWorkload implements AutoCloseable {
  static final String NAMESPACE = "chaos";
  private static final String PREFIX = "c-";
  private static final long PERIOD_MS = 100;
  private static final int OBJECTS = 20;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final String controlPlane;
  private final String namespace;
  private final Ledger ledger = new Ledger();
  private final Sightings sightings = new Sightings();
  private final Requests requests = new Requests();
  private final List<String> problems = new ArrayList<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("workload").factory());

  private final ChaosInformer informer;
  private KubernetesClient client;
  private int ticks;

  ChaosWorkload(String controlPlane, String namespace) {
    this.controlPlane = controlPlane;
    this.namespace = namespace;
    Hosted.client(controlPlane, namespace)
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build())
        .create();
    informer = new ChaosInformer(controlPlane, namespace, sightings);
    thread.scheduleWithFixedDelay(this::tick, 0, PERIOD_MS, TimeUnit.MILLISECONDS);
  }

  /** One write and one read. */
  private synchronized void tick() {
    try {
      if (client == null) {
        client = Hosted.newClient(controlPlane, namespace);
        client.getConfiguration().setRequestRetryBackoffLimit(0);
      }
      if (!(write() && requests.attempt("read", () -> objects(client).withName("none").get()))) {
        client.close();
        client = null;
      }
    } catch (RuntimeException | AssertionError noSecret) {
      client = null;
    }
  }

  private boolean write() {
    ticks++;
    List<String> known = ledger.known();
    if (known.size() < OBJECTS) {
      return put(PREFIX + ticks, true);
    }
    String key = known.get(ticks % known.size());
    return ticks % 3 == 0 ? delete(key) : put(key, false);
  }

  private boolean put(String key, boolean isNew) {
    String value = Integer.toString(ticks);
    ConfigMap object =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(key)
            .withNamespace(NAMESPACE)
            .endMetadata()
            .withData(Map.of("value", value))
            .build();
    ledger.attempted(key, Optional.of(value));
    return requests.attempt(
        isNew ? "create" : "update",
        () -> {
          ConfigMap written =
              isNew ? client.resource(object).create() : client.resource(object).update();
          ledger.acknowledged(key, Optional.of(value));
          sightings.acknowledged(key, revision(written.getMetadata().getResourceVersion()));
        });
  }

  private boolean delete(String key) {
    ledger.attempted(key, Optional.empty());
    return requests.attempt(
        "delete",
        () -> {
          if (objects(client).withName(key).delete().isEmpty()) {
            problems.add(key + " was acknowledged, and was not there to be deleted");
          }
          ledger.acknowledged(key, Optional.empty());
        });
  }

  /** What is wrong by now; empty when all is right. */
  synchronized List<String> problems() {
    List<String> all = new ArrayList<>(problems);
    all.addAll(ledger.compare(values(list())));
    all.addAll(sightings.problems());
    return all;
  }

  /** Ends the writes; returns what was wrong when the informer has seen the last one. */
  List<String> end() {
    thread.shutdown();
    List<String> all = new ArrayList<>();
    Bed.await(
        "the informer has seen everything",
        PATIENCE,
        () -> sightings.differences(revisions(list())).isEmpty(),
        () -> sightings.differences(revisions(list())).toString());
    all.addAll(problems());
    requests.report("chaos");
    System.out.printf("chaos: %d writes, %d LISTs of the informer%n", ticks, sightings.lists());
    return all;
  }

  private ConfigMapList list() {
    ConfigMapList[] found = {null};
    Bed.await(
        "the API lists objects",
        PATIENCE,
        () ->
            Hosted.holds(
                () -> {
                  found[0] = objects(Hosted.client(controlPlane, namespace)).list();
                  return true;
                }));
    return found[0];
  }

  private static NonNamespaceOperation<ConfigMap, ConfigMapList, Resource<ConfigMap>> objects(
      KubernetesClient client) {
    return client.configMaps().inNamespace(NAMESPACE);
  }

  private static Map<String, String> values(ConfigMapList list) {
    Map<String, String> values = new TreeMap<>();
    list.getItems().stream()
        .filter(object -> object.getMetadata().getName().startsWith(PREFIX))
        .forEach(
            object -> values.put(object.getMetadata().getName(), object.getData().get("value")));
    return values;
  }

  static Map<String, Long> revisions(ConfigMapList list) {
    Map<String, Long> revisions = new TreeMap<>();
    list.getItems()
        .forEach(
            object ->
                revisions.put(
                    object.getMetadata().getName(),
                    revision(object.getMetadata().getResourceVersion())));
    return revisions;
  }

  static long revision(String text) {
    return Long.parseLong(text);
  }

  @Override
  public void close() {
    thread.shutdownNow();
    informer.close();
  }
}
