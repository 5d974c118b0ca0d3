// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.controlplane.sizing.EffectiveControlPlane;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.controlplane.sizing.Tuned;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.order.TaskOrders;
import io.exaplane.operator.rotation.RotationEpochs;
import java.util.List;

/**
 * All that the desired objects of a control plane depend on. Immutable; the same inputs always give
 * the same objects.
 *
 * @param sized what the user asked for, as it is to be made now
 * @param images where images come from
 * @param serviceAddress IP address of the API's Service inside the management cluster
 * @param servicePort port of that Service
 * @param stores the stores in the order of the spec
 * @param certificateEpoch changes when running components have to be replaced to take up renewed
 *     certificates, which is "" when they reload them in time; and the steps of rotations
 * @param orders what running tasks ask for
 * @param routes resources that kube-apiserver reaches by Services of their own, wherever they are
 */
public record Inputs(
    Sized sized,
    Images images,
    String serviceAddress,
    int servicePort,
    List<Store> stores,
    CertificateEpochs certificateEpoch,
    TaskOrders orders,
    List<Route> routes) {

  /** Without Services of single resources. */
  public Inputs(
      Sized sized,
      Images images,
      String serviceAddress,
      int servicePort,
      List<Store> stores,
      CertificateEpochs certificateEpoch,
      TaskOrders orders) {
    this(sized, images, serviceAddress, servicePort, stores, certificateEpoch, orders, List.of());
  }

  /** Without tasks. */
  public Inputs(
      Sized sized,
      Images images,
      String serviceAddress,
      int servicePort,
      List<Store> stores,
      CertificateEpochs certificateEpoch) {
    this(
        sized,
        images,
        serviceAddress,
        servicePort,
        stores,
        certificateEpoch,
        TaskOrders.NONE,
        List.of());
  }

  /**
   * A resource that has a Service of its own.
   *
   * @param url of the Service
   * @param store name of the store that the Service leads to
   * @param toldUrl the URL as status tells it; null while it tells none
   */
  public record Route(ResourceRef resource, String url, String store, String toldUrl) {}

  /** A store as the apiserver sees it. */
  public record Store(String name, boolean critical, String url, String dataId) {}

  /** What each component's pods carry to be replaced when a certificate changes. */
  public record CertificateEpochs(
      String apiServer, String controllerManager, String scheduler, RotationEpochs rotation) {
    public static final CertificateEpochs NONE =
        new CertificateEpochs("", "", "", RotationEpochs.NONE);
  }

  /** The same of another size, with images from elsewhere. */
  public Inputs of(Sized sized, Images images) {
    return new Inputs(
        sized, images, serviceAddress, servicePort, stores, certificateEpoch, orders, routes);
  }

  /** The same with the Services of single resources that an earlier pass knew, as it knew them. */
  public Inputs withToldRoutes() {
    return new Inputs(
        sized,
        images,
        serviceAddress,
        servicePort,
        stores,
        certificateEpoch,
        orders,
        routes.stream()
            .filter(route -> route.toldUrl() != null)
            .map(
                route ->
                    new Route(route.resource(), route.toldUrl(), route.store(), route.toldUrl()))
            .toList());
  }

  /** The control plane, of the size that counts and with the stores that were chosen. */
  public EffectiveControlPlane controlPlane() {
    return sized.controlPlane();
  }

  /** What the components of a version are started with. */
  Tuned tuned(String version) {
    return version.equals(controlPlane().spec().version())
        ? sized.template().orElseThrow()
        : sized.template().orElseThrow().at(version);
  }

  public ControlPlaneNames names() {
    return controlPlane().names();
  }

  /** The store that holds every Kind that no route names. */
  public Store store(String name) {
    return stores.stream().filter(store -> store.name().equals(name)).findFirst().orElseThrow();
  }

  /**
   * Identity of the data in the critical stores. When it changes the stores started empty, and
   * every component has to start anew.
   */
  public String dataEpoch() {
    return String.join(",", stores.stream().filter(Store::critical).map(Store::dataId).toList());
  }
}
