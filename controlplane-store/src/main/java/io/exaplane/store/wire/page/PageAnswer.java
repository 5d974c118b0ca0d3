// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire.page;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The answer to a request for a page.
 *
 * @param status of HTTP
 * @param headers by name in small letters, without the length of the body
 * @param body not changed any more; it may be part of many answers
 */
public record PageAnswer(int status, Map<String, String> headers, byte[] body) {
  /** There is no memory for a body now. */
  public static final PageAnswer TOO_MANY_BODIES =
      text(
          429,
          "body: the bodies of all clients together take the memory that is for them; ask again in a second\n");

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String TYPE = "content-type";

  public static PageAnswer ok(String type, String body) {
    return new PageAnswer(200, Map.of(TYPE, type), body.getBytes(StandardCharsets.UTF_8));
  }

  /** A body is larger than its path takes. */
  public static PageAnswer tooLarge(int mostBytes) {
    return text(
        413,
        "body: it has more than the %d bytes that this path takes; send fewer\n"
            .formatted(mostBytes));
  }

  /** Text that no browser shall take for a page, as etcd answers. */
  public static PageAnswer text(int status, String body) {
    return new PageAnswer(
        status,
        Map.of(TYPE, TEXT, "x-content-type-options", "nosniff"),
        body.getBytes(StandardCharsets.UTF_8));
  }
}
