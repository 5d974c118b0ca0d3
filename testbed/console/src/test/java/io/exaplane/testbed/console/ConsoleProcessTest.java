// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Http;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** What two people see of the console, in Chromium. The tests use one cluster, in this order. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsoleProcessTest {
  /**
   * A change shows so soon. Each change follows the showing of the one before, so a page that asks
   * from time to time would show each of them a whole period late.
   */
  private static final Duration SOON = Duration.ofSeconds(2);

  /** So many of at most {@link #MOST_CHANGES} are soon: others may wait for a busy machine. */
  private static final int CHANGES = 3;

  private static final int MOST_CHANGES = 15;

  /** The committed pictures are written here when somebody asks for them. */
  private static final String PICTURES = System.getenv("EXA_PICTURES");

  private final HttpClient http = Http.multiplexing();
  private final List<String> findings = new ArrayList<>();
  private Management cluster;
  private OperatorProcess operator;
  private Browser anna;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    cluster = new Management(folder);
    cluster.createPlane("team-a", "demo");
    cluster.createPlane("team-b", "secret");
    operator = new OperatorProcess(folder, cluster.kubeconfig());
    anna = new Browser();
  }

  @AfterAll
  void stop() {
    http.shutdownNow();
    if (anna != null) {
      anna.close();
    }
    if (operator != null) {
      operator.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  @Order(1)
  void whoeverIsUnknownSeesTheLoginOnly() throws Exception {
    for (String path :
        List.of(
            "/", "/controlplanes/team-a/demo", "/events", "/controlplanes/team-a/demo/events")) {
      HttpResponse<String> answer = ask(path);
      assertThat(answer.statusCode()).as(path).isIn(303, 401);
      assertThat(answer.body()).as(path).doesNotContain("demo");
    }
    HttpResponse<String> login = ask("/login");
    assertThat(login.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(login.headers().firstValue("Cache-Control")).hasValue("no-store");
  }

  @Test
  @Order(2)
  void aFormOfAnotherSiteIsRefused() throws Exception {
    for (String origin : List.of("https://evil.example", "null", "")) {
      assertThat(post(origin, Management.ANNA).statusCode()).as(origin).isEqualTo(403);
    }
    HttpResponse<String> answer = post(operator.page("").toString(), Management.ANNA);
    assertThat(answer.statusCode()).isEqualTo(303);
    assertThat(answer.headers().firstValue("Set-Cookie").orElseThrow())
        .startsWith("__Host-exaplane-console=")
        .containsIgnoringCase("HttpOnly")
        .contains("Secure", "SameSite=Strict", "Path=/")
        .doesNotContain(Management.ANNA);
    // A browser would take a path that begins with two slashes for another host.
    HttpRequest odd =
        HttpRequest.newBuilder(operator.page("//evil.example/../controlplanes/team-a/demo"))
            .header("Authorization", "Bearer " + Management.ANNA)
            .build();
    assertThat(http.send(odd, BodyHandlers.ofString()).body()).doesNotContain("evil.example");
  }

  @Test
  @Order(3)
  void aWrongTokenIsTold() throws Exception {
    anna.login(operator.page("/login"), "wrong");
    anna.await("#problem", "does not accept this token");
    look("login");
  }

  @Test
  @Order(4)
  void theFleetIsThatOfTheUser() throws Exception {
    anna.login(operator.page("/login"), Management.ANNA);
    anna.await("#row-team-a-demo", "team-a");
    anna.await("#live", "Live");
    assertThat(anna.source()).doesNotContain("team-b", "secret");
    look("fleet");
  }

  @Test
  @Order(5)
  void aChangeShowsSoon() throws Exception {
    changesShow("more");
  }

  private void changesShow(String name) throws Exception {
    List<Duration> times = new ArrayList<>();
    long soon = 0;
    for (int i = 0; i < MOST_CHANGES && soon < CHANGES; i++) {
      cluster.createPlane("team-a", name + "-" + i);
      times.add(anna.measure("#row-team-a-" + name + "-" + i, "team-a"));
      soon = times.stream().filter(each -> each.compareTo(SOON) < 0).count();
    }
    System.out.printf("changes were shown after %s%n", times);
    assertThat(soon).as("changes shown within %s: %s", SOON, times).isEqualTo(CHANGES);
  }

  @Test
  @Order(6)
  void onePageHasAllOfAControlPlane() throws Exception {
    anna.followByKeyboard("row-team-a-demo-link");
    anna.await("#live", "Live");
    anna.await("#conditions", "StoresReady");
    anna.await("#stores", "demo-default");
    anna.await("#components", "Component");
    anna.await("#tuning", "kube-apiserver");
    anna.await("#pools", "No NodePool");
    look("control-plane");
    cluster.changeSpec("team-a", "demo", "{\"pausedUntil\":\"true\"}");
    System.out.printf("the pause was shown after %s%n", anna.measure("#conditions", "Paused"));
  }

  @Test
  @Order(7)
  void aRestartOfTheApiServerIsSurvived() throws Exception {
    anna.open(operator.page("/"));
    anna.await("#live", "Live");
    cluster.restartApi();
    anna.await("#row-team-a-demo", "team-a");
    cluster.createPlane("team-a", "after");
    // The operator's watches are open again after their own pauses.
    anna.await(Duration.ofMinutes(3), "#row-team-a-after", "team-a");
    anna.await("#live", "Live");
    changesShow("later");
  }

  @Test
  @Order(8)
  void whoeverHasNoRightSeesNothing() throws Exception {
    try (Browser bert = new Browser()) {
      bert.login(operator.page("/login"), Management.BERT);
      bert.await("#fleet", "There is no ControlPlane that you may list");
      assertThat(bert.source()).doesNotContain("demo", "team-a", "secret");
      for (String name : List.of("demo", "does-not-exist")) {
        bert.open(operator.page("/controlplanes/team-a/" + name));
        bert.await("main", "or you may not get it");
        assertThat(bert.source()).doesNotContain("StoresReady");
      }
      assertThat(bert.errors()).isEmpty();
    }
  }

  @Test
  @Order(9)
  void rightsThatAreTakenAwayEndAnOpenPage() throws Exception {
    anna.open(operator.page("/controlplanes/team-a/demo"));
    anna.await("#live", "Live");
    cluster.forbidAnna();
    anna.await(Duration.ofMinutes(3), "#live", "This page has ended");
    anna.open(operator.page("/"));
    anna.await("#fleet", "There is no ControlPlane that you may list");
  }

  @Test
  @Order(10)
  void noScriptFailedAndAxeFoundNothingSerious() {
    assertThat(anna.errors()).isEmpty();
    assertThat(findings).isEmpty();
  }

  /** Last: afterwards nobody at this address may sign in for a minute. */
  @Test
  @Order(11)
  void wrongTokensAreLimited() throws Exception {
    List<Integer> answers = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      answers.add(post(operator.page("").toString(), "guess-" + i).statusCode());
    }
    assertThat(answers).contains(401).endsWith(429);
  }

  /** Takes pictures, and has axe judge the page in both colour schemes. */
  private void look(String page) throws Exception {
    for (String scheme : List.of("dark", "light")) {
      anna.scheme(scheme);
      anna.axe().forEach(found -> findings.add(page + ", " + scheme + ": " + found));
      if (PICTURES != null) {
        anna.screenshot(Path.of(PICTURES, page + "-" + scheme + ".png"));
      }
    }
  }

  private HttpResponse<String> ask(String path) throws Exception {
    return http.send(HttpRequest.newBuilder(operator.page(path)).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String origin, String token) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(operator.page("/login").toString()))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("token=" + token));
    if (!origin.isEmpty()) {
      request.header("Origin", origin);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }
}
