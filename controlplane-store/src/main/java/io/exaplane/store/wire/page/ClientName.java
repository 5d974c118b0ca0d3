// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire.page;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.Optional;

/** Names clients for the log: by the certificate that they showed, and by their address. */
public final class ClientName {
  private static final int MOST_CHARACTERS = 200;

  private ClientName() {}

  /** Who is at the other end of a connection. By its event loop. */
  public static String of(Channel channel) {
    String subject =
        PageConnection.certificate(channel)
            .map(ClientName::subject)
            .orElse("without a certificate");
    String address =
        channel.remoteAddress() instanceof InetSocketAddress internet
            ? Optional.ofNullable(internet.getAddress())
                .map(each -> each.getHostAddress())
                .orElse("an unknown address")
            : "this machine";
    return subject + " from " + address;
  }

  /** The subject of a client's own certificate, without what would break a line of the log. */
  public static String subject(X509Certificate certificate) {
    String name = certificate.getSubjectX500Principal().getName();
    String printable = name.replaceAll("[^\\p{Print}]", "?");
    return printable.length() > MOST_CHARACTERS
        ? printable.substring(0, MOST_CHARACTERS) + "…"
        : printable;
  }
}
