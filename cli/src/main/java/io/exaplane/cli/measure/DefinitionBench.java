// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.tuning.discovery.Definitions;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Installs CustomResourceDefinitions at a pace, and looks at what that does to a kube-apiserver and
 * to another client.
 */
public final class DefinitionBench {
  private static final String PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String LABEL = "exaplane.io/measured";
  private static final JsonMapper JSON = new JsonMapper();
  private static final int AT_ONCE = 8;
  private static final int DEADLINE_SECONDS = 600;

  /** A change that means nothing. */
  private static final String ONCE_MORE =
      "{\"metadata\":{\"annotations\":{\"%s\":\"removed\"}}}".formatted(LABEL);

  /** Of this run: what another one made is not ours to remove. */
  private final String run = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);

  private final ApiServer server;

  public DefinitionBench(ApiServer server) {
    this.server = server;
  }

  /** The label that this run's definitions carry, as kubectl takes it. */
  public String selector() {
    return LABEL + "=" + run;
  }

  /**
   * What was seen.
   *
   * @param createSeconds until all were created
   * @param establishedMedianSeconds from a creation to Established
   * @param cpuSeconds of the server meanwhile, all that it did
   * @param bytesPerDefinition of live heap that stayed; unknown if the server does not let itself
   *     be profiled
   * @param peakBytes of heap while they were installed, what had become garbage with it
   */
  public record Result(
      int count,
      double schemaKib,
      double createSeconds,
      double establishedMedianSeconds,
      double establishedMaxSeconds,
      double cpuSeconds,
      OptionalDouble bytesPerDefinition,
      double peakBytes,
      int probes,
      int failedProbes,
      List<String> failures,
      double probeMedianSeconds,
      double probeMaxSeconds) {}

  /**
   * Installs them.
   *
   * @param perSecond how many a second; as fast as eight clients can if empty
   */
  public Result install(int count, int properties, int groups, OptionalDouble perSecond) {
    List<Map<String, Object>> manifests = Definitions.of(0, count, properties, groups);
    Optional<ServerFigures> heapBefore = server.collected();
    ServerFigures before = server.figures();
    try (Established established = new Established(server, run, count);
        Probe probe = new Probe(server);
        Peak peak = new Peak(server)) {
      long start = System.nanoTime();
      create(manifests, perSecond, established);
      double created = (System.nanoTime() - start) / 1e9;
      established.await();
      ServerFigures after = server.figures();
      Probe.Seen seen = probe.end();
      double peakBytes = peak.end();
      double[] waited = established.seconds();
      return new Result(
          count,
          bytes(schema(manifests.getFirst())) / 1024.0,
          created,
          waited[waited.length / 2],
          waited[waited.length - 1],
          after.cpuSince(before),
          heapBefore.isPresent()
              ? OptionalDouble.of(settled().heapSince(heapBefore.get()) / count)
              : OptionalDouble.empty(),
          peakBytes,
          seen.requests(),
          seen.failed(),
          seen.failures(),
          seen.medianSeconds(),
          seen.maxSeconds());
    }
  }

  private static Object schema(Map<String, Object> manifest) {
    Map<?, ?> spec = (Map<?, ?>) manifest.get("spec");
    return ((Map<?, ?>) ((List<?>) spec.get("versions")).getFirst()).get("schema");
  }

  private static int bytes(Object document) {
    return json(document).length;
  }

  private static byte[] json(Object document) {
    try {
      return JSON.writeValueAsBytes(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the manifest cannot be written", e);
    }
  }

  private void create(
      List<Map<String, Object>> manifests, OptionalDouble perSecond, Established established) {
    Semaphore free = new Semaphore(AT_ONCE);
    List<Future<Void>> creations = new ArrayList<>();
    AtomicReference<MeasurementException> failure = new AtomicReference<>();
    long start = System.nanoTime();
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (int i = 0; i < manifests.size() && failure.get() == null; i++) {
        established.mustBeWatched();
        if (perSecond.isPresent()) {
          Waiting.until(start + (long) (i / perSecond.getAsDouble() * 1e9));
        }
        free.acquireUninterruptibly();
        Map<String, Object> manifest = manifests.get(i);
        Callable<Void> creation =
            () -> {
              try {
                createOne(manifest, established);
              } catch (MeasurementException e) {
                failure.compareAndSet(null, e);
                throw e;
              } finally {
                free.release();
              }
              return null;
            };
        creations.add(threads.submit(creation));
      }
      Waiting.all(creations);
    }
  }

  private void createOne(Map<String, Object> manifest, Established established) {
    Map<String, Object> labelled = new HashMap<>(manifest);
    Map<?, ?> metadata = (Map<?, ?>) manifest.get("metadata");
    String name = metadata.get("name").toString();
    labelled.put("metadata", Map.of("name", name, "labels", Map.of(LABEL, run)));
    established.asked(name);
    server.expect(server.post(PATH, json(labelled)), PATH);
  }

  /** When what came with the last change has been done: three times the same live heap. */
  private ServerFigures settled() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    ServerFigures last = server.collected().orElseThrow();
    for (int same = 0; same < 3; ) {
      if (System.nanoTime() > deadline) {
        throw new MeasurementException("the server's live heap does not settle within 120 s");
      }
      Waiting.millis(1_000);
      ServerFigures now = server.collected().orElseThrow();
      same = Math.abs(now.heapSince(last)) < 0.01 * now.heapBytes() ? same + 1 : 0;
      last = now;
    }
    return last;
  }

  /** Removes what this run installed, and waits until it is gone. */
  public void remove() {
    String path = PATH + "?limit=500&labelSelector=" + LABEL.replace("/", "%2F") + "%3D" + run;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    String problem = "";
    while (System.nanoTime() < deadline) {
      try {
        JsonNode items = server.fetch(path).json().path("items");
        if (items.isEmpty()) {
          return;
        }
        for (JsonNode item : items) {
          if (item.at("/metadata/deletionTimestamp").isMissingNode()) {
            definition(item).delete();
          } else if (isForgotten(item)) {
            definition(item).patch(PatchContext.of(PatchType.JSON_MERGE), ONCE_MORE);
          }
        }
      } catch (MeasurementException | KubernetesClientException e) {
        problem = ": " + e.getMessage(); // it may be busy with what it was given
      }
      Waiting.millis(500);
    }
    throw new UncheckedIOException(
        new IOException(
            "the definitions still exist after %d s%s; remove them with: kubectl delete crd -l %s"
                .formatted(DEADLINE_SECONDS, problem, selector())));
  }

  private Resource<CustomResourceDefinition> definition(JsonNode item) {
    return server
        .client()
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName(item.at("/metadata/name").asText());
  }

  /**
   * Whether kube-apiserver could not list the objects of a definition that it removes, and a change
   * of the definition would help. From 1.37 on, that happens to one whose objects nobody ever asked
   * for: the cache that the first LIST makes is not ready. kube-apiserver tries again after five
   * minutes, or when something else than its own condition changes. One that was changed is not
   * changed again: another change could come between its look and its write.
   */
  private static boolean isForgotten(JsonNode item) {
    for (JsonNode condition : item.at("/status/conditions")) {
      if (condition.path("reason").asText().equals("InstanceDeletionFailed")) {
        return item.at("/metadata/annotations").path(LABEL).isMissingNode();
      }
    }
    return false;
  }

  /** When each definition was asked for, and when it was served. Called by the watch's thread. */
  private static final class Established
      implements Watcher<CustomResourceDefinition>, AutoCloseable {
    private final Map<String, Long> asked = new ConcurrentHashMap<>();
    private final Map<String, Double> seconds = new ConcurrentHashMap<>();
    private final AtomicReference<WatcherException> ended = new AtomicReference<>();
    private final CountDownLatch left;
    private final Watch watch;

    Established(ApiServer server, String run, int count) {
      left = new CountDownLatch(count);
      try {
        watch =
            server
                .client()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withLabel(LABEL, run)
                .watch(this);
      } catch (KubernetesClientException e) {
        throw new MeasurementException("the definitions cannot be watched: " + e.getMessage(), e);
      }
    }

    @Override
    public void close() {
      watch.close();
    }

    void asked(String name) {
      asked.put(name, System.nanoTime());
    }

    @Override
    public void eventReceived(Action action, CustomResourceDefinition definition) {
      String name = definition.getMetadata().getName();
      boolean served =
          definition.getStatus() != null
              && definition.getStatus().getConditions() != null
              && definition.getStatus().getConditions().stream()
                  .anyMatch(c -> c.getType().equals("Established") && c.getStatus().equals("True"));
      Long start = asked.get(name);
      if (served
          && start != null
          && seconds.putIfAbsent(name, (System.nanoTime() - start) / 1e9) == null) {
        left.countDown();
      }
    }

    @Override
    public void onClose(WatcherException cause) {
      ended.compareAndSet(null, cause);
    }

    /** Throws if nobody would see a definition become established any more. */
    void mustBeWatched() {
      if (ended.get() != null) {
        throw new MeasurementException(
            "the watch of the definitions ended: " + ended.get().getMessage());
      }
    }

    void await() {
      try {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (!left.await(1, TimeUnit.SECONDS) && System.nanoTime() < deadline) {
          mustBeWatched();
        }
        if (left.getCount() > 0) {
          throw new MeasurementException(
              left.getCount()
                  + " definitions are not established within "
                  + DEADLINE_SECONDS
                  + " s");
        }
      } catch (InterruptedException e) {
        throw Waiting.interrupted(e);
      }
    }

    double[] seconds() {
      return seconds.values().stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }
  }

  /** The largest heap that was seen, looking every second. */
  private static final class Peak implements AutoCloseable {
    private final ApiServer server;
    private final EverySecond looks;
    private volatile double bytes;

    Peak(ApiServer server) {
      this.server = server;
      this.looks = new EverySecond("peak", this::look);
    }

    private void look() {
      try {
        bytes = Math.max(bytes, server.figures().heapBytes());
      } catch (MeasurementException e) {
        // The probe tells that the server does not answer; the peak is what was seen.
      }
    }

    double end() {
      close();
      return bytes;
    }

    @Override
    public void close() {
      looks.close();
    }
  }
}
