// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Stage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What kube-apiserver reads at {@code --encryption-provider-config}, at each step of a rotation.
 * Each step has a file of its own: a pod never starts with the content of another step than that of
 * its template, however late its node sees a Secret change. Pure.
 */
public final class EncryptionConfiguration {
  /** Something has to be named; this encrypts nothing. */
  private static final List<String> PLAIN = List.of("secrets");

  private EncryptionConfiguration() {}

  /** Name of the file at the step of a key; empty if kube-apiserver has none. */
  public static Optional<String> file(RotatedKey key) {
    return isUsed(key) ? Optional.of(file(key.step())) : Optional.empty();
  }

  private static String file(int step) {
    return "encryption-" + step + ".yaml";
  }

  /** Before encryption was switched on for the first time there is nothing to read. */
  private static boolean isUsed(RotatedKey key) {
    return key.step() > 0 || EncryptionKey.current(key).encrypts();
  }

  /**
   * The files at the step of a key, and at the one before: pods of before may start again until all
   * are replaced.
   */
  static Map<String, String> files(RotatedKey key) {
    Map<String, String> files = new TreeMap<>();
    file(key).ifPresent(file -> files.put(file, text(key)));
    if (key.step() > 0) {
      before(key).ifPresent(text -> files.put(file(key.step() - 1), text));
    }
    return files;
  }

  /**
   * Which files pods may be put back to: never to one by which they would write what others cannot
   * read, or write by a key that is about to go. "" is none at all.
   */
  public static Set<String> returns(RotatedKey key) {
    Set<String> files = new TreeSet<>(Set.of(file(key).orElse("")));
    if (key.step() > 0 && key.stage() != Stage.ISSUING) {
      files.add(
          key.step() == 1 && !EncryptionKey.current(key).encrypts() ? "" : file(key.step() - 1));
    }
    return files;
  }

  private static Optional<String> before(RotatedKey key) {
    EncryptionKey current = EncryptionKey.current(key);
    Optional<EncryptionKey> other = EncryptionKey.other(key);
    return switch (key.stage()) {
      case TRUSTED ->
          key.step() > 1 || current.encrypts()
              ? Optional.of(text(current, Optional.empty()))
              : Optional.empty();
      case ISSUING, SERVING -> other.map(old -> text(old, Optional.of(current)));
      // All objects were written with the one key; the other one is gone.
      case SINGLE -> Optional.of(text(key));
    };
  }

  /** At the step of a key. */
  public static String text(RotatedKey key) {
    return text(
        EncryptionKey.current(key),
        key.stage() == Stage.SINGLE ? Optional.empty() : EncryptionKey.other(key));
  }

  /** What is not encrypted is read always: objects from before encryption are so. */
  private static String text(EncryptionKey current, Optional<EncryptionKey> other) {
    List<EncryptionKey> keys =
        Stream.concat(Stream.of(current), other.stream()).filter(EncryptionKey::encrypts).toList();
    List<String> rest =
        other.stream()
            .flatMap(key -> key.resources().stream())
            .filter(resource -> !current.resources().contains(resource))
            .toList();
    StringBuilder text =
        new StringBuilder(
            "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n");
    if (!current.resources().isEmpty()) {
      entry(text, current.resources(), boxes(keys) + IDENTITY);
    }
    if (!rest.isEmpty()) {
      entry(text, rest, IDENTITY + boxes(keys));
    }
    if (current.resources().isEmpty() && rest.isEmpty()) {
      entry(text, PLAIN, IDENTITY);
    }
    return text.toString();
  }

  private static final String IDENTITY = "  - identity: {}\n";

  private static void entry(StringBuilder text, List<String> resources, String providers) {
    text.append("- resources:\n");
    resources.forEach(resource -> text.append("  - ").append(resource).append('\n'));
    text.append("  providers:\n").append(providers);
  }

  private static String boxes(List<EncryptionKey> keys) {
    return keys.isEmpty()
        ? ""
        : keys.stream()
            .map(
                key -> "      - name: %s\n        secret: %s\n".formatted(key.name(), key.secret()))
            .collect(Collectors.joining("", "  - secretbox:\n      keys:\n", ""));
  }
}
