// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.kubelets;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Which programs run on each host, and with what.
 *
 * @param kubelet program, a path or a name on the PATH
 * @param proxy kube-proxy, the same; empty for none
 * @param server URL by which hosts reach the API; empty for that of the kubeconfig
 * @param folder for the files of the hosts; it may exist already
 * @param images archives of images that each host gets
 * @param configuration text of a KubeletConfiguration that goes over the command's own; empty for
 *     none
 * @param leaseSeconds {@code nodeLeaseDurationSeconds}
 * @param onNode whether the machine may be a node of a cluster itself
 */
public record KubeletSettings(
    String kubelet,
    Optional<String> proxy,
    Optional<String> server,
    HostAddresses addresses,
    Path folder,
    List<Path> images,
    Optional<String> configuration,
    int leaseSeconds,
    boolean onNode) {}
