// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of other people: what they say of the cluster, what only looks like flags, what is odd. */
class TuneDiffTest {
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: kube-apiserver-a
        annotations:
          kubectl.kubernetes.io/last-applied-configuration: |
            {"kind": "Pod", "spec": {"containers": [
              {"name": "old", "command": ["kube-apiserver", "--event-ttl=9h"]}]}}
      spec:
        containers:
        - name: kube-apiserver
          image: registry.k8s.io:443/kube-apiserver:v1.34.2@sha256:0123
          command:
          - kube-apiserver
          - --max-requests-inflight=1600
          - --event-ttl=2h
          env:
          - {name: GOMEMLIMIT, valueFrom: {resourceFieldRef: {resource: limits.memory}}}
          resources: {limits: {memory: 8Gi}}
      """;

  @TempDir private static Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** Each names the version of the one pod, in the way of its tool. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "v1.34.2 | {kind: Pod, spec: {containers: [{name: kube-apiserver, image: 'r/kube-apiserver:v1.34.2', args: [--v=1]}]}}",
        "v1.34.2-eks-5e0fdde | {kind: Pod, spec: {containers: [{image: 'r:5000/kube-apiserver-arm64:v1.34.2-eks-5e0fdde', command: [kube-apiserver, --v=1]}]}}",
        "v1.34.2 | {kind: ClusterConfiguration, kubernetesVersion: v1.34.2, apiServer: {extraArgs: {v: 1}}}",
        "1.34.2 | {apiVersion: kops.k8s.io/v1alpha2, kind: Cluster, spec: {kubernetesVersion: 1.34.2, kubeAPIServer: {eventTTL: 1h}}}",
        "v1.34.2+rke2r1 | {spec: {kubernetesVersion: v1.34.2+rke2r1, rkeConfig: {machineGlobalConfig: {kube-apiserver-arg: [v=1]}}}}",
        "v1.34.2-rancher1-1 | {kubernetes_version: v1.34.2-rancher1-1, services: {kube-api: {extra_args: {v: 1}}}}",
        "1.34.2 | {kube_version: 1.34.2, kube_kubeadm_apiserver_extra_args: {v: 1}}",
        "v1.34.2 | {apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: KubeadmControlPlane, spec: {version: v1.34.2, kubeadmConfigSpec: {clusterConfiguration: {apiServer: {extraArgs: [{name: v, value: '1'}]}}}}}",
        "1.34.2 | {apiVersion: core.gardener.cloud/v1beta1, kind: Shoot, spec: {kubernetes: {version: 1.34.2, kubeAPIServer: {eventTTL: 1h}}}}",
        "v1.34.2 | {version: v1alpha1, cluster: {apiServer: {image: 'registry.k8s.io/kube-apiserver:v1.34.2', extraArgs: {v: 1}}}}",
        "v1.34.0 | {KubernetesConfig: {KubernetesVersion: v1.34.0, ExtraOptions: [{Component: apiserver, Key: event-ttl, Value: 1h}]}}",
        "v1.34.2 | I1128 10:00:00.0 1 server.go:100] \"Version\" info=\"v1.34.2\"~I1128 10:00:00.0 1 flags.go:64] FLAG: --event-ttl=\"1h\"",
        "`` | {version: 1.34.2, appVersion: 1.35.1, apiServer: {extraArgs: {v: 1}}}",
        "`` | {kind: Pod, spec: {containers: [{name: kube-apiserver, image: 'r/kube-apiserver:latest', args: [--v=1]}]}}",
        "`` | kube-apiserver --v=1",
      })
  void theVersionIsThatOfTheFile(String version, String text) throws Exception {
    JsonNode answer = compared(text.replace('~', '\n'));
    assertThat(answer.get("component").asText()).isEqualTo("kube-apiserver");
    assertThat(answer.get("fileVersion").asText()).isEqualTo(version);
    assertThat(answer.get("version").asText()).isEqualTo(version.isEmpty() ? "1.37" : "1.34");
  }

  @Test
  void anOptionOverridesTheFile() throws Exception {
    assertThat(compared(POD, "--kubernetes-version=1.36").get("version").asText())
        .isEqualTo("1.36");
    compared(POD.replace("v1.34.2", "v1.19.4"));
    assertThat(err.toString())
        .contains("warning: diff: the file is for Kubernetes v1.19.4, but flags are known for 1.3");
    assertThat(run(POD)).isEqualTo(1);
    assertThat(out.toString())
        .contains(
            "kube-apiserver of 1.34, container kube-apiserver of Pod kube-apiserver-a; the file is for v1.34.2")
        .contains("with a memory limit of 8Gi");
  }

  /** Half of 8Gi is not more than 8Gi. */
  @Test
  void theMemoryLimitIsThatOfTheFile() throws Exception {
    JsonNode other =
        difference(
            compared(
                POD.replace(
                    "valueFrom: {resourceFieldRef: {resource: limits.memory}}", "value: 1GiB")),
            "env.GOMEMLIMIT");
    assertThat(other.get("advised").asText()).isEqualTo("6963MiB");
    JsonNode elsewhere = difference(compared(POD), "env.GOMEMLIMIT");
    assertThat(elsewhere.get("type").asText()).isEqualTo("fine");
    assertThat(elsewhere.get("why").asText()).contains("comes from another field");
    compared(POD.replace("8Gi", "100Mi"));
    assertThat(err.toString())
        .contains("the container's limit is not used: apiserver-memory: '100Mi'");
  }

  @Test
  void annotationsAreNoContainers() throws Exception {
    JsonNode answer = compared(POD);
    assertThat(answer.get("others")).isEmpty();
    assertThat(answer.get("fileMemory").asText()).isEqualTo("8Gi");
    assertThat(difference(answer, "event-ttl").get("running").asText()).isEqualTo("2h");
  }

  /** What OpenShift, and others with scripts, run. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[/bin/sh, -c, 'cp /x /var/log/kube-apiserver/y --force; exec kube-apiserver --event-ttl=2h --v=3 2>&1 | tee /x --append']",
        "[/bin/bash, -ec, 'if [ -f /etc/kube-apiserver ]; then echo --no; fi; exec watch-termination --lock=1 -- hyperkube kube-apiserver --event-ttl=2h --v=3']",
        "[timeout, --kill-after=5, '60', /usr/bin/kube-apiserver, --event-ttl=2h, -v=3]",
        "[tini, --, kube-apiserver, --event-ttl=2h, --v=3]",
        "[sh, -c, \"flock --wait 3 /var/lock/kubelet; kube-apiserver --event-ttl=2h --v=3 && rm --force x\"]",
      })
  void wrappersHaveFlagsOfTheirOwn(String command) throws Exception {
    String setup =
        "{name: setup, command: [/bin/sh, -c, 'mkdir -p /var/log/kube-apiserver; chmod 0700 /var/log/kube-apiserver']}";
    JsonNode answer =
        compared(
            "{kind: Pod, spec: {initContainers: [%s], containers: [{name: kube-apiserver, command: %s}]}}"
                .formatted(setup, command));
    assertThat(answer.get("where").asText()).startsWith("container kube-apiserver");
    assertThat(answer.get("startsNot").asBoolean()).isFalse();
    assertThat(difference(answer, "event-ttl").get("running").asText()).isEqualTo("2h");
  }

  @Test
  void instancesThatDifferAreNamed() throws Exception {
    String one =
        "{kind: Pod, metadata: {name: %s}, spec: {containers: [{name: api, command: [kube-apiserver, --advertise-address=%s, --event-ttl=%s]}]}}";
    String list =
        "{kind: List, items: [%s, %s]}"
            .formatted(one.formatted("a", "10.0.0.1", "2h"), one.formatted("b", "10.0.0.2", "3h"));
    assertThat(compared(list).get("uneven")).hasSize(1);
    run(list);
    assertThat(out.toString())
        .contains(
            "warning: the file contains several of kube-apiserver, which differ in event-ttl (2h, 3h); ")
        .doesNotContain("choose with --component");
    assertThat(compared(list.replace("3h", "2h")).get("uneven")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "kube-apiserver --max-request-inflight=5 | did you mean --max-requests-inflight?",
        "kube-apiserver --feature-gates=WatchLst=true | did you mean WatchList?",
        "kube-apiserver --node-cidr-mask-size=25 | it is a flag of kube-controller-manager",
        "1234 ? Ssl 9:99 kube-apiserver --v=1 --max-requests-inf | --max-requests-inflight was meant",
        "kube-apiserver -max-requests-inflight=5 | write --max-requests-inflight",
      })
  void theNextActionIsSaid(String text, String next) throws Exception {
    JsonNode answer = compared(text);
    assertThat(answer.get("startsNot").asBoolean()).isTrue();
    assertThat(answer.at("/differences/0/why").asText()).contains(next);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "services.kubernetes.apiserver.extraOpts = \"--max-requests-inflight=5 --event-ttl=2h\"; | event-ttl | 2h",
        "C:\\k\\kube-apiserver.exe --event-ttl=2h | event-ttl | 2h",
        "     CGroup: /system.slice~             └─1234 /usr/bin/kube-apiserver --event-ttl=2h~~Nov 28 10:00:00 n kube-apiserver[1]: say --world | event-ttl | 2h",
        "kube-apiserver-arg: [event-ttl=2h]~kube-apiserver-extra-env: [GOGC=55] | env.GOGC | 55",
        "kube-apiserver-arg: [event-ttl=2h]~kube-apiserver-extra-env: GOGC=55 | env.GOGC | 55",
        "KubernetesConfig: {ExtraOptions: [{Component: apiserver, Key: event-ttl, Value: 2h}, {Component: kubelet, Key: max-pods, Value: '9'}]} | event-ttl | 2h",
      })
  void moreFormsAreRead(String text, String name, String value) throws Exception {
    JsonNode answer = compared(text.replace('~', '\n'));
    assertThat(answer.get("component").asText()).isEqualTo("kube-apiserver");
    assertThat(answer.get("startsNot").asBoolean()).isFalse();
    assertThat(difference(answer, name).get("running").asText()).isEqualTo(value);
  }

  /** As kubeadm's package writes them, and 'systemctl cat kubelet' shows them. */
  @Test
  void variablesOfUnitsHaveFlags() throws Exception {
    String unit =
        """
        # /usr/lib/systemd/system/kubelet.service
        [Service]
        ExecStart=/usr/bin/kubelet
        Restart=always

