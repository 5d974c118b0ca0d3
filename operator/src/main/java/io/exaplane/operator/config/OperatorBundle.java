// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.config;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.tuning.Tuning;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The bundle of the running operator: what it would make pods of. Its name is the tag of the
 * operator's image, and a fingerprint of its code and settings, so that no two operators that
 * render differently have the same. Immutable.
 */
@ApplicationScoped
public class OperatorBundle {
  private static final int LONGEST_TAG = 40;
  private static final int FINGERPRINT_BYTES = 4;
  private static final String WITHOUT_TAG = "operator";

  private String name;

  /** For ArC, which makes proxies of beans. */
  OperatorBundle() {}

  /** That of these settings, and of this code. */
  @Inject
  public OperatorBundle(OperatorConfig config) {
    this(config, code());
  }

  OperatorBundle(OperatorConfig config, String code) {
    String tag = Images.tagOf(config.operatorImage());
    String shortened = tag.length() > LONGEST_TAG ? tag.substring(0, LONGEST_TAG) : tag;
    name =
        (shortened.isEmpty() ? WITHOUT_TAG : shortened)
            + "-"
            + fingerprint(
                List.of(
                    code,
                    config.imageRegistry(),
                    config.imagePullSecret().orElse(""),
                    config.operatorImage(),
                    config.storeImage(),
                    config.schedulerImage(),
                    config.etcdTag()));
  }

  /** As {@code 1.2.0-5d41402a}. */
  public String name() {
    return name;
  }

  private static String fingerprint(List<String> parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String part : parts) {
        digest.update((part + "\n").getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest(), 0, FINGERPRINT_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Of the classes that render: the operator's, the API's and the tuning model's. */
  private static String code() {
    TreeSet<String> files = new TreeSet<>();
    for (Class<?> one : List.of(OperatorBundle.class, ControlPlane.class, Tuning.class)) {
      CodeSource source = one.getProtectionDomain().getCodeSource();
      if (source != null && source.getLocation() != null) {
        try {
          add(Path.of(source.getLocation().toURI()), files);
        } catch (URISyntaxException | IOException e) {
          throw new IllegalStateException("cannot read the operator's own code", e);
        }
      }
    }
    return String.join("\n", files);
  }

  private static void add(Path place, TreeSet<String> files) throws IOException {
    if (Files.isDirectory(place)) {
      try (Stream<Path> all = Files.walk(place)) {
        all.filter(Files::isRegularFile)
            .forEach(file -> files.add(place.relativize(file) + " " + checksum(file)));
      }
    } else if (Files.isRegularFile(place)) {
      try (ZipFile jar = new ZipFile(place.toFile())) {
        jar.stream()
            .filter(entry -> entry.getName().endsWith(".class") || isData(entry))
            .forEach(entry -> files.add(entry.getName() + " " + entry.getCrc()));
      }
    }
  }

  /** What a build writes of itself, as its time, renders nothing. */
  private static boolean isData(ZipEntry entry) {
    return !entry.isDirectory() && !entry.getName().startsWith("META-INF/");
  }

  private static String checksum(Path file) {
    try {
      return fingerprint(List.of(HexFormat.of().formatHex(Files.readAllBytes(file))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
