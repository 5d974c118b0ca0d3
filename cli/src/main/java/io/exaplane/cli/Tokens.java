// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import java.io.IOException;

/** A document's map, part by part, in whatever format it is. One thread. */
interface Tokens {
  /** The name of the next field of the map; null after the last. Its value has to be read then. */
  String nextField() throws IOException;

  /** Goes into the field's value if it is a list; false if it is none. */
  boolean enterList() throws IOException;

  /** Whether the list goes on; its element has to be read then. */
  boolean nextElement() throws IOException;

  /** All of the field's value, or the element: maps, lists, and the JDK's scalars. */
  Object value() throws IOException;
}
