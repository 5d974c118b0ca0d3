// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.inventory;

import io.exaplane.apply.manifest.ObjectKey;

/**
 * What a source's last apply of an object left. Immutable.
 *
 * @param key the object
 * @param manifest hash of the manifest
 * @param fields hash of the fields that we owned after it
 * @param values hash of their values; 0 when only metadata was read
 * @param generation {@code metadata.generation} after it
 * @param resourceVersion {@code metadata.resourceVersion} after it
 */
public record InventoryRecord(
    ObjectKey key,
    long manifest,
    long fields,
    long values,
    long generation,
    long resourceVersion) {}
