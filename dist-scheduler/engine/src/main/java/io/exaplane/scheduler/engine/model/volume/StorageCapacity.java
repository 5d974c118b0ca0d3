// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.volume;

import io.exaplane.scheduler.engine.model.LabelSelector;

/**
 * How large a volume can be made somewhere (CSIStorageCapacity).
 *
 * @param limitBytes the largest volume, or null if that is not known
 * @param roomBytes all that there is, or null if that is not known
 * @param nodes where, or null for nowhere
 */
public record StorageCapacity(
    String key, String storageClass, Long limitBytes, Long roomBytes, LabelSelector nodes) {}
