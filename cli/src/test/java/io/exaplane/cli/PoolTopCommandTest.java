// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

class PoolTopCommandTest {
  private static final String PAGE =
      """
      {"role":"in charge","epoch":3,"complete":%s,"rounds":{"answered":40,"missed":1},
       "pods":{"decided":1000,"bound":990,"bindingFailed":2,"refused":7,"preempted":1,"byShards":900,"alone":50},
       "pending":{"active":3,"backoff":4,"unschedulable":5,"gated":6,"oldestSeconds":8},
       "members":[
        {"name":"s2","number":2,"kind":"shard","via":["r1"],"nodes":51,"weight":0.5,"answerMicros":1234,"silentMs":10},
        {"name":"r1","number":1,"kind":"relay","via":[],"nodes":0,"weight":0,"answerMicros":0,"silentMs":20},
        {"name":"s3","number":3,"kind":"shard","via":[],"nodes":49,"weight":1,"answerMicros":500,"silentMs":30}]}
      """;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private HttpServer server;
  private String answer = PAGE.formatted("true");
  private int status = 200;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/tree",
        exchange -> {
          byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private int run(String... more) {
    CommandLine exactl = Exactl.commandLine();
    exactl.setOut(new PrintWriter(out));
    exactl.setErr(new PrintWriter(err));
    String[] words = new String[more.length + 3];
    words[0] = "pool";
    words[1] = "top";
    words[2] = "--address=http://127.0.0.1:" + server.getAddress().getPort();
    System.arraycopy(more, 0, words, 3, more.length);
    return exactl.execute(words);
  }

  @Test
  void showsWhoIsBelowWhom() {
    assertThat(run()).isZero();
    assertThat(out.toString())
        .isEqualTo(
            """
            in charge, epoch 3; the shards know all nodes, rounds: 40 answered, 1 missed
            pods: 1000 decided (900 by shards, 50 without their answer), 990 bound, 2 bindings failed, 7 refused, 1 preempted
            waiting: 3 for their turn, 4 after an attempt, 5 for a change that could help, 6 for their gates; the oldest for 8 s
              MEMBER  KIND   NODES  SHARE  ANSWERS IN  HEARD OF
              r1      relay                            20 ms ago
                s2    shard  51     50 %   1.2 ms      10 ms ago
              s3      shard  49     100 %  0.5 ms      30 ms ago
            """);
  }

  @Test
  void saysWhereTheRootIsAlone() {
    answer = PAGE.formatted("false");
    run();
    assertThat(out.toString()).contains("the root evaluates all nodes itself");
  }

  @Test
  void whoIsNotInChargeKnowsNothing() {
    answer = answer.replace("in charge", "relay");
    run();
    assertThat(out.toString()).contains("ask the root in charge");
  }

  @Test
  void givesMachinesWhatThereIs() {
    assertThat(run("-o", "json")).isZero();
    assertThat(out.toString()).contains("\"answerMicros\"");
  }

  /** As in 'pool top --every 1 | head'. */
  @Test
  @Timeout(60)
  void itEndsWhenNobodyReads() {
    PrintWriter unread =
        new PrintWriter(
            new FilterWriter(Writer.nullWriter()) {
              @Override
              public void write(String text, int offset, int length) throws IOException {
                throw new IOException("Broken pipe");
              }
            });
    String address = "--address=http://127.0.0.1:" + server.getAddress().getPort();
    CommandLine exactl = Exactl.commandLine().setOut(unread).setErr(new PrintWriter(err));
    assertThat(exactl.execute("pool", "top", "--every=1", address)).isZero();
  }

  @Test
  void saysWhatIsWrong() {
    status = 404;
    assertThat(run()).isEqualTo(1);
    assertThat(err.toString())
        .contains("answers with status 404; check that --address is the scheduler's");
    status = 200;
    answer = "{\"kind\":\"Status\"}";
    assertThat(run()).isEqualTo(1);
    assertThat(err.toString()).contains("/tree does not answer with a scheduler's tree; check");
    assertThat(run("--every=-1")).isEqualTo(2);
    assertThat(err.toString()).contains("every: '-1' must lie between 0 and 3600");
    assertThat(run("--address=nonsense")).isEqualTo(2);
    server.stop(0);
    assertThat(run()).isEqualTo(1);
    assertThat(err.toString()).contains("check that the scheduler runs");
  }
}