        # /usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf
        # Note: This dropin only works with kubeadm and kubelet v1.11+
        [Service]
        Environment="KUBELET_KUBECONFIG_ARGS=--kubeconfig=/etc/kubernetes/kubelet.conf --v=2" GOGC=70
        Environment="KUBELET_CONFIG_ARGS=--node-ip=::1"
        EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
        ExecStart=
        ExecStart=/usr/bin/kubelet $KUBELET_KUBECONFIG_ARGS ${KUBELET_CONFIG_ARGS} $KUBELET_EXTRA_ARGS
        """;
    JsonNode answer = compared(unit);
    assertThat(answer.get("component").asText()).isEqualTo("kubelet");
    assertThat(answer.get("where").asText()).isEqualTo("line 13 without $KUBELET_EXTRA_ARGS");
    assertThat(answer.get("environmentKnown").asBoolean()).isTrue();
    assertThat(answer.get("startsNot").asBoolean()).isFalse();
    assertThat(
            difference(compared(unit.replace("--node-ip", "--no-such")), "no-such")
                .get("type")
                .asText())
        .isEqualTo("unknown");
    assertThat(
            difference(compared(unit + "KUBELET_EXTRA_ARGS=--max-pods=250\n"), "max-pods")
                .get("running")
                .asText())
        .isEqualTo("250");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FLAGS='--max-requests-inflight=800'~FLAGS=\"$FLAGS --event-ttl=2h\"~exec kube-apiserver $FLAGS --v=2",
        "export A=--event-ttl=2h # why~kube-apiserver ${A} \\~  --v=2 $B",
        "[Service]~Environment=O=--event-ttl=2h X=1~ExecStart=/bin/kube-apiserver $O",
        "KUBE_API_ARGS=\"--event-ttl=2h --etcd-servers=$ETCD\"",
        "OPTS=\"--event-ttl=2h\"",
      })
  void variablesOfScriptsHaveFlags(String script) throws Exception {
    JsonNode answer = compared(script.replace('~', '\n'));
    assertThat(answer.get("component").asText()).isEqualTo("kube-apiserver");
    assertThat(difference(answer, "event-ttl").get("running").asText()).isEqualTo("2h");
  }

  /** The kubelet says of flags that they belong into this file. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{apiVersion: kubelet.config.k8s.io/v1beta1, kind: KubeletConfiguration, maxPods: 250}",
        "{\"kubeletconfig\": {\"maxPods\": 250}}",
      })
  void theFileOfAKubeletIsNotDeprecated(String file) throws Exception {
    JsonNode answer = compared(file);
    assertThat(answer.get("component").asText()).isEqualTo("kubelet");
    for (JsonNode difference : answer.get("differences")) {
      assertThat(difference.get("type").asText()).isNotEqualTo("deprecated");
    }
    assertThat(difference(compared("kubelet --max-pods=250"), "max-pods").get("type").asText())
        .isEqualTo("deprecated");
  }

  @Test
  void encodingsAndLineEnds() throws Exception {
    JsonNode expected = compared(POD);
    List<byte[]> forms = new ArrayList<>();
    forms.add(POD.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
    forms.add(("\uFEFF" + POD).getBytes(StandardCharsets.UTF_8));
    for (Charset charset : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
      forms.add(POD.getBytes(charset));
      forms.add(("\uFEFF" + POD).getBytes(charset));
    }
    for (byte[] form : forms) {
      assertThat(compared(form)).isEqualTo(expected);
      assertThat(err.toString()).isEmpty();
    }
  }

  @Test
  void whatIsDamagedIsSaid() throws Exception {
    byte[] packed = gzip(POD);
    assertThat(run(Arrays.copyOf(packed, packed.length / 2))).isEqualTo(2);
    assertThat(err.toString())
        .contains("is compressed and breaks off before its end; copy the whole");
    packed[packed.length - 5] ^= 1;
    assertThat(run(packed)).isEqualTo(2);
    assertThat(err.toString()).contains("is compressed and damaged");
    assertThat(run(POD.replace("    - --event", "\t- --event"))).isEqualTo(1);
    assertThat(err.toString())
        .contains("warning: diff: ")
        .contains("is not valid YAML: ")
        .contains("at line: 16");
    assertThat(
            run("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("'kind: KubeSchedulerConfiguration' contains no flag");
  }

  @Test
  void longValuesAreCutForPeople() throws Exception {
    run(
        "kube-apiserver --event-ttl=2h --tls-cipher-suites="
            + "A,".repeat(5000)
            + " --no-flag="
            + "x".repeat(5000));
    assertThat(out.toString().lines()).allMatch(line -> line.length() < 1000);
  }

  private static JsonNode difference(JsonNode answer, String name) {
    for (JsonNode difference : answer.get("differences")) {
      if (difference.get("name").asText().equals(name)) {
        return difference;
      }
    }
    throw new AssertionError(name + " is not in " + answer);
  }

  private static byte[] gzip(String text) throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }

  private JsonNode compared(String text, String... options) throws Exception {
    return compared(text.getBytes(StandardCharsets.UTF_8), options);
  }

  private JsonNode compared(byte[] file, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of("-o=json"));
    all.addAll(List.of(options));
    assertThat(run(file, all.toArray(String[]::new))).as(err.toString()).isLessThan(2);
    return new JsonMapper().readTree(out.toString());
  }

  private int run(String text, String... options) throws Exception {
    return run(text.getBytes(StandardCharsets.UTF_8), options);
  }

  private int run(byte[] file, String... options) throws Exception {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    Path path = Files.write(folder.resolve("file"), file);
    List<String> arguments = new ArrayList<>(List.of("tune", "--nodes=5000", "--diff=" + path));
    arguments.addAll(List.of(options));
    return Exactl.run(
        new PrintWriter(out, true), new PrintWriter(err, true), arguments.toArray(String[]::new));
  }
}
