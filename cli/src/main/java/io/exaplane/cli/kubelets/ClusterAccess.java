// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.kubelets;

import io.exaplane.cli.measure.ApiServer;
import io.exaplane.cli.measure.FileFailure;
import io.exaplane.tuning.model.InvalidInputException;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The kubeconfigs of hosts: the account of the command, which acts in the name of a node or of
 * kube-proxy. Immutable, except that tokens are read again.
 */
final class ClusterAccess {
  private final Path kubeconfig;
  private final String context;
  private final Config config;
  private final URI server;

  private ClusterAccess(Path kubeconfig, String context, Config config, URI server) {
    this.kubeconfig = kubeconfig;
    this.context = context;
    this.config = config;
    this.server = server;
  }

  /**
   * By a kubeconfig, or by what kubectl would take.
   *
   * @param context null for the current one
   * @param server URL instead of the kubeconfig's
   * @throws InvalidInputException if the server has no IPv6 address that a host can reach
   */
  static ClusterAccess of(Path kubeconfig, String context, Optional<String> server) {
    Config config = ApiServer.config(kubeconfig, context);
    String text = server.orElse(config.getMasterUrl()).replaceAll("/$", "");
    try {
      URI url = new URI(text);
      if (url.getHost() != null && isReachable(url.getHost())) {
        return new ClusterAccess(kubeconfig, context, config, url);
      }
    } catch (URISyntaxException | UnknownHostException e) {
      // Said below.
    }
    throw new InvalidInputException(
        "server",
        text,
        "must be a URL with an IPv6 address that other machines reach, not a loopback address",
        "set --server to such a URL of the same API, for example https://[2001:db8::1]:6443");
  }

  private static boolean isReachable(String host) throws UnknownHostException {
    for (InetAddress each : InetAddress.getAllByName(host)) {
      if (each instanceof Inet6Address && !each.isLoopbackAddress() && !each.isAnyLocalAddress()) {
        return true;
      }
    }
    return false;
  }

  /** The bearer token as it is now; empty if the account has another proof. */
  String token() {
    String token = ApiServer.config(kubeconfig, context).getAutoOAuthToken();
    return token == null ? "" : token;
  }

  /**
   * A kubeconfig.
   *
   * @param user in whose name requests are sent
   * @param groups of that user
   * @param token file that has the account's token
   */
  Map<String, Object> kubeconfig(String user, List<String> groups, Path token) {
    Map<String, Object> cluster = new LinkedHashMap<>();
    cluster.put("server", server.toString());
    if (config.isTrustCerts() || config.isDisableHostnameVerification()) {
      cluster.put("insecure-skip-tls-verify", true);
    } else {
      put(cluster, "certificate-authority-data", config.getCaCertData(), config.getCaCertFile());
      cluster.put("tls-server-name", name());
    }
    Map<String, Object> account = new LinkedHashMap<>();
    if (config.getAutoOAuthToken() != null) {
      account.put("tokenFile", token.toString());
    }
    put(account, "client-certificate-data", config.getClientCertData(), config.getClientCertFile());
    put(account, "client-key-data", config.getClientKeyData(), config.getClientKeyFile());
    account.put("as", user);
    if (!groups.isEmpty()) {
      account.put("as-groups", groups);
    }
    return Map.of(
        "apiVersion",
        "v1",
        "kind",
        "Config",
        "current-context",
        "c",
        "clusters",
        List.of(Map.of("name", "c", "cluster", cluster)),
        "users",
        List.of(Map.of("name", "c", "user", account)),
        "contexts",
        List.of(Map.of("name", "c", "context", Map.of("cluster", "c", "user", "c"))));
  }

  /** The name that the server's certificate has, by the kubeconfig. */
  private String name() {
    String host = URI.create(config.getMasterUrl()).getHost();
    return host.replaceAll("[\\[\\]]", "");
  }

  /** The data, or what a file has. */
  private static void put(Map<String, Object> into, String key, String data, String file) {
    try {
      if (data != null) {
        // A plugin gives the text itself.
        boolean isText = data.contains("-----BEGIN ");
        into.put(key, isText ? encoded(data) : data);
      } else if (file != null) {
        into.put(key, encoded(Files.readString(Path.of(file))));
      }
    } catch (IOException e) {
      throw new InvalidInputException(
          "kubeconfig", file, "cannot be read: " + FileFailure.reason(e), "name another file");
    }
  }

  private static String encoded(String pem) {
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
  }
}
