// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import java.util.regex.Pattern;

/**
 * Names with which two owners would want the same object. An object is called by its owner's name
 * and an ending; so {@code demo-store} with {@code -ca} is {@code demo} with {@code -store-ca}. New
 * owners can't have them; those from before keep theirs. Pure; the schema has the same expressions.
 */
public final class ReservedNames {
  /**
   * Endings of ControlPlanes. A control plane that ends so wants {@code …-store-ca}, {@code
   * …-front-proxy-ca} or {@code …-tree-ca}, as another one or a pool does.
   */
  public static final String CONTROL_PLANE = "-(store|front-proxy|tree)$";

  /**
   * Stores within a control plane. Without a hyphen in it the last part of a StoreShard's name is
   * the store, and the rest the control plane; the words are endings of other objects.
   */
  public static final String STORE =
      "^[0-9]|-|^(apiserver|manager|scheduler|root|relay|shard|route)$";

  /** Endings of StoreShards that a person makes: objects of control planes and pools have them. */
  public static final String STORE_SHARD =
      "-(apiserver|controller-manager|scheduler|route|((root|relay|shard)(-[0-9]+)?))$";

  private static final String ASKED =
      "has(self.spec.allowReservedName) && self.spec.allowReservedName || ";

  static final String ALLOWED = "oldSelf.hasValue() || " + ASKED;

  /**
   * Of a spec that has a spec before it: each store had its name before, or may have it. A rule of
   * {@link ControlPlane} can't say that: lists of its optional old self have no bound, and the rule
   * would cost too much.
   */
  static final String ADDED_STORES =
      "has(self.allowReservedName) && self.allowReservedName ||"
          + " !has(self.storage) || !has(self.storage.stores) ||"
          + " self.storage.stores.all(s, !s.name.matches('"
          + STORE
          + "') || has(oldSelf.storage) && has(oldSelf.storage.stores) &&"
          + " oldSelf.storage.stores.exists(o, o.name == s.name))";

  static final String STORES_RULE =
      "spec.storage.stores: the name of a store must begin with a letter and have letters and"
          + " digits alone; apiserver, manager, scheduler, root, relay, shard and route are"
          + " reserved. Objects of other owners have such names; choose another name. For a"
          + " control plane that had the store before, set spec.allowReservedName";

  private static final Pattern CONTROL_PLANES = Pattern.compile(CONTROL_PLANE);
  private static final Pattern STORES = Pattern.compile(STORE);
  private static final Pattern STORE_SHARDS = Pattern.compile(STORE_SHARD);

  private ReservedNames() {}

  /** Whether no new ControlPlane may have the name. */
  public static boolean isOfControlPlane(String name) {
    return CONTROL_PLANES.matcher(name).find();
  }

  /** Whether no new store of a control plane may have the name. */
  public static boolean isOfStore(String name) {
    return STORES.matcher(name).find();
  }

  /** Whether no StoreShard that a person makes may have the name. */
  public static boolean isOfStoreShard(String name) {
    return STORE_SHARDS.matcher(name).find();
  }
}
