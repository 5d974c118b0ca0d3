// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

import io.exaplane.scheduler.engine.model.StableHash;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipFile;

/**
 * Which code a process runs, by the checksums of its classes: two builds of the same code are the
 * same. Two members that judge otherwise would agree on every record and not on a score.
 */
final class Build {
  private Build() {}

  /**
   * Of the code from which this class is loaded.
   *
   * @throws IllegalStateException if that cannot be read
   */
  static long of(Class<?> type) {
    // A class out of an AOT cache may not know its code source.
    String file = type.getName().substring(type.getPackageName().length() + 1) + ".class";
    URL own = type.getResource(file);
    if (own == null) {
      throw new IllegalStateException(
          type + ": the place from which the class was loaded is unknown");
    }
    try {
      SortedMap<String, Long> classes =
          own.openConnection() instanceof JarURLConnection jar
              ? jar(Path.of(jar.getJarFileURL().toURI()))
              : folder(rootOf(Path.of(own.toURI()), type));
      return StableHash.of(classes.toString());
    } catch (IOException | URISyntaxException | IllegalArgumentException e) {
      throw new IllegalStateException(own + ": is not readable", e);
    }
  }

  private static Path rootOf(Path file, Class<?> type) {
    Path root = file;
    for (int depth = type.getName().split("\\.").length; depth > 0; depth--) {
      root = root.getParent();
    }
    return root;
  }

  private static SortedMap<String, Long> jar(Path place) throws IOException {
    SortedMap<String, Long> classes = new TreeMap<>();
    try (ZipFile zip = new ZipFile(place.toFile())) {
      zip.stream()
          .filter(entry -> entry.getName().endsWith(".class"))
          .forEach(entry -> classes.put(entry.getName(), entry.getCrc()));
    }
    return classes;
  }

  private static SortedMap<String, Long> folder(Path place) throws IOException {
    SortedMap<String, Long> classes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(place)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
        CRC32 crc = new CRC32();
        try (InputStream in = new CheckedInputStream(Files.newInputStream(file), crc)) {
          in.transferTo(java.io.OutputStream.nullOutputStream());
        }
        classes.put(place.relativize(file).toString().replace('\\', '/'), crc.getValue());
      }
    }
    return classes;
  }
}
