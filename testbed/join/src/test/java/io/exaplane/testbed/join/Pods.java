// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Kubernetes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A pod on each node with a Service of its own. It serves a page that names the caller, and sends
 * requests for the test. One thread.
 */
final class Pods {
  static final int PORT = 8080;
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String SERVICES = "/api/v1/namespaces/default/services";
  private static final String TOOLS = "/kubernetes";
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** Rules of Services and answers to solicitations take a moment. */
  private static final Duration MOMENT = Duration.ofMinutes(2);

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Asks each of ADDRESS PORT PATH…, and prints the last line of each answer. */
  private static final String ASK =
      """
      while [ $# -gt 0 ]; do
        printf '%s %s\\t' "$1" "$2"
        printf 'GET %s HTTP/1.0\\r\\n\\r\\n' "$3" | timeout 6 nc -w 4 "$1" "$2" 2>/dev/null | tail -n 1
        echo
        shift 3
      done
      """;

  private final Cluster cluster;
  private final Kubectl kubectl;

  Pods(Cluster cluster) {
    this.cluster = cluster;
    kubectl = new Kubectl(cluster.kubeconfig());
  }

  /**
   * What is asked.
   *
   * @param address literal, or a name
   */
  record Question(String address, int port, String path) {
    static Question page(String address) {
      return new Question(address, PORT, Image.PAGE);
    }

    static Question of(String address, Witness witness) {
      return new Question(address, witness.port(), "/");
    }

    private String line() {
      return address + " " + port;
    }
  }

  /** Makes the pod and its Service, which have the node's name. */
  void make(String node) throws Exception {
    ObjectNode pod = JSON.createObjectNode();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata").put("name", node).putObject("labels").put("on", node);
    ObjectNode spec = pod.putObject("spec");
    spec.put("nodeName", node).put("dnsPolicy", "Default").put("enableServiceLinks", false);
    spec.put("terminationGracePeriodSeconds", 1);
    spec.putArray("tolerations").addObject().put("operator", "Exists");
    ObjectNode container = spec.putArray("containers").addObject();
    container.put("name", "tools").put("image", Image.TOOLS).put("imagePullPolicy", "Never");
    container
        .putArray("command")
        .add("httpd")
        .add("-f")
        .add("-vv")
        .add("-p")
        .add("[::]:" + PORT)
        .add("-h")
        .add("/www");
    container
        .putArray("volumeMounts")
        .addObject()
        .put("name", "tools")
        .put("mountPath", TOOLS)
        .put("readOnly", true);
    spec.putArray("volumes")
        .addObject()
        .put("name", "tools")
        .putObject("hostPath")
        .put("path", Path.of(Kubernetes.binary("kubectl")).getParent().toString());
    cluster.made(PODS, JSON.writeValueAsString(pod));
    cluster.made(
        SERVICES,
        """
        {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "%1$s"},
         "spec": {"selector": {"on": "%1$s"}, "ports": [{"port": %2$d}]}}
        """
            .formatted(node, PORT));
  }

  /** Waits until the pod serves, and returns its address. */
  String awaitReady(String pod, int restarts) throws Exception {
    Await.until(
        PATIENCE,
        "pod %s serves after %d restarts".formatted(pod, restarts),
        () -> {
          JsonNode status = got(pod).path("status").path("containerStatuses").path(0);
          return status.path("ready").asBoolean()
              && status.path("restartCount").asInt() >= restarts;
        },
        () -> got(pod));
    return address(pod);
  }

  /** The pod's own address. */
  String address(String pod) throws IOException, InterruptedException {
    return got(pod).path("status").path("podIP").asText();
  }

  /** The address of the pod's Service. */
  String service(String pod) throws IOException, InterruptedException {
    return cluster.got(SERVICES + "/" + pod).path("spec").path("clusterIP").asText();
  }

  private JsonNode got(String pod) throws IOException, InterruptedException {
    return cluster.got(PODS + "/" + pod);
  }

  /** What each question is answered in a pod; "" for no answer. */
  Map<Question, String> ask(String pod, List<Question> questions) throws IOException {
    List<String> words = new ArrayList<>(List.of("sh", "-c", ASK, "ask"));
    for (Question question : questions) {
      words.addAll(List.of(question.address, Integer.toString(question.port), question.path));
    }
    Shell.Result run = exec(pod, words.toArray(String[]::new));
    assertThat(run.exit()).as(run.text()).isZero();
    Map<String, String> lines = new LinkedHashMap<>();
    run.text()
        .lines()
        .map(line -> line.split("\t", 2))
        .filter(halves -> halves.length == 2)
        .forEach(halves -> lines.put(halves[0], halves[1].strip()));
    Map<Question, String> answers = new LinkedHashMap<>();
    questions.forEach(each -> answers.put(each, lines.getOrDefault(each.line(), "")));
    return answers;
  }

  /** Waits until a pod gets these answers, which begin so, and gives them whole. */
  Map<Question, String> awaitAnswers(String pod, Map<Question, String> expected) throws Exception {
    List<Map<Question, String>> last = new ArrayList<>();
    Await.until(
        MOMENT,
        "pod %s gets the answers %s".formatted(pod, expected),
        () -> {
          Map<Question, String> answers = ask(pod, List.copyOf(expected.keySet()));
          last.add(answers);
          return expected.entrySet().stream()
              .allMatch(each -> answers.get(each.getKey()).startsWith(each.getValue()));
        },
        last::getLast);
    return last.getLast();
  }

  /** Asks the API for its version in a pod, with the pod's own rights. */
  Shell.Result askApi(String pod, String server) throws IOException {
    return exec(
        pod,
        "sh",
        "-c",
        "account=/var/run/secrets/kubernetes.io/serviceaccount;"
            + " exec \"$0/kubectl\" get --raw=/version --server=\"$1\""
            + " --tls-server-name=api.exj.test --certificate-authority=$account/ca.crt"
            + " --token=\"$(cat $account/token)\"",
        TOOLS,
        server);
  }

  /** Runs a command in the pod. */
  Shell.Result exec(String pod, String... command) throws IOException {
    List<String> words = new ArrayList<>(List.of("exec", pod, "--"));
    words.addAll(List.of(command));
    return kubectl.run(words.toArray(String[]::new));
  }

  /** What the pod has written. */
  String logs(String pod) throws IOException {
    return kubectl.run("logs", pod).text();
  }

  Kubectl kubectl() {
    return kubectl;
  }
}
