// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.netty.channel.unix.DomainSocketAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Where the store listens.
 *
 * @param isSecure whether with TLS
 */
public record Endpoint(SocketAddress address, boolean isSecure) {
  private static final int MOST_PORT = 65_535;

  /** Scheme, host, port, and what may not follow. */
  private static final Pattern URL =
      Pattern.compile(
          "(?i)(https?)://(\\[[^\\s\\]]+]|[^\\s:/?#@\\[\\]]+):(\\d{1,9})/?(.*)", Pattern.DOTALL);

  private static final Pattern SOCKET = Pattern.compile("(?i)unix://(/.+)", Pattern.DOTALL);

  /**
   * The endpoints of a flag; one that is named twice counts once.
   *
   * @throws ParameterException if a URL is none, or names a host that this machine does not know
   */
  static List<Endpoint> all(CommandSpec spec, String flag, List<String> urls) {
    try {
      return urls.stream().map(Endpoint::of).distinct().toList();
    } catch (IllegalArgumentException e) {
      throw refused(spec, flag, e);
    }
  }

  /**
   * Holds URLs that are for clients to the same form; their hosts may be known to clients alone.
   *
   * @throws ParameterException if a URL is none
   */
  static void check(CommandSpec spec, String flag, List<String> urls) {
    try {
      urls.forEach(Endpoint::requireForm);
    } catch (IllegalArgumentException e) {
      throw refused(spec, flag, e);
    }
  }

  private static ParameterException refused(
      CommandSpec spec, String flag, IllegalArgumentException e) {
    return new ParameterException(
        spec.commandLine(), "%s: %s; correct it and start again".formatted(flag, e.getMessage()));
  }

  /**
   * The endpoint of a URL.
   *
   * @throws IllegalArgumentException if it is none; the message tells what it must be
   */
  static Endpoint of(String text) {
    Matcher socket = SOCKET.matcher(text);
    if (socket.matches()) {
      return new Endpoint(new DomainSocketAddress(socket.group(1)), false);
    }
    Matcher url = url(text);
    String host = url.group(2).replaceAll("[\\[\\]]", "");
    InetSocketAddress address = new InetSocketAddress(host, Integer.parseInt(url.group(3)));
    if (address.isUnresolved()) {
      throw new IllegalArgumentException(
          "%s: this machine knows no address of the host %s; name an IP address"
              .formatted(text, host));
    }
    return new Endpoint(address, url.group(1).equalsIgnoreCase("https"));
  }

  private static void requireForm(String text) {
    if (!SOCKET.matcher(text).matches()) {
      url(text);
    }
  }

  private static Matcher url(String text) {
    Matcher url = URL.matcher(text);
    if (!url.matches()) {
      throw new IllegalArgumentException(form(text));
    }
    if (!url.group(4).isEmpty()) {
      throw new IllegalArgumentException(form(text) + ", without a path or what follows one");
    }
    if (Integer.parseInt(url.group(3)) > MOST_PORT) {
      throw new IllegalArgumentException("%s: the port must be 0 to %d".formatted(text, MOST_PORT));
    }
    return url;
  }

  private static String form(String text) {
    return text + " must be http://HOST:PORT, https://HOST:PORT or unix:///PATH";
  }
}
