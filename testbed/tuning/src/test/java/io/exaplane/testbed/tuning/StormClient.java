// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import io.exaplane.testbed.machine.Http;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * A program that lists as fast as it can, over several connections, until it or its parent is
 * killed. It prints a line for each answer: status, bytes, seconds.
 */
final class StormClient {
  private StormClient() {}

  /** Arguments: address, token, connections. */
  public static void main(String[] arguments) throws Exception {
    URI address = URI.create(arguments[0]);
    HttpClient http = Http.clientAt(InetAddress.getLoopbackAddress());
    for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
      Thread.ofPlatform().start(() -> listForEver(http, address, arguments[1]));
    }
  }

  private static void listForEver(HttpClient http, URI address, String token) {
    byte[] buffer = new byte[1 << 20];
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .header("Authorization", "Bearer " + token)
            .header("Accept", "application/vnd.kubernetes.protobuf")
            .header("Accept-Encoding", "identity")
            .build();
    // An orphan ends: who killed the test did not mean to leave the storm.
    while (ProcessHandle.current().parent().filter(parent -> parent.pid() != 1).isPresent()) {
      long start = System.nanoTime();
      long bytes = 0;
      int status;
      try {
        HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
        status = response.statusCode();
        try (InputStream body = response.body()) {
          for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
            bytes += read;
          }
        }
      } catch (IOException e) {
        status = 0;
      } catch (InterruptedException e) {
        return;
      }
      System.out.printf("%d %d %.3f%n", status, bytes, (System.nanoTime() - start) / 1e9);
    }
  }
}
