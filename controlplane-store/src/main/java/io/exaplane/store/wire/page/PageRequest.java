// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire.page;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request for a page.
 *
 * @param method as GET
 * @param path decoded, without the query
 * @param query values by name
 * @param acceptEncoding the header of that name; empty if there is none
 * @param isFromHere whether the client is on this machine
 * @param certificate the client's own, which the handshake has checked; empty if it showed none
 * @param body what came with it, for paths that take one ({@link Pages#mostBodyBytes}); not changed
 *     any more
 */
public record PageRequest(
    String method,
    String path,
    Map<String, List<String>> query,
    String acceptEncoding,
    boolean isFromHere,
    Optional<X509Certificate> certificate,
    byte[] body) {
  private static final byte[] NOTHING = {};

  /**
   * Reads what a request line, or {@code :path}, names; without a certificate and a body.
   *
   * @throws IllegalArgumentException if it is no path
   */
  public static PageRequest of(
      String method, String target, String acceptEncoding, boolean isFromHere) {
    QueryStringDecoder decoder = new QueryStringDecoder(withoutHost(target));
    return new PageRequest(
        method,
        decoder.path(),
        decoder.parameters(),
        acceptEncoding,
        isFromHere,
        Optional.empty(),
        NOTHING);
  }

  /** The same, by a client with a certificate. */
  public PageRequest by(Optional<X509Certificate> client) {
    return new PageRequest(method, path, query, acceptEncoding, isFromHere, client, body);
  }

  /** The same, with a body. */
  public PageRequest with(byte[] content) {
    return new PageRequest(method, path, query, acceptEncoding, isFromHere, certificate, content);
  }

  /** A proxy's client names the host, too. */
  private static String withoutHost(String target) {
    int scheme = target.indexOf("://");
    if (target.startsWith("/") || scheme < 0) {
      return target;
    }
    int path = target.indexOf('/', scheme + 3);
    return path < 0 ? "/" : target.substring(path);
  }

  /** Whether the client takes an encoding, as gzip. */
  public boolean accepts(String encoding) {
    for (String each : acceptEncoding.split(",")) {
      String[] words = each.trim().split("\\s*;\\s*");
      boolean isRefused = words.length > 1 && words[1].matches("q=0(\\.0*)?");
      if (words[0].equalsIgnoreCase(encoding) && !isRefused) {
        return true;
      }
    }
    return false;
  }

  /** The path without empty and dot segments, where a client should have asked. Pure. */
  public String cleanPath() {
    ArrayDeque<String> kept = new ArrayDeque<>();
    for (String segment : path.split("/")) {
      if (segment.equals("..")) {
        kept.pollLast();
      } else if (!segment.isEmpty() && !segment.equals(".")) {
        kept.addLast(segment);
      }
    }
    boolean isFolder = path.endsWith("/") && !kept.isEmpty();
    return "/" + String.join("/", kept) + (isFolder ? "/" : "");
  }
}
