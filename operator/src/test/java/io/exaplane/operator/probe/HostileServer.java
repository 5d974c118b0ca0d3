// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.probe;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** A server on this host that answers every connection with a head and then with what it wants. */
public final class HostileServer implements AutoCloseable {
  private final ServerSocket listening;
  private final AtomicLong sentBytes = new AtomicLong();

  /** What comes behind the head, until the client has gone. */
  public interface Body {
    void write(OutputStream out) throws IOException, InterruptedException;
  }

  public HostileServer(String head, Body body) throws IOException {
    listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(() -> accept(head, body));
  }

  /** One that sends JSON without end. */
  public static HostileServer endless() throws IOException {
    byte[] block = " ".repeat(1 << 16).getBytes(StandardCharsets.US_ASCII);
    return new HostileServer(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{",
        out -> {
          while (true) {
            out.write(block);
          }
        });
  }

  /** One that answers with this status and body. */
  public static HostileServer answering(String status, String body) throws IOException {
    return new HostileServer(
        "HTTP/1.1 %s\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(status, body.length(), body),
        OutputStream::flush);
  }

  private void accept(String head, Body body) {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        Thread.ofVirtual().start(() -> serve(client, head, body));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client, String head, Body body) {
    try (client) {
      client.getInputStream().read(new byte[1 << 16]);
      client.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      body.write(
          new OutputStream() {
            @Override
            public void write(int one) throws IOException {
              write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] all, int from, int length) throws IOException {
              client.getOutputStream().write(all, from, length);
              sentBytes.addAndGet(length);
            }
          });
    } catch (IOException | InterruptedException gone) {
      // The client has had enough.
    }
  }

  public String address() {
    return "http://127.0.0.1:" + listening.getLocalPort();
  }

  public long sentBytes() {
    return sentBytes.get();
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
