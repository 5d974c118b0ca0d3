// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.tuning.Shapes;
import io.exaplane.tuning.version.MinorVersion;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tools that have flags under names of their own, in patches, or in more than one place. */
class FieldsOfToolsTest {
  /** Documents have single quotes, as people would not write them; all name a kube-apiserver. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'apiVersion': 'kops.k8s.io/v1alpha2', 'kind': 'Cluster', 'spec': {'kubeAPIServer':"
            + " {'image': 'x', 'eventTTL': '3h', 'maxRequestsInflight': 8, 'enableProfiling':"
            + " false, 'runtimeConfig': {'a/v1': 'true'}, 'featureGates': {'WatchList': 'false'}}}}"
            + " | event-ttl=3h, max-requests-inflight=8, profiling=false, runtime-config=a/v1=true,"
            + " feature-gates.WatchList=false",
        "{'apiVersion': 'core.gardener.cloud/v1beta1', 'kind': 'Shoot', 'spec': {'kubernetes':"
            + " {'kubeAPIServer': {'requests': {'maxNonMutatingInflight': 9, 'maxMutatingInflight':"
            + " 4}, 'enableAnonymousAuthentication': false}}}} | max-requests-inflight=9,"
            + " max-mutating-requests-inflight=4, anonymous-auth=false",
        "{'kind': 'ClusterClass', 'spec': {'patches': [{'definitions': [{'jsonPatches': [{'op':"
            + " 'add', 'path':"
            + " '/spec/template/spec/kubeadmConfigSpec/clusterConfiguration/apiServer/extraArgs/v',"
            + " 'value': '4'}, {'op': 'add', 'path': '/x/apiServer/extraArgs/-', 'value': {'name':"
            + " 'event-ttl', 'value': '2h'}}]}]}]}} | v=4, event-ttl=2h",
        "[{'op': 'add', 'path': '/cluster/apiServer/extraArgs', 'value': {'v': '4'}}, {'op':"
            + " 'remove', 'path': '/cluster/apiServer/extraArgs/x'}] | v=4",
        "{'kube_kubeadm_apiserver_extra_args': {'v': 4}, 'kube_kubeadm_controller_extra_args': {},"
            + " 'kube_apiserver_request_timeout': '1m', 'kube_apiserver_port': 6443} | v=4,"
            + " request-timeout=1m",
        "{'kind': 'TenantControlPlane', 'spec': {'extraArgs': {'apiServer': ['--v=4'], 'kine':"
            + " ['--x=1']}}} | v=4",
        "{'spec': {'apiserverArgs': ['v=4']}} | v=4",
        "{'spec': {'apiServerExtraArgs': {'v': '4'}}} | v=4",
        "{'controlPlaneComponents': {'apiServer': {'flags': {'v': '4'}}}} | v=4",
        "{'kind': 'Flagz', 'metadata': {'name': 'kube-apiserver'}, 'flags': {'v': '4'}} | v=4",
      })
  void fieldsAreFlags(String document, String flags) throws Exception {
    RunningFile file = file(document.replace('\'', '"'));
    assertThat(file.component().label()).isEqualTo("kube-apiserver");
    assertThat(file.others()).isEmpty();
    assertThat(file.running().flags().entrySet().stream().map(Object::toString).toList())
        .containsExactlyInAnyOrder(flags.split(", "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"apiServer\": {\"port\": 6443, \"v\": 4}}",
        "{\"apiVersion\": \"kops.k8s.io/v1alpha2\", \"kind\": \"Cluster\", \"spec\":"
            + " {\"kubeAPIServer\": {\"image\": \"x\"}}}",
        "[{\"op\": \"remove\", \"path\": \"/cluster/apiServer/extraArgs/v\"}]"
      })
  void otherFieldsAreNone(String document) {
    org.assertj.core.api.Assertions.assertThatThrownBy(() -> file(document))
        .hasMessageContaining("contains no flag");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "# /etc/systemd/system/a.service~ExecStart=/x/kube-apiserver --v=1 \\~ --event-ttl=3h~#"
            + " /etc/systemd/system/a.service.d/1.conf~ExecStart=~ExecStart=/x/kube-apiserver --v=4"
            + " | v=4 | ",
        "# /lib/systemd/system/kubelet.service~ExecStart=/x/kubelet --v=1~#"
            + " /lib/systemd/system/a.service~ExecStart=/x/kube-apiserver --v=1~#"
            + " /etc/systemd/system/a.service.d/1.conf~ExecStart=~ExecStart=/x/kube-apiserver --v=4"
            + " | v=4 | kubelet (line 2)",
        "root 12 1 0 kube-apiserver --v=4~root 13 1 0 grep --color=auto kube-apiserver | v=4 | ",
        "root 12 1 0 kube-apiserver --v=4~root 13 1 0 /usr/bin/kine --endpoint=x | v=4 | ",
        "kube-apiserver flagz~Warning: no format~~v=4~event-ttl=2h0m0s | v=4, event-ttl=2h0m0s | ",
        "kubelet flagz~Warning: no format~~v: 4 | v=4 | ",
      })
  void textHasNoMoreThanTheProgram(String text, String flags, String others) throws Exception {
    RunningFile file = file(text.replace('~', '\n'));
    assertThat(file.running().flags().entrySet().stream().map(Object::toString).toList())
        .containsExactlyInAnyOrder(flags.split(", "));
    assertThat(String.join(", ", file.others())).isEqualTo(others == null ? "" : others);
  }

  private static RunningFile file(String text) throws Exception {
    return RunningFile.of(
        text, FieldsOfToolsTest::parsed, null, Shapes.MATRIX, MinorVersion.of(36));
  }

  private static List<Object> parsed(String text) {
    try {
      return List.of(new JsonMapper().readValue(text, Object.class));
    } catch (JsonProcessingException e) {
      return List.of();
    }
  }
}
