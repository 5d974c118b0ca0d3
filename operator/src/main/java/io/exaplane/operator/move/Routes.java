// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.javaoperatorsdk.operator.api.reconciler.Context;

/**
 * The Service of each resource that moves: kube-apiservers reach the resource's store by it.
 *
 * <p>Who writes what. The Service is created by {@link #prepare}, and its selector is changed by
 * {@link #select}. A pass of the control plane creates a lost Service again, with the address of
 * the control plane's {@code status.routes}, and with the store that {@code
 * TaskOrders.selected(...)} names. A pass is the only writer of {@code status.routes}: it adds an
 * entry as soon as {@code TaskOrders.routed()} has the resource and the Service has an address, and
 * never removes one. A task is in {@code routed()} from its step ReplacePods on, which it reaches
 * only when {@link RouteState#ready} was true. The flag of kube-apiserver follows {@code
 * status.routes}, so each kube-apiserver that gets the flag can use the address at once. The flag's
 * text and place must not depend on {@code spec.storage.routes} from then on: that changes at the
 * switch, and must replace no pod.
 *
 * <p>Every method may be called again at any time, also by another operator, and then changes
 * nothing. Refused writes are thrown as the client throws them. Thread-safe.
 */
public interface Routes {
  /**
   * Creates the Service of a resource unless it exists; its selector is then of {@code fromStore}.
   * An existing Service keeps its selector.
   *
   * @param fromStore name of the store that has the resource now
   * @return whether every store of the engine Memory with a PersistentVolume serves a certificate
   *     with the Service's address
   */
  RouteState prepare(
      ControlPlane controlPlane, ResourceRef resource, String fromStore, Context<?> context);

  /**
   * Lets the Service lead to another store. Established connections remain.
   *
   * @param store name of the store that new connections reach
   */
  void select(ControlPlane controlPlane, ResourceRef resource, String store, Context<?> context);
}
