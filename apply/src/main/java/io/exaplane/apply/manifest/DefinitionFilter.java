// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Chooses some of the kinds that a source defines, such as those of a provider that a cluster
 * needs. Other objects of the source stay, but objects of a kind that is left out go with it.
 * Immutable.
 */
public final class DefinitionFilter {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9*][-A-Za-z0-9*.]{0,252}");

  private final List<Glob> include;
  private final List<Glob> exclude;

  private record Glob(String text, Predicate<String> matches) {}

  /**
   * What was chosen. Immutable.
   *
   * @param manifests what is to be applied
   * @param leftOut kinds that are left out, as {@code Bucket.s3.aws.example.org}
   * @param unmatched patterns that match no definition of the source
   */
  public record Selection(List<Manifest> manifests, List<String> leftOut, List<String> unmatched) {
    public Selection {
      manifests = List.copyOf(manifests);
      leftOut = List.copyOf(leftOut);
      unmatched = List.copyOf(unmatched);
    }
  }

  private DefinitionFilter(List<Glob> include, List<Glob> exclude) {
    this.include = include;
    this.exclude = exclude;
  }

  /**
   * Of patterns for KIND.GROUP, in which {@code *} stands for any characters.
   *
   * @param include a definition must match one of these; empty for all
   * @param exclude and none of these
   * @return the filter
   * @throws IllegalArgumentException for a pattern that no kind can match; the message says which
   */
  public static DefinitionFilter of(List<String> include, List<String> exclude) {
    return new DefinitionFilter(globs(include), globs(exclude));
  }

  private static List<Glob> globs(List<String> patterns) {
    List<Glob> globs = new ArrayList<>();
    for (String one : patterns) {
      boolean whole = one.contains(".") || one.contains("*");
      if (!whole || !VALID.matcher(one).matches()) {
        throw new IllegalArgumentException(
            "'"
                + one
                + "' must be KIND.GROUP, in which * stands for any characters; write for example"
                + " Bucket.s3.aws.example.org or *.s3.aws.example.org");
      }
      String regex = Pattern.quote(one).replace("*", "\\E.*\\Q");
      globs.add(new Glob(one, Pattern.compile(regex).asMatchPredicate()));
    }
    return List.copyOf(globs);
  }

  /**
   * Chooses.
   *
   * @param manifests all that a source has
   * @return what is to be applied, in the same order
   */
  public Selection select(List<Manifest> manifests) {
    Set<String> leftOut = new LinkedHashSet<>();
    Set<Glob> matched = new HashSet<>();
    for (Manifest one : manifests) {
      kind(one).filter(kind -> !wanted(kind, matched)).ifPresent(leftOut::add);
    }
    List<Manifest> chosen = new ArrayList<>();
    for (Manifest one : manifests) {
      String kind = kind(one).orElse(one.gvk().groupKind());
      if (!leftOut.contains(kind)) {
        chosen.add(one);
      }
    }
    List<String> unmatched = new ArrayList<>();
    for (List<Glob> some : List.of(include, exclude)) {
      some.stream().filter(one -> !matched.contains(one)).map(Glob::text).forEach(unmatched::add);
    }
    return new Selection(chosen, List.copyOf(leftOut), unmatched);
  }

  private boolean wanted(String kind, Set<Glob> matched) {
    boolean in = matches(include, kind, matched);
    boolean out = matches(exclude, kind, matched);
    return (include.isEmpty() || in) && !out;
  }

  private static boolean matches(List<Glob> globs, String kind, Set<Glob> matched) {
    boolean any = false;
    for (Glob one : globs) {
      if (one.matches().test(kind)) {
        matched.add(one);
        any = true;
      }
    }
    return any;
  }

  /** KIND.GROUP that a definition defines; empty for other objects. */
  private static Optional<String> kind(Manifest manifest) {
    if (!manifest.gvk().groupKind().equals("CustomResourceDefinition.apiextensions.k8s.io")) {
      return Optional.empty();
    }
    try {
      JsonNode spec = JSON.readTree(manifest.body()).path("spec");
      String kind = spec.path("names").path("kind").asText("");
      String group = spec.path("group").asText("");
      return kind.isEmpty() || group.isEmpty() ? Optional.empty() : Optional.of(kind + "." + group);
    } catch (IOException e) {
      throw new IllegalArgumentException(manifest + ": the body must be JSON", e);
    }
  }
}
