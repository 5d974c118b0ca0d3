// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The test bed's registry, from which nodes pull every image, whatever the image's own registry is
 * called. Thread-safe.
 */
final class LocalRegistry {
  /** The launcher pushes here, too. */
  private static final String ADDRESS = "http://127.0.0.1:5000/v2/";

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern NAME = Pattern.compile("([^/]+)/([^:@]+):([^:@]+)");
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private LocalRegistry() {}

  /** An image's name, as {@code quay.io/exaplane/store:0.1.0}. */
  record Name(String host, String repository, String tag) {
    static Name of(String text) {
      Matcher parts = NAME.matcher(text);
      if (!parts.matches()) {
        throw new AssertionError("an image without a tag, or with a digest: " + text);
      }
      return new Name(parts.group(1), parts.group(2), parts.group(3));
    }

    /** The same with more behind its tag. */
    Name with(String end) {
      return new Name(host, repository, tag + end);
    }

    @Override
    public String toString() {
      return host + "/" + repository + ":" + tag;
    }
  }

  /**
   * What an image is made of.
   *
   * @param type its media type
   * @param content JSON
   */
  record Manifest(String type, byte[] content) {}

  static Manifest manifest(Name image) {
    HttpResponse<byte[]> answer = send(at(manifestOf(image)).GET());
    return new Manifest(answer.headers().firstValue("Content-Type").orElseThrow(), answer.body());
  }

  /** Gives a manifest a name. */
  static void put(Name image, Manifest manifest) {
    send(
        at(manifestOf(image))
            .header("Content-Type", manifest.type())
            .PUT(BodyPublishers.ofByteArray(manifest.content())));
  }

  /** Takes the name away. */
  static void delete(Name image) {
    send(at(manifestOf(image)).DELETE());
  }

  static byte[] blob(Name image, String digest) {
    return send(at(image.repository() + "/blobs/" + digest).GET()).body();
  }

  /** Keeps a blob, and returns its digest. */
  static String putBlob(Name image, byte[] content) {
    String digest = digest(content);
    send(
        at(image.repository() + "/blobs/uploads/?digest=" + digest)
            .header("Content-Type", "application/octet-stream")
            .POST(BodyPublishers.ofByteArray(content)));
    return digest;
  }

  static void deleteBlob(Name image, String digest) {
    send(at(image.repository() + "/blobs/" + digest).DELETE());
  }

  static String digest(byte[] content) {
    try {
      return "sha256:"
          + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String manifestOf(Name image) {
    return image.repository() + "/manifests/" + image.tag();
  }

  private static HttpRequest.Builder at(String place) {
    return HttpRequest.newBuilder(URI.create(ADDRESS + place)).timeout(PATIENCE);
  }

  private static HttpResponse<byte[]> send(HttpRequest.Builder made) {
    HttpRequest request = made.build();
    try {
      HttpResponse<byte[]> answer = CLIENT.send(request, BodyHandlers.ofByteArray());
      if (answer.statusCode() / 100 != 2) {
        throw new AssertionError(
            "%s was answered with %d: %s"
                .formatted(
                    request,
                    answer.statusCode(),
                    new String(answer.body(), StandardCharsets.UTF_8)));
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
