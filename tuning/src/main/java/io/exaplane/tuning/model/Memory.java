// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

/**
 * Live heap of one kube-apiserver in bytes, by what takes it, when one of its fellows is away. The
 * terms are those of reference/tuning.md §3.1, whose sources they are.
 */
public record Memory(
    double base,
    double objects,
    double history,
    double watches,
    double connections,
    double definitions,
    double requests) {
  private static final double WATCH_BYTES = 100 * Bytes.KIB;
  private static final double CONNECTION_BYTES = 40 * Bytes.KIB;
  private static final double OPEN_API_BYTES = 110 * Bytes.MIB;
  private static final double AUDIT_BUFFER_BYTES = 30 * Bytes.MIB;

  /** What an executing request holds on average; a seat stands for 100 KB of a LIST. */
  static final double REQUEST_BYTES = 1e6;

  static Memory of(Shape shape, Load load, int replicas, double requestsInFlight) {
    int serving = Math.max(1, replicas - 1);
    return new Memory(
        0.4 * Bytes.GIB + OPEN_API_BYTES + AUDIT_BUFFER_BYTES,
        load.kinds().stream().mapToDouble(Kind::cachedBytes).sum(),
        load.kinds().stream().mapToDouble(Kind::historyBytes).sum(),
        load.watches() / serving * WATCH_BYTES,
        load.connections() / serving * CONNECTION_BYTES,
        definitionBytes(shape) * shape.number(Input.CUSTOM_RESOURCE_DEFINITIONS),
        requestsInFlight * REQUEST_BYTES / 4);
  }

  /**
   * Bytes of live heap that one CustomResourceDefinition takes, with its OpenAPI, discovery,
   * handlers and empty watch caches. A kube-apiserver makes handlers and caches with the first
   * request for the kind; in each cluster, garbage collection lists all kinds. Measured on 1.37.2
   * with schemas of 0.7 to 611 KiB (DESIGN.md).
   */
  public static double definitionBytes(Shape shape) {
    double versions = shape.number(Input.CRD_VERSIONS);
    return definitionBytes(versions, shape.number(Input.CRD_SCHEMA_KIB) * versions);
  }

  /**
   * The same by its served versions.
   *
   * @param versions how many
   * @param schemaKib of all of them together, KiB of JSON
   */
  public static double definitionBytes(double versions, double schemaKib) {
    return (0.17 + 0.33 * versions + 0.037 * schemaKib) * Bytes.MIB;
  }

  public double liveHeap() {
    return base + objects + history + watches + connections + definitions + requests;
  }
}
