// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.apply.manifest.Hashes;
import io.exaplane.apply.manifest.ManifestReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.util.zip.GZIPInputStream;

/**
 * An artifact in a registry: layers that are tar archives, as 'flux push artifact' makes them, or
 * plain files, as 'oras push' does. A tag is asked for each time, which costs one request without
 * an answer's body; the rest is fetched only when the digest changed. A digest that did not change
 * is not asked for. With a key, its signatures are asked for each time. Immutable.
 */
public final class OciSource implements Source {
  private static final String TITLE = "org.opencontainers.image.title";

  private final OciSpec spec;

  private OciSource(OciSpec spec) {
    this.spec = spec;
  }

  /**
   * Of an address.
   *
   * @param spec where the artifact is; what is wrong with that is said by {@link #fetch}
   * @return the source
   */
  public static OciSource of(OciSpec spec) {
    return new OciSource(spec);
  }

  @Override
  public Fetch fetch(String previousRevision) throws InterruptedException {
    try {
      OciReference reference = OciReference.of(spec.address());
      String path = Tree.path("path", spec.path());
      PublicKey key = spec.publicKey().isEmpty() ? null : Trust.key(spec.publicKey());
      try (Registry registry = new Registry(reference, spec)) {
        String same = same(registry, reference, previousRevision);
        if (!same.isEmpty()) {
          if (key != null) {
            new Cosign(registry, key).require(same);
          }
          return new Unchanged(previousRevision);
        }
        Registry.Manifest manifest = registry.manifest(reference.wanted());
        String revision =
            (reference.tag().isEmpty() ? "" : reference.tag() + "@") + manifest.digest();
        if (key != null) {
          new Cosign(registry, key).require(manifest.digest());
        }
        if (revision.equals(previousRevision)) {
          return new Unchanged(revision);
        }
        Tree tree = new Tree(spec.limits());
        layers(registry, reference, manifest.value(), tree);
        return new Fetched(revision, tree.select(path));
      }
    } catch (Refused e) {
      return e.problem();
    }
  }

  /** The digest of the previous revision, if the place still has that; empty otherwise. */
  private static String same(Registry registry, OciReference reference, String previous)
      throws Refused, InterruptedException {
    String tag = reference.tag().isEmpty() ? "" : reference.tag() + "@";
    String digest = previous.startsWith(tag) ? previous.substring(tag.length()) : "";
    if (!Digest.isOne(digest)) {
      return "";
    }
    String now =
        reference.digest().isEmpty() ? registry.digest(reference.tag()) : reference.digest();
    return now.equals(digest) ? digest : "";
  }

  private void layers(Registry registry, OciReference reference, JsonNode manifest, Tree tree)
      throws Refused, InterruptedException {
    if (manifest.has("manifests")) {
      throw Refused.lasting(
          "oci",
          reference.toString(),
          "is an index of several artifacts",
          "name one of them by its digest");
    }
    Budget unpacked = new Budget(spec.limits().unpackedBytes());
    int number = 0;
    for (JsonNode layer : manifest.path("layers")) {
      String digest = layer.path("digest").asText("");
      if (!Digest.isOne(digest)) {
        throw Refused.lasting(
            "oci", reference.toString(), "has a layer without a sha256 digest", "publish it again");
      }
      String type = layer.path("mediaType").asText("");
      String title = layer.path("annotations").path(TITLE).asText("");
      Form form = form(type, title);
      if (form == null) {
        throw Refused.lasting(
            "oci",
            reference.toString(),
            "has a layer of the type %s, which is not rendered".formatted(type),
            "publish plain manifests, with 'flux push artifact' or 'oras push'");
      }
      String name = title.isEmpty() ? "layer-%d.yaml".formatted(number) : title;
      number++;
      layer(registry, digest, form, name, tree, unpacked);
    }
  }

  /** How a layer is packed. */
  private enum Form {
    TAR,
    GZIPPED_TAR,
    FILE
  }

  /** Null for what is none: charts have templates, and nobody runs them here. */
  private static Form form(String type, String title) {
    if (type.contains("helm")) {
      return null;
    }
    if (type.endsWith("layer.v1.tar") && ManifestReader.isManifest(title)) {
      // 'oras push FILE' gives this type to files, too.
      return Form.FILE;
    }
    if (type.endsWith("tar+gzip") || type.endsWith("tar.gzip")) {
      return Form.GZIPPED_TAR;
    }
    if (type.endsWith("tar")) {
      return Form.TAR;
    }
    boolean isText =
        type.endsWith("yaml") || type.endsWith("json") || type.startsWith("text/plain");
    return isText ? Form.FILE : null;
  }

  private void layer(
      Registry registry, String digest, Form form, String name, Tree tree, Budget unpacked)
      throws Refused, InterruptedException {
    MessageDigest seen = Hashes.digest();
    try (InputStream blob = new DigestInputStream(registry.blob(digest), seen)) {
      switch (form) {
        case TAR -> new TarFiles(unpacked.counted(new BufferedInputStream(blob)), tree).read();
        case GZIPPED_TAR -> {
          InputStream plain = new GZIPInputStream(new BufferedInputStream(blob));
          new TarFiles(unpacked.counted(plain), tree).read();
        }
        case FILE -> file(unpacked.counted(blob), name, tree);
      }
      blob.transferTo(OutputStream.nullOutputStream());
    } catch (Budget.Exceeded e) {
      throw Refused.lasting(
          "oci",
          spec.address(),
          "has more than %d bytes, packed or unpacked".formatted(spec.limits().unpackedBytes()),
          "publish a smaller artifact");
    } catch (java.util.zip.ZipException | java.io.EOFException e) {
      throw Refused.lasting(
          "oci",
          spec.address(),
          "has a layer that is damaged (%s)".formatted(e.getMessage()),
          "publish the artifact again");
    } catch (IOException e) {
      throw registry.unreachable(e);
    }
    String own = Digest.of(seen);
    if (!own.equals(digest)) {
      throw Refused.passing(
          "oci",
          spec.address(),
          "has a layer %s whose bytes have the digest %s".formatted(digest, own),
          "check the registry");
    }
  }

  private void file(InputStream in, String name, Tree tree) throws IOException, Refused {
    String path = Tree.path("oci", name);
    String own = ManifestReader.isManifest(path) ? path : path + ".yaml";
    int most = (int) Math.min(spec.limits().keptBytes() + 1, Integer.MAX_VALUE - 8);
    tree.add(own, in.readNBytes(most));
  }
}
