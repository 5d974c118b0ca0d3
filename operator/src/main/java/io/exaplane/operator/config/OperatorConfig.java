// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Optional;

/** Settings of the operator itself, as environment variables EXAPLANE_…. */
@ConfigMapping(prefix = "exaplane")
public interface OperatorConfig {
  /** Where the images of Kubernetes and etcd come from unless a ControlPlane says otherwise. */
  @WithDefault("registry.k8s.io")
  String imageRegistry();

  /** Secret that pulls images, in each ControlPlane's namespace, unless it says otherwise. */
  Optional<String> imagePullSecret();

  /** The operator's own image; its wait program gates the start of components. */
  String operatorImage();

  /** The image of stores of the engine Memory. */
  String storeImage();

  /** The image of a SchedulerPool's processes. */
  String schedulerImage();

  /** Tag of the etcd image: the version that kubeadm of all supported minors deploys. */
  @WithDefault("3.6.8-0")
  String etcdTag();
}
