// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.config.OperatorConfig;
import io.exaplane.operator.controlplane.render.Inputs;
import io.exaplane.operator.controlplane.render.Inputs.CertificateEpochs;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.pki.PkiResult;
import io.exaplane.operator.pod.NodeCapacity;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Control planes for tests. */
public final class Fixtures {
  private Fixtures() {}

  /** A control plane with this spec, in YAML's flow form. */
  public static ControlPlane controlPlane(String spec) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: ControlPlane
        metadata: {name: demo, namespace: ns, uid: u, generation: 1}
        spec: %s
        """
            .formatted(spec),
        ControlPlane.class);
  }

  /** No authority, no certificate, and no news of either. */
  public static PkiResult nothingIssued() {
    return new PkiResult(
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Set.of(),
        List.of(),
        Map.of(),
        Optional.empty());
  }

  /** References of an object that a control plane owns. */
  public static List<OwnerReference> ownedBy(ControlPlane controlPlane) {
    return List.of(
        new OwnerReferenceBuilder()
            .withApiVersion(controlPlane.getApiVersion())
            .withKind(controlPlane.getKind())
            .withName(controlPlane.getMetadata().getName())
            .withUid(controlPlane.getMetadata().getUid())
            .withController(true)
            .build());
  }

  public static Inputs inputs(ControlPlane controlPlane, String dataId) {
    return inputs(controlPlane, dataId, "quay.io/exaplane/operator:1");
  }

  /** A control plane that is about to be made, where nodes are as large as it takes. */
  public static Sized sized(ControlPlane controlPlane) {
    return Sized.of(
        controlPlane,
        true,
        false,
        new Sized.Before(
            List.of(),
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            () -> List.of(new NodeCapacity(256, 4L << 40)),
            Optional::empty),
        Instant.EPOCH);
  }

  /** Inputs of a control plane whose default store holds the data of that identity. */
  public static Inputs inputs(ControlPlane controlPlane, String dataId, String operatorImage) {
    return new Inputs(
        sized(controlPlane),
        new Images(new Config(operatorImage), controlPlane.getSpec().images()),
        "fd00::a",
        6443,
        List.of(
            new Inputs.Store("default", true, "https://[fd00::d]:2379", dataId),
            new Inputs.Store("events", false, "https://[fd00::e]:2379", "e")),
        CertificateEpochs.NONE);
  }

  /** The operator's settings with their defaults. */
  public record Config(String operatorImage) implements OperatorConfig {
    @Override
    public String imageRegistry() {
      return "registry.k8s.io";
    }

    @Override
    public Optional<String> imagePullSecret() {
      return Optional.empty();
    }

    @Override
    public String storeImage() {
      return "quay.io/exaplane/store:1";
    }

    @Override
    public String schedulerImage() {
      return "quay.io/exaplane/scheduler:1";
    }

    @Override
    public String etcdTag() {
      return "3.6.8-0";
    }
  }
}
