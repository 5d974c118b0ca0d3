// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * A server outside of the cluster, which writes down who asked, and answers with that address. Any
 * thread.
 */
final class Witness implements AutoCloseable {
  private final HttpServer server;
  private final Set<String> seen = new ConcurrentSkipListSet<>();

  private Witness(HttpServer server) {
    this.server = server;
  }

  /** Listens at that address of this machine alone. */
  static Witness at(String address) throws IOException {
    Witness witness = new Witness(HttpServer.create(new InetSocketAddress(address, 0), 0));
    witness.server.createContext("/", witness::answer);
    witness.server.start();
    return witness;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String client = exchange.getRemoteAddress().getAddress().getHostAddress();
    seen.add(client);
    byte[] body = client.getBytes(StandardCharsets.US_ASCII);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** The addresses of all that asked, as Java writes them. */
  Set<String> seen() {
    return seen;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
