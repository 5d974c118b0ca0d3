// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import java.util.List;

/**
 * What a provider gives to a network and to a node, and its quotas. Immutable.
 *
 * @param name as people name it on the command line
 * @param title for people
 * @param gives one sentence
 * @param network length of the prefix that a network has by default; null if the provider has no
 *     network to plan, since each node gets a prefix of the provider's
 * @param subnet lengths of subnets; null if the network is divided into the prefixes of nodes
 * @param node lengths of the prefix of a node; 128 if a node has single addresses only
 * @param podLength of the part that pods get, by default
 * @param always whether a node has its prefix even if its pods are in the cluster range
 * @param holdsAddress whether the prefix of a node contains the node's own address
 * @param delivery routed, on-link or unknown: how packets for pods reach the node
 * @param reservedFirst addresses at the begin of a subnet that the provider keeps
 * @param reservedLast addresses at the end of a subnet that the provider keeps
 * @param source of these lengths
 * @param date of the source, or when somebody read it
 * @param quotas in the order of the table
 * @param notes pitfalls
 */
public record Provider(
    String name,
    String title,
    String gives,
    Integer network,
    Lengths subnet,
    Lengths node,
    int podLength,
    boolean always,
    boolean holdsAddress,
    String delivery,
    long reservedFirst,
    long reservedLast,
    String source,
    String date,
    List<Quota> quotas,
    List<String> notes) {
  /**
   * A default length of a prefix, and other possible lengths.
   *
   * @param step from one possible length to the next; null for 1
   */
  public record Lengths(int length, int shortest, int longest, Integer step) {
    boolean allows(int other) {
      return other >= shortest
          && other <= longest
          && (step == null || (other - shortest) % step == 0);
    }

    @Override
    public String toString() {
      return shortest == longest
          ? "/" + length
          : "between /%d and /%d".formatted(shortest, longest)
              + (step == null ? "" : " in steps of " + step);
    }
  }

  public Provider {
    quotas = List.copyOf(quotas);
    notes = List.copyOf(notes);
  }
}
