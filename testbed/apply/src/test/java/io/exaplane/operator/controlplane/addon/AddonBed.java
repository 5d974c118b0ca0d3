// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.apply.source.Limits;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.config.OperatorConfig;
import io.exaplane.operator.controlplane.builtin.BuiltIns;
import io.exaplane.operator.controlplane.builtin.Facts;
import io.exaplane.operator.hosted.ImpersonatedUser;
import io.exaplane.operator.metrics.AddonMetrics;
import io.exaplane.operator.status.News;
import io.exaplane.testbed.machine.Await;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * The operator's part of add-ons with its own HTTP client, on one API server that is management and
 * hosted cluster at once. Passes are the test's. One thread.
 */
public final class AddonBed implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final AddonMetrics metrics = new AddonMetrics(meters);
  private final AddonFetches fetches =
      new AddonFetches(metrics, Limits.DEFAULTS, Runtime.getRuntime().maxMemory() / 8);
  private final List<News> news = new CopyOnWriteArrayList<>();
  private final String server;
  private final String token;
  private final KubernetesClient management;
  private final ControlPlane controlPlane = new ControlPlane();
  private FollowedAddons followed;

  /**
   * Of a server that the caller started.
   *
   * @param server its URL
   * @param token of an administrator
   */
  public AddonBed(String server, String token) {
    this.server = server;
    this.token = token;
    management = client(List.of(), null, 10_000);
    controlPlane.getMetadata().setName("demo");
    controlPlane.getMetadata().setNamespace("default");
    controlPlane.getMetadata().setUid("u");
    controlPlane.getMetadata().setGeneration(1L);
    begin();
  }

  private KubernetesClient client(List<String> groups, String user, int requestMs) {
    ConfigBuilder config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(server)
            .withOauthToken(token)
            .withTrustCerts(true)
            .withRequestTimeout(requestMs)
            .withRequestRetryBackoffLimit(0);
    if (user != null) {
      config.withImpersonateUsername(user).withImpersonateGroups(groups.toArray(String[]::new));
    }
    return new KubernetesClientBuilder()
        .withConfig(config.build())
        .withHttpClientFactory(new VertxHttpClientFactory(vertx))
        .build();
  }

  private void begin() {
    followed =
        new FollowedAddons(
            "demo",
            ApplyEngine.maker(this::engine, metrics, 1),
            new ManagementReader(management, controlPlane, fetches),
            () -> {},
            news::add,
            Clock.systemUTC());
  }

  private KubernetesClient engine(EngineKey key) {
    return key.account()
        .map(account -> ImpersonatedUser.serviceAccount(account.namespace(), account.name()))
        .map(user -> client(user.groups(), user.name(), 0))
        .orElseGet(() -> client(List.of(), null, 0));
  }

  /** The spec's sources from now on, a list in YAML's flow form. */
  public void addons(String yaml) {
    controlPlane.setSpec(
        Serialization.unmarshal(
                "spec: {version: 1.37.0, maxNodes: 10, network: {serviceCIDRs: [10.96.0.0/24]}, addons: [%s]}"
                    .formatted(yaml),
                ControlPlane.class)
            .getSpec());
    controlPlane.getMetadata().setGeneration(controlPlane.getMetadata().getGeneration() + 1);
  }

  /** What a pass of the reconciler does; the status by name of the source. */
  public Map<String, AddonStatus> pass() {
    AddonPlan plan = AddonPlan.of(controlPlane, builtIns());
    followed.plan(plan);
    List<AddonStatus> statuses =
        AddonReport.of(plan, followed.reports()).stream()
            .filter(report -> !report.removed())
            .map(AddonReport::status)
            .toList();
    controlPlane.setStatus(
        Serialization.unmarshal("conditions: []", ControlPlaneStatus.class).withAddons(statuses));
    Map<String, AddonStatus> byName = new TreeMap<>();
    statuses.forEach(one -> byName.put(one.name(), one));
    return byName;
  }

  /** What the running operator makes, with no bundle that pins it. */
  private Map<String, String> builtIns() {
    Images images =
        new Images(new Settings("registry.k8s.io", "", "", "", "", Optional.empty()), null);
    Facts facts = new Facts("https://[fd00::a]:6443", "1.37.0");
    return controlPlane.getSpec().addons().stream()
        .filter(addon -> addon.builtIn() != null)
        .collect(
            Collectors.toMap(
                AddonSpec::name,
                addon -> facts.file(BuiltIns.objects(controlPlane.getSpec(), addon, images))));
  }

  private record Settings(
      String imageRegistry,
      String operatorImage,
      String storeImage,
      String schedulerImage,
      String etcdTag,
      Optional<String> imagePullSecret)
      implements OperatorConfig {}

  /** The connection is closed, and another one opened, as by an operator that begins. */
  public void restart() {
    followed.close();
    begin();
  }

  /** Events so far. */
  public List<String> news() {
    return news.stream().map(one -> one.reason() + " " + one.message()).toList();
  }

  /** What all engines together did, by the name of a metric. */
  public double count(String metric) {
    return meters.find(metric).counters().stream().mapToDouble(one -> one.count()).sum();
  }

  @Override
  public void close() {
    followed.close();
    fetches.close();
    management.close();
    vertx.close();
  }

  /** Passes go on while the test waits, as events would bring them. */
  public void await(Duration patience, String what, Callable<Boolean> holds) throws Exception {
    Await.until(
        patience,
        what,
        () -> {
          pass();
          return holds.call();
        },
        this::pass);
  }

  /** Whether a source is applied and healthy, after one more pass. */
  public boolean ready(String name) {
    AddonStatus status = pass().get(name);
    return status != null && Boolean.TRUE.equals(status.ready());
  }

  /** The reason that a source gives after one more pass; "" if the status lacks the source. */
  public String reason(String name) {
    AddonStatus status = pass().get(name);
    return status == null ? "" : status.reason();
  }
}
