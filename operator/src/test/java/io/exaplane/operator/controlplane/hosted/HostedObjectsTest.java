// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.sizing.Model;
import io.exaplane.operator.controlplane.sizing.Tuned;
import io.exaplane.operator.hosted.HostedBootstrap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.flowcontrol.v1.FlowSchema;
import io.fabric8.kubernetes.api.model.flowcontrol.v1.PriorityLevelConfiguration;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostedObjectsTest {
  private static final JsonMapper JSON = new JsonMapper();

  @Test
  void levelsComeBeforeTheSchemasThatLeadToThem() {
    List<HasMetadata> objects = objects(5_000, true);
    assertThat(objects.stream().filter(PriorityLevelConfiguration.class::isInstance)).hasSize(5);
    assertThat(objects.stream().filter(FlowSchema.class::isInstance)).hasSize(7);
    List<String> kinds = objects.stream().map(HasMetadata::getKind).toList();
    assertThat(kinds.lastIndexOf("PriorityLevelConfiguration"))
        .isLessThan(kinds.indexOf("FlowSchema"));
    assertThat(objects)
        .allSatisfy(
            object ->
                assertThat(object.getMetadata().getLabels())
                    .as(object.getMetadata().getName())
                    .containsEntry("app.kubernetes.io/managed-by", "exaplane"));
  }

  @Test
  void smallOnesAndThoseThatWantNoneHaveNone() {
    assertThat(objects(100, true)).noneMatch(FlowSchema.class::isInstance);
    assertThat(objects(5_000, false)).noneMatch(FlowSchema.class::isInstance);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"a":1,"b":{"c":[{"d":1,"e":2}]}} | {"b":{"c":[{"d":1}]}} | true
          {"a":1}                           | {"a":2}               | false
          {"a":[1,2]}                       | {"a":[1]}             | false
          {"a":[1]}                         | {"a":[1,2]}           | false
          {"a":1}                           | {"b":1}               | false
          """)
  void whatOthersAddIsLeftAndWhatTheyChangeIsNot(String existing, String desired, boolean same)
      throws Exception {
    assertThat(HostedBootstrap.contains(JSON.readTree(existing), JSON.readTree(desired)))
        .isEqualTo(same);
  }

  /** The first, so that nobody who reads the kubeconfig waits for the rest. */
  @Test
  void administratorsAreExactlyTheGroupOfTheirKubeconfig() {
    ClusterRoleBinding binding = (ClusterRoleBinding) objects(100, true).getFirst();
    assertThat(binding.getRoleRef().getName()).isEqualTo("cluster-admin");
    assertThat(binding.getSubjects())
        .extracting(Subject::getKind, Subject::getName)
        .containsExactly(tuple("Group", "exaplane:admins"));
    HasMetadata next = HostedObjects.administrators("exaplane:admins:1");
    assertThat(
            HostedBootstrap.contains(
                JSON.valueToTree(binding.getSubjects()),
                JSON.valueToTree(((ClusterRoleBinding) next).getSubjects())))
        .as("another number takes the binding from the group of before")
        .isFalse();
    assertThat(next.getMetadata().getName()).isEqualTo(binding.getMetadata().getName());
  }

  private static List<HasMetadata> objects(int nodes, boolean managed) {
    return HostedObjects.of(
        "exaplane:admins",
        new Endpoint("fd00::1", 6443),
        Tuned.of(
            Fixtures.controlPlane("{version: 1.36.3, maxNodes: %d}".formatted(nodes)).getSpec(),
            "1.36.3",
            OptionalDouble.empty(),
            new Model()),
        managed);
  }
}
