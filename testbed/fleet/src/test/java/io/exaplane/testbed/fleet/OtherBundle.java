// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import io.exaplane.testbed.machine.ClassConstant;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.OtherBuild;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * An operator of another bundle: {@link OtherBuild} of the one that is tested, with other names of
 * all three images. Used by one thread.
 *
 * @param words its command
 * @param settings variables of its environment
 */
record OtherBundle(String words, Map<String, String> settings) {
  private static final String RUNNER = "quarkus-run.jar";
  private static final String FORMER = "registry.example/former";
  private static final String OTHER = "registry.example/other";

  /**
   * Makes it.
   *
   * @param folder an empty one, for its jars
   */
  static OtherBundle make(Path folder) throws IOException {
    String shipped = Machine.environment("EXA_OPERATOR");
    Path home =
        Arrays.stream(shipped.trim().split(" +"))
            .filter(word -> word.endsWith("/" + RUNNER))
            .map(word -> Path.of(word).getParent())
            .findFirst()
            .orElseThrow();
    Files.copy(home.resolve(RUNNER), folder.resolve(RUNNER));
    for (String same : List.of("lib", "quarkus")) {
      Files.createSymbolicLink(folder.resolve(same), home.resolve(same));
    }
    Path app = Files.createDirectories(folder.resolve("app"));
    try (Stream<Path> jars = Files.list(home.resolve("app"))) {
      for (Path jar : jars.toList()) {
        OtherBuild.write(jar, app.resolve(jar.getFileName()));
      }
    }
    return new OtherBundle(shipped.replace(home + "/", folder + "/"), images(OTHER));
  }

  /** The settings of the operator before, with images that have names. */
  static Map<String, String> former() {
    return images(FORMER);
  }

  private static Map<String, String> images(String at) {
    return Map.of(
        "EXAPLANE_OPERATOR_IMAGE", at + "/operator:1",
        "EXAPLANE_STORE_IMAGE", at + "/store:1",
        "EXAPLANE_SCHEDULER_IMAGE", at + "/scheduler:1");
  }

  /**
   * What a ControlPlane's ConfigMap shows, as {@link #lines} has it.
   *
   * @param deployments how many components it has
   */
  static List<String> ofControlPlane(int deployments) {
    List<String> lines = new ArrayList<>(flag(OtherBuild.FLAG));
    for (int i = 0; i < deployments; i++) {
      lines.addAll(image("operator"));
      lines.addAll(
          change("memory: \"%s\"", OtherBuild.REQUEST.before(), OtherBuild.REQUEST.after()));
    }
    return lines.stream().sorted().toList();
  }

  /** The same of a Critical store, in which a container of the operator's guards the volume. */
  static List<String> ofCriticalStore() {
    return Stream.concat(ofBestEffortStore().stream(), image("operator").stream())
        .sorted()
        .toList();
  }

  static List<String> ofBestEffortStore() {
    return Stream.concat(flag(OtherBuild.STORE_FLAG).stream(), image("store").stream())
        .sorted()
        .toList();
  }

  /** The same of a SchedulerPool that has roots alone. */
  static List<String> ofPool() {
    return image("scheduler").stream().sorted().toList();
  }

  private static List<String> flag(ClassConstant constant) {
    return change("- \"%s\"", constant.before(), constant.after());
  }

  private static List<String> image(String name) {
    String image = "%s/" + name + ":1";
    return change("image: \"%s\"", image.formatted(FORMER), image.formatted(OTHER));
  }

  private static List<String> change(String line, String before, String after) {
    return List.of("- " + line.formatted(before), "+ " + line.formatted(after));
  }

  /** The changed lines of a difference, each with its sign and without its indentation, sorted. */
  static List<String> lines(String difference) {
    return difference
        .lines()
        .filter(line -> line.startsWith("+") || line.startsWith("-"))
        .filter(line -> !line.startsWith("+++ ") && !line.startsWith("--- "))
        .map(line -> line.charAt(0) + " " + line.substring(1).strip())
        .sorted()
        .toList();
  }
}
