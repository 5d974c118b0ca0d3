// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

/**
 * When every object of a revision was there, and healthy, for the first time. Immutable.
 *
 * @param revision SHA-256 of the files
 * @param milliseconds until then
 */
record AddonRun(
    String revision, Integer objects, Integer applied, Integer unchanged, Long milliseconds) {}
