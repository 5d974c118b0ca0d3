// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.sizing.EffectiveControlPlane;
import io.exaplane.operator.outcome.Problem;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StorageCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # storage                                                                   | classes     | what is said
          ''                                                                          | ''          | no default StorageClass
          ''                                                                          | fast        | no default StorageClass
          ''                                                                          | slow,fast*  | ''
          {onDataLoss: StartEmpty}                                                    | fast        | no default StorageClass
          {stores: [{name: default, storage: {size: 2Gi}}]}                           | ''          | no default StorageClass
          {stores: [{name: default, storage: {storageClassName: fast}}]}              | slow*       | storageClassName fast: the management cluster has no such StorageClass (existing: slow)
          {stores: [{name: default, storage: {storageClassName: fast}}]}              | ''          | (existing: none)
          {stores: [{name: default, storage: {storageClassName: fast}}]}              | fast        | ''
          {stores: [{name: default, storage: {storageClassName: ''}}]}                | ''          | ''
          {stores: [{name: default, storage: {type: EmptyDirLosesDataWithPod}}]}      | ''          | ''
          {stores: [{name: default, storage: {type: EmptyDirLosesDataWithPod}}, {name: a, criticality: BestEffort, storage: {type: PersistentVolume}}]} | '' | store a needs a PersistentVolume
          """)
  void nothingIsMadeWithoutTheClassesItNeeds(String storage, String classes, String said) {
    Optional<Problem> problem = StorageCheck.check(sized(storage), List.of(), classes(classes));
    if (said.isEmpty()) {
      assertThat(problem).isEmpty();
    } else {
      assertThat(problem.orElseThrow().reason()).isEqualTo(Reason.StorageClassMissing);
      assertThat(problem.orElseThrow().message())
          .contains(said, "The operator creates nothing until then.");
    }
  }

  @Test
  void aStoreThatIsThereNeedsNoClassAnyMore() {
    StoreShard shard = new StoreShard();
    shard.getMetadata().setName("demo-default");
    shard
        .getMetadata()
        .setOwnerReferences(
            List.of(
                new OwnerReferenceBuilder()
                    .withKind("ControlPlane")
                    .withName("demo")
                    .withUid("u")
                    .build()));
    assertThat(StorageCheck.check(sized(""), List.of(shard), List.of())).isEmpty();
  }

  private static EffectiveControlPlane sized(String storage) {
    String spec = "{version: 1.36.3, maxNodes: 10%s}";
    return Fixtures.sized(
            Fixtures.controlPlane(spec.formatted(storage.isEmpty() ? "" : ", storage: " + storage)))
        .controlPlane();
  }

  private static List<StorageClass> classes(String names) {
    return Arrays.stream(names.split(","))
        .filter(name -> !name.isEmpty())
        .map(
            name ->
                Serialization.unmarshal(
                    "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: %s, annotations: {storageclass.kubernetes.io/is-default-class: \"%s\"}}\n"
                        .formatted(name.replace("*", ""), name.endsWith("*")),
                    StorageClass.class))
        .toList();
  }
}
