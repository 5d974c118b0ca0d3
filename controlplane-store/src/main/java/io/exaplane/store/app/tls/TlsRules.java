// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.tls;

import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLContext;

/**
 * What connections with TLS are held to beyond certificates. Immutable.
 *
 * @param protocols versions as the JDK names them, at least one
 * @param ciphers suites by their names in the registry of IANA; empty for the JDK's choice
 * @param revoked list of certificates that were revoked, in PEM or DER; null for none
 */
public record TlsRules(List<String> protocols, List<String> ciphers, Path revoked) {
  private static final String TLS_1_2 = "TLSv1.2";
  private static final String TLS_1_3 = "TLSv1.3";

  /** TLS 1.2 and 1.3, as etcd's default. */
  public static final TlsRules USUAL = new TlsRules(List.of(TLS_1_3, TLS_1_2), List.of(), null);

  /** Suites of TLS 1.3. etcd's flag takes their names, and Go lets nobody choose among them. */
  private static final List<String> OF_TLS_1_3 =
      List.of("TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256");

  /** How names end that Go had before the registry had them; etcd takes these, too. */
  private static final String OLD_CHACHA20 = "_WITH_CHACHA20_POLY1305";

  /**
   * Rules as etcd's flags name them. If suites of TLS 1.3 alone are named, connections of TLS 1.2
   * find none, as in Go.
   *
   * @param least {@code TLS1.2} or {@code TLS1.3}
   * @param most the same, or empty for the newest
   * @throws IllegalArgumentException with the flag and its rule, if one can't be met
   */
  public static TlsRules of(String least, String most, List<String> ciphers, Path revoked) {
    boolean from13 = is13("--tls-min-version", least.isEmpty() ? "TLS1.2" : least);
    boolean to13 = is13("--tls-max-version", most.isEmpty() ? "TLS1.3" : most);
    if (from13 && !to13) {
      throw new IllegalArgumentException(
          "--tls-min-version: %s must not be above --tls-max-version, which is %s"
              .formatted(least, most));
    }
    if (from13 && !ciphers.isEmpty()) {
      throw new IllegalArgumentException(
          "--cipher-suites: %s needs TLS 1.2, which --tls-min-version=TLS1.3 excludes; TLS 1.3 has its own suites"
              .formatted(String.join(",", ciphers)));
    }
    List<String> protocols = from13 ? List.of(TLS_1_3) : to13 ? USUAL.protocols : List.of(TLS_1_2);
    return new TlsRules(protocols, suites(ciphers, to13), revoked);
  }

  private static boolean is13(String flag, String version) {
    return switch (version) {
      case "TLS1.2" -> false;
      case "TLS1.3" -> true;
      default ->
          throw new IllegalArgumentException(
              "%s: %s must be TLS1.2 or TLS1.3".formatted(flag, version));
    };
  }

  private static List<String> suites(List<String> named, boolean has13) {
    if (named.isEmpty()) {
      return named;
    }
    if (!has13 && OF_TLS_1_3.containsAll(named)) {
      throw new IllegalArgumentException(
          "--cipher-suites: %s are suites of TLS 1.3, which --tls-max-version=TLS1.2 excludes; add one of TLS 1.2"
              .formatted(String.join(",", named)));
    }
    Set<String> supported = supported();
    List<String> suites = new ArrayList<>(has13 ? OF_TLS_1_3 : List.of());
    for (String name : named) {
      if (OF_TLS_1_3.contains(name)) {
        continue;
      }
      String suite = name.endsWith(OLD_CHACHA20) ? name + "_SHA256" : name;
      if (!supported.contains(suite)) {
        Set<String> choice = new TreeSet<>(supported);
        choice.removeIf(each -> !each.startsWith("TLS_ECDHE_") || !each.contains("_GCM_"));
        throw new IllegalArgumentException(
            "--cipher-suites: %s must be a suite of TLS 1.2 that this Java has, for example one of %s"
                .formatted(name, String.join(", ", choice)));
      }
      suites.add(suite);
    }
    return List.copyOf(suites);
  }

  private static Set<String> supported() {
    try {
      return Set.copyOf(
          Arrays.asList(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("the JDK has no TLS", e); // each JDK has it
    }
  }
}
