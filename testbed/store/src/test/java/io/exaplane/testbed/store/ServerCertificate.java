// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate of the store's own making, and its key, in PEM. */
record ServerCertificate(Path certificate, Path key) {
  private static final String PASSWORD = "changeit";

  static ServerCertificate make(Path folder) throws Exception {
    Path store = folder.resolve("server.p12");
    ServerProcess.run(
        List.of(
            System.getProperty("java.home") + "/bin/keytool",
            // A JVM of half a second: the second compiler would more than double it.
            "-J-XX:TieredStopAtLevel=1",
            "-J-XX:+UseSerialGC",
            "-genkeypair",
            "-alias",
            "server",
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-dname",
            "CN=localhost",
            "-ext",
            "san=ip:127.0.0.1",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            PASSWORD));
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return new ServerCertificate(
        pem(folder, "CERTIFICATE", keys.getCertificate("server").getEncoded()),
        pem(folder, "PRIVATE KEY", keys.getKey("server", PASSWORD.toCharArray()).getEncoded()));
  }

  /**
   * For a client that trusts it.
   *
   * @param shows whether the client shows it, too, as its own
   */
  SSLContext context(boolean shows) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(certificate.resolveSibling("server.p12"))) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry("server", keys.getCertificate("server"));
    KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
    own.init(keys, PASSWORD.toCharArray());
    TrustManagerFactory others = TrustManagerFactory.getInstance("PKIX");
    others.init(trust);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(shows ? own.getKeyManagers() : null, others.getTrustManagers(), null);
    return context;
  }

  private static Path pem(Path folder, String what, byte[] bytes) throws Exception {
    String body = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(bytes);
    String text = "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, body, what);
    return Files.writeString(folder.resolve(what.replace(' ', '-') + ".pem"), text);
  }
}
