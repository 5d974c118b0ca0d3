// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import io.exaplane.tuning.model.InvalidInputException;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What kubectl reads in a kubeconfig and the library does not: the proxy of a cluster, the name in
 * its certificate, and base64 over several lines. Stateless.
 */
final class ClusterEntry {
  private static final String PROXY = "proxy-url";
  private static final String SERVER_NAME = "tls-server-name";
  private static final String THROUGH_KUBECTL =
      "run 'kubectl proxy', and name a kubeconfig with 'server: http://127.0.0.1:8001' instead";

  private ClusterEntry() {}

  /**
   * The proxy of the cluster, as http://HOST:PORT.
   *
   * @param kubeconfig null for kubectl's
   * @throws InvalidInputException if the way to the cluster is one that the library cannot take
   */
  static Optional<String> proxy(Config config, Path kubeconfig) {
    Optional<Cluster> cluster = find(config, kubeconfig);
    cluster.ifPresent(each -> requireServerName(each, config));
    return cluster
        .map(Cluster::getProxyUrl)
        .filter(url -> !url.isEmpty())
        .map(ClusterEntry::supported);
  }

  /** Java sends no password to a proxy for a server with TLS. */
  private static String supported(String url) {
    URI proxy = uri(url);
    if (!"http".equalsIgnoreCase(proxy.getScheme())) {
      throw unsupported(url, "must begin with http://, since other proxies are not supported");
    }
    if (proxy.getHost() == null) {
      throw unsupported(url, "must be http://HOST:PORT");
    }
    if (proxy.getRawUserInfo() != null) {
      throw unsupported(url, "must have no login, since logins of proxies are not supported");
    }
    return "http://%s:%d".formatted(proxy.getHost(), proxy.getPort() < 0 ? 80 : proxy.getPort());
  }

  private static URI uri(String url) {
    try {
      return new URI(url);
    } catch (URISyntaxException e) {
      throw unsupported(url, "must be http://HOST:PORT");
    }
  }

  private static InvalidInputException unsupported(String url, String rule) {
    return new InvalidInputException(
        "kubeconfig", PROXY + ": " + url.replaceFirst("//.*@", "//"), rule, THROUGH_KUBECTL);
  }

  /** The library checks the certificate for the server's address alone. */
  private static void requireServerName(Cluster cluster, Config config) {
    String name = cluster.getTlsServerName();
    if (name == null || name.isEmpty() || config.isTrustCerts()) {
      return;
    }
    if (!name.equalsIgnoreCase(host(config.getMasterUrl()))) {
      throw new InvalidInputException(
          "kubeconfig",
          SERVER_NAME + ": " + name,
          "must be the host of server, %s, since another name is not supported"
              .formatted(config.getMasterUrl()),
          THROUGH_KUBECTL);
    }
  }

  /** Without the brackets of an IPv6 address. */
  private static String host(String server) {
    String host = URI.create(server).getHost();
    return host == null ? "" : host.replaceAll("[\\[\\]]", "");
  }

  private static Optional<Cluster> find(Config config, Path kubeconfig) {
    if (config.getCurrentContext() == null || config.getCurrentContext().getContext() == null) {
      return Optional.empty();
    }
    File file = kubeconfig == null ? config.getFileWithCluster() : kubeconfig.toFile();
    String name = config.getCurrentContext().getContext().getCluster();
    try {
      // Few have one of them, and to parse a file twice takes its time.
      String text = file == null ? "" : Files.readString(file.toPath());
      if (!text.contains(PROXY) && !text.contains(SERVER_NAME)) {
        return Optional.empty();
      }
      return Stream.ofNullable(KubeConfigUtils.parseConfig(file).getClusters())
          .flatMap(List::stream)
          .filter(each -> each.getName().equals(name))
          .map(NamedCluster::getCluster)
          .filter(Objects::nonNull)
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * A certificate or key as the library reads it: PEM of a plugin, or base64 in one line.
   *
   * @param data null for none
   * @throws InvalidInputException if it is neither
   */
  static String data(String field, String data) {
    if (data == null || isPem(data)) {
      return data;
    }
    String line = data.replaceAll("\\s", "");
    decoded(field, line);
    return line;
  }

  /** The text of what {@link #data} returned. */
  static byte[] decoded(String field, String data) {
    try {
      return Base64.getDecoder().decode(data);
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(
          "kubeconfig", field, "is not base64: " + e.getMessage(), "copy the kubeconfig again");
    }
  }

  static boolean isPem(String data) {
    return data.contains("-----BEGIN ");
  }
}
