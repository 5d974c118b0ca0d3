// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.volume;

/**
 * What a CSI driver says of itself.
 *
 * @param tellsCapacity whether it tells how much room there is
 * @param mustBeInstalled whether nodes without it get no pods with its volumes
 */
public record CsiDriver(String name, boolean tellsCapacity, boolean mustBeInstalled) {}
