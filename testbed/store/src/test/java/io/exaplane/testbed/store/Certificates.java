// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A CA, and certificates of servers and clients that it signed; for this machine. */
final class Certificates {
  private static final String PASSWORD = "changeit";
  private static final String CA = "ca";

  private final Path folder;
  private final Path store;

  private Certificates(Path folder) {
    this.folder = folder;
    this.store = folder.resolve("certificates.p12");
  }

  /** A CA with a certificate for a server, which is called {@code server}. */
  static Certificates make(Path folder) throws Exception {
    Certificates made = new Certificates(folder);
    made.generate(CA, "CN=ca", "-ext", "bc=ca:true");
    made.generate("server", "CN=store", "-signer", CA, "-ext", "san=ip:127.0.0.1");
    return made;
  }

  /** Has the CA sign a certificate for a client. */
  Certificates client(String name, String subject) throws Exception {
    generate(name, subject, "-signer", CA, "-ext", "eku=clientAuth");
    return this;
  }

  /** The same for a server, which is no client. */
  Certificates server(String name, String subject) throws Exception {
    generate(name, subject, "-signer", CA, "-ext", "eku=serverAuth");
    return this;
  }

  private void generate(String alias, String subject, String... more) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/keytool",
                // A JVM of half a second: the second compiler would more than double it.
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                subject,
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD));
    command.addAll(List.of(more));
    ServerProcess.run(command);
  }

  /** Flags of a store that asks its clients for a certificate. */
  String[] flags() throws Exception {
    return new String[] {
      "--cert-file=" + pem("server.crt", "CERTIFICATE", certificate("server").getEncoded()),
      "--key-file=" + pem("server.key", "PRIVATE KEY", key("server").getEncoded()),
      "--trusted-ca-file=" + pem("ca.crt", "CERTIFICATE", certificate(CA).getEncoded()),
      "--client-cert-auth=true"
    };
  }

  X509Certificate ca() throws Exception {
    return certificate(CA);
  }

  X509Certificate certificate(String name) throws Exception {
    return (X509Certificate) load().getCertificate(name);
  }

  PrivateKey key(String name) throws Exception {
    return (PrivateKey) load().getKey(name, PASSWORD.toCharArray());
  }

  /** For a client that trusts the CA, and shows its own certificate. */
  SSLContext context(String name) throws Exception {
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    own.setKeyEntry(name, key(name), PASSWORD.toCharArray(), load().getCertificateChain(name));
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry(CA, ca());
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(own, PASSWORD.toCharArray());
    TrustManagerFactory others = TrustManagerFactory.getInstance("PKIX");
    others.init(trust);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), others.getTrustManagers(), null);
    return context;
  }

  private KeyStore load() throws Exception {
    KeyStore all = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      all.load(in, PASSWORD.toCharArray());
    }
    return all;
  }

  private Path pem(String file, String what, byte[] bytes) throws Exception {
    String body = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(bytes);
    String text = "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, body, what);
    return Files.writeString(folder.resolve(file), text);
  }
}
