// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.pool;

import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** A real kube-apiserver on a store of ours, which can be killed and started again. */
final class LiveApi implements AutoCloseable {
  private final Path folder;
  private final int port;
  private final Server store;
  private final List<String> command;
  private Server apiServer;

  private LiveApi(Path folder) throws Exception {
    this.folder = folder;
    port = Machine.freePort();
    String url = "http://127.0.0.1:" + Machine.freePort();
    List<String> words = Machine.storeCommand();
    words.addAll(List.of("--durability=memory", "--listen-client-urls=" + url));
    store = Server.start(words, Map.of(), URI.create(url + "/readyz"), folder.resolve("store.log"));
    command = command(url);
  }

  /** Both, ready. */
  static LiveApi start(Path folder) throws Exception {
    LiveApi api = new LiveApi(folder);
    try {
      api.startApiServer();
    } catch (Exception e) {
      api.close();
      throw e;
    }
    return api;
  }

  private List<String> command(String storeUrl) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair keys = generator.generateKeyPair();
    Path tokens = folder.resolve("tokens.csv");
    Files.writeString(tokens, Http.TOKEN + ",admin,1,system:masters\n");
    List<String> words = new ArrayList<>();
    words.add(Kubernetes.binary("kube-apiserver"));
    words.add("--etcd-servers=" + storeUrl);
    words.add("--bind-address=127.0.0.1");
    words.add("--secure-port=" + port);
    words.add("--cert-dir=" + folder.resolve("apiserver"));
    words.add("--endpoint-reconciler-type=none");
    words.add("--token-auth-file=" + tokens);
    words.add("--authorization-mode=RBAC");
    words.add("--disable-admission-plugins=ServiceAccount");
    words.add("--service-account-issuer=https://kubernetes.default.svc");
    words.add(
        "--service-account-key-file=" + pem("sa.pub", "PUBLIC KEY", keys.getPublic().getEncoded()));
    words.add(
        "--service-account-signing-key-file="
            + pem("sa.key", "PRIVATE KEY", keys.getPrivate().getEncoded()));
    words.add("--service-cluster-ip-range=10.96.0.0/24");
    words.add("--feature-gates=GenericWorkload=true");
    words.add("--runtime-config=scheduling.k8s.io/v1alpha2=true");
    return words;
  }

  private Path pem(String name, String type, byte[] encoded) throws Exception {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    return Files.writeString(
        folder.resolve(name),
        "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(type, body, type));
  }

  /** Starts the API server; it is ready when this returns. */
  void startApiServer() throws Exception {
    URI ready = URI.create(uri() + "/readyz");
    apiServer = Server.start(command, Map.of(), ready, folder.resolve("kube-apiserver.log"));
  }

  /** Ends it at once, in the middle of what it does. */
  void killApiServer() {
    apiServer.close();
  }

  private String uri() {
    return "https://127.0.0.1:" + port;
  }

  /** A client of an administrator, the caller's to close. */
  KubernetesClient client() {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(uri())
            .withOauthToken(Http.TOKEN)
            .withTrustCerts(true)
            .withRequestRetryBackoffLimit(0)
            .build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  @Override
  public void close() {
    if (apiServer != null) {
      apiServer.close();
    }
    store.close();
  }
}
