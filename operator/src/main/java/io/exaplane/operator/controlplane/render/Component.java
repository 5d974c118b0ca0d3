// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What differs between the components of a control plane.
 *
 * @param name as "apiserver", used in names of objects
 * @param binary as "kube-apiserver", the image's and the command's name
 * @param dataEpoch identity of the stores' data that the pods were started on
 * @param certificateEpoch see {@link Inputs}
 * @param rotationEpoch the steps of rotations that the pods were started with
 * @param configuration the content of its configuration file; none without one
 * @param waitFor arguments of the wait program that gates the start
 * @param annotations of the Deployment itself: they replace no pod
 */
record Component(
    String name,
    String binary,
    String version,
    int replicas,
    List<String> flags,
    List<EnvVar> env,
    ResourceRequirements resources,
    int port,
    String livenessPath,
    String readinessPath,
    int terminationGraceSeconds,
    String dataEpoch,
    String certificateEpoch,
    String rotationEpoch,
    Optional<String> configuration,
    List<String> waitFor,
    Map<String, String> annotations) {}
