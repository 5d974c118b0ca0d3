// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Stage;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * With which key kube-apiservers encrypt, and which resources. There is also one that encrypts
 * nothing: a control plane begins with it that already runs when encryption is switched on, and
 * ends with it when encryption is switched off. Immutable.
 *
 * @param secret 32 bytes in Base64; "" for the one that encrypts nothing
 * @param resources as kube-apiserver names them, sorted
 */
public record EncryptionKey(String secret, List<String> resources) {
  /** The one that encrypts nothing. */
  public static final EncryptionKey IDENTITY = new EncryptionKey("", List.of());

  /** The file of its Secret. */
  static final String FILE = "key";

  static final List<String> FILES = List.of(FILE);
  private static final String PLAIN = "identity";
  private static final String PROVIDER = "secretbox";
  private static final int BYTES = 32;
  private static final int NAME_CHARACTERS = 8;
  private static final SecureRandom RANDOM = new SecureRandom();

  public EncryptionKey {
    resources = resources.stream().sorted().toList();
  }

  /** A new key for these resources; the one that encrypts nothing without any. */
  public static EncryptionKey make(List<String> resources) {
    if (resources.isEmpty()) {
      return IDENTITY;
    }
    byte[] secret = new byte[BYTES];
    RANDOM.nextBytes(secret);
    return new EncryptionKey(Base64.getEncoder().encodeToString(secret), resources);
  }

  /** Reads the file of its Secret; empty if that holds no key. */
  static Optional<EncryptionKey> parse(String text) {
    String[] words = text == null ? new String[0] : text.strip().split("\\s+");
    if (words.length == 1 && words[0].equals(PLAIN)) {
      return Optional.of(IDENTITY);
    }
    return words.length > 2 && words[0].equals(PROVIDER) && isKey(words[1])
        ? Optional.of(
            new EncryptionKey(words[1], List.of(Arrays.copyOfRange(words, 2, words.length))))
        : Optional.empty();
  }

  /** Reads its Secret; empty if that does not hold whole keys. */
  static Optional<RotatedKey> read(Map<String, byte[]> files) {
    RotatedKey key = RotatedKey.read(files, FILES);
    boolean isWhole =
        parse(key.current().get(FILE)).isPresent()
            && (key.stage() == Stage.SINGLE || other(key).isPresent());
    return Optional.of(key).filter(_ -> isWhole);
  }

  private static boolean isKey(String text) {
    try {
      return Base64.getDecoder().decode(text).length == BYTES;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  /** The key that is used. */
  static EncryptionKey current(RotatedKey key) {
    return parse(key.current().get(FILE)).orElseThrow();
  }

  /** The key beside it, if there is one. */
  static Optional<EncryptionKey> other(RotatedKey key) {
    return Optional.ofNullable(key.other().get(FILE)).flatMap(EncryptionKey::parse);
  }

  /**
   * What stands for the keys of a Secret in status: the key in use, or the one beside it if the one
   * in use encrypts nothing. Empty if no object can be encrypted.
   */
  static Optional<String> fingerprint(RotatedKey key) {
    return Stream.concat(Stream.of(current(key)), other(key).stream())
        .filter(EncryptionKey::encrypts)
        .map(EncryptionKey::sha256)
        .findFirst();
  }

  /** Whether one of the keys of a Secret has that fingerprint. */
  static boolean holds(RotatedKey key, String sha256) {
    return Stream.concat(Stream.of(current(key)), other(key).stream())
        .filter(EncryptionKey::encrypts)
        .anyMatch(each -> each.sha256().equals(sha256));
  }

  /**
   * What stands for a rotation's new key and for those who write by it: no two steps of a Secret
   * have the same, and no two templates of kube-apiserver.
   *
   * @param servers the Deployment of kube-apiserver and its revision
   */
  public static String id(RotatedKey key, String servers) {
    return id(key.step(), current(key)) + " " + servers;
  }

  /** Its begin, which an operator of before told alone. */
  static String id(int step, EncryptionKey current) {
    return step + " " + current.name();
  }

  /** The resources of both keys: those whose objects are written again. */
  public static List<String> resources(RotatedKey key) {
    return Stream.concat(Stream.of(current(key)), other(key).stream())
        .flatMap(each -> each.resources().stream())
        .distinct()
        .sorted()
        .toList();
  }

  boolean encrypts() {
    return !secret.isEmpty();
  }

  /** In front of each value in the store; another one for another key. */
  public String name() {
    return encrypts() ? "key-" + sha256().substring(0, NAME_CHARACTERS) : PLAIN;
  }

  String sha256() {
    return Fingerprints.sha256(Base64.getDecoder().decode(secret));
  }

  /** The files of its Secret. */
  Map<String, String> files() {
    return Map.of(FILE, text());
  }

  /** The file of its Secret. */
  public String text() {
    return encrypts() ? "%s %s %s".formatted(PROVIDER, secret, String.join(" ", resources)) : PLAIN;
  }

  /** Without the key. */
  @Override
  public String toString() {
    return name() + resources;
  }
}
