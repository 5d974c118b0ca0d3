// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.version;

/**
 * A feature gate in one minor version.
 *
 * @param stage Alpha, Beta, GA or Deprecated
 * @param locked whether setting it to anything but its default keeps the component from starting
 */
public record Gate(String stage, boolean enabledByDefault, boolean locked) {}
