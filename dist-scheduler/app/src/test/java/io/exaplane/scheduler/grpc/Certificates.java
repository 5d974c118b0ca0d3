// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A CA, and certificates by it, made with the JDK's keytool. */
final class Certificates {
  private static final String PASSWORD = "changeit";

  private final Path folder;
  private final String name;
  private final Path store;
  private int issued;

  Certificates(Path folder, String name) throws Exception {
    this.folder = folder;
    this.name = name;
    store = folder.resolve(name + ".p12");
    make("ca", "-ext", "bc:c");
    Files.writeString(ca(), certificate("ca"));
  }

  Path ca() {
    return folder.resolve(name + "-ca.pem");
  }

  /** Certificate and key for this machine, as a process of the tree is given them. */
  TreeTls issue(Path trusted) throws Exception {
    String san = "san=dns:localhost,ip:127.0.0.1,ip:::1";
    String leaf = "leaf-" + issued++;
    make(leaf, "-ext", san, "-signer", "ca");
    Path certificate = Files.writeString(folder.resolve(name + leaf + ".pem"), certificate(leaf));
    Path key = Files.writeString(folder.resolve(name + leaf + "-key.pem"), privateKey(leaf));
    return TreeTls.of(certificate, key, trusted);
  }

  private String certificate(String alias) throws IOException, GeneralSecurityException {
    return pem("CERTIFICATE", keys().getCertificate(alias).getEncoded());
  }

  private String privateKey(String alias) throws IOException, GeneralSecurityException {
    return pem("PRIVATE KEY", keys().getKey(alias, PASSWORD.toCharArray()).getEncoded());
  }

  private KeyStore keys() throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  private static String pem(String type, byte[] encoded) {
    return "-----BEGIN "
        + type
        + "-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded)
        + "\n-----END "
        + type
        + "-----\n";
  }

  private void make(String alias, String... more) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of("-genkeypair", "-keyalg", "EC", "-alias", alias, "-dname", "CN=" + alias));
    words.addAll(List.of(more));
    keytool(words.toArray(String[]::new));
  }

  private void keytool(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.add("-J-XX:TieredStopAtLevel=1");
    command.addAll(List.of(words));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(said).isZero();
  }
}
