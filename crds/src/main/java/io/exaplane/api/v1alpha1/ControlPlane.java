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

/** A hosted Kubernetes control plane: its API, its controllers, its scheduler and their stores. */
@Group(Names.GROUP)
@Version(Names.VERSION)
@Kind("ControlPlane")
@Plural("controlplanes")
@Singular("controlplane")
@ShortNames("cpl")
@AdditionalPrinterColumn(name = "Version", jsonPath = ".status.version.current", type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Available",
    jsonPath = ".status.conditions[?(@.type==\"Available\")].status",
    type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Progressing",
    jsonPath = ".status.conditions[?(@.type==\"Progressing\")].reason",
    type = Type.STRING)
@AdditionalPrinterColumn(
    name = "APIServers",
    jsonPath = ".status.apiServer.summary",
    type = Type.STRING)
@AdditionalPrinterColumn(name = "Stores", jsonPath = ".status.stores.summary", type = Type.STRING)
@AdditionalPrinterColumn(name = "Sched", jsonPath = ".status.scheduler.summary", type = Type.STRING)
@AdditionalPrinterColumn(name = "Endpoint", jsonPath = ".status.endpoint.host", type = Type.STRING)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
@AdditionalPrinterColumn(
    name = "Desired",
    jsonPath = ".spec.version",
    type = Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Kubeconfig",
    jsonPath = ".status.kubeconfigSecretRef.name",
    type = Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Message",
    jsonPath = ".status.conditions[?(@.type==\"Available\")].message",
    type = Type.STRING,
    priority = 1)
@ValidationRule(
    value = "oldSelf.hasValue() || self.metadata.name.matches('^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$')",
    optionalOldSelf = true,
    message =
        "metadata.name: must be at most 40 characters without dots and begin with a letter, since"
            + " names of Services contain it; choose another name")
@ValidationRule(
    value =
        "!has(self.spec.storage) || !has(self.spec.storage.stores) ||"
            + " self.spec.storage.stores.all(s, size(self.metadata.name) + size(s.name) <= 51)",
    message =
        "spec.storage.stores: the names of a store and of the control plane must have at most "
            + "51 characters together, since labels of pods contain both; shorten one")
@ValidationRule(
    value =
        ReservedNames.ALLOWED
            + "!self.metadata.name.matches('"
            + ReservedNames.CONTROL_PLANE
            + "')",
    optionalOldSelf = true,
    message =
        "metadata.name: must not end in -store, -front-proxy or -tree, since objects of other"
            + " owners have such names; choose another name. For a control plane that had the name"
            + " before, set spec.allowReservedName")
@ValidationRule(
    value =
        ReservedNames.ALLOWED
            + "!has(self.spec.storage) || !has(self.spec.storage.stores) ||"
            + " !self.spec.storage.stores.exists(s, s.name.matches('"
            + ReservedNames.STORE
            + "'))",
    optionalOldSelf = true,
    message = ReservedNames.STORES_RULE)
// What has been started counts, not what was asked for before: a version that the operator refused
// can be taken back.
@ValidationRule(
    value =
        ControlPlane.NOTHING_RUNS
            + "int(self.spec.version.split('.')[1]) -"
            + " int(self.status.version.current.split('.')[1]) <= 1",
    message =
        "spec.version: must not skip a minor version; upgrade to the next minor, and continue "
            + "when status.version.current shows it")
@ValidationRule(
    value =
        ControlPlane.NOTHING_STARTED
            + "int(self.spec.version.split('.')[1]) >"
            + " int(self.status.version.applied.split('.')[1]) ||"
            + " (int(self.spec.version.split('.')[1]) =="
            + " int(self.status.version.applied.split('.')[1]) &&"
            + " int(self.spec.version.split('.')[2]) >="
            + " int(self.status.version.applied.split('.')[2]))",
    message =
        "spec.version: must not be lower than status.version.applied, since a control plane "
            + "cannot be downgraded; restore a backup into a new one instead")
@ValidationRule(
    value =
        ControlPlane.NOTHING_STARTED
            + "has(oldSelf.spec.storage) && has(oldSelf.spec.storage.routes) ||"
            + " !has(self.spec.storage) || !has(self.spec.storage.routes) ||"
            + " has(self.spec.storage.movedBy) ||"
            + " !has(self.status.stores) || !has(self.status.stores.items) ||"
            + " self.status.stores.items.all(s, !has(s.resources) ||"
            + " self.spec.storage.routes.exists(r, r.store == s.name &&"
            + " size(r.resources) == size(s.resources) && r.resources.all(x,"
            + " s.resources.exists(y, y.group == x.group && y.resource == x.resource)))) &&"
            + " self.spec.storage.routes.all(r, self.status.stores.items.exists(s,"
            + " r.store == s.name && has(s.resources)))",
    message =
        "spec.storage.routes: differs from the routes of the running control plane, and objects would"
            + " vanish; write the resources of status.stores.items, or move resources with a"
            + " ControlPlaneTask")
@ValidationRule(value = RotationRules.CA_COMPLETE, message = RotationRules.CA_COMPLETE_TEXT)
@ValidationRule(value = RotationRules.CA_BACK, message = RotationRules.CA_BACK_TEXT)
@ValidationRule(value = RotationRules.CA_REMOVED, message = RotationRules.CA_REMOVED_TEXT)
@ValidationRule(value = RotationRules.KEY_COMPLETE, message = RotationRules.KEY_COMPLETE_TEXT)
@ValidationRule(value = RotationRules.KEY_BACK, message = RotationRules.KEY_BACK_TEXT)
@ValidationRule(value = RotationRules.KEY_REMOVED, message = RotationRules.KEY_REMOVED_TEXT)
@ValidationRule(
    value = RotationRules.ENCRYPTION_COMPLETE,
    message = RotationRules.ENCRYPTION_COMPLETE_TEXT)
@ValidationRule(value = RotationRules.ENCRYPTION_BACK, message = RotationRules.ENCRYPTION_BACK_TEXT)
@ValidationRule(
    value = RotationRules.ENCRYPTION_REMOVED,
    message = RotationRules.ENCRYPTION_REMOVED_TEXT)
@ValidationRule(
    value = RotationRules.ENCRYPTION_CHANGED,
    message = RotationRules.ENCRYPTION_CHANGED_TEXT)
public class ControlPlane extends CustomResource<ControlPlaneSpec, ControlPlaneStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1L;
  static final String NOTHING_STARTED =
      "!has(self.status) || !has(self.status.version) || !has(self.status.version.applied) || ";
  static final String NOTHING_RUNS =
      "!has(self.status) || !has(self.status.version) || !has(self.status.version.current) || ";

  @Override
  protected ControlPlaneSpec initSpec() {
    return null;
  }

  @Override
  protected ControlPlaneStatus initStatus() {
    return null;
  }
}
