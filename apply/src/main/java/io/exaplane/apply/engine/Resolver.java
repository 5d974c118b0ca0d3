// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.entry.Entry;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.order.Definition;
import io.exaplane.apply.port.ResourceType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Finds the objects that the manifests of a source stand for. Single writer. */
final class Resolver {
  private static final int MOST_DEFINITIONS = 20_000;

  private final State state;
  private final Kinds kinds;
  private final Map<Long, Optional<Definition>> definitions = new HashMap<>();

  Resolver(State state, Kinds kinds) {
    this.state = state;
    this.kinds = kinds;
  }

  /** Keys with namespaces; what comes twice, or is wanted by another source, is a problem. */
  Map<ObjectKey, Manifest> resolve(Source source) {
    Map<String, Boolean> scopes = new HashMap<>();
    for (Manifest one : source.wanted.manifests()) {
      if (one.gvk().kind().equals("CustomResourceDefinition")) {
        definition(one).ifPresent(found -> scopes.put(found.groupKind(), found.namespaced()));
      }
    }
    Map<ObjectKey, Manifest> wanted = new LinkedHashMap<>();
    for (Manifest one : source.wanted.manifests()) {
      ObjectKey key = key(one, scopes);
      ResourceType type = kinds.type(one.gvk());
      if (type != null && !type.verbs().contains("list")) {
        String verbs = String.join(", ", new TreeSet<>(type.verbs()));
        problem(
            source,
            key,
            one,
            "kind '%s' must be one whose objects the server keeps, and it allows only: %s; delete the manifest"
                .formatted(one.gvk().kind(), verbs));
        continue;
      }
      Entry entry = state.entries.get(key);
      if (entry != null && entry.source >= 0 && entry.source != source.index) {
        twice(
            source,
            key,
            one,
            "also in source '"
                + state.sources.get(entry.source).set.name()
                + "' at "
                + entry.manifest.source());
        continue;
      }
      Source owner = promised(source, entry, key, scopes);
      if (owner != null) {
        twice(source, key, one, "also in source '" + owner.set.name() + "', which has it");
        continue;
      }
      Manifest first = wanted.putIfAbsent(key, one);
      if (first != null) {
        twice(source, key, one, "already described at " + first.source());
      }
    }
    return wanted;
  }

  /** The source that applied an object before a restart and still wants it, though not told yet. */
  private Source promised(Source source, Entry entry, ObjectKey key, Map<String, Boolean> scopes) {
    if (entry == null || entry.appliedSource < 0 || entry.appliedSource == source.index) {
      return null;
    }
    Source other = state.sources.get(entry.appliedSource);
    if (other.assigned || other.wanted == null) {
      return null;
    }
    for (Manifest one : other.wanted.manifests()) {
      if (one.key().name().equals(key.name()) && key(one, scopes).equals(key)) {
        return other;
      }
    }
    return null;
  }

  /** What a manifest defines; empty for other objects. */
  Optional<Definition> definition(Manifest manifest) {
    if (!manifest.gvk().kind().equals("CustomResourceDefinition")) {
      return Optional.empty();
    }
    if (definitions.size() > MOST_DEFINITIONS) {
      definitions.clear();
    }
    return definitions.computeIfAbsent(manifest.hash(), any -> Definition.of(manifest));
  }

  private void twice(Source source, ObjectKey key, Manifest manifest, String where) {
    problem(
        source,
        key,
        manifest,
        key + " is " + where + ". Each object must stand once; delete one of the two.");
  }

  private void problem(Source source, ObjectKey key, Manifest manifest, String words) {
    Notice notice =
        new Notice(Notice.Kind.FAILED, source.set.name(), key, manifest.source(), words);
    source.problems.put(manifest.source() + " " + key, notice);
    state.out.add(new Action.Tell(notice));
  }

  private ObjectKey key(Manifest manifest, Map<String, Boolean> scopes) {
    Gvk gvk = manifest.gvk();
    ResourceType type = kinds.type(gvk);
    type = type == null ? kinds.type(gvk.groupKind()) : type;
    Boolean namespaced =
        type != null ? Boolean.valueOf(type.namespaced()) : scopes.get(gvk.groupKind());
    if (namespaced == null) {
      return manifest.key();
    }
    if (!namespaced) {
      return manifest.key().in("");
    }
    String namespace = manifest.key().namespace();
    return manifest.key().in(namespace.isEmpty() ? state.options.defaultNamespace() : namespace);
  }
}
