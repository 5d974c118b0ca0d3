// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Rights of the operator to objects that a whole cluster shares. The generator knows no names in
 * rules; who may change any admission policy may change them all, so the names are put in here,
 * from the files that the operator applies.
 */
final class Permissions {
  /** Groups of objects of the cluster. */
  static final Set<String> CLUSTER_GROUPS =
      Set.of("admissionregistration.k8s.io", "scheduling.k8s.io");

  private static final Path FILES = Deliverables.ROOT.resolve("operator/src/main/resources");
  private static final Set<String> BY_NAME = Set.of("get", "patch");

  private Permissions() {}

  /** Puts names into the rules that can have them: nobody can be allowed to create by name. */
  static void narrow(ArrayNode rules) {
    List<JsonNode> narrowed = new ArrayList<>();
    for (JsonNode rule : rules) {
      if (!CLUSTER_GROUPS.contains(rule.at("/apiGroups/0").asText())) {
        narrowed.add(rule);
        continue;
      }
      ObjectNode named = rule.deepCopy();
      ObjectNode free = rule.deepCopy();
      ArrayNode names = named.putArray("resourceNames");
      names(rule).forEach(names::add);
      split(rule.get("verbs"), free.putArray("verbs"), named.putArray("verbs"));
      Stream.of(free, named).filter(part -> !part.get("verbs").isEmpty()).forEach(narrowed::add);
    }
    rules.removeAll().addAll(narrowed);
  }

  private static void split(JsonNode verbs, ArrayNode free, ArrayNode named) {
    verbs.forEach(verb -> (BY_NAME.contains(verb.asText()) ? named : free).add(verb));
  }

  private static Set<String> names(JsonNode rule) {
    Set<String> resources = new TreeSet<>();
    rule.get("resources").forEach(resource -> resources.add(resource.asText()));
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.list(FILES)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".yaml")).sorted().toList()) {
        for (JsonNode object : Deliverables.documents(Files.readString(file))) {
          if (resources.contains(plural(object.get("kind").asText()))) {
            names.add(object.at("/metadata/name").asText());
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return names;
  }

  private static String plural(String kind) {
    String name = kind.toLowerCase(Locale.ROOT);
    return name.endsWith("y")
        ? name.substring(0, name.length() - 1) + "ies"
        : name + (name.endsWith("s") ? "es" : "s");
  }
}
