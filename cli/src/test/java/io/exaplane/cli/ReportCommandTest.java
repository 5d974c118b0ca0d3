// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
  private static final String PEM =
      "-----BEGIN EC PRIVATE KEY-----\\nplantedKey0\\nplantedKey1\\n-----END EC PRIVATE KEY-----";
  private static final String PEM64 =
      Base64.getEncoder()
          .encodeToString("-----BEGIN PRIVATE KEY-----\nplanted\n-----END".getBytes(UTF_8));
  private static final String JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJwbGFudGVkIn0.c2lnbmF0dXJl";

  /** A secret in each place where one can be. */
  private static final String PLANTED =
      """
      kind: ControlPlane
      metadata:
        name: demo
        generation: 1
        annotations: {kubectl.kubernetes.io/last-applied-configuration: "planted-annotation", exaplane.io/note: "token=planted-note"}
        managedFields: [{manager: planted-manager}]
      spec:
        version: "1.37.2"
        apiServer: {extraArgs: [{name: oidc-client-secret, value: planted-arg}, {name: audit-log-path, value: /var/log/audit}]}
        addons:
        - {name: secrets, inline: "kind: Secret\\nmetadata: {name: s}\\ndata: {admin: planted-inline}"}
        - {name: maps, inline: "kind: ConfigMap\\nmetadata: {name: m}\\ndata: {dsn: planted-map}"}
        - {name: net, configMap: {name: users}}
      status:
        observedGeneration: 1
        addons:
        - name: secrets
          reason: AddonFailed
          message: "Secret ns/s (inline.yaml:1): 422 Invalid: Invalid value: \\"planted-addon\\". Correct the source."
          failures: [{object: Secret ns/s, file: inline.yaml, line: 1, message: "Invalid value: planted-failure"}]
        - {name: net, reason: AddonSourceUnreadable, message: "configMap net: does not exist; create it."}
        pki: {certificates: [{name: ca, secret: demo-ca}]}
        conditions:
        - {type: Available, status: "False", reason: Unavailable, message: "The server said Authorization: Bearer planted-in-message. Check the token."}
        - {type: AddonsReady, status: "False", reason: AddonFailed, message: "Add-on secrets: planted-condition. Correct planted-step."}
      ---
      kind: SchedulerPool
      metadata: {name: pool}
      spec: {controlPlaneRef: {name: demo}, profiles: [{plugins: [{name: p, args: {password: 98765432}}]}]}
      ---
      kind: ConfigMap
      metadata: {name: users, labels: {exaplane.io/control-plane: demo, app.kubernetes.io/managed-by: exaplane}}
      data: {a.yaml: "kind: Deployment\\nenv: planted-in-source"}
      ---
      kind: Secret
      metadata: {name: demo-admin-kubeconfig, labels: {exaplane.io/control-plane: demo, app.kubernetes.io/managed-by: exaplane}}
      data: {kubeconfig: cGxhbnRlZC1zZWNyZXQ=}
      ---
      kind: ConfigMap
      metadata: {name: demo-tuning, labels: {exaplane.io/control-plane: demo, app.kubernetes.io/managed-by: exaplane}}
      binaryData: {blob: planted-binary}
      data:
        manifest: "apiVersion: v1\\nstringData:\\n  dsn: planted-dsn\\nkind: Secret\\n"
        kubeconfig: "users:\\n- user:\\n    token: planted-token\\n    password: |\\n      planted-block\\n    client-key-data: %s\\nrest: kept"
        pem: "%s"
        json: "{\\"password\\": \\"planted two words\\", \\"nested\\": \\"{\\\\\\"api_key\\\\\\":\\\\\\"planted-nested\\\\\\"}\\"}"
        url: "postgres://planted-user:planted-password@db:5432/x"
      ---
      kind: Pod
      metadata: {name: demo-apiserver-1, labels: {exaplane.io/control-plane: demo, app.kubernetes.io/component: apiserver}, annotations: {vault: planted-pod-annotation}}
      spec:
        containers:
        - name: kube-apiserver
          command: [kube-apiserver, --token, planted-word, --etcd-servers=https://a:2379, --service-account-key-file=/pki/sa.pub]
          args: [--bearer-token=planted-flag, "-Dpassword=planted-property"]
          env: [{name: FOO, value: planted-env}, {name: GOMEMLIMIT, value: 1GiB}, {name: REF, valueFrom: {secretKeyRef: {name: s, key: k}}}]
          livenessProbe: {httpGet: {path: /livez, httpHeaders: [{name: X-Auth, value: planted-header}]}}
        initContainers: [{name: i, env: [{name: BAR, value: planted-init-env}]}]
      status:
        phase: Running
        containerStatuses:
        - name: kube-apiserver
          restartCount: 1
          state: {running: {}}
          lastState: {terminated: {exitCode: 1, message: "cannot log in with password=planted-words"}}
      ---
      kind: Event
      metadata: {name: e1}
      involvedObject: {kind: Pod, name: demo-apiserver-1}
      type: Warning
      reason: Failed
      message: "pull with basic cGxhbnRlZDpwbGFudGVk failed"
      lastTimestamp: "2026-11-28T07:00:00Z"
      ---
      kind: Event
      metadata: {name: e3}
      involvedObject: {kind: ControlPlane, name: demo}
      type: Warning
      reason: AddonFailed
      message: "AddonsReady is False: planted-in-event"
      lastTimestamp: "2026-11-28T07:00:01Z"
      ---
      kind: Event
      metadata: {name: e4}
      involvedObject: {kind: ControlPlane, name: demo}
      type: Warning
      reason: AddonContested
      message: "Add-on secrets: planted-fight"
      lastTimestamp: "2026-11-28T07:00:02Z"
      ---
      kind: Event
      metadata: {name: e2}
      involvedObject: {kind: Pod, name: of-another}
      message: other
      """
          .formatted(PEM64, PEM);

  private static final String LOG =
      "2026-11-28T07:00:00Z GET /x Authorization: \"Bearer plantedbearer123\"\n"
          + "2026-11-28T07:00:01Z token "
          + JWT
          + "\n2026-11-28T07:00:02Z join abcdef.0123456789abcdef\n"
          + "2026-11-28T07:00:03Z -----BEGIN RSA PRIVATE KEY-----\n"
          + "2026-11-28T07:00:03Z plantedBody\n"
          + "2026-11-28T07:00:03Z -----END RSA PRIVATE KEY-----\n"
          + "2026-11-28T07:00:04Z aws AKIAPLANTEDPLANTED12 and ghp_plantedplantedplanted12\n"
          + "2026-11-28T07:00:04Z {\"requestObject\":{\"kind\":\"Secret\",\"data\":{\"a\":\"planted\"}}}\n"
          + "2026-11-28T07:00:05Z the last line is kept\n";

  @TempDir private Path folder;
  private PlaneApi api;

  @BeforeEach
  void start() throws IOException {
    api = new PlaneApi(folder).with(PLANTED);
    api.log("demo-apiserver-1", "kube-apiserver", false, LOG);
    api.log(
        "demo-apiserver-1",
        "kube-apiserver",
        true,
        "2026-11-28T06:00:00Z secret: planted-before\n");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private Map<String, String> report(String... more) throws IOException {
    Path file = folder.resolve("report.tar.gz");
    String[] words = new String[more.length + 3];
    words[0] = "report";
    words[1] = "demo";
    words[2] = "--file=" + file;
    System.arraycopy(more, 0, words, 3, more.length);
    assertThat(api.run(words)).as("%s", api.err).isZero();
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    Map<String, String> entries = new TreeMap<>();
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(new GZIPInputStream(Files.newInputStream(file)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        assertThat(entry.getMode() & 0777).isEqualTo(0600);
        entries.put(
            entry.getName().replaceFirst("^exaplane-ns-demo-[0-9-]+/", ""),
            new String(tar.readAllBytes(), UTF_8));
      }
    }
    return entries;
  }

  @Test
  void noSecretOfAnyPlaceIsInTheBundle() throws IOException {
    Map<String, String> entries = report();
    assertThat(entries)
        .allSatisfy(
            (name, text) ->
                assertThat(text)
                    .as(name)
                    .doesNotContainIgnoringCase("planted")
                    .doesNotContain(PEM64.substring(30), JWT.substring(0, 20))
                    .doesNotContain("cGxhbnRlZ", "0123456789abcdef", "98765432"));
    assertThat(api.requests()).noneMatch(each -> each.contains("/secrets"));
  }

  @Test
  void whatHelpsStays() throws IOException {
    Map<String, String> entries = report();
    assertThat(entries)
        .containsKeys(
            "README.txt",
            "status.txt",
            "why.txt",
            "version.json",
            "events.txt",
            "objects/controlplanes/demo.yaml",
            "objects/configmaps/demo-tuning.yaml",
            "logs/demo-apiserver-1/kube-apiserver.log",
            "logs/demo-apiserver-1/kube-apiserver.previous.log");
    assertThat(entries.get("objects/controlplanes/demo.yaml"))
        .contains("/var/log/audit", "secret: demo-ca", "reason: Unavailable")
        .contains("object: Secret ns/s", "line: 1", "reason: AddonFailed", "net: does not exist")
        .doesNotContain("managedFields");
    assertThat(entries).doesNotContainKey("objects/configmaps/users.yaml");
    assertThat(entries.get("status.txt")).contains("AddonsReady AddonFailed: <removed>");
    assertThat(entries.get("objects/pods/demo-apiserver-1.yaml"))
        .contains("--etcd-servers=https://a:2379", "--service-account-key-file=/pki/sa.pub")
        .contains("1GiB", "secretKeyRef", "--bearer-token=<removed>");
    assertThat(entries.get("objects/configmaps/demo-tuning.yaml"))
        .contains("postgres://<removed>@db:5432/x", "rest: kept");
    assertThat(entries.get("events.txt"))
        .startsWith(
            "2026-11-28T07:00:00Z Warning Pod/demo-apiserver-1 Failed: pull with basic <rem")
        .doesNotContain("of-another");
    assertThat(entries.get("logs/demo-apiserver-1/kube-apiserver.log"))
        .contains("the last line is kept");
    assertThat(entries.get("README.txt"))
        .contains("Left out")
        .containsPattern("token: [1-9]\\d+ v");
  }

  @Test
  void machinesGetTheListAndGapsAreSaid() throws IOException {
    api.forbid("list configmaps").forbid("get pods/log");
    Map<String, String> entries = report("-o", "json");
    assertThat(api.document().path("gaps").toString())
        .contains("no right to list configmaps", "no right to get pods/log");
    assertThat(api.document().path("entries")).hasSize(entries.size());
    assertThat(api.document().path("removed").asInt()).isGreaterThan(5);
    assertThat(entries.get("README.txt")).contains("no right to list configmaps");
  }

  @Test
  void aFileThatExistsStays() throws IOException {
    Path file = Files.writeString(folder.resolve("mine"), "mine");
    assertThat(api.run("report", "--file=" + file)).isEqualTo(Exactl.BAD_INPUT);
    assertThat(api.err.toString()).contains("file: '" + file + "' must not exist");
    assertThat(file).hasContent("mine");
  }

  /** Java's own words for it are the name of the file. */
  @Test
  void whyTheFileCannotBeWrittenIsSaid() {
    Path file = folder.resolve("none/report.tar.gz");
    assertThat(api.run("report", "--file=" + file)).isEqualTo(Exactl.BAD_INPUT);
    assertThat(api.err.toString())
        .contains("file: '" + file + "' cannot be written: no such file or folder; name another");
  }
}
