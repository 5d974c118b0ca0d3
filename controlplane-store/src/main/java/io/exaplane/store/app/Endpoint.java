// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.netty.channel.unix.DomainSocketAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Where the store listens.
 *
 * @param isSecure whether with TLS
 */
public record Endpoint(SocketAddress address, boolean isSecure) {

  /**
   * The endpoints of a flag.
   *
   * @throws ParameterException if a URL is none
   */
  static List<Endpoint> all(CommandSpec spec, String flag, List<URI> urls) {
    try {
      return urls.stream().map(Endpoint::of).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "%s: %s; correct it and start again".formatted(flag, e.getMessage()));
    }
  }

  /**
   * The endpoint of a URL.
   *
   * @throws IllegalArgumentException if it is none; the message tells what it must be
   */
  static Endpoint of(URI url) {
    if ("unix".equals(url.getScheme()) && url.getPath() != null && !url.getPath().isEmpty()) {
      return new Endpoint(new DomainSocketAddress(url.getPath()), false);
    }
    boolean isSecure = "https".equals(url.getScheme());
    if (!isSecure && !"http".equals(url.getScheme())
        || url.getHost() == null
        || url.getPort() < 0) {
      throw new IllegalArgumentException(
          url + " must be http://HOST:PORT, https://HOST:PORT or unix:///PATH");
    }
    String host = url.getHost().replaceAll("[\\[\\]]", "");
    return new Endpoint(new InetSocketAddress(host, url.getPort()), isSecure);
  }
}
