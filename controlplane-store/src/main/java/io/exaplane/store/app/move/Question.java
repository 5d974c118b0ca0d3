// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.move;

import io.exaplane.store.api.StoreMoves;
import io.exaplane.store.move.MoveException;
import io.exaplane.store.wire.page.PageRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a request about a move asks for. Each value that breaks a rule fails with 400 and one line:
 * its name, the value, the rule and the next action. Immutable.
 */
record Question(PageRequest request) {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9.-]{1,63}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,19}");
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cntrl}\ufffd]");
  private static final int MOST_PREFIX_CHARACTERS = 1024;
  private static final int MOST_SHOWN = 80;

  private static final long MOST_WAIT_MS = 1000;

  /** Refuses parameters that a page does not know. */
  void allow(Set<String> names) {
    for (String name : request.query().keySet()) {
      if (!names.contains(name)) {
        throw refused(
            name,
            request.query().get(name).getFirst(),
            "is no parameter of " + request.path(),
            "leave it out");
      }
    }
  }

  /** Refuses a body, where none is read. */
  void allowNoBody() {
    if (request.body().length > 0) {
      throw refused(
          "body",
          request.body().length + " bytes",
          "must be empty for " + request.path(),
          "send the parameters in the query");
    }
  }

  /** The prefix of a Kind. */
  String prefix() {
    String prefix = one("prefix");
    boolean isPrefix =
        prefix.length() > 2
            && prefix.length() <= MOST_PREFIX_CHARACTERS
            && prefix.startsWith("/")
            && prefix.endsWith("/")
            && !prefix.contains("//")
            && !UNPRINTABLE.matcher(prefix).find();
    if (!isPrefix) {
      throw refused(
          "prefix",
          prefix,
          "must begin and end with '/', for example /registry/pods/",
          "correct it, and send it URL-encoded");
    }
    return prefix;
  }

  /** The id of a move. */
  String id() {
    return id("id");
  }

  /** The id of the move that another store finished, if the question names one. */
  Optional<String> finished() {
    return request.query().containsKey("finished") ? Optional.of(id("finished")) : Optional.empty();
  }

  private String id(String name) {
    String id = one(name);
    if (!ID.matcher(id).matches()) {
      throw refused(name, id, "must be 1 to 63 letters, digits, dots and hyphens", "correct it");
    }
    return id;
  }

  /** The revision after which changes are asked for. */
  long after() {
    return number("after", StoreMoves.MOST_REVISION);
  }

  /** The revision that a freeze told. */
  long frozenAt() {
    return number("revision", StoreMoves.MOST_REVISION);
  }

  /** The revision of the other store, above which this one can go on. */
  long above() {
    return number("above", StoreMoves.MOST_REVISION - StoreMoves.GAP);
  }

  /** How many keys the other store has. */
  long keys() {
    return number("keys", Long.MAX_VALUE / 4);
  }

  /** How long to wait, in milliseconds. */
  long waitMs() {
    return request.query().containsKey("waitMs") ? number("waitMs", MOST_WAIT_MS) : 0;
  }

  private long number(String name, long most) {
    String text = one(name);
    boolean isNumber =
        NUMBER.matcher(text).matches()
            && Long.compareUnsigned(Long.parseUnsignedLong(text), most) <= 0;
    if (!isNumber) {
      throw refused(
          name,
          text,
          "must be a number from 0 to " + most,
          "copy it from the other store's answer");
    }
    return Long.parseLong(text);
  }

  /** The sum of the other store. */
  String sha256() {
    String text = one("sha256");
    if (!SHA256.matcher(text).matches()) {
      throw refused(
          "sha256",
          text,
          "must be 64 hexadecimal digits in small letters",
          "copy it from GET /moves/sum of the other store");
    }
    return text;
  }

  /**
   * The last key of the page before; empty for the first page.
   *
   * @param prefix below which it must be
   */
  byte[] after(String prefix) {
    if (!request.query().containsKey("after")) {
      return new byte[0];
    }
    String text = one("after");
    byte[] key = decoded(text);
    byte[] wanted = prefix.getBytes(StandardCharsets.UTF_8);
    boolean isBelow =
        key.length >= wanted.length
            && Arrays.mismatch(key, 0, wanted.length, wanted, 0, wanted.length) < 0;
    if (!isBelow) {
      throw refused(
          "after",
          text,
          "must be a key below the prefix, in base64url",
          "copy it from x-exaplane-next of the page before");
    }
    return key;
  }

  private static byte[] decoded(String text) {
    try {
      return Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  private String one(String name) {
    List<String> values = request.query().getOrDefault(name, List.of());
    if (values.size() != 1) {
      throw refused(
          name,
          values.isEmpty() ? "nothing" : values.size() + " values",
          "must be given once",
          "add %s=… to the query of %s".formatted(name, request.path()));
    }
    return values.getFirst();
  }

  private static MoveException refused(String name, String value, String rule, String action) {
    return new MoveException(
        400, "%s: '%s' %s; %s, then ask again".formatted(shown(name), shown(value), rule, action));
  }

  /** A text of the client's, in a line. */
  static String shown(String text) {
    String printable = UNPRINTABLE.matcher(text).replaceAll("?");
    return printable.length() <= MOST_SHOWN ? printable : printable.substring(0, MOST_SHOWN) + "…";
  }
}
