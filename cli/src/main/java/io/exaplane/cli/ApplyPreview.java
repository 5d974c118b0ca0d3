// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.ApiPort;
import io.exaplane.apply.port.ApplyRequest;
import io.exaplane.apply.port.Content;
import io.exaplane.apply.port.Discovery;
import io.exaplane.apply.port.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What an apply would change, by the server's own dry run: nothing is written. One thread. */
final class ApplyPreview {
  private static final Set<String> OF_SERVERS =
      Set.of("managedFields", "resourceVersion", "generation", "creationTimestamp", "uid");

  private final ApiPort api;
  private final ApplySet set;
  private final String manager;
  private final boolean force;

  /** One object: {@code created}, {@code changed}, {@code unchanged} or {@code failed}. */
  record Row(String object, String place, String outcome, List<String> fields, String words) {}

  ApplyPreview(ApiPort api, ApplySet set, String manager, boolean force) {
    this.api = api;
    this.set = set;
    this.manager = manager;
    this.force = force;
  }

  List<Row> of(List<Manifest> manifests) throws ApiException, InterruptedException {
    Discovery discovery = api.discover();
    List<Row> rows = new ArrayList<>();
    for (Manifest manifest : manifests) {
      ResourceType type = discovery.types().get(manifest.gvk());
      rows.add(
          type == null
              ? row(manifest, "failed", List.of(), "the server does not serve " + manifest.gvk())
              : one(manifest, type));
    }
    return rows;
  }

  private Row one(Manifest manifest, ResourceType type) throws InterruptedException {
    ObjectKey given = manifest.key();
    String own = given.namespace().isEmpty() ? set.namespace() : given.namespace();
    ObjectKey key = given.in(type.namespaced() ? own : "");
    try {
      Optional<ObjectNode> before = api.get(type, key);
      ObjectNode after =
          api.dryRun(
              new ApplyRequest(type, key, set.member(manifest), manager, force, Content.FULL));
      if (before.isEmpty()) {
        return row(manifest, "created", List.of(), "");
      }
      List<String> fields = new ArrayList<>();
      boolean secret = given.kind().equals("Secret") && given.group().isEmpty();
      compare("", before.get(), after, secret, fields);
      return row(manifest, fields.isEmpty() ? "unchanged" : "changed", fields, "");
    } catch (ApiException e) {
      return row(manifest, "failed", List.of(), e.getMessage());
    }
  }

  private static Row row(Manifest manifest, String outcome, List<String> fields, String words) {
    return new Row(manifest.key().toString(), manifest.source().toString(), outcome, fields, words);
  }

  private static void compare(
      String path, JsonNode before, JsonNode after, boolean hidden, List<String> fields) {
    if (before.equals(after)) {
      return;
    }
    if (!before.isObject() || !after.isObject()) {
      fields.add(
          hidden && (path.startsWith(".data") || path.startsWith(".metadata.annotations"))
              ? path + ": changes"
              : path + ": " + shown(before) + " -> " + shown(after));
      return;
    }
    Set<String> names = new TreeSet<>();
    before.fieldNames().forEachRemaining(names::add);
    after.fieldNames().forEachRemaining(names::add);
    for (String name : names) {
      boolean skipped =
          path.isEmpty() && name.equals("status")
              || path.equals(".metadata") && OF_SERVERS.contains(name);
      if (!skipped) {
        compare(path + "." + name, before.path(name), after.path(name), hidden, fields);
      }
    }
  }

  private static String shown(JsonNode value) {
    String text = value.isMissingNode() ? "none" : value.toString();
    return text.length() > 120 ? text.substring(0, 120) + "…" : text;
  }
}
