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

/** One store that speaks etcd v3 over TLS, with one endpoint and one revision space. */
@Group(Names.GROUP)
@Version(Names.VERSION)
@Kind("StoreShard")
@Plural("storeshards")
@Singular("storeshard")
@ShortNames("shard")
@AdditionalPrinterColumn(name = "Engine", jsonPath = ".spec.engine", type = Type.STRING)
@AdditionalPrinterColumn(name = "Criticality", jsonPath = ".spec.criticality", type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].status",
    type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Intact",
    jsonPath = ".status.conditions[?(@.type==\"DataIntact\")].status",
    type = Type.STRING)
@AdditionalPrinterColumn(name = "Revision", jsonPath = ".status.revision", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Keys", jsonPath = ".status.keys", type = Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Bytes",
    jsonPath = ".status.bytes",
    type = Type.INTEGER,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Watchers",
    jsonPath = ".status.watchers",
    type = Type.INTEGER,
    priority = 1)
@AdditionalPrinterColumn(name = "Storage", jsonPath = ".spec.storage.type", type = Type.STRING)
@AdditionalPrinterColumn(name = "Endpoint", jsonPath = ".status.endpoint", type = Type.STRING)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
@AdditionalPrinterColumn(
    name = "Message",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].message",
    type = Type.STRING,
    priority = 1)
@ValidationRule(
    value = "oldSelf.hasValue() || self.metadata.name.matches('^[a-z]([-a-z0-9]{0,50}[a-z0-9])?$')",
    optionalOldSelf = true,
    message =
        "metadata.name: must be at most 52 characters without dots and begin with a letter, since the "
            + "name of a Service and labels of the pod contain it; choose another name")
@ValidationRule(
    value =
        ReservedNames.ALLOWED + "!self.metadata.name.matches('" + ReservedNames.STORE_SHARD + "')",
    optionalOldSelf = true,
    message =
        "metadata.name: must not end in -apiserver, -controller-manager, -scheduler, -root, -relay or"
            + " -shard, since objects of ControlPlanes and SchedulerPools have such names; choose"
            + " another name. For a store that had the name before, set spec.allowReservedName")
// What the volume has counts, not what was asked for: a size that it cannot have can be taken back.
@ValidationRule(
    value =
        "!has(self.spec.storage) || !has(self.spec.storage.size) || !has(oldSelf.spec.storage) ||"
            + " !has(oldSelf.spec.storage.size) ||"
            + " quantity(string(self.spec.storage.size)).compareTo(quantity(has(self.status) &&"
            + " has(self.status.volumeSize) ? self.status.volumeSize :"
            + " string(oldSelf.spec.storage.size))) >= 0 ||"
            + " quantity(string(self.spec.storage.size)).compareTo(quantity(string(oldSelf.spec.storage.size)))"
            + " >= 0",
    messageExpression =
        "'spec.storage.size ' + string(self.spec.storage.size) + ': is smaller than ' +"
            + " (has(self.status) && has(self.status.volumeSize) ? self.status.volumeSize :"
            + " string(oldSelf.spec.storage.size)) +"
            + " ', which the store has, and volumes do not shrink; set that size or a larger one'",
    message =
        "spec.storage.size: is smaller than the volume, and volumes do not shrink; set the size before"
            + " or a larger one")
public class StoreShard extends CustomResource<StoreShardSpec, StoreShardStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1L;

  @Override
  protected StoreShardSpec initSpec() {
    return null;
  }

  @Override
  protected StoreShardStatus initStatus() {
    return null;
  }
}
