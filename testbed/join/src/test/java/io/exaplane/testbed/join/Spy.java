// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** Reads the command lines and the environments of all processes, over and over. */
final class Spy implements AutoCloseable {
  private final String secret;
  private final Set<String> seen = new ConcurrentSkipListSet<>();
  private final Thread thread;
  private volatile boolean ended;

  private Spy(String secret) {
    this.secret = secret;
    thread = Thread.ofPlatform().daemon().unstarted(this::look);
  }

  static Spy start(String secret) {
    Spy spy = new Spy(secret);
    spy.thread.start();
    return spy;
  }

  /** The command lines that had the secret, or whose environment had it. */
  Set<String> seen() {
    return seen;
  }

  private void look() {
    while (!ended) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
        for (Path process : all) {
          String line = read(process.resolve("cmdline"));
          if (line.contains(secret) || read(process.resolve("environ")).contains(secret)) {
            seen.add(line.replace('\0', ' '));
          }
        }
        Thread.sleep(20);
      } catch (InterruptedException e) {
        return;
      } catch (DirectoryIteratorException | IOException e) {
        System.err.println("the spy looks again: " + e);
      }
    }
  }

  /** Nothing for a process that has ended meanwhile. */
  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  @Override
  public void close() {
    ended = true;
  }
}
