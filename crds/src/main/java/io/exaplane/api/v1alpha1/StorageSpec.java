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
        "storage.stores: needs exactly one store named default, which holds every Kind without "
            + "a route; add the store")
@ValidationRule(
    value = "!has(self.stores) || self.stores.all(s, self.stores.exists_one(t, t.name == s.name))",
    message = "storage.stores: two stores have the same name; rename one")
@ValidationRule(
    value =
        "!has(self.stores) || self.stores.all(s, !(s.name in ['apiserver', 'controller-manager',"
            + " 'scheduler']))",
    message =
        "storage.stores: apiserver, controller-manager and scheduler are names of components; "
            + "choose another name")
@ValidationRule(
    value =
        "!has(self.routes) || self.routes.all(r, r.store in (has(self.stores) ? self.stores.map(s,"
            + " s.name) : ['default', 'events']))",
    message =
        "storage.routes: contains a store that storage.stores does not have; add the store or "
            + "correct the name")
@ValidationRule(
    value =
        "!has(self.routes) || self.routes.all(r, self.routes.exists_one(t, t.store == r.store))",
    message = "storage.routes: two routes lead to the same store; combine the routes")
@ValidationRule(
    value =
        "!has(self.routes) || self.routes.all(r, r.resources.all(x, self.routes.exists_one(t,"
            + " t.resources.exists(y, y.group == x.group && y.resource == x.resource))))",
    message = "storage.routes: a resource is routed to two stores; keep one route for it")
@ValidationRule(
    value =
        "!has(self.stores) || self.stores.all(s, !has(s.criticality) || s.criticality !="
            + " 'BestEffort' || s.name != 'default' && (!has(self.routes) || self.routes.all(r,"
            + " r.store != s.name || r.resources.all(x, x.resource == 'events'))))",
    message =
        "storage.stores: a BestEffort store may hold only events, since its objects can be "
            + "lost; set criticality to Critical, or route only events to the store")
@ValidationRule(
    value =
        "!has(oldSelf.stores) || has(self.stores) && oldSelf.stores.all(o,"
            + " self.stores.exists(s, o.name == s.name && o.criticality == s.criticality &&"
            + " o.engine == s.engine &&"
            + " (has(o.storage) ? has(s.storage) && has(o.storage.type) == has(s.storage.type) &&"
            + " (!has(o.storage.type) || o.storage.type == s.storage.type) &&"
            + " has(o.storage.storageClassName) == has(s.storage.storageClassName) &&"
            + " (!has(o.storage.storageClassName) || o.storage.storageClassName =="
            + " s.storage.storageClassName) && (!has(o.storage.size) || has(s.storage.size)) :"
            + " !has(s.storage) || !has(s.storage.type) && !has(s.storage.storageClassName))))",
    message =
        "storage.stores: existing stores are immutable except for resources, memory and larger"
            + " sizes, since their objects would vanish; restore the store, and add another one if"
            + " you need it")
@ValidationRule(
    value =
        "!has(oldSelf.routes) || has(self.routes) && (self.routes == oldSelf.routes ||"
            + " has(self.movedBy) && (!has(oldSelf.movedBy) || self.movedBy != oldSelf.movedBy))",
    message =
        "storage.routes: only the operator changes routes, since objects of a moved Kind would"
            + " vanish; restore the routes, and create a ControlPlaneTask with reshard")
@ValidationRule(
    value = "!has(oldSelf.movedBy) || has(self.movedBy)",
    message =
        "storage.movedBy: was written by the operator, and tells which task changed the routes;"
            + " keep the value")
public record StorageSpec(
    @Size(min = 1, max = 8)
        @JsonPropertyDescription(
            "The stores. Default: default (Critical) and events (BestEffort). From 20,000 nodes on,"
                + " the tuning model adds stores for some Kinds. You can add stores later: a store"
                + " without a route is empty until a ControlPlaneTask moves a Kind to it.")
        List<StoreTemplate> stores,
    @Size(max = 8)
        @JsonPropertyDescription(
            "Kinds outside the default store. Default: events in the store events, if that store"
                + " exists, and the routes that the tuning model chose at creation. A"
                + " ControlPlaneTask with reshard changes them.")
        List<StoreRoute> routes,
    @JsonPropertyDescription(
            "Behaviour if a Critical store does not find its data: the volume is empty, belongs to"
                + " another store, or holds an older copy. Hold: the store does not serve, and the"
                + " condition StoreDataAvailable names the ways out. StartEmpty: the hosted cluster"
                + " restarts with the data that the store has, and its nodes end all workloads."
                + " Default: Hold.")
        OnDataLoss onDataLoss,
    @JsonPropertyDescription(
            "Handling of the data when the ControlPlane is deleted. Retain: the claims of its"
                + " stores, its CAs and its service-account key remain. A ControlPlane of the same"
                + " name in the same namespace takes them over. Delete: they are deleted, too. The"
                + " data of an EmptyDir is always lost. Default: Retain.")
        StorageDeletion deletion,
    @Size(max = 40)
        @Pattern("^[A-Za-z0-9:.+-]+$")
        @JsonPropertyDescription(
            "A new value, such as the current time, replaces the stores' pods once. The bundle in"
                + " status.bundle remains. The data remains, too; the pod of a Critical store with"
                + " an EmptyDir stays. One store after another takes no writes for some seconds.")
        String restartedAt,
    @Size(max = 512)
        @JsonPropertyDescription(
            "Written by the operator together with routes: the ControlPlaneTask that"
                + " changed the routes last, its UID and the resource. Absent until a task"
                + " changes a route. Routes change only together with this field. Do not set it:"
                + " objects of a Kind whose route you change would vanish.")
        String movedBy) {

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
        ? new StorageSpec(stores, routes, null, null, null, null)
        : new StorageSpec(
            stores,
            routes,
            storage.onDataLoss,
            storage.deletion,
            storage.restartedAt,
            storage.movedBy);
  }

  /** Name of the store that these routes give a resource. */
  public static String storeOf(List<StoreRoute> routes, ResourceRef resource) {
    return routes.stream()
        .filter(route -> route.resources().contains(resource))
        .map(StoreRoute::store)
        .findFirst()
        .orElse(DEFAULT_STORE);
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
