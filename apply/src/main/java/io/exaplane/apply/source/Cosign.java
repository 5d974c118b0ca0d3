// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Base64;

/**
 * Signatures as 'cosign sign --key' stores them beside an artifact: a manifest with the tag {@code
 * sha256-….sig}, of which each layer is a payload that names the artifact's digest, signed with
 * ECDSA over SHA-256. One thread.
 */
final class Cosign {
  private static final String PAYLOAD = "application/vnd.dev.cosign.simplesigning.v1+json";
  private static final String SIGNATURE = "dev.cosignproject.cosign/signature";
  private static final int MOST_SIGNATURES = 32;
  private static final int MOST_PAYLOAD = 64 << 10;

  private final ObjectMapper json = new ObjectMapper();
  private final Registry registry;
  private final PublicKey key;

  Cosign(Registry registry, PublicKey key) {
    this.registry = registry;
    this.key = key;
  }

  /** Returns if one signature fits the key and names the digest. */
  void require(String digest) throws Refused, InterruptedException {
    String tag = digest.replace(':', '-') + ".sig";
    Registry.Manifest signatures;
    try {
      signatures = registry.manifest(tag);
    } catch (Refused e) {
      if (!e.isMissing()) {
        throw e;
      }
      throw Refused.lasting(
          "key",
          digest,
          "has no signature: the registry has no tag " + tag,
          "sign the artifact with 'cosign sign --key cosign.key', in the form of tags");
    }
    int number = 0;
    for (JsonNode layer : signatures.value().path("layers")) {
      if (number++ < MOST_SIGNATURES && fits(layer, digest)) {
        return;
      }
    }
    throw Refused.lasting(
        "key",
        digest,
        "has no signature that fits the key",
        "check the key, or sign the artifact with 'cosign sign --key cosign.key'");
  }

  private boolean fits(JsonNode layer, String digest) throws Refused, InterruptedException {
    String blob = layer.path("digest").asText("");
    boolean isPayload =
        layer.path("mediaType").asText("").equals(PAYLOAD)
            && layer.path("size").asLong(Long.MAX_VALUE) <= MOST_PAYLOAD
            && Digest.isOne(blob);
    if (!isPayload) {
      return false;
    }
    byte[] payload;
    try (InputStream in = registry.blob(blob)) {
      payload = in.readNBytes(MOST_PAYLOAD + 1);
    } catch (IOException e) {
      throw registry.unreachable(e);
    }
    return Digest.of(payload).equals(blob)
        && isSigned(payload, layer.path("annotations").path(SIGNATURE).asText(""))
        && named(payload).equals(digest);
  }

  private boolean isSigned(byte[] payload, String coded) {
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initVerify(key);
      signature.update(payload);
      return signature.verify(Base64.getDecoder().decode(coded));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      // A damaged signature is none.
      return false;
    }
  }

  /** The digest in a payload; only asked of one that is signed. */
  private String named(byte[] payload) throws Refused {
    try {
      return json.readTree(payload)
          .path("critical")
          .path("image")
          .path("docker-manifest-digest")
          .asText("");
    } catch (JsonProcessingException e) {
      return "";
    } catch (IOException e) {
      throw registry.unreachable(e);
    }
  }
}
