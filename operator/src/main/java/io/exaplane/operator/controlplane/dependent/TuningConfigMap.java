// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.controlplane.sizing.TuningReport;
import io.exaplane.operator.dependent.OwnedObject;
import io.exaplane.operator.names.ControlPlaneNames;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import io.javaoperatorsdk.operator.processing.event.ResourceID;

/** Every tuned value with its grounds, what was put in its place, and what was not applied. */
@KubernetesDependent
public class TuningConfigMap extends OwnedObject<ConfigMap, ControlPlane> {

  TuningConfigMap() {
    super(ConfigMap.class);
  }

  @Override
  protected ResourceID targetSecondaryResourceID(
      ControlPlane controlPlane, Context<ControlPlane> context) {
    return new ResourceID(
        new ControlPlaneNames(controlPlane).tuning(), controlPlane.getMetadata().getNamespace());
  }

  @Override
  protected ConfigMap desired(ControlPlane controlPlane, Context<ControlPlane> context) {
    return render(Observed.of(context).sized());
  }

  /** The ConfigMap. Pure. */
  static ConfigMap render(Sized sized) {
    ControlPlaneNames names = sized.controlPlane().names();
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(names.tuning())
        .withNamespace(sized.controlPlane().namespace())
        .withLabels(names.labels())
        .endMetadata()
        .withData(TuningReport.forOperators(sized))
        .build();
  }
}
