// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** What a kube-apiserver on loopback needs to start at all, with keys and accounts of its own. */
public final class ApiServerCommand {
  private ApiServerCommand() {}

  /**
   * The words that start it; the caller's to change. Its administrator has {@link Http#TOKEN}.
   *
   * @param folder takes its files
   * @param accounts further lines of its token file, as {@code token,user,uid,group}
   */
  public static List<String> of(Path folder, String storeUrl, int port, List<String> accounts)
      throws IOException, GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair keys = generator.generateKeyPair();
    Path tokens = folder.resolve("tokens.csv");
    List<String> lines = new ArrayList<>(accounts);
    lines.addFirst(Http.TOKEN + ",admin,1,system:masters");
    Files.write(tokens, lines);
    List<String> words = new ArrayList<>();
    words.add(Kubernetes.binary("kube-apiserver"));
    words.add("--etcd-servers=" + storeUrl);
    words.add("--bind-address=127.0.0.1");
    words.add("--secure-port=" + port);
    words.add("--cert-dir=" + folder.resolve("apiserver"));
    words.add("--endpoint-reconciler-type=none");
    words.add("--token-auth-file=" + tokens);
    words.add("--authorization-mode=RBAC");
    words.add("--service-account-issuer=https://kubernetes.default.svc");
    words.add(
        "--service-account-key-file="
            + pem(folder.resolve("sa.pub"), "PUBLIC KEY", keys.getPublic().getEncoded()));
    words.add(
        "--service-account-signing-key-file="
            + pem(folder.resolve("sa.key"), "PRIVATE KEY", keys.getPrivate().getEncoded()));
    words.add("--service-cluster-ip-range=10.96.0.0/24");
    return words;
  }

  private static Path pem(Path file, String type, byte[] encoded) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    return Files.writeString(
        file, "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(type, body, type));
  }
}
