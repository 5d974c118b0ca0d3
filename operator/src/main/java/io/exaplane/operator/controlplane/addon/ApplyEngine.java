// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.engine.Counters;
import io.exaplane.apply.engine.Notice;
import io.exaplane.apply.engine.Options;
import io.exaplane.apply.engine.Runner;
import io.exaplane.apply.engine.Summary;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.InventoryFormat;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.pace.NewDefinitions;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.ApiPort;
import io.exaplane.apply.port.DeleteRequest;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.ResourceType;
import io.exaplane.apply.port.ServerLoad;
import io.exaplane.apply.server.ServerPort;
import io.exaplane.operator.metrics.AddonMetrics;
import io.exaplane.operator.metrics.AddonMetrics.Running;
import io.exaplane.operator.metrics.AddonMetrics.Stage;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Function;
import java.util.function.Supplier;

/** The engine of the module apply, on a hosted API. */
final class ApplyEngine implements AddonEngine {
  /** The field manager of all add-ons; a source is known by the label of its set. */
  static final String MANAGER = "exaplane-addons";

  /** Where objects are whose files name no namespace. */
  static final String DEFAULT_NAMESPACE = "default";

  /** Of one engine at once: a control plane has several, and nodes come first. */
  private static final int REQUESTS = 16;

  private static final int PAGE = 500;
  private static final long WAIT_MS = 300_000;
  private static final long SAVE_MS = 5_000;
  private static final long SPREAD_MS = 5_000;

  /** Notices that nobody took yet; more are lost. */
  private static final int NOTICES = 1_000;

  private final ApiPort api;
  private final Supplier<ApiPort> meters;
  private final Runner runner;
  private final AddonMetrics metrics;
  private final BlockingQueue<Notice> notices = new ArrayBlockingQueue<>(NOTICES);
  private final Map<ApplySet, Running> applying = new HashMap<>();
  private Optional<Counters> counted = Optional.empty();

  private ApplyEngine(
      ApiPort api, Supplier<ApiPort> meters, Options options, AddonMetrics metrics) {
    this.api = api;
    this.meters = meters;
    this.metrics = metrics;
    runner = new Runner(api, options, this::hear);
  }

  /**
   * Makes engines for one hosted API.
   *
   * @param clients opens clients, for an engine to close
   * @param seed spreads lists of many control planes
   */
  static AddonEngine.Maker maker(
      Function<EngineKey, KubernetesClient> clients, AddonMetrics metrics, long seed) {
    return key ->
        new ApplyEngine(
            ServerPort.of(() -> clients.apply(key), MANAGER),
            () -> ServerPort.of(() -> clients.apply(key.withoutAccount()), MANAGER),
            new Options(
                MANAGER,
                DEFAULT_NAMESPACE,
                key.force(),
                key.prune(),
                false,
                true,
                PAGE,
                REQUESTS,
                WAIT_MS,
                SAVE_MS,
                SPREAD_MS,
                seed),
            metrics);
  }

  /** By the engine's thread. */
  private void hear(Notice notice) {
    if (notice.kind() == Notice.Kind.CONTESTED || notice.kind() == Notice.Kind.KEPT) {
      notices.offer(notice);
    }
  }

  @Override
  public void want(ApplySet set, List<Manifest> manifests, boolean complete)
      throws InterruptedException {
    Running begun = metrics.begin();
    runner.want(set, manifests, complete);
    // The engine takes in one thing after the other: it answers when it has compared all objects.
    runner.idle(set);
    metrics.end(Stage.DIFF, begun);
    applying.put(set, begun);
  }

  @Override
  public void drop(ApplySet set) throws InterruptedException {
    applying.remove(set);
    runner.release(set);
  }

  @Override
  public Standing look(ApplySet set) throws InterruptedException {
    boolean idle = runner.idle(set);
    if (idle && applying.containsKey(set)) {
      metrics.end(Stage.APPLY, applying.remove(set));
    }
    Summary summary = runner.summary(set);
    metrics.add(counted, summary.counters());
    counted = Optional.of(summary.counters());
    return new Standing(summary, idle, runner.hasInventory(set));
  }

  @Override
  public long events() {
    return runner.events();
  }

  @Override
  public boolean hasEnded() {
    return runner.hasEnded();
  }

  @Override
  public List<Notice> notices() {
    List<Notice> all = new ArrayList<>();
    notices.drainTo(all);
    return all;
  }

  @Override
  public Optional<ObjectNode> find(ResourceType type, ObjectKey key)
      throws ApiException, InterruptedException {
    return api.get(type, key);
  }

  @Override
  public Optional<NewDefinitions> added(List<Manifest> manifests)
      throws ApiException, InterruptedException {
    return NewDefinitions.of(api, this::load, manifests);
  }

  /** By the operator's own rights: an account of the hosted cluster may seldom read metrics. */
  private ServerLoad load() throws ApiException, InterruptedException {
    try (ApiPort own = own()) {
      return own.load();
    }
  }

  private ApiPort own() throws ApiException {
    try {
      return meters.get();
    } catch (KubernetesClientException e) {
      throw new ApiException(new Failure(0, "", String.valueOf(e), 0, false, List.of()));
    }
  }

  @Override
  public void forget(ApplySet set) throws ApiException, InterruptedException {
    Optional<ObjectNode> parent = api.get(InventoryFormat.TYPE, InventoryFormat.key(set, 0));
    if (parent.isEmpty()) {
      return;
    }
    // The parent last: it names the others.
    for (int shard = InventoryFormat.shards(parent.get()) - 1; shard > 0; shard--) {
      ObjectKey key = InventoryFormat.key(set, shard);
      Optional<ObjectNode> found = api.get(InventoryFormat.TYPE, key);
      if (found.isPresent() && InventoryFormat.isShard(set, found.get())) {
        delete(key, found.get());
      }
    }
    delete(InventoryFormat.key(set, 0), parent.get());
  }

  private void delete(ObjectKey key, JsonNode object) throws ApiException, InterruptedException {
    String uid = object.path("metadata").path("uid").asText("");
    api.delete(new DeleteRequest(InventoryFormat.TYPE, key, uid, 0));
  }

  @Override
  public void close() {
    runner.close();
    api.close();
  }
}
