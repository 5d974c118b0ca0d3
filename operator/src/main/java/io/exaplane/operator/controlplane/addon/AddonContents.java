// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ManifestReader;
import io.exaplane.apply.manifest.Problem;
import io.exaplane.apply.manifest.Reading;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The files of a source, read. Immutable. */
record AddonContents(String revision, Reading reading) {
  /**
   * Of a source: a few bytes of a text become an object, or a problem, and these take memory of the
   * operator.
   */
  static final int MOST_OBJECTS = 10_000;

  /**
   * Of the texts by name; if there are more objects than a source may have, what was read first.
   */
  static AddonContents of(Map<String, String> texts) {
    return within(texts, MOST_OBJECTS, Long.MAX_VALUE);
  }

  /** The same; what was read before, if the texts are those of then. */
  static AddonContents of(Map<String, String> texts, Optional<AddonContents> before) {
    String revision = revision(texts);
    return before.filter(one -> one.revision().equals(revision)).orElseGet(() -> of(texts));
  }

  /**
   * Of the texts of others: if a bound is exceeded, what was read until then.
   *
   * @param mostObjects good ones and bad ones
   * @param mostBytes of the bodies of all objects
   */
  static AddonContents within(Map<String, String> texts, int mostObjects, long mostBytes) {
    return new AddonContents(
        revision(texts), checked(ManifestReader.read(texts, mostObjects, mostBytes)));
  }

  /** How many objects there are; of a bad one, a problem is kept. */
  int objects() {
    return reading.manifests().size() + reading.problems().size();
  }

  /** How long the bodies of all objects are. */
  long bytes() {
    return reading.manifests().stream().mapToLong(Manifest::bodyBytes).sum();
  }

  /** Whether the texts are the same ones. */
  boolean isSame(AddonContents other) {
    return revision.equals(other.revision);
  }

  /** Without any object, what was applied before stays: nobody meant to delete all. */
  boolean hasObjects() {
    return !reading.manifests().isEmpty();
  }

  /** An object that is an inventory would lose what its file says. */
  private static Reading checked(Reading reading) {
    List<Manifest> good = new ArrayList<>();
    List<Problem> problems = new ArrayList<>(reading.problems());
    for (Manifest one : reading.manifests()) {
      boolean isInventory =
          one.key().group().isEmpty()
              && one.key().kind().equals("ConfigMap")
              && one.key().name().startsWith(AddonWish.PREFIX);
      if (isInventory) {
        problems.add(
            new Problem(
                one.source(),
                "metadata.name: '%s' must not begin with %s, as inventories of add-ons do; choose another name"
                    .formatted(one.key().name(), AddonWish.PREFIX)));
      } else {
        good.add(one);
      }
    }
    return new Reading(good, problems, reading.files(), reading.bytes());
  }

  /** SHA-256 of all names and texts, as hex. */
  static String revision(Map<String, String> texts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      new TreeMap<>(texts)
          .forEach(
              (name, text) -> {
                digest.update(name.getBytes(StandardCharsets.UTF_8));
                digest.update((byte) 0);
                digest.update(text.getBytes(StandardCharsets.UTF_8));
                digest.update((byte) 0);
              });
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
