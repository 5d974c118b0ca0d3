// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pod;

import io.exaplane.operator.config.Images;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import java.util.ArrayList;
import java.util.List;

/** What every container has, and those that run a program of the operator's image. Pure. */
public final class PodContainers {
  /** A termination message policy: conditions tell what a container wrote last. */
  public static final String LAST_WORDS = "FallbackToLogsOnError";

  private PodContainers() {}

  /** A container without a name and a command. */
  public static ContainerBuilder of(String image) {
    return new ContainerBuilder()
        .withImage(image)
        .withImagePullPolicy(Images.pullPolicy(image))
        .withSecurityContext(PodSecurity.container());
  }

  /**
   * A container that ends before those of the pod start: it waits, or looks at something.
   *
   * @param image the operator's
   * @param program a class with a main method that needs the JDK only
   */
  public static ContainerBuilder first(
      String name, String image, Class<?> program, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add("/opt/java/bin/java");
    command.addAll(List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", "/app/app/*", program.getName()));
    command.addAll(arguments);
    return of(image).withName(name).withCommand(command);
  }
}
