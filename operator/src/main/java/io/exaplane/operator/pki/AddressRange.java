// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import java.net.InetAddress;

/**
 * A range of addresses, such as fd00:10:96::/112. Immutable.
 *
 * @param cidr as the schema lets it in
 */
public record AddressRange(String cidr) {

  /** Whether an address of the same family lies in it. */
  public boolean contains(InetAddress address) {
    int slash = cidr.indexOf('/');
    byte[] network = InetAddress.ofLiteral(cidr.substring(0, slash)).getAddress();
    byte[] candidate = address.getAddress();
    if (network.length != candidate.length) {
      return false;
    }
    int bits = Integer.parseInt(cidr.substring(slash + 1));
    for (int bit = 0; bit < bits; bit++) {
      if (((network[bit / 8] ^ candidate[bit / 8]) & 0x80 >> bit % 8) != 0) {
        return false;
      }
    }
    return true;
  }
}
