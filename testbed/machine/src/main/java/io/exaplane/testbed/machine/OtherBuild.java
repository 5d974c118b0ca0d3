// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.machine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Another build of the operator, without a build: the jar of the operator's own classes, in which
 * some constants are others. Such an operator renders another flag of kube-apiserver and of stores,
 * and more memory for the first container of components. Components and stores work as before.
 * Stateless.
 */
public final class OtherBuild {
  private static final String RENDER = "io/exaplane/operator/controlplane/render/";

  /** Go reads both as the same. */
  public static final ClassConstant FLAG =
      new ClassConstant(
          RENDER + "ApiServerFlags.class", "--allow-privileged=true", "--allow-privileged=TRUE");

  /** Of the first container of each component. */
  public static final ClassConstant REQUEST =
      new ClassConstant(RENDER + "ComponentDeployment.class", "64Mi", "65Mi");

  /** Of each store. */
  public static final ClassConstant STORE_FLAG =
      new ClassConstant(
          "io/exaplane/operator/storeshard/dependent/MemoryStatefulSet.class",
          "--watch-progress-notify-interval=5s",
          "--watch-progress-notify-interval=4s");

  private static final List<ClassConstant> ALL = List.of(FLAG, REQUEST, STORE_FLAG);

  private OtherBuild() {}

  /**
   * Writes the other jar. The same jar always gives the same other jar.
   *
   * @param from the jar of the operator's own classes
   * @throws AssertionError if a class is missing, or has its constant not exactly once
   */
  public static void write(Path from, Path to) throws IOException {
    Set<String> seen = new HashSet<>();
    try (ZipFile jar = new ZipFile(from.toFile());
        ZipOutputStream changed = new ZipOutputStream(Files.newOutputStream(to))) {
      for (ZipEntry entry : jar.stream().toList()) {
        byte[] content;
        try (InputStream in = jar.getInputStream(entry)) {
          content = in.readAllBytes();
        }
        for (ClassConstant constant : ALL) {
          if (constant.file().equals(entry.getName())) {
            content = constant.changed(content);
            seen.add(constant.file());
          }
        }
        ZipEntry copy = new ZipEntry(entry.getName());
        copy.setTimeLocal(entry.getTimeLocal());
        changed.putNextEntry(copy);
        changed.write(content);
        changed.closeEntry();
      }
    }
    for (ClassConstant constant : ALL) {
      if (!seen.contains(constant.file())) {
        throw new AssertionError(from + " has no class " + constant.file());
      }
    }
  }
}
