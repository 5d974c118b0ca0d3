// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** The stores of a control plane and which Kinds live where. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "!has(self.stores) || self.stores.exists_one(s, s.name == 'default')",
    message =
        "storage.stores: needs exactly one store named default; it holds every Kind that no route"
            + " names")
@ValidationRule(
    value = "!has(self.stores) || self.stores.all(s, self.stores.exists_one(t, t.name == s.name))",
    message = "storage.stores: two stores have the same name; rename one")
@ValidationRule(
    value =
        "!has(self.stores) || self.stores.all(s, !(s.name in ['apiserver', 'controller-manager',"
            + " 'scheduler']))",
    message =
        "storage.stores: apiserver, controller-manager and scheduler are names of components; name"
            + " the store otherwise")
@ValidationRule(
    value =
        "!has(self.routes) || self.routes.all(r, r.store in (has(self.stores) ? self.stores.map(s,"
            + " s.name) : ['default', 'events']))",
    message =
        "storage.routes: names a store that storage.stores doesn't have; add the store or correct"
            + " the name")
@ValidationRule(
    value =
        "!has(self.routes) || self.routes.all(r, self.routes.exists_one(t, t.store == r.store))",
    message = "storage.routes: two routes lead to the same store; join them into one")
@ValidationRule(
    value =
        "!has(self.routes) || self.routes.all(r, r.resources.all(x, self.routes.exists_one(t,"
            + " t.resources.exists(y, y.group == x.group && y.resource == x.resource))))",
    message = "storage.routes: a resource is routed to two stores; keep one route for it")
@ValidationRule(
    value =
        "!has(self.stores) || self.stores.all(s, !has(s.criticality) || s.criticality != 'BestEffort' ||"
            + " s.name != 'default' && (!has(self.routes) || self.routes.all(r, r.store != s.name ||"
            + " r.resources.all(x, x.resource == 'events'))))",
    message =
        "storage.stores: a BestEffort store may hold only events, since a lost one takes its"
            + " objects along; make it Critical or route only events to it")
@ValidationRule(
    value =
        "(!has(oldSelf.routes) || has(self.routes) && self.routes == oldSelf.routes)"
            + " && (!has(oldSelf.stores) || has(self.stores) &&"
            + " size(self.stores) == size(oldSelf.stores) && self.stores.all(s,"
            + " oldSelf.stores.exists(o, o.name == s.name && o.criticality == s.criticality &&"
            + " o.engine == s.engine &&"
            + " has(o.storage) == has(s.storage) && (!has(s.storage) || o.storage == s.storage))))",
    message =
        "storage: stores and routes are immutable but for resources and memory of stores; objects of a Kind"
            + " that is routed elsewhere would vanish, make a new ControlPlane instead")
public record StorageSpec(
    @Size(min = 1, max = 8)
        @JsonPropertyDescription(
            "The stores. Default: default (Critical), events (BestEffort), and from 20,000 nodes on those"
                + " that the tuning model gives stores of their own.")
        List<StoreTemplate> stores,
    @Size(max = 8)
        @JsonPropertyDescription(
            "Which Kinds live outside the default store. Default: events in the store events, when there is"
                + " one, and what the tuning model chose when the control plane was made.")
        List<StoreRoute> routes,
    @JsonPropertyDescription(
            "What happens when a Critical store does not find the data that it had: its volume is empty, is"
                + " another store's, or is older than what was seen. Hold: no kube-apiserver is put on the"
                + " store, and the condition StoreDataAvailable says what the ways out are. StartEmpty: the"
                + " hosted cluster starts anew with what the store has, and its nodes end all workloads."
                + " Default: Hold.")
        OnDataLoss onDataLoss,
    @JsonPropertyDescription(
            "What becomes of the data when the ControlPlane is deleted. Retain: the claims of its stores stay, and"
                + " so do the Secrets with its CAs and its service-account key; a ControlPlane of the same name in"
                + " the same namespace takes them over. Delete: they go with it. An EmptyDir goes in any case."
                + " Default: Retain.")
        StorageDeletion deletion,
    @Size(max = 40)
        @Pattern("^[A-Za-z0-9:.+-]+$")
        @JsonPropertyDescription(
            "Another value, as a time, replaces the stores' pods once, and takes the operator's newest image and"
                + " settings along. The data stays: on its volume, or, on an EmptyDir, since the container alone"
                + " takes the new image. One store after the other takes no writes for some seconds.")
        String restartedAt) {

  public static final String DEFAULT_STORE = "default";
  public static final String EVENTS_STORE = "events";

  private static final List<StoreTemplate> DEFAULT_STORES =
      List.of(
          new StoreTemplate(DEFAULT_STORE, Criticality.Critical, null, null, null, null),
          new StoreTemplate(EVENTS_STORE, Criticality.BestEffort, null, null, null, null));
  private static final List<ResourceRef> EVENTS =
      List.of(new ResourceRef("", "events"), new ResourceRef("events.k8s.io", "events"));

  /** What happens after a loss of data, with the default filled in. */
  public static OnDataLoss onDataLoss(StorageSpec storage) {
    return storage == null || storage.onDataLoss == null ? OnDataLoss.Hold : storage.onDataLoss;
  }

  /** The stores, with defaults filled in. */
  public static List<StoreTemplate> stores(StorageSpec storage) {
    return storage == null || storage.stores == null ? DEFAULT_STORES : storage.stores;
  }

  /** Whether the spec says itself which stores there are, or what lives where. */
  public static boolean isExplicit(StorageSpec storage) {
    return storage != null && (storage.stores != null || storage.routes != null);
  }

  /** What becomes of the data, with the default filled in. */
  public static StorageDeletion deletion(StorageSpec storage) {
    return storage == null || storage.deletion == null ? StorageDeletion.Retain : storage.deletion;
  }

  /** These stores and routes, and all else as it is in a spec, which may be absent. */
  public static StorageSpec with(
      StorageSpec storage, List<StoreTemplate> stores, List<StoreRoute> routes) {
    return storage == null
        ? new StorageSpec(stores, routes, null, null, null)
        : new StorageSpec(
            stores, routes, storage.onDataLoss, storage.deletion, storage.restartedAt);
  }

  /** The routes, with the default filled in: events to a store of that name. */
  public static List<StoreRoute> routes(StorageSpec storage) {
    if (storage != null && storage.routes != null) {
      return storage.routes;
    }
    return stores(storage).stream().anyMatch(store -> store.name().equals(EVENTS_STORE))
        ? List.of(new StoreRoute(EVENTS_STORE, EVENTS))
        : List.of();
  }
}
