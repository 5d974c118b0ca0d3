// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.zafarkhaja.semver.Version;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The graph of upgrades that OLM follows: each version replaces the one before it, and may be
 * installed over any older one.
 *
 * @param version of this build
 * @param released the versions before it, the oldest first
 */
record Upgrades(Release version, List<Release> released) {
  static final String STABLE = "stable";
  static final String CANDIDATE = "candidate";

  /**
   * A version as catalogs know it.
   *
   * @param bundle its name, as {@code exaplane-operator.v0.1.0}
   */
  record Release(Version version, String bundle) {
    boolean isStable() {
      return version.preReleaseVersion().isEmpty();
    }
  }

  /**
   * Of released bundles those that are older.
   *
   * @param bundles blobs olm.bundle
   */
  static Upgrades of(String version, List<JsonNode> bundles) {
    Version own = Version.parse(version);
    List<Release> older = new ArrayList<>();
    for (JsonNode bundle : bundles) {
      Version other = Version.parse(versionOf(bundle));
      if (other.isLowerThan(own)) {
        older.add(new Release(other, bundle.get("name").asText()));
      }
    }
    older.sort(Comparator.comparing(Release::version));
    return new Upgrades(new Release(own, bundleName(version)), older);
  }

  /** Names of objects are in lower case. */
  static String bundleName(String version) {
    return "exaplane-operator.v" + version.toLowerCase(Locale.ROOT);
  }

  private static String versionOf(JsonNode bundle) {
    for (JsonNode property : bundle.get("properties")) {
      if (property.get("type").asText().equals("olm.package")) {
        return property.at("/value/version").asText();
      }
    }
    throw new IllegalArgumentException(
        bundle.get("name").asText() + " has no property olm.package; copy the whole blob");
  }

  /** The bundle that this version replaces. */
  Optional<String> before() {
    return released.isEmpty() ? Optional.empty() : Optional.of(released.getLast().bundle());
  }

  /** The versions over which this one can be installed directly. */
  Optional<String> skipRange() {
    return released.isEmpty()
        ? Optional.empty()
        : Optional.of(">=" + released.getFirst().version() + " <" + version.version());
  }

  /** Channels of this version, those for careful people first. */
  List<String> channels() {
    return version.isStable() ? List.of(STABLE, CANDIDATE) : List.of(CANDIDATE);
  }

  String defaultChannel() {
    return version.isStable() || released.stream().anyMatch(Release::isStable) ? STABLE : CANDIDATE;
  }

  /** The versions of a channel, the oldest first. */
  List<Release> in(String channel) {
    List<Release> all = new ArrayList<>(released);
    all.add(version);
    return channel.equals(STABLE) ? all.stream().filter(Release::isStable).toList() : all;
  }
}
