// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardSpec;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.controlplane.Fixtures;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryStatefulSetTest {
  private static final String NODE_LEASES =
      "--prefix-durability=/registry/leases/kube-node-lease/=memory";
  private static final String EVENTS = "--prefix-durability=/registry/events/=memory";

  private static StoreShard shard(String spec) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: s, namespace: ns, uid: u}
        spec: {engine: Memory, tls: {secretRef: {name: t}}, %s}
        """
            .formatted(spec),
        StoreShard.class);
  }

  private static StatefulSet render(StoreShard shard, Optional<StatefulSet> existing) {
    Images images = new Images(new Fixtures.Config("operator:1"), null);
    return MemoryStatefulSet.render(shard, images, existing, true);
  }

  private static Container container(StatefulSet set) {
    return set.getSpec().getTemplate().getSpec().getContainers().getFirst();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          criticality: Critical                                              | fsync
          criticality: BestEffort                                            | buffered
          criticality: BestEffort, memory: {durability: Memory}              | memory
          criticality: Critical, memory: {durability: Buffered}              | buffered
          """)
  void writesAreAsDurableAsTheStoreIsCritical(String spec, String durability) {
    assertThat(container(render(shard(spec), Optional.empty())).getArgs())
        .contains("--durability=" + durability);
  }

  @Test
  void settingsBecomeFlags() {
    StoreShard shard =
        shard(
            "criticality: Critical, memory: {quota: 1Gi, prefixes: [{prefix: /registry/events/,"
                + " durability: Memory, quota: 100Mi, history: 1m}]}");
    assertThat(container(render(shard, Optional.empty())).getArgs())
        .contains(
            "--quota-backend-bytes=1073741824",
            "--prefix-durability=/registry/events/=memory",
            "--prefix-quota-bytes=/registry/events/=104857600",
            "--prefix-history=/registry/events/=1m");
  }

  /** An image of before does not have the flag, and would not start. */
  @Test
  void theQuotaOfWhatIsLoadedIsAVariable() {
    Container named = container(render(shard("memory: {loadQuota: 2Gi}"), Optional.empty()));
    assertThat(named.getEnv())
        .filteredOn(variable -> variable.getName().equals("EXAPLANE_QUOTA_LOAD_BYTES"))
        .singleElement()
        .returns("2147483648", EnvVar::getValue);
    assertThat(named.getArgs()).noneMatch(argument -> argument.contains("load"));
    assertThat(container(render(shard("memory: {quota: 2Gi}"), Optional.empty())).getEnv())
        .noneMatch(variable -> variable.getName().contains("LOAD"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          storage: {type: PersistentVolume, size: 10Gi}                          | 10Gi
          storage: {type: EmptyDir, size: 4Gi}, memory: {prefixes: []}           | 4Gi
          """)
  void withoutAQuotaItIsSoMuchThatTheVolumeHoldsTwoSnapshotsAndALog(String spec, String volume) {
    long bytes = new Quantity(volume).getNumericalAmount().longValue();
    List<String> quota =
        container(render(shard("criticality: Critical, " + spec), Optional.empty()))
            .getArgs()
            .stream()
            .filter(argument -> argument.startsWith("--quota-backend-bytes="))
            .toList();
    assertThat(quota).hasSize(1);
    long quotaBytes = Long.parseLong(quota.getFirst().split("=")[1]);
    assertThat(3 * quotaBytes).isBetween(bytes * 9 / 10, bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"criticality: Critical", "deletion: Retain", "deletion: Delete"})
  void whoeverDeletesTheStatefulSetDeletesNoClaim(String spec) {
    StatefulSet set = render(shard(spec + ", storage: {type: PersistentVolume}"), Optional.empty());
    assertThat(set.getSpec().getPersistentVolumeClaimRetentionPolicy().getWhenDeleted())
        .isEqualTo("Retain");
    assertThat(set.getSpec().getPersistentVolumeClaimRetentionPolicy().getWhenScaled())
        .isEqualTo("Retain");
    assertThat(set.getSpec().getTemplate())
        .as("and no pod is replaced for it")
        .isEqualTo(
            render(
                    shard("criticality: Critical, storage: {type: PersistentVolume}"),
                    Optional.empty())
                .getSpec()
                .getTemplate());
  }

  /** Certificates of other stores and of kubelets are of CAs that a store may know, too. */
  @Test
  void onlyTheApiserversOfItsControlPlaneComeIn() {
    String flag = "--client-cert-allowed-cn=kube-apiserver-store-client";
    StoreShard alone = shard("criticality: Critical");
    assertThat(container(render(alone, Optional.empty())).getArgs()).doesNotContain(flag);
    StoreShard owned = shard("criticality: Critical");
    owned
        .getMetadata()
        .setOwnerReferences(Fixtures.ownedBy(Fixtures.controlPlane("{version: 1.36.3}")));
    StatefulSet set = render(owned, Optional.empty());
    assertThat(container(set).getArgs()).contains(flag);
  }

  /** As a variable: an image of before does not have the flag, and would not start. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          commonNames: [backup, app]            | ETCD_CLIENT_CERT_ALLOWED_CN       | backup,app
          hostnames: [app.example, 2001:db8::1] | ETCD_CLIENT_CERT_ALLOWED_HOSTNAME | app.example,2001:db8::1
          """)
  void aStoreOfAPersonAcceptsTheClientsThatItsSpecNames(String names, String name, String value) {
    StoreShard shard = shard("criticality: Critical");
    StoreShard named = shard("criticality: Critical");
    named.setSpec(
        Serialization.unmarshal(
            """
            engine: Memory
            criticality: Critical
            tls: {secretRef: {name: t}, allowedClients: {%s}}
            """
                .formatted(names),
            StoreShardSpec.class));
    assertThat(clientVariables(named)).containsExactly(Map.entry(name, value));
    assertThat(clientVariables(shard)).as("without the field").isEmpty();
    named
        .getMetadata()
        .setOwnerReferences(Fixtures.ownedBy(Fixtures.controlPlane("{version: 1.36.3}")));
    assertThat(clientVariables(named)).as("of a control plane").isEmpty();
  }

  /** The operator reads the pages of other stores in the clear: it has no certificate for them. */
  @Test
  void aStoreOfAControlPlaneShowsNoNamesWithoutACertificate() {
    StoreShard shard = shard("criticality: Critical");
    assertThat(isLimited(shard)).as("of a person").isFalse();
    shard
        .getMetadata()
        .setOwnerReferences(Fixtures.ownedBy(Fixtures.controlPlane("{version: 1.36.3}")));
    assertThat(isLimited(shard)).isTrue();
    assertThat(container(render(shard, Optional.empty())).getEnv())
        .contains(new EnvVar("ETCD_CLEAR_PAGES", "metrics", null));
  }

  private static boolean isLimited(StoreShard shard) {
    return ClearPages.areLimited(render(shard, Optional.empty()).getSpec().getTemplate().getSpec());
  }

  private static Map<String, String> clientVariables(StoreShard shard) {
    return container(render(shard, Optional.empty())).getEnv().stream()
        .filter(variable -> variable.getName().startsWith("ETCD_CLIENT_CERT_ALLOWED_"))
        .collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
  }

  /** What else it takes up is its bundle's. */
  @Test
  void aRestartThatIsAskedForIsAnotherTemplate() {
    assertThat(
            render(shard("criticality: Critical, restartedAt: t1"), Optional.empty())
                .getSpec()
                .getTemplate()
                .getMetadata()
                .getAnnotations())
        .containsEntry("exaplane.io/restarted-at", "t1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          criticality: Critical                                                                               | leases events
          criticality: Critical, memory: {prefixes: [{prefix: /registry/events/, quota: 1Gi}]}                | leases events
          criticality: Critical, memory: {prefixes: [{prefix: /registry/events/, durability: Fsync}]}         | leases
          criticality: Critical, memory: {prefixes: [{prefix: /registry/leases/, durability: Fsync}]}         | events
          criticality: Critical, memory: {prefixes: [{prefix: /registry/, durability: Buffered}]}             | ''
          criticality: Critical, memory: {durability: Buffered}                                               | ''
          criticality: BestEffort                                                                             | ''
          criticality: BestEffort, memory: {durability: Fsync}                                                | ''
          """)
  void aCriticalStoreKeepsNodeLeasesAndEventsInMemory(String spec, String kinds) {
    List<String> inMemory =
        Stream.of(kinds.split(" "))
            .map(kind -> Map.of("leases", NODE_LEASES, "events", EVENTS).get(kind))
            .filter(Objects::nonNull)
            .toList();
    assertThat(container(render(shard(spec), Optional.empty())).getArgs())
        .filteredOn(argument -> argument.endsWith("=memory"))
        .isEqualTo(inMemory);
  }

  @Test
  void theBoundOfRevisionsComesFromStatus() {
    StoreShard shard =
        Serialization.unmarshal(
            Serialization.asYaml(shard("criticality: Critical"))
                + "\nstatus: {revisionFloor: 10000000}",
            StoreShard.class);
    assertThat(StoreRecord.render(shard, Optional.empty()).getData())
        .containsEntry("revision-floor", "10000000");
    assertThat(StoreRecord.render(shard("criticality: Critical"), Optional.empty()).getData())
        .containsEntry("revision-floor", "0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          criticality: Critical                                              | true
          criticality: Critical, storage: {type: EmptyDirLosesDataWithPod}   | true
          criticality: Critical, storage: {type: EmptyDir}                   | true
          criticality: BestEffort                                            | false
          criticality: BestEffort, storage: {type: PersistentVolume}         | false
          """)
  void aCriticalStoreStartsBehindAGuardOfItsVolume(String spec, boolean guarded) {
    assertThat(isGuarded(render(shard(spec), Optional.empty()))).isEqualTo(guarded);
  }

  @Test
  void aStoreWithoutWordsAboutItsVolumeKeepsTheKindThatItHas() {
    StoreShard shard = shard("criticality: Critical");
    StatefulSet old =
        render(shard("criticality: Critical, storage: {type: EmptyDir}"), Optional.empty());
    StatefulSet next = render(shard, Optional.of(old));
    assertThat(next.getSpec().getVolumeClaimTemplates()).isEmpty();
    assertThat(next.getSpec().getUpdateStrategy().getType()).isEqualTo("OnDelete");
    assertThat(render(shard, Optional.empty()).getSpec().getVolumeClaimTemplates()).hasSize(1);
  }

  private static boolean isGuarded(StatefulSet set) {
    return set.getSpec().getTemplate().getSpec().getInitContainers().stream()
        .anyMatch(container -> container.getName().equals("volume-guard"));
  }
}
