// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.plane.Kind;
import io.exaplane.cli.plane.Management;
import io.exaplane.cli.plane.PlaneView;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a ControlPlane is. */
final class PlaneOptions {
  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Namespace of the ControlPlane (default: that of the context).")
  private String namespace;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Kubeconfig of the management cluster (default: as kubectl).")
  private Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Context of the kubeconfig (default: the current one).")
  private String context;

  Management connect() {
    return Management.connect(kubeconfig, context);
  }

  String in(Management management) {
    return namespace == null ? management.namespace() : namespace;
  }

  /** The named ControlPlane, or the only one of the namespace. */
  JsonNode plane(Management management, String name) {
    return name == null
        ? PlaneView.only(management, in(management))
        : management.get(Kind.CONTROL_PLANE, in(management), name);
  }
}
