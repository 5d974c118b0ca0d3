// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Objects that an operator made which knew of no bundles: the renderers of commit 1bf6cb48 with the
 * fixtures of these tests, sent to a kube-apiserver 1.36.3 by server-side apply under the names of
 * the operator's controllers. kube-controller-manager then wrote a revision and a status.
 */
public final class BeforeBundles {
  private static final JsonMapper JSON = new JsonMapper();

  private BeforeBundles() {}

  /**
   * One object.
   *
   * @param sent as the operator sent it
   * @param live as the API server shows it
   */
  public record Recorded<T extends HasMetadata>(T sent, T live) {}

  /** Those of an owner's kind and of a kind, by their names. */
  public static <T extends HasMetadata> Map<String, Recorded<T>> of(String owner, Class<T> kind) {
    Map<String, Recorded<T>> all = new LinkedHashMap<>();
    try (InputStream file =
        Objects.requireNonNull(
            BeforeBundles.class.getResourceAsStream("/before-bundles/" + owner + ".jsonl"))) {
      for (String line : new String(file.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        JsonNode one = JSON.readTree(line);
        if (one.path("live").path("kind").asText().equals(kind.getSimpleName())) {
          T live = Trees.to(one.get("live"), kind);
          all.put(
              live.getMetadata().getName(), new Recorded<>(Trees.to(one.get("sent"), kind), live));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }
}
