// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install.olm;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate of 127.0.0.1 that signs itself, and its key. Any thread.
 *
 * @param certificate in PEM
 * @param key in PEM
 * @param context for a server of this process
 */
record TlsPair(Path certificate, Path key, SSLContext context) {
  private static final String PASSWORD = "password-of-the-test";
  private static final String ALIAS = "server";

  /**
   * Makes a new one.
   *
   * @param folder an empty one, which takes its files
   */
  static TlsPair make(Path folder) throws Exception {
    Path store = folder.resolve("server.p12");
    Path log = folder.resolve("keytool.log");
    Process tool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    // A JVM of half a second: the second compiler would more than double it.
                    "-J-XX:TieredStopAtLevel=1",
                    "-J-XX:+UseSerialGC",
                    "-genkeypair",
                    "-alias",
                    ALIAS,
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=exaplane-test",
                    "-ext",
                    "san=ip:127.0.0.1",
                    "-storetype",
                    "PKCS12",
                    "-keystore",
                    store.toString(),
                    "-storepass",
                    PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    if (tool.waitFor() != 0) {
      throw new AssertionError(
          "keytool ended with " + tool.exitValue() + ": " + Files.readString(log));
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return new TlsPair(
        pem(folder.resolve("server.crt"), "CERTIFICATE", keys.getCertificate(ALIAS).getEncoded()),
        pem(
            folder.resolve("server.key"),
            "PRIVATE KEY",
            keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()),
        context);
  }

  private static Path pem(Path file, String type, byte[] encoded) throws Exception {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    return Files.writeString(
        file, "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(type, body, type));
  }
}
