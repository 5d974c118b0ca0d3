// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Which hosts a fetch may ask. Immutable; looks names up. */
public enum Reach {
  /** Each host: whoever starts the fetch could ask that host anyway. */
  ANY,

  /**
   * With TLS only, and no address of this machine or of its links, where clouds keep credentials.
   * For those who fetch what others name. TLS also holds if a name gets another address after it
   * was looked at: no inner service has a certificate for a name of somebody else.
   */
  OUTSIDE;

  /** First bytes of NAT64's well-known prefix, behind which stands an IPv4 address. */
  private static final byte[] NAT64 = {0, 0x64, (byte) 0xff, (byte) 0x9b};

  /**
   * Returns if the host may be asked.
   *
   * @param field option that is meant
   * @param scheme of the address, {@code https} or {@code http}
   * @param host name or address
   */
  void require(String field, String scheme, String host) throws Refused {
    if (this == ANY) {
      return;
    }
    if (!"https".equals(scheme)) {
      throw Refused.lasting(
          field, host, "is named without TLS", "use an address that begins with https://");
    }
    InetAddress[] all;
    try {
      all = InetAddress.getAllByName(host);
    } catch (UnknownHostException e) {
      throw Refused.passing(
          field, host, "has no address", "check the name, and the name server of this machine");
    }
    for (InetAddress one : all) {
      if (isInside(one)) {
        throw Refused.lasting(
            field,
            host,
            "has the address %s, which belongs to this machine or its links"
                .formatted(one.getHostAddress()),
            "name a host that other machines can ask, too");
      }
    }
  }

  /** Whether an address leads no further than to this machine and its links, or to many at once. */
  static boolean isInside(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length > 4 && (startsWith(bytes, NAT64) || startsWith(bytes, new byte[12]))) {
      byte[] last = {bytes[12], bytes[13], bytes[14], bytes[15]};
      try {
        return isPlainlyInside(address) || isPlainlyInside(InetAddress.getByAddress(last));
      } catch (UnknownHostException e) {
        throw new IllegalStateException("4 bytes are an address", e);
      }
    }
    return isPlainlyInside(address);
  }

  private static boolean isPlainlyInside(InetAddress address) {
    return address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isAnyLocalAddress()
        || address.isMulticastAddress()
        || address.getAddress().length == 4 && address.getAddress()[0] == 0;
  }

  private static boolean startsWith(byte[] bytes, byte[] prefix) {
    for (int at = 0; at < prefix.length; at++) {
      if (bytes[at] != prefix[at]) {
        return false;
      }
    }
    return true;
  }
}
