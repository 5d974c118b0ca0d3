// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.exaplane.testbed.machine.Machine;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that go at any moment, as those of machines that are switched off: in the clear and with
 * TLS, by a reset and by an end, also of the pages. The log has no stack trace of any of them.
 */
class ResetConnectionsProcessTest {
  private static final int DEADLINE_MS = 120_000;
  private static final int VALUE_BYTES = 1 << 20;
  private static final int VALUES = 20;
  private static final int EACH = 2;

  // States of /proc/net/tcp.
  private static final String ESTABLISHED = "01";
  private static final String CLOSE_WAIT = "08";

  /** What a client says before it goes. */
  private enum Moment {
    AT_ONCE("", "", 0),
    MID_PREFACE("PRI * HTT", "", 0),
    AFTER_PREFACE(PREFACE, "", 0),
    MID_FRAME(PREFACE, "\0\0\50\1\4\0\0", 0),
    MID_REQUEST(PREFACE, request("/etcdserverpb.KV/Put", 100_000, "\n\1a", 0), 0),
    BEFORE_ANSWER(PREFACE, request("/etcdserverpb.KV/Range", 8, "\n\2/a\22\2/b", 1), 0),
    MID_ANSWER(PREFACE, request("/etcdserverpb.KV/Range", 8, "\n\2/a\22\2/b", 1), 10_000),
    MID_WATCH(PREFACE, request("/etcdserverpb.Watch/Watch", 10, "\n\10\n\2/a\22\2/b", 0), 60),
    NO_HTTP("garbage that is no protocol at all\r\n\r\n", "", 0),
    MID_PAGE_REQUEST("GET /metrics HTTP/1.1\r\nHost: x", "", 0),
    BEFORE_PAGE("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "", 0),
    MID_PAGE("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "", 10);

    private final String said;
    private final int read;

    Moment(String first, String then, int read) {
      this.said = first + then;
      this.read = read;
    }
  }

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\0\0\0\4\0\0\0\0\0";

  /** A call's headers, and the beginning of a message of so many bytes. */
  private static String request(String path, int bytes, String body, int flags) {
    String headers =
        "\u0083\u0086"
            + "\4"
            + (char) path.length()
            + path
            + "\1\11localhost"
            + "\17\20\20application/grpc";
    String message = "\0" + number(bytes) + body;
    return frame(1, 4, headers) + frame(0, flags, message);
  }

  private static String frame(int type, int flags, String payload) {
    return number(payload.length()).substring(1) + (char) type + (char) flags + number(1) + payload;
  }

  private static String number(int value) {
    StringBuilder out = new StringBuilder();
    for (byte each : ByteBuffer.allocate(4).putInt(value).array()) {
      out.append((char) (each & 0xff));
    }
    return out.toString();
  }

  /** How it goes. */
  private enum End {
    RESET,
    CLOSE
  }

  @TempDir Path folder;

  @Test
  void nobodyWhoGoesLeavesAStackTrace() throws Exception {
    try (ServerProcess store = ServerProcess.store(folder.resolve("store"))) {
      fill(store);
      goInTheClear(store.port());
      requireQuietLog(store, store.port());
    }
  }

  @Test
  void nobodyWhoGoesLeavesAStackTraceWithTls() throws Exception {
    try (ServerProcess inTheClear = ServerProcess.store(folder.resolve("store"))) {
      fill(inTheClear);
      inTheClear.stop();
    }
    ServerCertificate files = ServerCertificate.make(folder);
    int tlsPort = Machine.freePort();
    try (ServerProcess store =
        ServerProcess.storeWithTls(
            folder.resolve("store"),
            tlsPort,
            "--cert-file=" + files.certificate(),
            "--key-file=" + files.key())) {
      for (Moment moment : Moment.values()) {
        for (End end : End.values()) {
          for (int i = 0; i < EACH; i++) {
            goFromTls(tlsPort, moment, end, true);
          }
          goFrom(tlsPort, moment, end); // which is no TLS
        }
      }
      for (int bytes : new int[] {1, 5, 60, 150}) {
        goFromAHandshake(tlsPort, bytes);
      }
      goFromTls(tlsPort, Moment.AFTER_PREFACE, End.RESET, false);
      goInTheClear(store.port());
      requireQuietLog(store, store.port(), tlsPort);
    }
  }

  private static void fill(ServerProcess store) throws Exception {
    ManagedChannel channel = store.newChannel();
    KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(channel);
    ByteString value = ByteString.copyFrom(new byte[VALUE_BYTES]);
    for (int i = 0; i < VALUES; i++) {
      kv.put(
          PutRequest.newBuilder()
              .setKey(ByteString.copyFromUtf8("/a" + i))
              .setValue(value)
              .build());
    }
    channel.shutdown().awaitTermination(DEADLINE_MS, TimeUnit.MILLISECONDS);
  }

  private static void goInTheClear(int port) throws IOException {
    for (Moment moment : Moment.values()) {
      for (End end : End.values()) {
        for (int i = 0; i < EACH; i++) {
          goFrom(port, moment, end);
        }
      }
    }
  }

  private static void goFrom(int port, Moment moment, End end) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      say(socket, moment);
      go(socket, end);
    }
  }

