// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.port;

/** How much of each object a list or watch asks the server for. */
public enum Content {
  /**
   * {@code PartialObjectMetadata}: enough to find drift, since it names the owner of each field.
   */
  METADATA,
  /** The whole object, which the port reduces to {@link Observed} at once: for health. */
  FULL
}
