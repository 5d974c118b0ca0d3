// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

/**
 * When every object of a revision was there, and healthy, for the first time. Immutable.
 *
 * @param revision SHA-256 of the files
 * @param milliseconds until then
 * @param requests that the objects and the inventory took until then; null if nobody counted
 * @param sentBytes of the objects in these requests; null likewise
 */
record AddonRun(
    String revision,
    Integer objects,
    Integer applied,
    Integer unchanged,
    Long milliseconds,
    Long requests,
    Long sentBytes) {}
