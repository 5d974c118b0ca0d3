// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

/** Takes characters from a {@link Room} for one field of an overlay. */
@FunctionalInterface
interface Charge {
  /** Before they are written into an object; refuses what does not fit. */
  void take(long characters) throws OverlayException;
}
