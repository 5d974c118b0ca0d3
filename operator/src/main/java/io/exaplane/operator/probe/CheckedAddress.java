// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.probe;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * The address of a server that a user names. Who owns the name decides where it leads, now and a
 * moment later: the caller connects to what this gives, and resolves the name no second time.
 * Thread-safe.
 */
public final class CheckedAddress {
  private final Resolver resolver;
  private final Predicate<InetAddress> offLimits;

  /** All addresses of a name, at least one; of a literal, itself. */
  public interface Resolver {
    InetAddress[] addresses(String host) throws UnknownHostException;
  }

  /** By the machine's own resolver, and not {@link OffLimits}. */
  public CheckedAddress() {
    this(InetAddress::getAllByName, OffLimits::is);
  }

  /**
   * By another resolver.
   *
   * @param offLimits places that nobody is led to
   */
  public CheckedAddress(Resolver resolver, Predicate<InetAddress> offLimits) {
    this.resolver = resolver;
    this.offLimits = offLimits;
  }

  /**
   * The first address of a host; asks the resolver, and waits for it.
   *
   * @param host name or literal, with or without brackets
   * @throws OffLimitsException if any of the addresses is off limits
   * @throws UnknownHostException if there is none
   */
  public InetAddress of(String host) throws OffLimitsException, UnknownHostException {
    InetAddress[] all = resolver.addresses(host.replaceAll("[\\[\\]]", ""));
    if (Arrays.stream(all).anyMatch(offLimits)) {
      throw new OffLimitsException();
    }
    return all[0];
  }

  /** A name leads to where the operator asks for nobody. */
  public static final class OffLimitsException extends IOException {
    private static final long serialVersionUID = 1L;

    OffLimitsException() {
      super(ProbeFailure.OFF_LIMITS);
    }
  }
}
