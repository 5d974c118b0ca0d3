// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Whose certificate to issue. Every leaf is valid for clients and servers: etcd's gateway uses its
 * server certificate as a client's.
 *
 * @param commonName user name of a client
 * @param organizations groups of a client
 * @param names DNS names and IP addresses of a server
 * @param validity how long it is valid
 */
public record Leaf(
    String commonName, List<String> organizations, SortedSet<String> names, Duration validity) {

  /** A client's certificate. */
  public static Leaf client(String commonName, String organization, Duration validity) {
    return new Leaf(
        commonName,
        organization.isEmpty() ? List.of() : List.of(organization),
        new TreeSet<>(),
        validity);
  }

  /** A server's certificate. */
  public static Leaf server(String commonName, Iterable<String> names, Duration validity) {
    SortedSet<String> sorted = new TreeSet<>();
    names.forEach(sorted::add);
    return new Leaf(commonName, List.of(), sorted, validity);
  }
}
