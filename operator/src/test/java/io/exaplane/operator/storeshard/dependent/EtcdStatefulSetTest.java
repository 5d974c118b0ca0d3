// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.controlplane.Fixtures;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EtcdStatefulSetTest {
  private static StatefulSet render(String spec) {
    return render(spec, Optional.empty());
  }

  private static StatefulSet render(String spec, Optional<StatefulSet> existing) {
    StoreShard shard =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata: {name: s, namespace: ns, uid: u}
            spec: {engine: Etcd, %s}
            """
                .formatted(spec.contains("tls:") ? spec : "tls: {secretRef: {name: t}}, " + spec),
            StoreShard.class);
    return EtcdStatefulSet.render(
        shard, new Images(new Fixtures.Config("operator:1"), null), existing, true);
  }

  private static String flag(StatefulSet set, String name) {
    return set.getSpec().getTemplate().getSpec().getContainers().getFirst().getCommand().stream()
        .filter(argument -> argument.startsWith("--" + name + "="))
        .findFirst()
        .orElseThrow()
        .substring(name.length() + 3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          criticality: Critical                                                  | RollingUpdate
          criticality: Critical, storage: {type: EmptyDir}                       | OnDelete
          criticality: Critical, storage: {type: EmptyDirLosesDataWithPod}       | OnDelete
          criticality: BestEffort                                                | RollingUpdate
          criticality: BestEffort, storage: {type: EmptyDir}                     | RollingUpdate
          criticality: Critical, storage: {type: PersistentVolume}               | RollingUpdate
          """)
  void aPodWhoseDataMustNotBeLostIsNotReplaced(String spec, String strategy) {
    assertThat(render(spec).getSpec().getUpdateStrategy().getType()).isEqualTo(strategy);
  }

  @ParameterizedTest
  @CsvSource({"1Gi,536870912", "2Gi,1610612736", "100Gi,8589934592"})
  void theQuotaLeavesRoomForTheLog(String size, String quota) {
    StatefulSet set = render("storage: {type: EmptyDir, size: %s}".formatted(size));
    assertThat(flag(set, "quota-backend-bytes")).isEqualTo(quota);
  }

  @Test
  void withoutASizeThereIsNoLimitAndEtcdsLargestQuota() {
    StatefulSet set = render("criticality: BestEffort");
    assertThat(flag(set, "quota-backend-bytes")).isEqualTo("8589934592");
    assertThat(
            set.getSpec()
                .getTemplate()
                .getSpec()
                .getVolumes()
                .getLast()
                .getEmptyDir()
                .getSizeLimit())
        .isNull();
  }

  /** Its certificate is a server's alone, which the gateway would show as a client's. */
  @Test
  void itHasNoGateway() {
    assertThat(flag(render("criticality: Critical"), "enable-grpc-gateway")).isEqualTo("false");
  }

  private static List<String> inits(StatefulSet set) {
    return set.getSpec().getTemplate().getSpec().getInitContainers().stream()
        .map(Container::getName)
        .toList();
  }

  /** Line 22: some folders of another version end an etcd with a panic. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          criticality: Critical, storage: {type: PersistentVolume}         | volume-guard,etcd-check
          criticality: BestEffort, storage: {type: PersistentVolume}       | etcd-check
          criticality: BestEffort, storage: {type: EmptyDir}               | ''
          criticality: Critical, storage: {type: EmptyDirLosesDataWithPod} | volume-guard
          """)
  void anEtcdStartsBehindACheckOfTheFolderThatItFinds(String spec, String expected) {
    StatefulSet set = render(spec);
    assertThat(String.join(",", inits(set))).isEqualTo(expected);
    set.getSpec().getTemplate().getSpec().getInitContainers().stream()
        .filter(container -> container.getName().equals("etcd-check"))
        .forEach(
            check -> {
              assertThat(check.getArgs())
                  .containsExactly(
                      "etcd-check", "--before-start", "--for=" + tag(set), "/data/etcd");
              assertThat(flag(set, "data-dir")).isEqualTo("/data/etcd");
              assertThat(check.getImage()).isEqualTo("quay.io/exaplane/store:1");
              assertThat(check.getVolumeMounts().getFirst().getReadOnly()).isTrue();
              assertThat(check.getTerminationMessagePolicy()).isEqualTo("FallbackToLogsOnError");
            });
  }

  private static String tag(StatefulSet set) {
    String image = set.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage();
    return image.substring(image.lastIndexOf(':') + 1);
  }

  @ParameterizedTest
  @CsvSource({
    "registry.k8s.io/etcd:3.6.8-0,3.6.8-0",
    "localhost:5000/a/etcd,''",
    "localhost:5000/a/etcd:v3.7.3@sha256:00,v3.7.3",
    "etcd@sha256:00,''"
  })
  void theVersionOfAnImageIsItsTag(String image, String tag) {
    assertThat(Images.tagOf(image)).isEqualTo(tag);
  }

  @ParameterizedTest
  @CsvSource({
    "1024Mi,1Gi",
    "1536Mi,1536Mi",
    "1000M,1G",
    "2000000000,2G",
    "10Gi,10Gi",
    "1.5Gi,1536Mi"
  })
  void sizesAreWrittenAsTheApiServerWritesThem(String given, String written) {
    assertThat(Quantities.canonical(new Quantity(given)).toString()).isEqualTo(written);
  }

  /** etcd has a flag for hostnames only. */
  @Test
  void anEtcdOfAPersonAcceptsTheClientsThatItsSpecNames() {
    StatefulSet named =
        render(
            "tls: {secretRef: {name: t}, allowedClients: {hostnames: [app.example,"
                + " '2001:db8::1']}}");
    assertThat(flag(named, "client-cert-allowed-hostname")).isEqualTo("app.example,2001:db8::1");
    assertThat(
            render("criticality: Critical")
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getCommand())
        .noneMatch(argument -> argument.contains("allowed"));
  }
}
