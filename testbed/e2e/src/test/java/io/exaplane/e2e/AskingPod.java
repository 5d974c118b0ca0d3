// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;

/**
 * A pod on a host that asks the API five times a second, in a new connection each time, through the
 * Service kubernetes. It reads its token and its CAs for each request, as client-go does, and asks
 * once again after a failure. Its log has every answer. One thread.
 */
final class AskingPod {
  /** What the pod saw, from its first answer on. */
  record Report(int requests, List<String> retried, List<String> failed, long longestGapMs) {}

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String ASKED = "asked";
  private static final String RETRIED = "retried ";
  private static final String FAILED = "FAILED ";

  private static final String PROGRAM =
      """
      ask() {
        /tools/LOADER --library-path /tools /tools/curl -q --silent --show-error --fail --globoff --noproxy '*' --max-time 10 --output /dev/null \\
          --cacert /account/ca.crt --header "Authorization: Bearer $(cat /account/token)" \\
          "https://[$KUBERNETES_SERVICE_HOST]:$KUBERNETES_SERVICE_PORT/api/v1/namespaces/default/configmaps/kube-root-ca.crt" 2>&1
      }
      while :; do
        if first=$(ask); then echo asked
        elif again=$(ask); then echo "retried $first"
        else echo "FAILED $first / $again"
        fi
        sleep 0.2
      done
      """;

  private static final String RIGHTS =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: Role
      metadata: {name: asks, namespace: default}
      rules: [{apiGroups: [""], resources: [configmaps], verbs: [get]}]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: {name: asks, namespace: default}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: asks}
      subjects: [{kind: ServiceAccount, name: default, namespace: default}]
      """;

  /** The kubelet renews a token of the shortest life after eight minutes, and not after 48. */
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: %1$s, namespace: default}
      spec:
        nodeName: %1$s
        automountServiceAccountToken: false
        dnsPolicy: Default
        containers:
        - name: asks
          image: exaplane/busybox:1
          command: [sh, /tools/ask.sh]
          volumeMounts:
          - {name: account, mountPath: /account, readOnly: true}
          - {name: tools, mountPath: /tools, readOnly: true}
        volumes:
        - name: account
          projected:
            sources:
            - serviceAccountToken: {path: token, expirationSeconds: 600}
            - configMap: {name: kube-root-ca.crt, items: [{key: ca.crt, path: ca.crt}]}
        - {name: tools, hostPath: {path: "%2$s", type: Directory}}
      """;

  private record Line(Instant at, String text) {
    boolean isAnswer() {
      return text.equals(ASKED) || text.startsWith(RETRIED);
    }

    boolean isResult() {
      return isAnswer() || text.startsWith(FAILED);
    }
  }

  private final Scratch scratch;
  private final JoinedHost host;
  private final String uid;

  private AskingPod(Scratch scratch, JoinedHost host, String uid) {
    this.scratch = scratch;
    this.host = host;
    this.uid = uid;
  }

  /** Starts one on each host; each of them has had answers when this returns. */
  static List<AskingPod> start(Scratch scratch, List<JoinedHost> hosts, Path folder)
      throws IOException {
    Path tools = tools(Files.createDirectory(folder.resolve("tools")));
    StringBuilder pods = new StringBuilder(RIGHTS);
    hosts.forEach(host -> pods.append("---\n").append(POD.formatted(host.name, tools)));
    Path manifests = Files.writeString(folder.resolve("asking.yaml"), pods);
    scratch.hosted("apply", "--filename=" + manifests);
    List<AskingPod> started =
        hosts.stream()
            .map(host -> new AskingPod(scratch, host, get(scratch, host).getMetadata().getUid()))
            .toList();
    started.forEach(pod -> pod.awaitAnswers(25));
    return started;
  }

  /** This machine's curl with its libraries, since images of the test bed have none. */
  private static Path tools(Path folder) throws IOException {
    String curl = Bed.run(List.of("sh", "-c", "command -v curl")).output().strip();
    Files.copy(Path.of(curl), folder.resolve("curl"));
    String loader = "";
    for (String word : Bed.run(List.of("ldd", curl)).output().split("\\s+")) {
      if (word.startsWith("/")) {
        String name = Path.of(word).getFileName().toString();
        loader = name.startsWith("ld-") ? name : loader;
        Files.copy(Path.of(word), folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Files.writeString(folder.resolve("ask.sh"), PROGRAM.replace("LOADER", loader));
    Bed.run(List.of("chmod", "--recursive", "a+rX", folder.toString()));
    Bed.run(List.of("chmod", "a+x", folder.resolve(loader).toString()));
    return folder;
  }

  private static Pod get(Scratch scratch, JoinedHost host) {
    return scratch.client().pods().inNamespace("default").withName(host.name).get();
  }

  String name() {
    return host.name;
  }

  /** Waits until the pod has so many more answers. */
  void awaitAnswers(int more) {
    long before = answers();
    Bed.await(
        "the pod on %s gets %d answers".formatted(host.name, more),
        PATIENCE,
        () -> answers() >= before + more,
        () -> scratch.hosted("describe", "pod", host.name) + report());
  }

  private long answers() {
    return lines().stream().filter(Line::isAnswer).count();
  }

  /** As containerd has them: the time, the stream, whether the line is whole, and the line. */
  private List<Line> lines() {
    return host.inside(
            "sh",
            "-c",
            "cat /var/log/pods/default_\"$0\"_*/asks/*.log 2>/dev/null || true",
            host.name)
        .lines()
        .map(line -> line.split(" ", 4))
        .filter(words -> words.length == 4)
        .map(words -> new Line(OffsetDateTime.parse(words[0]).toInstant(), words[3]))
        .filter(Line::isResult)
        .dropWhile(line -> !line.isAnswer())
        .toList();
  }

  Report report() {
    List<Line> lines = lines();
    long longestMs = 0;
    Instant last = null;
    for (Line line : lines.stream().filter(Line::isAnswer).toList()) {
      if (last != null) {
        longestMs = Math.max(longestMs, Duration.between(last, line.at()).toMillis());
      }
      last = line.at();
    }
    return new Report(lines.size(), texts(lines, RETRIED), texts(lines, FAILED), longestMs);
  }

  private static List<String> texts(List<Line> lines, String start) {
    return lines.stream()
        .filter(line -> line.text().startsWith(start))
        .map(line -> line.at() + " " + line.text())
        .toList();
  }

  /** The pod's UID, the container's id, which the kubelet tells, and how often it restarted. */
  String container() {
    Pod pod = get(scratch, host);
    ContainerStatus status = pod.getStatus().getContainerStatuses().getFirst();
    return pod.getMetadata().getUid()
        + " "
        + status.getContainerID()
        + " "
        + status.getRestartCount();
  }

  /** The number of CAs that the pod trusts at this moment. */
  long authorities() {
    return file("ca.crt").lines().filter(line -> line.contains("BEGIN CERTIFICATE")).count();
  }

  /** The pod's token at this moment. */
  String token() {
    return file("token");
  }

  private String file(String file) {
    return host.inside(
        "sh",
        "-c",
        "cat /var/lib/kubelet/pods/\"$0\"/volumes/kubernetes.io~projected/account/\"$1\"",
        uid,
        file);
  }
}
