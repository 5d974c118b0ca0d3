// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.transport.PacketLineOut;
import org.eclipse.jgit.transport.RefAdvertiser.PacketLineOutRefAdvertiser;
import org.eclipse.jgit.transport.UploadPack;

/** Git's smart protocol over HTTP, by JGit's own upload-pack. */
final class TestGitServer implements AutoCloseable {
  final List<String> requests = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  private final Repository repository;
  volatile String login = "";

  TestGitServer(Repository repository) throws IOException {
    this.repository = repository;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/shop.git", this::answer);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:%d/shop.git".formatted(server.getAddress().getPort());
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    requests.add(path.substring(path.lastIndexOf('/') + 1));
    String basic =
        "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
    if (!login.isEmpty() && !basic.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      exchange.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"test\"");
      exchange.sendResponseHeaders(401, -1);
      exchange.close();
      return;
    }
    UploadPack upload = new UploadPack(repository);
    upload.setBiDirectionalPipe(false);
    String version = exchange.getRequestHeaders().getFirst("Git-Protocol");
    if (version != null) {
      upload.setExtraParameters(List.of(version.split(":")));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    boolean isNames = path.endsWith("/info/refs");
    if (isNames) {
      PacketLineOut lines = new PacketLineOut(out);
      if (version == null || !version.contains("version=2")) {
        lines.writeString("# service=git-upload-pack\n");
        lines.end();
      }
      upload.sendAdvertisedRefs(new PacketLineOutRefAdvertiser(lines), "git-upload-pack");
    } else {
      boolean isPacked = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
      InputStream in = exchange.getRequestBody();
      upload.upload(isPacked ? new GZIPInputStream(in) : in, out, null);
    }
    exchange
        .getResponseHeaders()
        .add(
            "Content-Type",
            "application/x-git-upload-pack-" + (isNames ? "advertisement" : "result"));
    exchange.sendResponseHeaders(200, out.size());
    try (var body = exchange.getResponseBody()) {
      body.write(out.toByteArray());
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