  private static void say(Socket socket, Moment moment) throws IOException {
    socket.setSoTimeout(DEADLINE_MS);
    try {
      OutputStream out = socket.getOutputStream();
      out.write(moment.said.getBytes(ISO_8859_1)); // letters stand for bytes
      out.flush();
      InputStream in = socket.getInputStream();
      for (int left = moment.read; left > 0 && in.read() >= 0; left--) {
        // as far as it listens
      }
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      // It said what is no protocol, and the store went first.
    }
  }

  private static void go(Socket socket, End end) throws IOException {
    if (end == End.RESET) {
      socket.setSoLinger(true, 0);
    }
    socket.close();
  }

  private static void goFromTls(int port, Moment moment, End end, boolean knowsHttp2)
      throws Exception {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      SSLSocket tls = tls(socket, port, knowsHttp2);
      tls.startHandshake();
      say(tls, moment);
      go(socket, end);
    }
  }

  private static SSLSocket tls(Socket socket, int port, boolean knowsHttp2) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustsAll()}, new SecureRandom());
    SSLSocket tls =
        (SSLSocket) context.getSocketFactory().createSocket(socket, "127.0.0.1", port, false);
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setApplicationProtocols(knowsHttp2 ? new String[] {"h2"} : new String[] {"other/1"});
    tls.setSSLParameters(parameters);
    return tls;
  }

  /** Sends the beginning of what a client of TLS says first. */
  private static void goFromAHandshake(int port, int bytes) throws IOException {
    byte[] hello = new byte[200];
    Arrays.fill(hello, (byte) 1);
    System.arraycopy(
        new byte[] {22, 3, 1, 0, (byte) 195, 1, 0, 0, (byte) 191, 3, 3}, 0, hello, 0, 11);
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.getOutputStream().write(hello, 0, bytes);
      go(socket, End.RESET);
    }
  }

  private static final class TrustsAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  /** When the store has noticed that all are gone. */
  private static void requireQuietLog(ServerProcess store, int... ports) throws Exception {
    long deadline = System.nanoTime() + Duration.ofMillis(DEADLINE_MS).toNanos();
    while (connections(ports) > 0 && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    assertThat(connections(ports)).as("that the store holds").isZero();
    assertThat(store.log())
        .doesNotContain("\tat ", "Exception", "exceptionCaught")
        .as("too many offences: the others were not heard")
        .doesNotContain("restrain");
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI page = URI.create("http://%s/readyz".formatted(store.target()));
      HttpRequest request = HttpRequest.newBuilder(page).build();
      assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }
  }

  /** Connections to these ports that their server has not closed, as the kernel has them. */
  private static long connections(int... ports) throws IOException {
    long count = 0;
    for (String file : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(file))) {
        String[] fields = line.trim().split(" +");
        boolean isOpen = fields[3].equals(ESTABLISHED) || fields[3].equals(CLOSE_WAIT);
        boolean isOurs =
            Arrays.stream(ports).anyMatch(port -> fields[1].endsWith(":%04X".formatted(port)));
        count += isOpen && isOurs ? 1 : 0;
      }
    }
    return count;
  }
}
