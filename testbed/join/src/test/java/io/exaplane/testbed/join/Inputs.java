// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import io.exaplane.operator.nodepool.join.JoinInput;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Inputs of the script that differ from another one in one field. */
final class Inputs {
  /** Where the script ends with a code of its own. */
  static final Pattern CODES = Pattern.compile("\\b(fail|bad) (\\d+) ");

  private Inputs() {}

  /** The code at the beginning of a line of the help. */
  static String code(String line) {
    return line.strip().split(" ", 2)[0];
  }

  static JoinInput server(JoinInput of, String server) {
    return copy(of, server, of.caPem(), of.token(), of.tokenExpires(), of.version(), of.prefixes());
  }

  static JoinInput ca(JoinInput of, String pem) {
    return copy(of, of.server(), pem, of.token(), of.tokenExpires(), of.version(), of.prefixes());
  }

  static JoinInput token(JoinInput of, String token, Instant expires) {
    return copy(of, of.server(), of.caPem(), token, expires, of.version(), of.prefixes());
  }

  static JoinInput version(JoinInput of, String version) {
    return copy(of, of.server(), of.caPem(), of.token(), of.tokenExpires(), version, of.prefixes());
  }

  static JoinInput prefixes(JoinInput of, String prefix) {
    return copy(
        of, of.server(), of.caPem(), of.token(), of.tokenExpires(), of.version(), List.of(prefix));
  }

  /** As for a pool whose addresses kube-controller-manager chooses. */
  static JoinInput allocated(JoinInput of) {
    return addresses(of, OptionalInt.empty(), List.of());
  }

  static JoinInput length(JoinInput of, int length) {
    return addresses(of, OptionalInt.of(length), of.prefixes());
  }

  private static JoinInput addresses(JoinInput of, OptionalInt length, List<String> prefixes) {
    return new JoinInput(
        of.server(),
        of.caPem(),
        of.token(),
        of.tokenExpires(),
        of.pool(),
        of.version(),
        of.kubeletConfigJson(),
        of.labels(),
        of.taints(),
        of.clusterDns(),
        of.clusterDomain(),
        length,
        prefixes);
  }

  private static JoinInput copy(
      JoinInput of,
      String server,
      String ca,
      String token,
      Instant expires,
      String version,
      List<String> prefixes) {
    return new JoinInput(
        server,
        ca,
        token,
        expires,
        of.pool(),
        version,
        of.kubeletConfigJson(),
        of.labels(),
        of.taints(),
        of.clusterDns(),
        of.clusterDomain(),
        of.podPrefixLength(),
        prefixes);
  }
}
