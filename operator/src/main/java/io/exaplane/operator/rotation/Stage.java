// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.rotation;

/** Which of two keys is trusted, and which one is used. */
public enum Stage {
  /** There is one key. */
  SINGLE,
  /** The next key is trusted, and used by nobody. */
  TRUSTED,
  /** The next key is used, and the old one trusted. Servers still show the old one. */
  ISSUING,
  /** Servers show the next key, too. Only a CA has this stage. */
  SERVING
}
