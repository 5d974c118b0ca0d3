// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

/**
 * How an engine works. Immutable; times in milliseconds.
 *
 * @param manager our name as a field manager
 * @param defaultNamespace for manifests that name none
 * @param force whether to take fields that other managers own; otherwise the engine yields
 * @param prune whether to delete what a source no longer has
 * @param pruneContainers whether to delete namespaces and definitions also, with everything in them
 * @param follow whether to watch all kinds for drift; otherwise the engine watches only the kinds
 *     of objects that others wait for
 * @param pageSize objects a page of a list, at most
 * @param most requests at once, at most
 * @param waitMs how long an object may wait for others before its source goes on without it
 * @param saveMs the inventory is at most that much older than what was applied
 * @param relistSpreadMs lists after an expired watch are spread over this time
 * @param seed for that spread
 */
public record Options(
    String manager,
    String defaultNamespace,
    boolean force,
    boolean prune,
    boolean pruneContainers,
    boolean follow,
    int pageSize,
    int most,
    long waitMs,
    long saveMs,
    long relistSpreadMs,
    long seed) {
  /** What suits most clusters: force, no pruning, one pass. */
  public static final Options DEFAULTS =
      new Options(
          "exaplane", "default", true, false, false, false, 500, 32, 300_000, 5_000, 5_000, 1);

  /**
   * The same, with another manager.
   *
   * @param name our name as a field manager
   * @return new options
   */
  public Options as(String name) {
    return new Options(
        name,
        defaultNamespace,
        force,
        prune,
        pruneContainers,
        follow,
        pageSize,
        most,
        waitMs,
        saveMs,
        relistSpreadMs,
        seed);
  }

  /**
   * The same, with another namespace for manifests that name none.
   *
   * @param namespace such as {@code default}
   * @return new options
   */
  public Options in(String namespace) {
    return new Options(
        manager,
        namespace,
        force,
        prune,
        pruneContainers,
        follow,
        pageSize,
        most,
        waitMs,
        saveMs,
        relistSpreadMs,
        seed);
  }

  /**
   * The same, with another answer to conflicts.
   *
   * @param take whether to take fields that other managers own
   * @return new options
   */
  public Options forcing(boolean take) {
    return new Options(
        manager,
        defaultNamespace,
        take,
        prune,
        pruneContainers,
        follow,
        pageSize,
        most,
        waitMs,
        saveMs,
        relistSpreadMs,
        seed);
  }

  /**
   * The same, with pruning.
   *
   * @param objects whether to delete what a source no longer has
   * @param containers whether to delete namespaces and definitions also
   * @return new options
   */
  public Options pruning(boolean objects, boolean containers) {
    return new Options(
        manager,
        defaultNamespace,
        force,
        objects,
        containers,
        follow,
        pageSize,
        most,
        waitMs,
        saveMs,
        relistSpreadMs,
        seed);
  }

  /**
   * The same, with or without watches for drift.
   *
   * @param all whether to watch all kinds
   * @return new options
   */
  public Options following(boolean all) {
    return new Options(
        manager,
        defaultNamespace,
        force,
        prune,
        pruneContainers,
        all,
        pageSize,
        most,
        waitMs,
        saveMs,
        relistSpreadMs,
        seed);
  }
}
