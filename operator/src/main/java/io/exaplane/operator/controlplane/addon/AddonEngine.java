// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.apply.engine.Notice;
import io.exaplane.apply.engine.Summary;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.port.ApiException;
import java.util.List;

/** An apply engine that runs for some sources. Used by one thread. */
interface AddonEngine extends AutoCloseable {
  /**
   * How a source stands.
   *
   * @param idle whether nothing is left to do but to wait for changes, or to try again what failed
   */
  record Standing(Summary summary, boolean idle) {}

  /** Says what a source wants from now on; nothing is deleted unless that is complete. */
  void want(ApplySet set, List<Manifest> manifests, boolean complete) throws InterruptedException;

  Standing look(ApplySet set) throws InterruptedException;

  /** While this number stays, no good source stands otherwise than before. */
  long events();

  boolean hasEnded();

  /** What happened since the last call, oldest first: fights, and objects that were kept. */
  List<Notice> notices();

  /** Deletes the inventory of a source of which nothing is left. */
  void forget(ApplySet set) throws ApiException, InterruptedException;

  @Override
  void close();

  /** Makes engines. */
  interface Maker {
    /** An engine that has no source yet; the caller closes it. */
    AddonEngine open(EngineKey key);
  }
}
