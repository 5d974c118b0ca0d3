// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.engine.Notice;
import io.exaplane.apply.engine.Summary;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.pace.NewDefinitions;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.ResourceType;
import java.util.List;
import java.util.Optional;

/** An apply engine that runs for some sources. Used by one thread. */
interface AddonEngine extends AutoCloseable {
  /**
   * How a source stands.
   *
   * @param idle whether nothing is left to do but to wait for changes, or to try again what failed
   * @param hasInventory whether the hosted API had an inventory when the engine looked last
   */
  record Standing(Summary summary, boolean idle, boolean hasInventory) {}

  /** Says what a source wants from now on; nothing is deleted unless that is complete. */
  void want(ApplySet set, List<Manifest> manifests, boolean complete) throws InterruptedException;

  /** Lets go of a source: its objects and its inventory stay as they are. */
  void drop(ApplySet set) throws InterruptedException;

  Standing look(ApplySet set) throws InterruptedException;

  /** While this number stays, no good source stands otherwise than before. */
  long events();

  boolean hasEnded();

  /** What happened since the last call, oldest first: fights, and objects that were kept. */
  List<Notice> notices();

  /** Reads one object of the hosted API, whoever made it; empty if there is none. */
  Optional<ObjectNode> find(ResourceType type, ObjectKey key)
      throws ApiException, InterruptedException;

  /**
   * The definitions among a source's objects that the hosted API does not serve yet, and how full
   * the kube-apiserver is that answers; empty for a few, about which nobody is asked.
   */
  Optional<NewDefinitions> added(List<Manifest> manifests)
      throws ApiException, InterruptedException;

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
