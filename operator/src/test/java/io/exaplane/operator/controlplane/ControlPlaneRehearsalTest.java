// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.AnsweringApi;
import io.exaplane.operator.config.OperatorBundle;
import io.exaplane.operator.controlplane.certificate.CertificateStep;
import io.exaplane.operator.controlplane.observe.Observer;
import io.exaplane.operator.controlplane.retention.KeysRecord;
import io.exaplane.operator.controlplane.sizing.Model;
import io.exaplane.operator.hosted.Rewrites;
import io.exaplane.operator.hosted.SeenInside;
import io.exaplane.operator.pki.PkiResult;
import io.exaplane.operator.standby.HeldObjects;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ControlPlaneRehearsalTest {
  private static final String MANAGER = "controlplane";

  private final Clock clock = Clock.systemUTC();
  private final Fixtures.Config config = new Fixtures.Config("quay.io/exaplane/operator:1");
  private final Observer observer = new Observer(config, clock);
  private final CertificateStep certificates =
      new CertificateStep(clock, new SeenInside(), new Rewrites(clock));
  private final ControlPlaneRehearsal rehearsal =
      new ControlPlaneRehearsal(config, new OperatorBundle(config), observer, certificates, clock);
  private final Map<String, Secret> secrets = new TreeMap<>();
  private final List<HasMetadata> held = new ArrayList<>();

  /** One whose stores and Service are there. */
  private ControlPlane made(String name) {
    ControlPlane controlPlane =
        Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10, endpoint: {type: ClusterIP}}");
    controlPlane.setMetadata(
        new ObjectMetaBuilder(controlPlane.getMetadata())
            .withName(name)
            .withUid(name)
            .withAnnotations(Map.of(KeysRecord.ANNOTATION, name + "/" + name))
            .build());
    controlPlane.setStatus(status(List.of()));
    held.add(
        new ServiceBuilder()
            .withNewMetadata()
            .withName(name + "-apiserver")
            .withNamespace("ns")
            .withOwnerReferences(Fixtures.ownedBy(controlPlane))
            .endMetadata()
            .withNewSpec()
            .withType("ClusterIP")
            .withClusterIP("10.0.0.1")
            .endSpec()
            .build());
    held.add(store(controlPlane, "default", "Critical"));
    held.add(store(controlPlane, "events", "BestEffort"));
    return controlPlane;
  }

  private static ControlPlaneStatus status(List<ControlPlaneStatus.Certificate> certificates) {
    return new ControlPlaneStatus(
        null, null, null, null, null, null, null, null, null, certificates, null, null, List.of());
  }

  private static StoreShard store(ControlPlane owner, String store, String criticality) {
    StoreShard shard =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata: {name: %s-%s, namespace: ns, uid: %s-%s, labels: {exaplane.io/store: %s}}
            spec: {engine: Memory, criticality: %s}
            status: {endpoint: 'https://10.0.0.2:2379', dataId: d}
            """
                .formatted(
                    owner.getMetadata().getName(),
                    store,
                    owner.getMetadata().getName(),
                    store,
                    store,
                    criticality),
            StoreShard.class);
    shard.getMetadata().setOwnerReferences(Fixtures.ownedBy(owner));
    return shard;
  }

  private Context<ControlPlane> context(ControlPlane controlPlane) {
    return HeldObjects.context(controlPlane, held, MANAGER);
  }

  /** A leader's step, which issues the certificates. */
  private void issue(ControlPlane controlPlane) throws Exception {
    try (AnsweringApi api = new AnsweringApi(this::answer)) {
      Context<ControlPlane> context = context(controlPlane);
      var sized = new Sizer(List::of, clock).size(controlPlane, true, false, new Model(), context);
      PkiResult issued =
          certificates.bringUpToDate(
              observer.look(sized, context, List::of), false, leading(context, api));
      controlPlane.setStatus(status(issued.certificates()));
    }
    held.addAll(secrets.values());
  }

  @SuppressWarnings("unchecked")
  private static Context<ControlPlane> leading(Context<ControlPlane> context, AnsweringApi api) {
    return (Context<ControlPlane>)
        Proxy.newProxyInstance(
            Context.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (_, method, arguments) -> {
              if (method.getName().equals("getClient")) {
                return api.client();
              }
              try {
                return method.invoke(context, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private synchronized AnsweringApi.Answer answer(AnsweringApi.Asked asked) {
    String name = asked.path().substring(asked.path().lastIndexOf('/') + 1);
    if (name.equals("persistentvolumeclaims")) {
      return new AnsweringApi.Answer(
          200,
          "{\"kind\":\"PersistentVolumeClaimList\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[]}");
    }
    if (!asked.reads()) {
      Secret written = Serialization.unmarshal(asked.body(), Secret.class);
      written.getMetadata().setResourceVersion("1");
      name = written.getMetadata().getName();
      secrets.put(name, written);
    }
    return Optional.ofNullable(secrets.get(name))
        .map(secret -> new AnsweringApi.Answer(200, Serialization.asJson(secret)))
        .orElse(new AnsweringApi.Answer(404, "{\"kind\":\"Status\",\"code\":404}"));
  }

  private static Optional<Condition> condition(ControlPlaneStatus status, ConditionType type) {
    return status.conditions().stream()
        .filter(condition -> condition.type().equals(type.name()))
        .findFirst();
  }

  @Test
  void itMakesEverythingThatAPassMakes() throws Exception {
    ControlPlane controlPlane = made("demo");
    issue(controlPlane);
    ControlPlaneRehearsal.Rehearsed first = rehearsal.rehearse(controlPlane, context(controlPlane));
    assertThat(first.objects().stream().map(each -> each.getKind() + "/" + name(each)))
        .containsExactlyInAnyOrder(
            "ConfigMap/demo-tuning",
            "ConfigMap/demo-bundle",
            "StoreShard/demo-default",
            "StoreShard/demo-events",
            "Deployment/demo-apiserver",
            "Deployment/demo-controller-manager",
            "Deployment/demo-scheduler");
    assertThat(first.status().certificates()).hasSizeGreaterThan(10);
    assertThat(condition(first.status(), ConditionType.CertificatesValid))
        .get()
        .extracting(Condition::status)
        .isEqualTo("True");
    // What a pass left is what the next rehearsal begins with.
    first.objects().stream()
        .filter(object -> !(object instanceof StoreShard))
        .forEach(
            object -> {
              object.getMetadata().setOwnerReferences(Fixtures.ownedBy(controlPlane));
              held.add(object);
            });
    controlPlane.setStatus(first.status());
    assertThat(rehearsal.rehearse(controlPlane, context(controlPlane)).objects()).hasSize(7);
    rehearsal.of(controlPlane, context(controlPlane));
  }

  private static String name(HasMetadata object) {
    return object.getMetadata().getName();
  }

  /** A new one has keys to find or to make, which is for a leader. */
  @Test
  void itEndsWhereAPassAsks() {
    ControlPlane controlPlane = made("demo");
    assertThatThrownBy(() -> rehearsal.of(controlPlane, context(controlPlane)))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("a standby asks no API server");
  }

  @Test
  void aRuleThatIsBrokenHoldsItBackToo() throws Exception {
    ControlPlane controlPlane = made("demo");
    issue(controlPlane);
    controlPlane.setSpec(Fixtures.controlPlane("{version: 1.1.0, maxNodes: 10}").getSpec());
    ControlPlaneRehearsal.Rehearsed rehearsed =
        rehearsal.rehearse(controlPlane, context(controlPlane));
    assertThat(rehearsed.objects()).isEmpty();
    assertThat(condition(rehearsed.status(), ConditionType.ConfigurationValid))
        .get()
        .extracting(Condition::reason)
        .isEqualTo(Reason.UnsupportedVersion.name());
  }

  @Test
  void onlyAChangedSecretIsNew() throws Exception {
    ControlPlane controlPlane = made("demo");
    issue(controlPlane);
    String before = rehearsal.state(controlPlane, context(controlPlane));
    assertThat(rehearsal.state(controlPlane, context(controlPlane))).isEqualTo(before);
    secrets.values().iterator().next().getMetadata().setResourceVersion("2");
    assertThat(rehearsal.state(controlPlane, context(controlPlane))).isNotEqualTo(before);
  }
}
