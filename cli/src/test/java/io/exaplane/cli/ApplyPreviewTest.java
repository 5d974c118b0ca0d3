// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ManifestReader;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.ApplyRequest;
import io.exaplane.apply.port.Discovery;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.ResourceType;
import io.exaplane.apply.port.UnexpectedPort;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code --diff} says of objects about which the server can't say everything. */
class ApplyPreviewTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final ApplySet set = new ApplySet("shop", "default");
  private final Map<String, ObjectNode> objects = new HashMap<>();
  private final Map<String, Integer> busy = new ConcurrentHashMap<>();
  private final CountDownLatch never = new CountDownLatch(1);
  @TempDir private Path folder;

  /** ConfigMaps of namespace default, and Secrets. */
  private final class Port extends UnexpectedPort {
    @Override
    public Discovery discover() {
      Map<Gvk, ResourceType> types = new HashMap<>();
      for (String kind : List.of("ConfigMap", "Secret", "Namespace", "CustomResourceDefinition")) {
        Gvk gvk = Gvk.of(kind.startsWith("Custom") ? "apiextensions.k8s.io/v1" : "v1", kind);
        boolean namespaced = kind.equals("ConfigMap") || kind.equals("Secret");
        types.put(gvk, new ResourceType(gvk, kind.toLowerCase(Locale.ROOT), namespaced, Set.of()));
      }
      return new Discovery(types, Set.of());
    }

    @Override
    public Optional<ObjectNode> get(ResourceType type, ObjectKey key) {
      return Optional.ofNullable(objects.get(key.name()));
    }

    @Override
    public ObjectNode dryRun(ApplyRequest request) throws ApiException, InterruptedException {
      ObjectKey key = request.key();
      if (key.name().equals("endless")) {
        never.await();
      }
      if (busy.computeIfPresent(key.name(), (name, left) -> left == 0 ? null : left - 1) != null) {
        throw new ApiException(new Failure(429, "TooManyRequests", "later", 1, false, List.of()));
      }
      if (key.namespace().equals("new") || key.namespace().equals("nowhere")) {
        throw new ApiException(
            new Failure(404, "NotFound", "namespaces not found", 0, false, List.of()));
      }
      try {
        return (ObjectNode) JSON.readTree(request.body());
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private Map<String, ApplyPreview.Row> rows(String yaml, Duration limit) throws Exception {
    Files.writeString(folder.resolve("m.yaml"), yaml);
    List<Manifest> manifests =
        ManifestReader.read(List.of(folder), InputStream.nullInputStream()).manifests();
    Map<String, ApplyPreview.Row> rows = new HashMap<>();
    for (ApplyPreview.Row one :
        new ApplyPreview(new Port(), set, "exactl", true).of(manifests, limit)) {
      rows.put(one.object().replaceAll(".*[/ ]", ""), one);
    }
    return rows;
  }

  private static String map(String namespace, String name) {
    return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: %s}\n---\n"
        .formatted(name, namespace);
  }

  @Test
  void whatTheFilesBringIsNotAFailure() throws Exception {
    Map<String, ApplyPreview.Row> rows =
        rows(
            map("new", "a")
                + map("nowhere", "b")
                + "apiVersion: v1\nkind: Namespace\nmetadata: {name: new}\n---\n"
                + "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
                + "metadata: {name: widgets.example.com}\n"
                + "spec: {group: example.com, scope: Namespaced, names: {kind: Widget}}\n---\n"
                + "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n---\n"
                + "apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: g}\n",
            Duration.ofSeconds(30));
    assertThat(rows.get("a").outcome()).isEqualTo("created");
    assertThat(rows.get("a").words()).isEqualTo("not checked: its namespace is in the files");
    assertThat(rows.get("b").outcome()).isEqualTo("failed");
    assertThat(rows.get("w").outcome()).isEqualTo("created");
    assertThat(rows.get("w").words()).isEqualTo("not checked: its definition is in the files");
    assertThat(rows.get("g").outcome()).isEqualTo("failed");
  }

  @Test
  void anObjectOfAnotherSetIsNotShownAsChanged() throws Exception {
    ObjectNode object = JSON.createObjectNode();
    object
        .putObject("metadata")
        .putObject("labels")
        .put("applyset.kubernetes.io/part-of", "applyset-of-others-v1");
    objects.put("theirs", object);
    ApplyPreview.Row row = rows(map("default", "theirs"), Duration.ofSeconds(30)).get("theirs");
    assertThat(row.outcome()).isEqualTo("taken");
    assertThat(row.words()).contains("applyset-of-others-v1");
  }

  @Test
  void aBusyServerIsAskedAgainAndNotForEver() throws Exception {
    busy.put("short", 2);
    busy.put("long", 99);
    Map<String, ApplyPreview.Row> rows =
        rows(
            map("default", "short") + map("default", "long") + map("default", "endless"),
            Duration.ofSeconds(5));
    assertThat(rows.get("short").outcome()).isEqualTo("created");
    assertThat(rows.get("long").words()).contains("429");
    assertThat(rows.get("endless").words()).isEqualTo("not asked within --timeout; raise it");
  }

  @Test
  void valuesOfASecretAreNotShown() throws Exception {
    ObjectNode object = JSON.createObjectNode();
    object
        .putObject("metadata")
        .putObject("annotations")
        .put("kubectl.kubernetes.io/last-applied-configuration", "old-value");
    object.putObject("data").put("k", "b2xk");
    objects.put("s", object);
    ApplyPreview.Row row =
        rows(
                "apiVersion: v1\nkind: Secret\nmetadata: {name: s, annotations: {x: new-value}}\n"
                    + "data: {k: bmV3}\n",
                Duration.ofSeconds(30))
            .get("s");
    assertThat(row.outcome()).isEqualTo("changed");
    assertThat(row.fields().toString())
        .contains(".data.k: changes")
        .doesNotContain("old-value", "new-value", "b2xk", "bmV3");
  }
}
