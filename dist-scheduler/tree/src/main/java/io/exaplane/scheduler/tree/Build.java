// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

import io.exaplane.scheduler.model.StableHash;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
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
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null) {
      throw new IllegalStateException(type + ": it is not known where it was loaded from");
    }
    try {
      Path place = Path.of(URI.create(source.getLocation().toURI().toString()));
      SortedMap<String, Long> classes = Files.isDirectory(place) ? folder(place) : jar(place);
      return StableHash.of(classes.toString());
    } catch (IOException | URISyntaxException | IllegalArgumentException e) {
      throw new IllegalStateException(source.getLocation() + ": cannot be read", e);
    }
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
