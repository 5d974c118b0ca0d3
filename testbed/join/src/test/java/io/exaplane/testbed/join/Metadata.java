// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * A metadata service as that of AWS: a PUT gives a token, and a GET with it the prefix of one MAC.
 */
final class Metadata implements AutoCloseable {
  private static final String TOKEN = "session-token";
  private final HttpServer server;
  private final String mac;
  private final String prefix;

  private Metadata(HttpServer server, String mac, String prefix) {
    this.server = server;
    this.mac = mac;
    this.prefix = prefix;
  }

  /** Serves on the address of the API. */
  static Metadata start(String mac, String prefix) throws IOException {
    Metadata metadata =
        new Metadata(HttpServer.create(new InetSocketAddress(Net.API, 0), 0), mac, prefix);
    metadata.server.createContext("/latest/api/token", metadata::token);
    metadata.server.createContext("/latest/meta-data/network/interfaces/macs/", metadata::read);
    metadata.server.start();
    return metadata;
  }

  /** For a pool. */
  String url() {
    return "http://[%s]:%d/latest/meta-data/network/interfaces/macs/{mac}/ipv6-prefix"
        .formatted(Net.API, server.getAddress().getPort());
  }

  private void token(HttpExchange exchange) throws IOException {
    boolean right =
        exchange.getRequestMethod().equals("PUT")
            && exchange.getRequestHeaders().containsKey("X-aws-ec2-metadata-token-ttl-seconds");
    answer(exchange, right ? 200 : 405, TOKEN);
  }

  private void read(HttpExchange exchange) throws IOException {
    if (!TOKEN.equals(exchange.getRequestHeaders().getFirst("X-aws-ec2-metadata-token"))) {
      answer(exchange, 401, "");
    } else if (exchange.getRequestURI().getPath().endsWith("/macs/" + mac + "/ipv6-prefix")) {
      answer(exchange, 200, prefix);
    } else {
      answer(exchange, 404, "");
    }
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
