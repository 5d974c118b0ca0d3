// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.e2e.LocalRegistry.Manifest;
import io.exaplane.e2e.LocalRegistry.Name;
import io.exaplane.testbed.machine.OtherBuild;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/**
 * The operator's image with a layer more, in the local registry: the jar of the operator's own
 * classes as another build would have it. The same image always gets the same layer.
 */
final class OtherImage {
  private static final Pattern JAR = Pattern.compile("(\\./|/)?app/app/[^/]+\\.jar");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Name name;
  private final List<String> blobs;

  private OtherImage(Name name, List<String> blobs) {
    this.name = name;
    this.blobs = blobs;
  }

  /**
   * Makes it.
   *
   * @param from an image of the registry
   * @param folder an empty one, for files
   */
  static OtherImage of(Name from, Name name, Path folder) throws IOException {
    Manifest shipped = LocalRegistry.manifest(from);
    ObjectNode manifest = (ObjectNode) JSON.readTree(shipped.content());
    ArrayNode layers = (ArrayNode) manifest.path("layers");
    byte[] plain = layer(jar(from, layers, folder), folder);
    byte[] compressed = compressed(plain);
    String layer = LocalRegistry.putBlob(name, compressed);
    byte[] config =
        config(
            LocalRegistry.blob(from, manifest.path("config").path("digest").asText()),
            LocalRegistry.digest(plain));
    String configured = LocalRegistry.putBlob(name, config);
    String type = layers.get(layers.size() - 1).path("mediaType").asText();
    layers.addObject().put("mediaType", type).put("size", compressed.length).put("digest", layer);
    ((ObjectNode) manifest.path("config")).put("size", config.length).put("digest", configured);
    LocalRegistry.put(name, new Manifest(shipped.type(), JSON.writeValueAsBytes(manifest)));
    return new OtherImage(name, List.of(layer, configured));
  }

  /** Takes it out of the registry. */
  void delete() {
    LocalRegistry.delete(name);
    blobs.forEach(digest -> LocalRegistry.deleteBlob(name, digest));
  }

  private static byte[] config(byte[] shipped, String layer) throws IOException {
    ObjectNode config = (ObjectNode) JSON.readTree(shipped);
    ((ArrayNode) config.path("rootfs").path("diff_ids")).add(layer);
    if (config.path("history") instanceof ArrayNode history) {
      history.addObject().put("created_by", "a test, as another build");
    }
    return JSON.writeValueAsBytes(config);
  }

  /** The jar of the operator's own classes, out of one of the last layers. */
  private static Path jar(Name image, ArrayNode layers, Path folder) throws IOException {
    List<JsonNode> lastFirst = new ArrayList<>();
    layers.forEach(lastFirst::addFirst);
    Path file = folder.resolve("shipped.tar");
    for (JsonNode layer : lastFirst) {
      Files.write(file, LocalRegistry.blob(image, layer.path("digest").asText()));
      Optional<String> jar =
          tar("--list", "--file=" + file).lines().filter(JAR.asMatchPredicate()).findFirst();
      if (jar.isPresent()) {
        tar("--extract", "--file=" + file, "--directory=" + folder, jar.get());
        return folder.resolve(jar.get().replaceFirst("^\\.?/", ""));
      }
    }
    throw new AssertionError(image + " has no jar in /app/app");
  }

  /** The layer's tar. Its files can be read by everybody, and have one time. */
  private static byte[] layer(Path jar, Path folder) throws IOException {
    Path root = folder.resolve("other");
    Path changed = root.resolve("app/app").resolve(jar.getFileName());
    Files.createDirectories(changed.getParent());
    OtherBuild.write(jar, changed);
    Path file = folder.resolve("other.tar");
    tar(
        "--create",
        "--file=" + file,
        "--directory=" + root,
        "--sort=name",
        "--mtime=@1",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        "--mode=u=rwX,go=rX",
        "app");
    return Files.readAllBytes(file);
  }

  private static byte[] compressed(byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  private static String tar(String... options) {
    List<String> command = new ArrayList<>(List.of("tar"));
    command.addAll(List.of(options));
    Bed.Run run = Bed.run(command);
    if (run.exit() != 0) {
      throw new AssertionError(command + " ended with " + run.exit() + ":\n" + run.output());
    }
    return run.output();
  }
}
