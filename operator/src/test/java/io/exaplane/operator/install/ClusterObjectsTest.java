// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every installation has; that the rules hold, an API server says ({@code ProtectionE2E}). */
class ClusterObjectsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<HasMetadata> ALL = ClusterObjects.wanted(new KubernetesSerialization());

  @Test
  void everyPolicyIsInForceAndFailsClosed() {
    List<ValidatingAdmissionPolicy> policies = all(ValidatingAdmissionPolicy.class);
    assertThat(policies).isNotEmpty();
    for (ValidatingAdmissionPolicy policy : policies) {
      assertThat(policy.getSpec().getFailurePolicy()).isEqualTo("Fail");
      assertThat(all(ValidatingAdmissionPolicyBinding.class))
          .filteredOn(b -> b.getSpec().getPolicyName().equals(policy.getMetadata().getName()))
          .singleElement()
          .satisfies(b -> assertThat(b.getSpec().getValidationActions()).containsExactly("Deny"));
    }
  }

  @Test
  void theProtectedKindsAreOurs() {
    String text = JSON.valueToTree(ALL).toString();
    assertThat(text)
        .contains(
            Names.ALLOW_DELETION,
            "[\""
                + HasMetadata.getPlural(ControlPlane.class)
                + "\",\""
                + HasMetadata.getPlural(StoreShard.class)
                + "\"]",
            CustomResource.getCRDName(ControlPlane.class),
            CustomResource.getCRDName(StoreShard.class));
  }

  /** More than a billion is for Kubernetes' own; the name is what stores' pods say. */
  @Test
  void theClassOfStoresIsOneThatUsersMayMake() {
    assertThat(all(PriorityClass.class))
        .singleElement()
        .satisfies(
            made -> {
              assertThat(made.getMetadata().getName()).isEqualTo(Installed.STORE_PRIORITY);
              assertThat(made.getValue()).isBetween(1, 1_000_000_000);
              assertThat(made.getGlobalDefault()).isFalse();
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{a: 1}              | {a: 1}          | true",
        "{a: 1, b: 2}        | {a: 1}          | true",
        "{a: 1}              | {a: 1, b: 2}    | false",
        "{a: 2}              | {a: 1}          | false",
        "{a: {b: 1, c: 2}}   | {a: {b: 1}}     | true",
        "{a: {c: 2}}         | {a: {b: 1}}     | false",
        "{a: [1, 2]}         | {a: [1, 2]}     | true",
        "{a: [1, 2]}         | {a: [1]}        | false",
        "{a: [1]}            | {a: [1, 2]}     | false",
        "{a: [2]}            | {a: [1]}        | false",
        "{a: [{b: 1, c: 2}]} | {a: [{b: 1}]}   | true",
        "{}                  | {a: []}         | false",
        "{a: x}              | {a: {b: 1}}     | false",
        "{}                  | {a: false}      | true",
        "{}                  | {a: 0}          | true",
        "{}                  | {a: true}       | false",
        "{a: true}           | {a: false}      | false",
        "{}                  | {a: {b: 1}}     | false",
      })
  void whatAnApiServerAddsIsNoDifference(String there, String wanted, boolean says)
      throws JsonProcessingException {
    assertThat(ClusterObjects.says(json(there), json(wanted))).isEqualTo(says);
  }

  /** The flow form of YAML without its quotes. */
  private static JsonNode json(String flow) throws JsonProcessingException {
    return JSON.readTree(flow.replaceAll("\\b([a-z])\\b", "\"$1\""));
  }

  private static <T> List<T> all(Class<T> type) {
    return ALL.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
