// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** Something that is done to a control plane once: a restart, another key, or another store. */
@Group(Names.GROUP)
@Version(Names.VERSION)
@Kind("ControlPlaneTask")
@Plural("controlplanetasks")
@Singular("controlplanetask")
@ShortNames("cpltask")
@AdditionalPrinterColumn(
    name = "ControlPlane",
    jsonPath = ".spec.controlPlaneRef.name",
    type = Type.STRING)
@AdditionalPrinterColumn(name = "Task", jsonPath = ".status.task", type = Type.STRING)
@AdditionalPrinterColumn(name = "State", jsonPath = ".status.state", type = Type.STRING)
@AdditionalPrinterColumn(name = "Step", jsonPath = ".status.step", type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Percent",
    jsonPath = ".status.progressPercent",
    type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
@AdditionalPrinterColumn(
    name = "Message",
    jsonPath = ".status.message",
    type = Type.STRING,
    priority = 1)
public class ControlPlaneTask extends CustomResource<ControlPlaneTaskSpec, ControlPlaneTaskStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1L;

  @Override
  protected ControlPlaneTaskSpec initSpec() {
    return null;
  }

  @Override
  protected ControlPlaneTaskStatus initStatus() {
    return null;
  }
}
