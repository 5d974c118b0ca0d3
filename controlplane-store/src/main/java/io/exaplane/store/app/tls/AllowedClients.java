// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Which certificates of the clients' CA a store takes. Of the two sets one is empty; when both are,
 * it takes all. Immutable.
 *
 * @param commonNames as they are written in the subject
 * @param hostnames DNS names and IP addresses, one of which the certificate has to be valid for
 */
public record AllowedClients(Set<String> commonNames, Set<String> hostnames) {
  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  /** Any client of the CA. */
  public static final AllowedClients ALL = new AllowedClients(Set.of(), Set.of());

  /** Why a client may not come in; empty when it may. */
  Optional<String> objection(X509Certificate client) {
    if (!commonNames.isEmpty() && commonName(client).filter(commonNames::contains).isEmpty()) {
      return Optional.of("the common name of the certificate is not in --client-cert-allowed-cn");
    }
    return hostnames.isEmpty() || hostnames.stream().anyMatch(host -> isValidFor(client, host))
        ? Optional.empty()
        : Optional.of("the certificate is valid for no name in --client-cert-allowed-hostname");
  }

  /** The one common name of a certificate; none when it has several, or hides one in an RDN. */
  static Optional<String> commonName(X509Certificate certificate) {
    List<String> names = Subject.values(certificate, "CN");
    return names.size() == 1 ? Optional.of(names.getFirst()) : Optional.empty();
  }

  private static boolean isValidFor(X509Certificate certificate, String host) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      return names != null
          && names.stream()
              .anyMatch(
                  name ->
                      switch ((int) name.getFirst()) {
                        case DNS_NAME -> matches((String) name.get(1), host);
                        case IP_ADDRESS -> isSameAddress((String) name.get(1), host);
                        default -> false;
                      });
    } catch (CertificateParsingException unreadable) {
      return false;
    }
  }

  /** A star stands for one whole label, the first, as for a server's name. */
  private static boolean matches(String pattern, String host) {
    String name = pattern.toLowerCase(Locale.ROOT);
    String wanted = host.toLowerCase(Locale.ROOT);
    int dot = wanted.indexOf('.');
    return name.equals(wanted)
        || name.startsWith("*.") && dot > 0 && name.substring(1).equals(wanted.substring(dot));
  }

  private static boolean isSameAddress(String address, String host) {
    try {
      return java.net.InetAddress.ofLiteral(address).equals(java.net.InetAddress.ofLiteral(host));
    } catch (IllegalArgumentException notAnAddress) {
      return false;
    }
  }
}
