// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** How long clients that know nothing of a server yet take to learn what it has. */
public final class ColdClient {
  private static final int RUNS = 3;

  /** kube-apiserver takes a hundred at a time on a connection; the rest waits. */
  private static final int STREAMS = 90;

  private final ApiServer server;

  public ColdClient(ApiServer server) {
    this.server = server;
  }

  /** The GroupVersions that the server has. */
  public int groupVersions() {
    return paths().size();
  }

  private List<String> paths() {
    List<String> paths = new ArrayList<>(List.of("/api/v1"));
    JsonNode groups = server.fetch("/apis", Map.of("Accept", ListVariant.JSON)).json();
    for (JsonNode group : groups.path("groups")) {
      for (JsonNode version : group.path("versions")) {
        paths.add("/apis/" + version.path("groupVersion").asText());
      }
    }
    return paths;
  }

  /**
   * Seconds that a client without aggregated discovery takes: it asks for each GroupVersion, all at
   * once but for its limiter, as client-go does.
   *
   * @param burst requests that are free
   * @param perSecond and how many follow in a second
   */
  public Learned unaggregated(int burst, double perSecond) {
    long start = System.nanoTime();
    server.fetch("/api", Map.of("Accept", ListVariant.JSON));
    List<String> paths = paths();
    int sent = 2;
    int failed;
    List<Future<ApiServer.Answer>> answers = new ArrayList<>();
    Semaphore streams = new Semaphore(STREAMS);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (String path : paths) {
        long free = start + (long) (Math.max(0, ++sent - burst) / perSecond * 1e9);
        answers.add(
            threads.submit(
                () -> {
                  Waiting.until(free);
                  streams.acquire();
                  try {
                    return server.get(path, Map.of());
                  } finally {
                    streams.release();
                  }
                }));
      }
      failed = (int) Waiting.all(answers).stream().filter(answer -> answer.status() != 200).count();
    }
    return new Learned((System.nanoTime() - start) / 1e9, failed);
  }

  /**
   * What a client learned.
   *
   * @param failed GroupVersions without an answer: an APIService whose server is away has none
   */
  public record Learned(double seconds, int failed) {}

  /**
   * Seconds that the real kubectl takes for 'get pods' with an empty cache: the middle one of
   * three.
   *
   * @throws InvalidInputException if it can't be run or fails
   */
  public double kubectl(String binary, Path kubeconfig) {
    double[] seconds = new double[RUNS];
    for (int i = 0; i < RUNS; i++) {
      seconds[i] = getPods(binary, kubeconfig);
    }
    Arrays.sort(seconds);
    return seconds[RUNS / 2];
  }

  private static double getPods(String binary, Path kubeconfig) {
    try {
      Path cache = Files.createTempDirectory("exactl-cache");
      Path output = cache.resolve("output");
      List<String> command =
          new ArrayList<>(List.of(binary, "--cache-dir=" + cache, "get", "pods"));
      if (kubeconfig != null) {
        command.add("--kubeconfig=" + kubeconfig);
      }
      try {
        long start = System.nanoTime();
        Process process =
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .start();
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
          process.destroyForcibly();
          throw new InvalidInputException(
              "kubectl", binary, "does not end within two minutes", "name another");
        }
        int code = process.exitValue();
        double seconds = (System.nanoTime() - start) / 1e9;
        if (code != 0) {
          throw new InvalidInputException(
              "kubectl", binary, "fails: " + Files.readString(output).strip(), "name another");
        }
        return seconds;
      } finally {
        remove(cache);
      }
    } catch (IOException e) {
      throw new InvalidInputException(
          "kubectl", binary, "cannot be run: " + e.getMessage(), "name another");
    } catch (InterruptedException e) {
      throw Waiting.interrupted(e);
    }
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
