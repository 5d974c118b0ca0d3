// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** Nodes of a hosted cluster that have all in common: how they join, and where their pods are. */
@Group(Names.GROUP)
@Version(Names.VERSION)
@Kind("NodePool")
@Plural("nodepools")
@Singular("nodepool")
@ShortNames("npool")
@AdditionalPrinterColumn(
    name = "ControlPlane",
    jsonPath = ".spec.controlPlaneRef.name",
    type = Type.STRING)
@AdditionalPrinterColumn(name = "Version", jsonPath = ".status.version", type = Type.STRING)
@AdditionalPrinterColumn(name = "Nodes", jsonPath = ".status.nodes.summary", type = Type.STRING)
@AdditionalPrinterColumn(name = "Max", jsonPath = ".spec.maxNodes", type = Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason",
    type = Type.STRING)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
@AdditionalPrinterColumn(
    name = "Secret",
    jsonPath = ".status.joinSecretRef.name",
    type = Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Message",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].message",
    type = Type.STRING,
    priority = 1)
@ValidationRule(
    value = "self.metadata.name.matches('^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$')",
    message =
        "metadata.name: must be at most 40 characters without dots and begin with a letter, "
            + "since a label of each node contains it; choose another name")
public class NodePool extends CustomResource<NodePoolSpec, NodePoolStatus> implements Namespaced {
  private static final long serialVersionUID = 1L;

  @Override
  protected NodePoolSpec initSpec() {
    return null;
  }

  @Override
  protected NodePoolStatus initStatus() {
    return null;
  }
}
