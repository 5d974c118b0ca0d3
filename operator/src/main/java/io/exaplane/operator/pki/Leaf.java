// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Whose certificate to issue. A server's is no client's and the other way round: else a store's own
 * certificate would open every other store of its CA.
 *
 * @param commonName user name of a client
 * @param organizations groups of a client
 * @param names DNS names and IP addresses of a server
 * @param role what it may be shown as
 * @param validity how long it is valid
 */
public record Leaf(
    String commonName,
    List<String> organizations,
    SortedSet<String> names,
    Role role,
    Duration validity) {

  /** What a certificate may be shown as. */
  public enum Role {
    CLIENT,
    SERVER,
    /** One process to another of its kind, each of which is both. */
    PEER
  }

  /** A client's certificate. */
  public static Leaf client(String commonName, String organization, Duration validity) {
    return new Leaf(
        commonName,
        organization.isEmpty() ? List.of() : List.of(organization),
        new TreeSet<>(),
        Role.CLIENT,
        validity);
  }

  /** A server's certificate. */
  public static Leaf server(String commonName, Iterable<String> names, Duration validity) {
    return named(commonName, names, Role.SERVER, validity);
  }

  /** A certificate for processes that are each other's servers and clients. */
  public static Leaf peer(String commonName, Iterable<String> names, Duration validity) {
    return named(commonName, names, Role.PEER, validity);
  }

  private static Leaf named(
      String commonName, Iterable<String> names, Role role, Duration validity) {
    SortedSet<String> sorted = new TreeSet<>();
    names.forEach(sorted::add);
    return new Leaf(commonName, List.of(), sorted, role, validity);
  }
}
