// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
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
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.transport.PacketLineOut;
import org.eclipse.jgit.transport.RefAdvertiser.PacketLineOutRefAdvertiser;
import org.eclipse.jgit.transport.UploadPack;

/** Git's smart protocol over HTTP, by JGit's own upload-pack. */
final class TestGitServer implements AutoCloseable {
  final List<String> requests = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  private final Repository repository;
  private final String scheme;
  final List<String> codings = new CopyOnWriteArrayList<>();
  volatile String login = "";

  /** Of each answer, without a body, if it is not 0. */
  volatile int status;

  /** Whether answers are packed, whoever asks. */
  volatile boolean isCoded;

  /** Answers to lists of names instead of the repository's, if it is not empty. */
  volatile byte[] names = {};

  volatile String namesType = "application/x-git-upload-pack-advertisement";

  TestGitServer(Repository repository) throws IOException {
    this(repository, null);
  }

  /** With TLS, if there is a context. */
  TestGitServer(Repository repository, SSLContext tls) throws IOException {
    this.repository = repository;
    InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    if (tls == null) {
      server = HttpServer.create(at, 0);
      scheme = "http";
    } else {
      HttpsServer secure = HttpsServer.create(at, 0);
      secure.setHttpsConfigurator(new HttpsConfigurator(tls));
      server = secure;
      scheme = "https";
    }
    server.createContext("/shop.git", this::answer);
    server.start();
  }

  String url() {
    return "%s://127.0.0.1:%d/shop.git".formatted(scheme, server.getAddress().getPort());
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    requests.add(path.substring(path.lastIndexOf('/') + 1));
    codings.add(String.valueOf(exchange.getRequestHeaders().getFirst("Accept-Encoding")));
    if (status != 0) {
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
      return;
    }
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
    byte[] answer = isNames && names.length > 0 ? names : out.toByteArray();
    exchange
        .getResponseHeaders()
        .add("Content-Type", isNames ? namesType : "application/x-git-upload-pack-result");
    if (isCoded) {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
        gzip.write(answer);
      }
      answer = packed.toByteArray();
      exchange.getResponseHeaders().add("Content-Encoding", "gzip");
    }
    exchange.sendResponseHeaders(200, answer.length);
    try (var body = exchange.getResponseBody()) {
      body.write(answer);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
