// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** A certificate of the store's own making, and its key, in PEM. */
record ServerCertificate(Path certificate, Path key) {
  private static final String PASSWORD = "changeit";

  static ServerCertificate make(Path folder) throws Exception {
    Path store = folder.resolve("server.p12");
    ServerProcess.run(
        List.of(
            System.getProperty("java.home") + "/bin/keytool",
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

  private static Path pem(Path folder, String what, byte[] bytes) throws Exception {
    String body = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(bytes);
    String text = "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, body, what);
    return Files.writeString(folder.resolve(what.replace(' ', '-') + ".pem"), text);
  }
}
