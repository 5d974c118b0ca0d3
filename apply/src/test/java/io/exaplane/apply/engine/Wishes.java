// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.manifest.Hashes;
import io.exaplane.apply.manifest.Manifest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Manifests of made-up sources. */
final class Wishes {
  static final Gvk NAMESPACE = new Gvk("", "v1", "Namespace");
  static final Gvk CONFIG_MAP = new Gvk("", "v1", "ConfigMap");
  static final Gvk DEPLOYMENT = new Gvk("apps", "v1", "Deployment");
  static final Gvk DEFINITION = new Gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
  static final Gvk WEBHOOK =
      new Gvk("admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration");

  private Wishes() {}

  /** A manifest with one field of data; {@code more} is JSON to add, beginning with a comma. */
  static Manifest manifest(Gvk gvk, String namespace, String name, String value, String more) {
    String where = namespace.isEmpty() ? "" : ",\"namespace\":\"" + namespace + "\"";
    String body =
        "{\"apiVersion\":\""
            + gvk.apiVersion()
            + "\",\"data\":{\"a\":\""
            + value
            + "\",\"mutated\":\"x\"},\"kind\":\""
            + gvk.kind()
            + "\",\"metadata\":{\"labels\":{\"app\":\"x\"},\"name\":\""
            + name
            + "\""
            + where
            + "}"
            + more
            + "}";
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return new Manifest(
        gvk,
        new io.exaplane.apply.manifest.ObjectKey(gvk.group(), gvk.kind(), namespace, name),
        bytes,
        Hashes.of(bytes),
        Map.of(),
        new Manifest.Source(name + ".yaml", 1));
  }

  static Manifest definition(String value) {
    return manifest(
        DEFINITION,
        "",
        "widgets.example.com",
        value,
        ",\"spec\":{\"group\":\"example.com\",\"names\":{\"kind\":\"Widget\"},"
            + "\"scope\":\"Namespaced\"}");
  }

  /** What a source may want; the names of sources differ, but for one object that both may have. */
  static List<Manifest> some(String source, SplittableRandom random) {
    List<Manifest> all = new ArrayList<>();
    boolean first = source.equals("one");
    if (first) {
      all.add(manifest(NAMESPACE, "", "shop", value(random), ""));
      all.add(definition("1"));
    }
    for (int at = 0; at < 4; at++) {
      if (random.nextInt(3) > 0) {
        all.add(manifest(CONFIG_MAP, "shop", source + "-" + at, value(random), ""));
      }
    }
    if (random.nextBoolean()) {
      all.add(manifest(CONFIG_MAP, "", "shared", value(random), ""));
    }
    if (random.nextBoolean()) {
      all.add(manifest(DEPLOYMENT, "shop", source + "-web", value(random), ""));
    }
    for (int at = 0; first && at < 2; at++) {
      if (random.nextInt(3) > 0) {
        all.add(manifest(ModelServer.WIDGET, "shop", "w" + at, value(random), ""));
      }
    }
    if (random.nextBoolean()) {
      all.add(manifest(WEBHOOK, "", source + "-hook", value(random), ""));
    }
    return all;
  }

  private static String value(SplittableRandom random) {
    return "v" + random.nextInt(3);
  }
}
