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

/** A scheduler of one or many processes for a cluster: roots, and shards and relays below them. */
@Group(Names.GROUP)
@Version(Names.VERSION)
@Kind("SchedulerPool")
@Plural("schedulerpools")
@Singular("schedulerpool")
@ShortNames("spool")
@AdditionalPrinterColumn(
    name = "ControlPlane",
    jsonPath = ".spec.controlPlaneRef.name",
    type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Scheduler",
    jsonPath = ".spec.schedulerName",
    type = Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Available",
    jsonPath = ".status.conditions[?(@.type==\"Available\")].status",
    type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Progressing",
    jsonPath = ".status.conditions[?(@.type==\"Progressing\")].reason",
    type = Type.STRING)
@AdditionalPrinterColumn(name = "Leader", jsonPath = ".status.leader", type = Type.STRING)
@AdditionalPrinterColumn(name = "Roots", jsonPath = ".status.roots.summary", type = Type.STRING)
@AdditionalPrinterColumn(name = "Relays", jsonPath = ".status.relays.summary", type = Type.STRING)
@AdditionalPrinterColumn(name = "Shards", jsonPath = ".status.shards.summary", type = Type.STRING)
@AdditionalPrinterColumn(name = "Nodes", jsonPath = ".status.tree.nodes", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
@AdditionalPrinterColumn(
    name = "Message",
    jsonPath = ".status.conditions[?(@.type==\"Available\")].message",
    type = Type.STRING,
    priority = 1)
@ValidationRule(
    value = "self.metadata.name.matches('^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$')",
    message =
        "metadata.name: must be at most 40 characters without dots and begin with a letter, "
            + "since names of Services contain it; choose another name")
public class SchedulerPool extends CustomResource<SchedulerPoolSpec, SchedulerPoolStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1L;

  @Override
  protected SchedulerPoolSpec initSpec() {
    return null;
  }

  @Override
  protected SchedulerPoolStatus initStatus() {
    return null;
  }
}
