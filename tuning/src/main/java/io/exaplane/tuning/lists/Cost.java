// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import io.exaplane.tuning.version.MinorVersion;

/**
 * What a request makes kube-apiserver and its stores do, as they count it themselves.
 *
 * @param storeObjects read from a store and decoded (apiserver_storage_list_fetched_objects_total)
 * @param cacheObjects walked over in a watch cache (apiserver_cache_list_fetched_objects_total)
 * @param storeBytes of these objects as they are stored
 * @param returnedBytes of what is encoded and sent, by its stored size
 */
public record Cost(
    double storeObjects, double cacheObjects, double storeBytes, double returnedBytes) {
  public static final Cost NOTHING = new Cost(0, 0, 0, 0);

  /** A byte that comes from a store is read, decoded and collected: reference/tuning.md §5.3. */
  private static final double STORE_FACTOR = 5;

  /** To walk over an object in a cache costs a pointer or two and the look at its labels. */
  private static final double WALK_BYTES = 64;

  private static final int ORDERED_CACHES = 32;

  /** Where the number of nodes is not known. */
  private static final double PODS_OF_A_NODE = 30;

  /** Part of the objects that selectors other than those of nodes and names leave: a guess. */
  private static final double SELECTED = 0.1;

  /**
   * Of a LIST.
   *
   * @param page how many pages of the same LIST came before it
   */
  static Cost ofList(
      MinorVersion server,
      ListQuery query,
      ServedBy servedBy,
      Inventory inventory,
      String resource,
      String namespace,
      int page) {
    double size = inventory.resource(resource).bytes();
    double all = inventory.objects(resource, namespace);
    double left = Math.max(0, all - page * (double) query.limit());
    double selected = selected(query, inventory, resource, all);
    boolean limited = query.limit() > 0 && !(query.zero() && servedBy == ServedBy.CACHE);
    double returned =
        limited
            ? Math.min(query.limit(), Math.max(0, selected - page * (double) query.limit()))
            : selected;
    if (servedBy == ServedBy.STORE) {
      double fetched = limited && !query.selects() ? Math.min(query.limit(), left) : left;
      return new Cost(fetched, 0, fetched * size, returned * size);
    }
    boolean indexed = servedBy == ServedBy.CACHE && resource.equals("pods") && query.selectsNode();
    // A cache without an order of keys is walked whole, whatever the namespace.
    boolean ordered = server.atLeast(ORDERED_CACHES) || resource.equals("pods");
    double walked = ordered ? left : inventory.objects(resource, "");
    return new Cost(0, indexed ? selected : walked, 0, returned * size);
  }

  /** Of a watch that begins with all objects. */
  static Cost ofInitialEvents(
      Inventory inventory, ListQuery query, String resource, String namespace) {
    double all = inventory.objects(resource, namespace);
    double selected = selected(query, inventory, resource, all);
    return new Cost(0, all, 0, selected * inventory.resource(resource).bytes());
  }

  private static double selected(
      ListQuery query, Inventory inventory, String resource, double all) {
    if (query.selectsName()) {
      return Math.min(1, all);
    }
    if (resource.equals("pods") && query.selectsNode()) {
      return inventory.nodes() > 0 ? all / inventory.nodes() : Math.min(all, PODS_OF_A_NODE);
    }
    return query.selects() ? SELECTED * all : all;
  }

  public Cost plus(Cost other) {
    return new Cost(
        storeObjects + other.storeObjects,
        cacheObjects + other.cacheObjects,
        storeBytes + other.storeBytes,
        returnedBytes + other.returnedBytes);
  }

  /** What is left of it without a part of it. */
  Cost minus(Cost part) {
    return new Cost(
        storeObjects - part.storeObjects,
        cacheObjects - part.cacheObjects,
        storeBytes - part.storeBytes,
        returnedBytes - part.returnedBytes);
  }

  /** One number to rank by, in bytes. */
  public double score() {
    return STORE_FACTOR * storeBytes + returnedBytes + WALK_BYTES * cacheObjects;
  }
}
