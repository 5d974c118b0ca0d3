// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.operator.names.NodePoolNames;
import java.net.Inet6Address;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a host wrote into the annotation for its prefix. Any node may write anything, so nothing of
 * the text is believed before it was read. Immutable.
 *
 * @param prefix the network, if the text is one
 * @param problem field, value and rule, if the text is none; "" otherwise
 */
record PrefixRequest(Optional<Prefix> prefix, String problem) {
  /** No network is longer; of a longer text the rest is dropped. */
  static final int MOST_CHARACTERS = 64;

  private static final Pattern NETWORK = Pattern.compile("([0-9A-Fa-f:.]+)/(0|[1-9][0-9]{0,2})");

  /** Reads the annotation. Capitals and zeros that no one needs do no harm. */
  static PrefixRequest read(String text) {
    Matcher parts = NETWORK.matcher(text);
    if (text.length() > MOST_CHARACTERS || !parts.matches()) {
      return refused(text, "must be an IPv6 network, for example 2001:db8:0:1::/64");
    }
    Optional<Inet6Address> address = Prefix.address(parts.group(1));
    if (address.isEmpty()) {
      return refused(text, "must be an IPv6 network, for example 2001:db8:0:1::/64");
    }
    int bits = Integer.parseInt(parts.group(2));
    if (bits > Prefix.MOST_BITS) {
      return refused(text, "must have a length of at most " + Prefix.MOST_BITS);
    }
    Prefix prefix = Prefix.of(address.get(), bits);
    if (!prefix.isFirst(address.get())) {
      return refused(text, "has bits behind its length; the network is " + prefix);
    }
    return new PrefixRequest(Optional.of(prefix), "");
  }

  private static PrefixRequest refused(String text, String rule) {
    return new PrefixRequest(
        Optional.empty(), "%s '%s' %s".formatted(NodePoolNames.POD_PREFIX, shown(text), rule));
  }

  /** What people can read of it, in one line. */
  static String shown(String text) {
    String start = text.length() > MOST_CHARACTERS ? text.substring(0, MOST_CHARACTERS) : text;
    return start.length() < text.length() ? plain(start) + "..." : plain(start);
  }

  /** A text of others, in the characters that any terminal shows. */
  static String plain(String text) {
    return text.replaceAll("[^ -~]", "?");
  }
}
