// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.probe;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Places that the operator reaches and who writes a spec does not: its own host and link, and the
 * services by which clouds hand out credentials. {@link CheckedAddress} resolves names. Pure.
 */
public final class OffLimits {
  private static final Set<String> NAMES =
      Set.of(
          "localhost",
          "localhost.localdomain",
          "ip6-localhost",
          "ip6-loopback",
          "metadata",
          "metadata.google.internal",
          "metadata.azure.internal",
          "instance-data",
          "instance-data.ec2.internal");

  /** Of Azure, Alibaba Cloud, Oracle Cloud, EC2 and Compute Engine; the rest is link-local. */
  private static final List<InetAddress> METADATA =
      List.of(
          InetAddress.ofLiteral("168.63.129.16"),
          InetAddress.ofLiteral("100.100.100.200"),
          InetAddress.ofLiteral("192.0.0.192"),
          InetAddress.ofLiteral("fd00:ec2::254"),
          InetAddress.ofLiteral("fd20:ce::254"));

  /** Numbers in which resolvers see an address, and people do not. */
  private static final Pattern NUMBERS =
      Pattern.compile("(?:0x[0-9a-f]*|[0-9]+)(?:\\.(?:0x[0-9a-f]*|[0-9]+))*");

  private static final Pattern DOTTED =
      Pattern.compile("(?:0|[1-9][0-9]{0,2})(?:\\.(?:0|[1-9][0-9]{0,2})){3}");

  /** Prefixes of IPv6 addresses with an IPv4 address behind them: its first byte's place. */
  private record Embedding(byte[] prefix, int at) {}

  private static final List<Embedding> EMBEDDINGS =
      List.of(
          new Embedding(prefix("::", 12), 12),
          new Embedding(prefix("64:ff9b::", 12), 12),
          new Embedding(prefix("2002::", 2), 2));

  private OffLimits() {}

  /** Whether a host of a URL, a name or an address, with or without brackets, is such a place. */
  public static boolean is(String host) {
    String name = host.toLowerCase(Locale.ROOT).replaceAll("[\\[\\]]", "").replaceFirst("\\.$", "");
    if (NAMES.contains(name) || name.endsWith(".localhost")) {
      return true;
    }
    if (NUMBERS.matcher(name).matches() && !DOTTED.matcher(name).matches()) {
      return true;
    }
    return address(name.replaceFirst("%.*$", "")).filter(OffLimits::is).isPresent();
  }

  private static Optional<InetAddress> address(String text) {
    try {
      return Optional.of(InetAddress.ofLiteral(text));
    } catch (IllegalArgumentException notAnAddress) {
      return Optional.empty();
    }
  }

  /** Whether an address is such a place. */
  public static boolean is(InetAddress address) {
    byte[] bytes = address.getAddress();
    return address.isLoopbackAddress()
        || address.isAnyLocalAddress()
        || address.isLinkLocalAddress()
        || address.isMulticastAddress()
        || bytes.length == 4 && (bytes[0] == 0 || (bytes[0] & 0xf0) == 0xf0)
        || METADATA.contains(address)
        || address instanceof Inet6Address && embedded(bytes).filter(OffLimits::is).isPresent();
  }

  private static Optional<InetAddress> embedded(byte[] bytes) {
    return EMBEDDINGS.stream()
        .filter(
            each ->
                Arrays.equals(
                    each.prefix(), 0, each.prefix().length, bytes, 0, each.prefix().length))
        .map(each -> ofBytes(Arrays.copyOfRange(bytes, each.at(), each.at() + 4)))
        .findFirst();
  }

  private static InetAddress ofBytes(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] prefix(String literal, int length) {
    return Arrays.copyOf(InetAddress.ofLiteral(literal).getAddress(), length);
  }
}
