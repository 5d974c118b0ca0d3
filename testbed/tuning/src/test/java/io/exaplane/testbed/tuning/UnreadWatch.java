// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import io.exaplane.testbed.machine.Http;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * A client that opens a watch and reads nothing of it. The kernel keeps little for it, so that the
 * server waits soon. Used by one thread.
 */
final class UnreadWatch implements AutoCloseable {
  /** Bytes; the kernel takes the least that it allows. */
  private static final int BUFFER = 4096;

  /** Of a busy server, in milliseconds. */
  private static final int PATIENCE = 120_000;

  private final Socket connection = new Socket();

  /**
   * Opens it.
   *
   * @throws IOException if the server does not answer with a watch
   */
  UnreadWatch(URI watch, String token) throws IOException {
    try {
      connection.setReceiveBufferSize(BUFFER);
      connection.setSoTimeout(PATIENCE);
      connection.connect(new InetSocketAddress(watch.getHost(), watch.getPort()), PATIENCE);
      Socket secured = Http.secured(connection);
      String request =
          "GET %s?%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n"
              .formatted(watch.getRawPath(), watch.getRawQuery(), watch.getAuthority(), token);
      OutputStream out = secured.getOutputStream();
      out.write(request.getBytes(StandardCharsets.US_ASCII));
      out.flush();
      String status = firstLine(secured.getInputStream());
      if (!status.startsWith("HTTP/1.1 200 ")) {
        throw new IOException(watch + ": " + status);
      }
    } catch (IOException e) {
      connection.close();
      throw e;
    }
  }

  /** The server sends it when the watch is open. */
  private static String firstLine(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int read = in.read(); read >= 0 && read != '\r'; read = in.read()) {
      line.append((char) read);
    }
    return line.toString();
  }

  /** Without a word to the server, which may be about to write. */
  @Override
  public void close() throws IOException {
    connection.close();
  }
}
