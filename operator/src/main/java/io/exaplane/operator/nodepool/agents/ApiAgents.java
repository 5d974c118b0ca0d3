// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.operator.hosted.HostedBootstrap;
import io.exaplane.operator.names.NodePoolNames;
import io.exaplane.operator.nodepool.agents.AgentPlan.Policy;
import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.HttpURLConnection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/** By the cluster's API. Used by one thread; deletions go out {@link #AT_ONCE} at a time. */
final class ApiAgents implements AgentPort {
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
  private static final String NAMESPACE = "kube-system";
  private static final String LEDGER = "waves";
  private static final String REVISION = "controller-revision-hash";

  /** A share of 10,000 pods has 45 seconds; a deletion takes up to 50 ms. */
  private static final int AT_ONCE = 16;

  /** Of our own, so that only these two fields of a DaemonSet are ours, and go with us. */
  private static final String MANAGER = "exaplane-agents";

  private static final PatchContext APPLY =
      new PatchContext.Builder()
          .withPatchType(PatchType.SERVER_SIDE_APPLY)
          .withFieldManager(MANAGER)
          .withForce(true)
          .build();

  private final KubernetesClient client;

  /** The client is the caller's to close. */
  ApiAgents(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public Optional<Stored> ledger(String pool) {
    ConfigMap found =
        client.configMaps().inNamespace(NAMESPACE).withName(NodePoolNames.agentWaves(pool)).get();
    return Optional.ofNullable(found).flatMap(ApiAgents::stored);
  }

  private static Optional<Stored> stored(ConfigMap found) {
    return Optional.ofNullable(found.getData())
        .map(data -> data.get(LEDGER))
        .flatMap(WaveLedger::parse)
        .map(ledger -> new Stored(ledger, found.getMetadata().getResourceVersion()));
  }

  @Override
  public Optional<Stored> write(String pool, Optional<Stored> before, WaveLedger ledger) {
    ConfigMap map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(NodePoolNames.agentWaves(pool))
            .withNamespace(NAMESPACE)
            .addToLabels(Names.MANAGED_BY_LABEL, Names.MANAGED_BY)
            .addToLabels(NodePoolNames.POOL_LABEL, pool)
            .withResourceVersion(before.map(Stored::version).orElse(null))
            .endMetadata()
            .addToData(LEDGER, ledger.text())
            .build();
    try {
      ConfigMap written = before.isPresent() ? client.resource(map).update() : created(map);
      return Optional.of(new Stored(ledger, written.getMetadata().getResourceVersion()));
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT
          || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** One that somebody damaged is in the way. */
  private ConfigMap created(ConfigMap map) {
    ConfigMap damaged = client.resource(map).get();
    if (damaged == null) {
      return client.resource(map).create();
    }
    map.getMetadata().setResourceVersion(damaged.getMetadata().getResourceVersion());
    return client.resource(map).update();
  }

  @Override
  public void forget(String pool) {
    client.configMaps().inNamespace(NAMESPACE).withName(NodePoolNames.agentWaves(pool)).delete();
  }

  @Override
  public void hold(AgentSet set, String sentence) {
    Map<String, Object> metadata = identity(set);
    metadata.put("annotations", Map.of(NodePoolNames.AGENT_WAVES, sentence));
    apply(
        set,
        Map.of(
            "metadata",
            metadata,
            "spec",
            Map.of("updateStrategy", Map.of("type", AgentSet.ON_DELETE))));
  }

  @Override
  public void release(AgentSet set) {
    apply(set, Map.of("metadata", identity(set)));
  }

  /** With the UID: a new DaemonSet of the name is a conflict, and a missing one is not created. */
  private static Map<String, Object> identity(AgentSet set) {
    Map<String, Object> metadata = new HashMap<>();
    metadata.put("name", set.name());
    metadata.put("namespace", set.namespace());
    metadata.put("uid", set.uid());
    return metadata;
  }

  private void apply(AgentSet set, Map<String, Object> parts) {
    Map<String, Object> object = new HashMap<>(parts);
    object.put("apiVersion", "apps/v1");
    object.put("kind", "DaemonSet");
    try {
      client
          .apps()
          .daemonSets()
          .inNamespace(set.namespace())
          .withName(set.name())
          .patch(APPLY, SERIALIZATION.asJson(object));
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT
          && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
    }
  }

  @Override
  public Optional<String> revision(AgentSet set) {
    return client
        .apps()
        .controllerRevisions()
        .inNamespace(set.namespace())
        .withLabelSelector(set.selector())
        .list()
        .getItems()
        .stream()
        .filter(
            revision ->
                revision.getMetadata().getOwnerReferences() != null
                    && revision.getMetadata().getOwnerReferences().stream()
                        .anyMatch(owner -> owner.getUid().equals(set.uid())))
        .max(Comparator.comparing(ControllerRevision::getRevision))
        .map(ControllerRevision::getMetadata)
        .map(metadata -> metadata.getLabels().get(REVISION));
  }

  @Override
  public Deletions delete(List<WavePlanner.Deletion> pods) {
    Map<String, Deleted> done = new ConcurrentHashMap<>();
    AtomicReference<String> refusal = new AtomicReference<>();
    Semaphore turns = new Semaphore(AT_ONCE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (WavePlanner.Deletion each : pods) {
        threads.execute(
            () -> {
              turns.acquireUninterruptibly();
              try {
                done.put(each.pod().uid(), delete(each));
              } catch (KubernetesClientException e) {
                if (!Refusals.of(e).passes()) {
                  refusal.compareAndSet(null, Refusals.of(e).text());
                }
              } finally {
                turns.release();
              }
            });
      }
    }
    return new Deletions(done, Optional.ofNullable(refusal.get()));
  }

  private Deleted delete(WavePlanner.Deletion each) {
    DeleteOptions options =
        new DeleteOptionsBuilder()
            .withApiVersion("v1")
            .withKind("DeleteOptions")
            .withNewPreconditions()
            .withUid(each.pod().uid())
            .endPreconditions()
            .build();
    try {
      client.raw(
          "/api/v1/namespaces/%s/pods/%s"
              .formatted(each.agent().ref().namespace(), each.pod().name()),
          "DELETE",
          options);
      return Deleted.DONE;
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
          || e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        return Deleted.GONE;
      }
      throw e;
    }
  }

  @Override
  public void policy(Optional<Policy> policy) {
    if (policy.isPresent()) {
      AgentPolicy.objects(policy.get()).forEach(object -> HostedBootstrap.apply(client, object));
      return;
    }
    for (HasMetadata object : AgentPolicy.names()) {
      HasMetadata found = client.resource(object).get();
      if (found != null
          && found.getMetadata().getLabels() != null
          && Names.MANAGED_BY.equals(found.getMetadata().getLabels().get(Names.MANAGED_BY_LABEL))) {
        client.resource(found).delete();
      }
    }
  }
}
