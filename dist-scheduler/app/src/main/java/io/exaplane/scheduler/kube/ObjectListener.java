// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import java.util.Map;
import java.util.function.BiPredicate;

/**
 * Takes what the API server tells, kind by kind in its order, on the thread of the kind's {@link
 * Reflector}. It may block: then the reflector waits, and the server with it. It throws nothing: an
 * object that it cannot read is its own to tell of, as asking again would bring the same one.
 */
public interface ObjectListener {
  /** An object is new, or another one now. */
  void put(Resource resource, Map<String, Object> object);

  /** An object is gone; this is what it was. */
  void remove(Resource resource, Map<String, Object> object);

  /**
   * All objects of a kind were told; those that this listener knows besides are gone.
   *
   * @param isThere by namespace (empty if the kind has none) and name, to be asked before this
   *     returns
   */
  void retain(Resource resource, BiPredicate<String, String> isThere);
}
