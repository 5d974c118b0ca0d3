// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

/**
 * Of one member of a store.
 *
 * @param bytes of its file, or of memory
 * @param usedBytes of these
 * @param quotaBytes 0 if it does not say
 */
public record StoreStatus(
    String version, long bytes, long usedBytes, long quotaBytes, long revision) {}
