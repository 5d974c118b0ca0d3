// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ImagesSpec;
import io.exaplane.operator.controlplane.Fixtures;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line 10: who may write a spec gets no credential of the namespace that was not meant for it. */
class PullSecretUseTest {
  private static final ControlPlane USER =
      Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1, images: {pullSecret: p}}");
  private static final String OWNER =
      "ownerReferences: [{apiVersion: exaplane.io/v1alpha1, kind: %s, name: %s, uid: %s}], ";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kubernetes.io/dockerconfigjson | {exaplane.io/pull-secret: 'true'} | |",
        "kubernetes.io/dockercfg | {exaplane.io/pull-secret: 'true'} | |",
        "kubernetes.io/dockerconfigjson | {} | | does not have the label",
        "kubernetes.io/dockerconfigjson | {exaplane.io/pull-secret: 'false'} | | does not have the label",
        "kubernetes.io/dockerconfigjson | {exaplane.io/pull-secret: other} | | does not have the label",
        "Opaque | {exaplane.io/pull-secret: 'true'} | | has the type Opaque",
        "kubernetes.io/tls | {exaplane.io/pull-secret: 'true'} | | has the type kubernetes.io/tls",
        "kubernetes.io/dockerconfigjson | {} | ControlPlane demo u |",
        "kubernetes.io/dockerconfigjson | {exaplane.io/pull-secret: 'true'} | ControlPlane other o | belongs to ControlPlane other",
        "kubernetes.io/dockerconfigjson | {exaplane.io/pull-secret: 'true'} | ControlPlane demo before | belongs to ControlPlane demo",
        "kubernetes.io/dockerconfigjson | {exaplane.io/pull-secret: 'true'} | SchedulerPool p o | belongs to SchedulerPool p",
      })
  void whatIsGivenAndWhatIsNot(String type, String labels, String owner, String objection) {
    Secret secret =
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Secret
            metadata: {name: p, namespace: ns, %slabels: %s}
            type: %s
            """
                .formatted(
                    owner == null ? "" : OWNER.formatted((Object[]) owner.split(" ")),
                    labels,
                    type),
            Secret.class);
    if (objection == null) {
      assertThat(PullSecretUse.objection(USER, secret)).isEmpty();
    } else {
      assertThat(PullSecretUse.objection(USER, secret).orElseThrow()).contains(objection);
    }
  }

  @Test
  void whatDoesNotExistIsNotGiven() {
    assertThat(PullSecretUse.objection(USER, (Secret) null)).contains("does not exist");
  }

  @ParameterizedTest
  @CsvSource({"p, true", "q, false", "'', false"})
  void whoPullsWithItAlreadyGoesOn(String name, boolean isUsed) {
    PodSpec pods =
        Serialization.unmarshal(
            name.isEmpty() ? "containers: []" : "imagePullSecrets: [{name: %s}]".formatted(name),
            PodSpec.class);
    assertThat(PullSecretUse.isIn(pods, new ImagesSpec(null, "p"))).isEqualTo(isUsed);
    assertThat(PullSecretUse.isIn(pods, null)).isFalse();
  }
}
