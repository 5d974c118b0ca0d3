// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** CoreDNS and kube-proxy as add-ons, on a real kubelet whose host runs no kube-proxy. */
@Order(31)
@Tag("api")
class BuiltInAddonsE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** The operator notes who has an address when a node gets its serving certificate. */
  private static final String ADDRESS_HOLDER = "configmap/fd00-";

  /** Of a range for documentation: the test asks for no name of another domain. */
  private static final String ADDONS =
      """
      {"spec":{"addons":[
       {"name":"proxy","builtIn":"KubeProxy"},
       {"name":"dns","builtIn":"CoreDNS","dependsOn":["proxy"],
        "settings":{"replicas":1,"upstreams":["2001:db8::53"],"resources":{"requests":{"cpu":"20m","memory":"32Mi"}}}}]}}
      """;

  private static final String NO_ADDONS = "{\"spec\":{\"addons\":null}}";

  /** What built-in add-ons are made of. */
  private static final String KINDS =
      "serviceaccounts,configmaps,services,deployments,daemonsets,poddisruptionbudgets,"
          + "clusterroles,clusterrolebindings";

  @BeforeAll
  static void aHostWithoutKubeProxy() {
    Demo.up();
    Demo.deleteDeployments(List.of("hello"));
    withoutHost();
    Bed.exa("host", "add", Demo.HOST, Demo.NAME + "." + Demo.NAMESPACE, "--without-kube-proxy");
  }

  /** Whoever needs the host next gets one as others have it. */
  @AfterAll
  static void asBefore() {
    Demo.patch(NO_ADDONS);
    withoutHost();
  }

  private static void withoutHost() {
    if (Bed.exa("host", "list").contains(Demo.HOST + " ")) {
      Bed.exa("host", "remove", Demo.HOST);
    }
    Demo.hosted("delete", "node", Demo.HOST, "--ignore-not-found");
  }

  @Test
  void aPodResolvesAServiceAndReachesItUntilTheAddonsAreRemoved() {
    TreeSet<String> before = objects();
    Demo.patch(ADDONS);
    Bed.await(
        "both add-ons are healthy",
        PATIENCE,
        () -> Bed.is(Demo.get(), ConditionType.AddonsReady, Condition.TRUE),
        BuiltInAddonsE2E::addons);
    assertThat(added(before))
        .contains("daemonset.apps/exaplane-kube-proxy", "deployment.apps/exaplane-coredns")
        .contains("service/kube-dns");
    greeter();
    Bed.await(
        "a pod reaches the Service by its name",
        PATIENCE,
        () -> asked().contains("hello from greeter"),
        BuiltInAddonsE2E::asked);
    String dns =
        Demo.hosted(
            "get",
            "service",
            "kube-dns",
            "--namespace=kube-system",
            "--output=jsonpath={.spec.clusterIP}");
    Bed.awaitHolds(
        PATIENCE,
        () ->
            assertThat(inAsker("cat", "/etc/resolv.conf").output()).contains("nameserver " + dns));
    Demo.deleteDeployments(List.of("greeter", "asker"));
    Demo.hosted("delete", "service", "greeter");
    Demo.patch(NO_ADDONS);
    Bed.await(
        "the status names no add-on",
        PATIENCE,
        () -> {
          List<AddonStatus> told = Demo.get().getStatus().addons();
          return told == null || told.isEmpty();
        },
        BuiltInAddonsE2E::addons);
    Bed.await(
        "exactly the objects of the add-ons are gone",
        PATIENCE,
        () -> objects().equals(before),
        () -> "before: " + before + "\nnow: " + objects());
  }

  private static String addons() {
    return Bed.kubectl("get", "cpl", Demo.NAME, "--output=jsonpath={.status.addons}")
        + "\n"
        + Demo.run("get", "pods", "--all-namespaces", "--output=wide").output()
        + Demo.run("get", "events", "--namespace=kube-system").output();
  }

  private static TreeSet<String> objects() {
    return new TreeSet<>(
        Demo.hosted("get", KINDS, "--all-namespaces", "--output=name")
            .lines()
            .filter(name -> !name.contains("greeter"))
            .filter(name -> !name.startsWith(ADDRESS_HOLDER))
            .toList());
  }

  private static Stream<String> added(TreeSet<String> before) {
    return objects().stream().filter(name -> !before.contains(name));
  }

  /** A web server, and a pod that asks: kubectl resolves names by itself. */
  private static void greeter() {
    deployment("greeter", "echo hello from greeter >/greeting; httpd -f -p [::]:8080 -h /");
    deployment("asker", "sleep 1000000");
    for (String name : List.of("greeter", "asker")) {
      Demo.hosted("wait", "--for=condition=Available", "deployment/" + name, "--timeout=300s");
    }
    Demo.hosted("expose", "deployment", "greeter", "--port=80", "--target-port=8080");
  }

  private static void deployment(String name, String script) {
    Demo.hosted(
        "create",
        "deployment",
        name,
        "--image=exaplane/kubectl:" + Bed.VERSION,
        "--",
        "sh",
        "-c",
        script);
  }

  private static String asked() {
    return inAsker(
            "kubectl",
            "--server=http://greeter.default.svc.cluster.local",
            "--request-timeout=30s",
            "get",
            "--raw=/greeting")
        .output();
  }

  private static Bed.Run inAsker(String... command) {
    return Demo.run(
        Stream.concat(Stream.of("exec", "deployment/asker", "--"), Stream.of(command))
            .toArray(String[]::new));
  }
}
