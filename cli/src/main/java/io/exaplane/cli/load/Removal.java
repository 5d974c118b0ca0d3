// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.cli.measure.MeasurementException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Deletes what a load created: objects with its label and a name that begins as its names do, each
 * only if it is still the object that was listed. A namespace in which somebody else has objects
 * stays. Used by one thread.
 */
final class Removal {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String METADATA =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
  private static final int UNDER_WAY = 100;
  private static final long PAUSE_MS = 500;

  /** Kinds by which a foreign user of a namespace is noticed. */
  private static final List<String> WATCHED =
      List.of(
          "/api/v1/namespaces/%s/configmaps",
          "/api/v1/namespaces/%s/secrets",
          "/api/v1/namespaces/%s/services",
          "/api/v1/namespaces/%s/pods",
          "/api/v1/namespaces/%s/persistentvolumeclaims",
          "/apis/apps/v1/namespaces/%s/daemonsets",
          "/apis/apps/v1/namespaces/%s/deployments",
          "/apis/apps/v1/namespaces/%s/statefulsets",
          "/apis/batch/v1/namespaces/%s/jobs");

  /** Kubernetes and its distributions put these into every namespace. */
  private static final String OF_EVERY_NAMESPACE = "-ca.crt";

  private final Run run;
  private final Load load;
  private final String only;
  private final Consumer<String> tell;
  private long deadline;

  /**
   * Deletes nothing yet.
   *
   * @param only run whose objects are deleted; empty for all runs of the load
   */
  Removal(Run run, Load load, String only, Consumer<String> tell) {
    this.run = run;
    this.load = load;
    this.only = only;
    this.tell = tell;
  }

  /** An object as the server lists it. */
  private record Item(String namespace, String name, String uid, boolean isEnding) {}

  /**
   * Deletes and waits until none is left; namespaces may still be ending.
   *
   * @throws MeasurementException if something is left after so long, with the next action
   */
  LoadReport.CleanUp run(Duration patience) {
    long began = System.nanoTime();
    deadline = began + patience.toNanos();
    Map<String, Integer> deleted = new LinkedHashMap<>();
    List<String> foreign = new ArrayList<>();
    for (Resource resource : load.resources()) {
      int count = 0;
      List<Item> items = ours(resource);
      while (!items.isEmpty()) {
        List<Item> free = items;
        if (resource == Resource.NAMESPACES) {
          free = items.stream().filter(each -> !isUsed(each.name(), foreign)).toList();
          if (free.isEmpty()) {
            break;
          }
        }
        int done = delete(resource, free);
        count += done;
        items = ours(resource);
        if (!items.isEmpty() && done == 0) {
          pause("%d %s still exist".formatted(items.size(), resource.plural()));
        }
      }
      if (count > 0) {
        deleted.put(resource.plural(), count);
        tell.accept("deleted %d %s".formatted(count, resource.plural()));
      }
    }
    if (!foreign.isEmpty()) {
      throw new MeasurementException(
          "the namespaces %s hold objects that the command did not create, so the namespaces remain; delete them with kubectl"
              .formatted(String.join(", ", new TreeSet<>(foreign))));
    }
    return new LoadReport.CleanUp(deleted, (System.nanoTime() - began) / 1e9);
  }

  private List<Item> ours(Resource resource) {
    return list(resource.plural(), resource.all(), Labels.selector(load.name(), only)).stream()
        .filter(each -> each.name().startsWith(Labels.PREFIX))
        .filter(each -> resource != Resource.NAMESPACES || !each.isEnding())
        .toList();
  }

  private boolean isUsed(String namespace, List<String> foreign) {
    for (String path : WATCHED) {
      String resource = path.substring(path.lastIndexOf('/') + 1);
      boolean isUsed =
          list(resource, path.formatted(namespace), "%21" + Labels.LOAD.replace("/", "%2F"))
              .stream()
              .anyMatch(each -> !each.name().endsWith(OF_EVERY_NAMESPACE));
      if (isUsed) {
        foreign.add(namespace);
        return true;
      }
    }
    return false;
  }

  private List<Item> list(String resource, String path, String selector) {
    List<Item> all = new ArrayList<>();
    String next = "";
    do {
      String query = "?limit=500&labelSelector=" + selector;
      Answer answer =
          patiently(
              Call.list(resource, path + query + (next.isEmpty() ? "" : "&continue=" + next))
                  .accepting(METADATA));
      try {
        JsonNode page = JSON.readTree(answer.body());
        for (JsonNode item : page.path("items")) {
          JsonNode metadata = item.path("metadata");
          all.add(
              new Item(
                  metadata.path("namespace").asText(),
                  metadata.path("name").asText(),
                  metadata.path("uid").asText(),
                  metadata.has("deletionTimestamp")));
        }
        next = page.at("/metadata/continue").asText();
      } catch (IOException e) {
        throw new MeasurementException("the list of %s cannot be read".formatted(resource));
      }
    } while (!next.isEmpty());
    return all;
  }

  /** The server may still be busy with what it was given. */
  private Answer patiently(Call call) {
    while (true) {
      Answer answer = run.ask(call);
      boolean isRefused = answer.status() / 100 == 4 && answer.status() != Answer.TOO_MANY_REQUESTS;
      if (answer.isOk()) {
        return answer;
      }
      if (isRefused) {
        throw new MeasurementException(
            "%s: %s; check the rights of the account".formatted(call.operation(), answer.words()));
      }
      pause("%s: %s".formatted(call.operation(), answer.words()));
    }
  }

  /** How many were deleted, or were gone already. */
  private int delete(Resource resource, List<Item> items) {
    AtomicInteger done = new AtomicInteger();
    Semaphore free = new Semaphore(UNDER_WAY);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Item item : items) {
        threads.execute(
            () -> {
              free.acquireUninterruptibly();
              try {
                Answer answer = run.ask(deletion(resource, item));
                if (answer.isOk() || answer.status() == Answer.NOT_FOUND) {
                  done.incrementAndGet();
                }
              } finally {
                free.release();
              }
            });
      }
    }
    return done.get();
  }

  private static Call deletion(Resource resource, Item item) {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("apiVersion", "v1");
    options.put("kind", "DeleteOptions");
    options.put("preconditions", Map.of("uid", item.uid()));
    options.put("propagationPolicy", "Background");
    if (resource == Resource.PODS) {
      // No kubelet ends the pods of a simulated node.
      options.put("gracePeriodSeconds", 0);
    }
    return Call.delete(resource.plural(), resource.in(item.namespace()) + "/" + item.name())
        .withJson(NodeBody.json(options));
  }

  private void pause(String problem) {
    if (System.nanoTime() > deadline) {
      throw new MeasurementException(
          "%s; run 'exactl bench %s --clean-up' again".formatted(problem, load.name()));
    }
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
