// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install.olm;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.install.OlderApi;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * OLM upgrades the operator from the version before, uninstalls it and installs it again, while a
 * control plane is there. The version before is the same tree under another version, with an API
 * type that has a field less. The test stands in for a kubelet, as in {@link
 * OlmInstallProcessTest}.
 */
@Tag("olm-long")
class OlmUpgradeProcessTest {
  @TempDir private Path folder;

  @Test
  void aControlPlaneOutlivesAnUpgradeAndAnUninstall() throws Exception {
    Release next = Release.committed();
    Release before = next.older(Files.createDirectory(folder.resolve("before")));
    try (OlmBed bed = OlmBed.start(List.of(before, next), folder)) {
      Map<String, String> objects = installed(bed, before);
      try (CatalogServer catalog = catalog(bed, "both", before, next)) {
        upgrades(bed, next, catalog, objects);
        uninstalls(bed, objects);
        bed.subscribe(catalog);
        bed.awaitInstalled(next);
        bed.awaitLeader();
        assertThat(bed.objects()).as("after it was installed again").isEqualTo(objects);
        bed.deleteControlPlane();
      }
    }
  }

  /** The version before, and a control plane of it. */
  private Map<String, String> installed(OlmBed bed, Release before) throws Exception {
    try (CatalogServer catalog = catalog(bed, "one", before)) {
      bed.subscribe(catalog);
      bed.awaitInstalled(before);
      assertThat(bed.cluster().kubectl(OlderApi.QUESTION)).isEmpty();
      bed.awaitLeader();
      bed.createControlPlane();
      bed.awaitControlPlane();
    }
    Map<String, String> objects = bed.objects();
    assertThat(objects).hasSizeGreaterThan(4);
    return objects;
  }

  private static void upgrades(
      OlmBed bed, Release next, CatalogServer catalog, Map<String, String> objects)
      throws Exception {
    final List<String> pods = bed.pods();
    bed.subscribe(catalog);
    bed.awaitInstalled(next);
    assertThat(bed.cluster().kubectl(OlderApi.QUESTION)).isEqualTo(OlderApi.TYPE);
    bed.awaitUpgraded(pods);
    assertThat(bed.objects()).as("an upgrade restarts nothing").isEqualTo(objects);
  }

  private static void uninstalls(OlmBed bed, Map<String, String> objects) throws Exception {
    bed.unsubscribe();
    bed.until(
        "the operator is gone, with its rights",
        () ->
            bed.pods().isEmpty()
                && bed.phases().isEmpty()
                && Grants.rules(bed.cluster().client()).isEmpty(),
        () -> bed.pods() + " " + bed.phases());
    assertThat(bed.cluster().kubectl("get", "crd", "-o", "name"))
        .contains("controlplanes.exaplane.io", OlderApi.KIND);
    assertThat(bed.controlPlane().getMetadata().getDeletionTimestamp()).isNull();
    assertThat(bed.objects()).as("after the uninstall").isEqualTo(objects);
    assertThat(
            bed.cluster()
                .kubectl("get", "deploy,sa,pdb", "-n", OlmCluster.NAMESPACE, "-o", "name")
                .lines()
                .filter(line -> line.contains("exaplane-operator")))
        .as("left in the operator's namespace")
        .isEmpty();
    bed.cluster().kubectl("delete", "namespace", OlmCluster.NAMESPACE, "--timeout=800s");
  }

  private CatalogServer catalog(OlmBed bed, String name, Release... releases) throws Exception {
    Path own = Files.createDirectory(folder.resolve("catalog-" + name));
    return CatalogServer.start(bed.cluster(), Release.catalog(List.of(releases), own), folder);
  }
}
