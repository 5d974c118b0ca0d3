// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.SelectorCompiler;
import io.exaplane.scheduler.kube.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterFeedTest {
  private final Inbox inbox = new Inbox();
  private final Cluster cluster = new Cluster(SelectorCompiler.NONE);
  private final List<String> unreadable = new ArrayList<>();
  private final List<String> gone = new ArrayList<>();
  private final ClusterFeed feed =
      new ClusterFeed(
          inbox,
          cluster,
          new ObjectReader(cluster, Version.newest()),
          pod -> unreadable.add(pod.pod().child("metadata").string("name") + ": " + pod.why()),
          gone::add);

  @Test
  void whatAListDoesNotHaveIsGone() throws Exception {
    put("Node", object("n1", "", Map.of()));
    put("Node", object("n2", "", Map.of()));
    put("Pod", object("p1", "ns", Map.of("nodeName", "n1")));
    put("Pod", object("p2", "ns", Map.of("nodeName", "n1")));
    put("Pod", object("p3", "ns", Map.of()));
    put("PersistentVolumeClaim", object("c1", "ns", Map.of()));
    put("StorageClass", object("s1", "", Map.of()));
    retain("Node", Set.of("/n2"));
    retain("Pod", Set.of("ns/p2"));
    retain("PersistentVolumeClaim", Set.of());
    retain("StorageClass", Set.of());
    assertThat(cluster.nodeId("n1")).isNegative();
    assertThat(cluster.nodeId("n2")).isNotNegative();
    assertThat(cluster.pod("ns/p1")).isNull();
    assertThat(cluster.pod("ns/p2")).isNotNull();
    assertThat(gone).as("of those that waited").containsExactly("uid of p3");
    assertThat(cluster.volumes().claim("ns", "c1")).isNull();
    assertThat(cluster.volumes().storageClass("s1")).isNull();
  }

  @Test
  void aPodThatIsMadeAnewUnderItsNameIsAnother() throws Exception {
    put("Pod", object("p", "ns", Map.of()));
    Map<String, Object> anew = object("p", "ns", Map.of());
    anew.put("metadata", Map.of("name", "p", "namespace", "ns", "uid", "another"));
    put("Pod", anew);
    assertThat(gone).containsExactly("uid of p");
    assertThat(cluster.pod("ns/p").pod().uid()).isEqualTo("another");
  }

  @Test
  void aPodThatCannotBeReadWaits() throws Exception {
    put("Pod", object("p", "ns", Map.of("containers", List.of(asking("no number")))));
    assertThat(cluster.pod("ns/p")).isNull();
    assertThat(unreadable).hasSize(1).first().asString().contains("no number");
  }

  @Test
  void aPodOnANodeThatCannotBeReadWholeTakesWhatItAsksFor() throws Exception {
    put("Node", object("n1", "", Map.of()));
    Map<String, Object> spec =
        Map.of(
            "nodeName",
            "n1",
            "containers",
            List.of(asking("2")),
            "tolerations",
            List.of(Map.of("key", "k", "operator", "Rhymes")),
            "affinity",
            "unknown");
    put("Pod", object("p", "ns", spec));
    assertThat(unreadable).isEmpty();
    assertThat(cluster.pod("ns/p").spec().requests().placed().milliCpu()).isEqualTo(2000);
  }

  @Test
  void aNodeThatCannotBeReadIsNotUsed() throws Exception {
    put("Node", object("n1", "", Map.of()));
    Map<String, Object> broken = object("n1", "", Map.of());
    broken.put("status", Map.of("allocatable", Map.of("cpu", "much")));
    put("Node", broken);
    assertThat(cluster.nodeId("n1")).isNegative();
  }

  private static Map<String, Object> asking(String cpu) {
    return Map.of("name", "c", "resources", Map.of("requests", Map.of("cpu", cpu)));
  }

  private static Map<String, Object> object(
      String name, String namespace, Map<String, Object> spec) {
    Map<String, Object> meta = new HashMap<>(Map.of("name", name, "uid", "uid of " + name));
    if (!namespace.isEmpty()) {
      meta.put("namespace", namespace);
    }
    return new HashMap<>(Map.of("metadata", meta, "spec", spec));
  }

  private void put(String kind, Map<String, Object> object) throws Exception {
    Resource resource = resource(kind);
    object.put("kind", kind);
    object.put("apiVersion", resource.apiVersion());
    feed.put(resource, object);
    inbox.drain(10, 0);
  }

  private void retain(String kind, Set<String> there) throws Exception {
    Thread reflector =
        Thread.ofVirtual()
            .start(
                () ->
                    feed.retain(
                        resource(kind),
                        (namespace, name) -> there.contains(namespace + "/" + name)));
    while (inbox.drain(10, 10) == 0) {
      assertThat(reflector.isAlive()).isTrue();
    }
    reflector.join();
  }

  private static Resource resource(String kind) {
    return Resource.of(Version.newest()).stream()
        .filter(one -> one.kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }
}
