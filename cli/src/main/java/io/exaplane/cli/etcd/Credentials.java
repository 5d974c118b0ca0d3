// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import io.grpc.ChannelCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Who a client of a store is, and whom it trusts. Immutable. */
public final class Credentials {
  /** No certificate; trusts what Java trusts. */
  public static final Credentials NONE = new Credentials(null, null);

  private static final char[] PASSWORD = {};

  private final KeyManagerFactory keys;
  private final TrustManagerFactory trusted;

  private Credentials(KeyManagerFactory keys, TrustManagerFactory trusted) {
    this.keys = keys;
    this.trusted = trusted;
  }

  /**
   * From PEM texts; empty ones are not given.
   *
   * @throws StoreFailure if one of them can't be read, or they don't belong together
   */
  public static Credentials of(String ca, String certificate, String key) {
    if (certificate.isEmpty() != key.isEmpty()) {
      throw new StoreFailure("a certificate and its key belong together; set both or neither");
    }
    try {
      return new Credentials(
          certificate.isEmpty() ? null : keys(certificate, key), ca.isEmpty() ? null : trusted(ca));
    } catch (GeneralSecurityException | IOException e) {
      throw new StoreFailure(
          "the certificates can't be read: %s; name PEM files that belong together"
              .formatted(e.getMessage()));
    }
  }

  private static KeyManagerFactory keys(String certificate, String key)
      throws GeneralSecurityException, IOException {
    KeyStore store = empty();
    Certificate[] chain = certificates(certificate).toArray(new Certificate[0]);
    store.setKeyEntry("client", PemKey.read(key), PASSWORD, chain);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    return keys;
  }

  private static TrustManagerFactory trusted(String ca)
      throws GeneralSecurityException, IOException {
    KeyStore store = empty();
    for (Certificate each : certificates(ca)) {
      store.setCertificateEntry("ca-" + store.size(), each);
    }
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(store);
    return trusted;
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static List<Certificate> certificates(String pem) throws CertificateException {
    Collection<? extends Certificate> all =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
    if (all.isEmpty()) {
      throw new CertificateException("there is no certificate in PEM");
    }
    return List.copyOf(all);
  }

  ChannelCredentials forGrpc() {
    TlsChannelCredentials.Builder builder = TlsChannelCredentials.newBuilder();
    if (keys != null) {
      builder.keyManager(keys.getKeyManagers());
    }
    if (trusted != null) {
      builder.trustManager(trusted.getTrustManagers());
    }
    return builder.build();
  }

  /** Of a server with this certificate, whose clients need one of the CA, if there is a CA. */
  public ServerCredentials forServer() {
    TlsServerCredentials.Builder builder =
        TlsServerCredentials.newBuilder().keyManager(keys.getKeyManagers());
    if (trusted != null) {
      builder
          .trustManager(trusted.getTrustManagers())
          .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
    }
    return builder.build();
  }

  SSLContext forHttp() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          keys == null ? null : keys.getKeyManagers(),
          trusted == null ? null : trusted.getTrustManagers(),
          null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has TLS", e);
    }
  }
}
