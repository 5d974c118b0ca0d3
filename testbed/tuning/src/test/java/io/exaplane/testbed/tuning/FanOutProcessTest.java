// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.tuning.apf.FanOut;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A write of an EndpointSlice holds seats for those who watch it: so many a second, no more. */
@Tag("long")
class FanOutProcessTest {
  private static final String SLICES =
      "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

  /** So many that some always wait, and none for the quarter of a minute that is refused. */
  private static final int WRITERS = 16;

  private static final int WATCHES_OF_A_CONNECTION = 90;
  private static final Duration WARM_UP = Duration.ofSeconds(10);
  private static final Duration LENGTH = Duration.ofSeconds(40);
  private static final Pattern SEATS =
      Pattern.compile(
          "apiserver_flowcontrol_nominal_limit_seats\\{priority_level=\"writers\"\\} (\\S+)");
  @TempDir private Path folder;

  /** Few seats, so that seats are what is scarce, and not this machine's cores. */
  @ParameterizedTest
  @CsvSource({"1000, 2", "5000, 4"})
  void writesPerSecondAreTheModels(int watches, int shares) throws Exception {
    try (ControlPlane controlPlane = ControlPlane.start(folder, Clusters.tuning(100))) {
      controlPlane.admit("kubelets", Kubelets.GROUP);
      createLevel(controlPlane, shares);
      int seats = awaitSeats(controlPlane);
      for (int i = 0; i < WRITERS; i++) {
        controlPlane.create(SLICES, slice(i, 0));
      }
      List<HttpClient> clients = new ArrayList<>();
      try {
        watch(controlPlane, watches, clients);
        double measured = writesPerSecond(controlPlane);
        double model = FanOut.writesPerSecond(seats, watches);
        System.out.printf(
            "%d watches, %d seats: %.1f writes/s, %.1f by the model%n",
            watches, seats, measured, model);
        assertThat(measured).isCloseTo(model, within(model / 4));
      } finally {
        clients.forEach(HttpClient::shutdownNow);
      }
    }
  }

  private static String slice(int number, long change) {
    return """
        {"metadata":{"name":"s%d","annotations":{"change":"%d"}},"addressType":"IPv4","endpoints":[]}
        """
        .formatted(number, change);
  }

  /** A level that neither lends nor borrows, for the writer alone. */
  private static void createLevel(ControlPlane controlPlane, int shares) throws Exception {
    controlPlane.create(
        "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations",
        """
        {"metadata":{"name":"writers"},"spec":{"type":"Limited","limited":{
          "nominalConcurrencyShares":%d,"lendablePercent":0,"borrowingLimitPercent":0,
          "limitResponse":{"type":"Queue","queuing":{"queues":16,"handSize":1,"queueLengthLimit":100}}}}}
        """
            .formatted(shares));
    controlPlane.create(
        "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
        """
        {"metadata":{"name":"writers"},"spec":{"matchingPrecedence":300,
          "priorityLevelConfiguration":{"name":"writers"},"distinguisherMethod":{"type":"ByUser"},
          "rules":[{"subjects":[{"kind":"Group","group":{"name":"%s"}}],
            "resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"],"clusterScope":true,"namespaces":["*"]}]}]}}
        """
            .formatted(Kubelets.GROUP));
  }

  private static int awaitSeats(ControlPlane controlPlane) throws Exception {
    Matcher[] line = new Matcher[1];
    Await.until(
        "the level is taken up",
        () -> {
          line[0] = SEATS.matcher(Http.get(controlPlane.uri("/metrics")).body());
          return line[0].find();
        });
    return (int) Double.parseDouble(line[0].group(1));
  }

  /** As an administrator, exempt from queuing; over HTTP/2, many on a connection. */
  private static void watch(ControlPlane controlPlane, int watches, List<HttpClient> clients)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                controlPlane.uri(
                    "/apis/discovery.k8s.io/v1/endpointslices?watch=true&resourceVersion=0&timeoutSeconds=3600"))
            .header("Authorization", "Bearer " + Http.TOKEN)
            .build();
    for (int i = 0; i < watches; i++) {
      if (i % WATCHES_OF_A_CONNECTION == 0) {
        clients.add(Http.multiplexing());
      }
      HttpResponse<InputStream> response =
          clients.getLast().send(request, BodyHandlers.ofInputStream());
      assertThat(response.statusCode()).isEqualTo(200);
      Thread.ofVirtual().start(() -> drain(response.body()));
    }
  }

  private static void drain(InputStream body) {
    try (body) {
      body.transferTo(java.io.OutputStream.nullOutputStream());
    } catch (IOException ended) {
      // the test did
    }
  }

  private static double writesPerSecond(ControlPlane controlPlane) throws Exception {
    AtomicLong writes = new AtomicLong();
    AtomicLong changes = new AtomicLong();
    long end = System.nanoTime() + WARM_UP.plus(LENGTH).toNanos();
    try (HttpClient http = Http.clientAt(java.net.InetAddress.getLoopbackAddress());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        writers.add(
            threads.submit(
                () -> {
                  while (System.nanoTime() < end) {
                    write(http, controlPlane, writer, changes.incrementAndGet());
                    writes.incrementAndGet();
                  }
                  return null;
                }));
      }
      Thread.sleep(WARM_UP);
      long before = writes.get();
      long start = System.nanoTime();
      Thread.sleep(LENGTH);
      double perSecond = (writes.get() - before) / ((System.nanoTime() - start) / 1e9);
      for (Future<?> writer : writers) {
        writer.get();
      }
      return perSecond;
    }
  }

  private static void write(HttpClient http, ControlPlane controlPlane, int writer, long change)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(controlPlane.uri(SLICES + "/s" + writer))
            .header("Authorization", "Bearer " + Kubelets.token(writer))
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(slice(writer, change)))
            .build();
    int status = http.send(request, BodyHandlers.discarding()).statusCode();
    if (status != 200) {
      throw new AssertionError("a write is answered with " + status);
    }
  }
}
