// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubeconfigCheckTest {
  private static String kubeconfig(String cluster, String user) {
    return """
    apiVersion: v1
    kind: Config
    clusters: [{name: c, cluster: {server: "https://[fd00::1]:1", %s}}]
    users: [{name: u, user: {%s}}]
    contexts: [{name: c, context: {cluster: c, user: u}}]
    current-context: c
    """
        .formatted(cluster, user);
  }

  @Test
  void oneThatHoldsAllThatItNeedsIsTaken() {
    assertThat(KubeconfigCheck.problem(kubeconfig("certificate-authority-data: eA==", "token: t")))
        .isEmpty();
    assertThat(
            KubeconfigCheck.problem(
                kubeconfig("", "client-certificate-data: eA==, client-key-data: eA==")))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          certificate-authority: /etc/ca.crt |                                        | certificate-authority names a file
                                             | client-certificate: /etc/a             | client-certificate names a file
                                             | client-key: /etc/a                     | client-key names a file
                                             | tokenFile: /var/run/token              | tokenFile names a file
                                             | "exec: {apiVersion: client.authentication.k8s.io/v1, command: sh}" | exec and auth-provider start programs
                                             | "auth-provider: {name: gcp}"           | exec and auth-provider start programs
          """)
  void oneThatWouldMakeTheOperatorReadFilesOrRunProgramsIsNot(
      String cluster, String user, String problem) {
    String text =
        kubeconfig(cluster == null ? "" : cluster, user == null ? "" : user.replace("\"", ""));
    assertThat(KubeconfigCheck.problem(text)).get().asString().contains(problem);
  }

  @Test
  void whatIsNoneIsNamed() {
    assertThat(KubeconfigCheck.problem("{")).get().asString().contains("not valid YAML");
    assertThat(KubeconfigCheck.problem("kind: Config")).get().asString().contains("no cluster");
    String fine = kubeconfig("", "token: t");
    for (String bad :
        new String[] {
          fine.replace("current-context: c", ""),
          fine.replace("current-context: c", "current-context: d"),
          fine.replace("server:", "proxy-url:"),
          fine.replace("clusters: [", "clusters: [null, ").replace("cluster: c,", "cluster: d,")
        }) {
      assertThat(KubeconfigCheck.problem(bad)).get().asString().contains("current-context");
    }
  }

  /** The operator would ask there for whoever wrote it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://[::1]:6443",
        "https://127.0.0.1:6443",
        "https://127.8.0.1",
        "https://localhost:6443",
        "https://LOCALHOST",
        "https://a.localhost",
        "https://169.254.169.254/latest",
        "https://[fe80::1]:6443",
        "https://0.0.0.0:6443",
        "https://[::]:6443",
        "https://[::ffff:127.0.0.1]:6443",
        "http://192.0.2.1:8080",
        "https://[fd00:ec2::254]",
        "https://168.63.129.16",
        "https://100.100.100.200",
        "https://metadata.google.internal",
        "https://localhost.:6443",
        "https://2130706433",
        "https://0x7f.1",
        "https://127.1",
        "https://[64:ff9b::7f00:1]",
        "https://u@127.0.0.1:1",
        "file:///etc/passwd",
        "192.0.2.1:6443",
        "https://",
        "ht tp"
      })
  void aServerThatOnlyTheOperatorReachesIsNotAsked(String server) {
    String text = kubeconfig("", "token: t").replace("https://[fd00::1]:1", server);
    assertThat(KubeconfigCheck.problem(text))
        .get()
        .asString()
        .containsPattern("^server .*; (write|correct|name) ");
  }

  @Test
  void aProxyIsNotFollowed() {
    assertThat(KubeconfigCheck.problem(kubeconfig("proxy-url: 'http://192.0.2.1'", "token: t")))
        .get()
        .asString()
        .contains("proxy-url");
  }
}
