// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** IPv6 addresses as text: reads all forms of RFC 4291, and writes the one of RFC 5952. */
final class Ipv6Text {
  private static final int GROUPS = 8;
  private static final int GROUP_BITS = 16;
  private static final Pattern GROUP = Pattern.compile("[0-9a-fA-F]{1,4}");
  private static final Pattern DOTTED =
      Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");
  private static final String GAP = "::";

  private Ipv6Text() {}

  /**
   * Reads an address.
   *
   * @throws IllegalArgumentException if the text is not one
   */
  static UInt128 parse(String text) {
    int gap = text.indexOf(GAP);
    List<Integer> groups;
    if (gap < 0) {
      groups = groups(text, true);
    } else {
      groups = groups(text.substring(0, gap), false);
      List<Integer> behind = groups(text.substring(gap + GAP.length()), true);
      int zeros = GROUPS - groups.size() - behind.size();
      if (zeros < 1) {
        throw wrong();
      }
      for (int i = 0; i < zeros; i++) {
        groups.add(0);
      }
      groups.addAll(behind);
    }
    if (groups.size() != GROUPS) {
      throw wrong();
    }
    UInt128 address = UInt128.ZERO;
    for (int group : groups) {
      address = address.shiftLeft(GROUP_BITS).or(UInt128.of(group));
    }
    return address;
  }

  /** The groups of a part; only the last one of an address can be an IPv4 address. */
  private static List<Integer> groups(String text, boolean end) {
    List<Integer> groups = new ArrayList<>();
    if (text.isEmpty()) {
      return groups;
    }
    String[] words = text.split(":", -1);
    for (int i = 0; i < words.length; i++) {
      Matcher dotted = DOTTED.matcher(words[i]);
      if (end && i == words.length - 1 && dotted.matches()) {
        groups.add(octet(dotted.group(1)) << Byte.SIZE | octet(dotted.group(2)));
        groups.add(octet(dotted.group(3)) << Byte.SIZE | octet(dotted.group(4)));
      } else if (GROUP.matcher(words[i]).matches()) {
        groups.add(Integer.parseInt(words[i], 16));
      } else {
        throw wrong();
      }
    }
    return groups;
  }

  private static int octet(String text) {
    int value = Integer.parseInt(text);
    if (value > 0xff || (text.length() > 1 && text.charAt(0) == '0')) {
      throw wrong();
    }
    return value;
  }

  private static IllegalArgumentException wrong() {
    return new IllegalArgumentException("must be an IPv6 prefix");
  }

  /** The one form of RFC 5952: lower case, and the first longest run of zero groups as '::'. */
  static String format(UInt128 address) {
    int[] groups = new int[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      groups[i] = (int) (address.shiftRight((GROUPS - 1 - i) * GROUP_BITS).low() & 0xffff);
    }
    int from = -1;
    int length = 1;
    for (int i = 0; i < GROUPS; i++) {
      int end = i;
      while (end < GROUPS && groups[end] == 0) {
        end++;
      }
      if (end - i > length) {
        from = i;
        length = end - i;
      }
      i = Math.max(i, end);
    }
    return from < 0
        ? joined(groups, 0, GROUPS)
        : joined(groups, 0, from) + GAP + joined(groups, from + length, GROUPS);
  }

  private static String joined(int[] groups, int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(i > from ? ":" : "").append(String.format(Locale.ROOT, "%x", groups[i]));
    }
    return text.toString();
  }
}
