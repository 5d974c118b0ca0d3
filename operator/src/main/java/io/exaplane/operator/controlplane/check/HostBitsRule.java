// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.NetworkSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A CIDR is the first address of its range: that of a Service CIDR is in certificates. */
final class HostBitsRule implements SpecRule {
  @Override
  public Optional<Problem> check(ControlPlaneSpec spec) {
    List<String> cidrs = new ArrayList<>(NetworkSpec.serviceCIDRs(spec.network()));
    cidrs.addAll(NetworkSpec.podCIDRs(spec.network()));
    for (String cidr : cidrs) {
      int slash = cidr.indexOf('/');
      byte[] address = InetAddress.ofLiteral(cidr.substring(0, slash)).getAddress();
      int hostBits = address.length * Byte.SIZE - Integer.parseInt(cidr.substring(slash + 1));
      if (hostBits > 0
          && new BigInteger(1, address).getLowestSetBit() >= 0
          && new BigInteger(1, address).getLowestSetBit() < hostBits) {
        return broken(
            Reason.HostBitsSet,
            "spec.network CIDR %s: has bits set after its prefix; write the first address of the "
                + "range.",
            cidr);
      }
    }
    return Optional.empty();
  }
}
