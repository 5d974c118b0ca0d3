// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.net;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** Where the DNS of a hosted cluster is by custom: at the tenth address of Services. Pure. */
public final class ClusterDns {
  private static final BigInteger TENTH = BigInteger.TEN;

  private ClusterDns() {}

  /** The address, of a CIDR that the schema let in. */
  public static String address(String serviceCidr) {
    AddressRange range = AddressRange.of(serviceCidr);
    byte[] all = range.address();
    int hostBits = all.length * Byte.SIZE - range.prefixBits();
    BigInteger network = new BigInteger(1, all).shiftRight(hostBits).shiftLeft(hostBits);
    byte[] sum = network.add(TENTH).toByteArray();
    byte[] address = new byte[all.length];
    int length = Math.min(sum.length, address.length);
    System.arraycopy(sum, sum.length - length, address, address.length - length, length);
    try {
      return InetAddress.getByAddress(address).getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException(Arrays.toString(address) + " is no address", e);
    }
  }
}
