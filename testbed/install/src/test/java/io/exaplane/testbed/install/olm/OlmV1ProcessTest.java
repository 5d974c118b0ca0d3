// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install.olm;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.install.OlderApi;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * OLM v1 installs the operator from the images of catalog and bundle, as docs/install.md says,
 * upgrades it from the version before, uninstalls it and installs it again, while a control plane
 * is there. The version before is that of {@link OlmUpgradeProcessTest}. The test stands in for a
 * kubelet, as in {@link OlmInstallProcessTest}.
 */
@Tag("olm-v1-long")
class OlmV1ProcessTest {
  /** What a catalog's Dockerfile says. */
  private static final Map<String, String> LABELS =
      Map.of("operators.operatorframework.io.index.configs.v1", "/configs");

  @TempDir private Path folder;

  @Test
  void aControlPlaneOutlivesAnUpgradeAndAnUninstall() throws Exception {
    Release next = Release.committed();
    Release before = next.older(Files.createDirectory(folder.resolve("before")));
    TlsPair pair = TlsPair.make(Files.createDirectory(folder.resolve("pair")));
    Path own = Files.createDirectory(folder.resolve("v1"));
    try (OlmBed bed = OlmBed.withoutOlm(folder);
        ImageServer images = new ImageServer(pair, folder);
        OlmV1 manager = OlmV1.start(bed.cluster(), images, pair, own)) {
      for (Release release : List.of(before, next)) {
        images.add(inRegistry(release.image()), release.bundle(), "", Map.of());
      }
      addCatalog(images, "one", before);
      addCatalog(images, "both", before, next);
      Map<String, String> objects = installs(bed, manager, before);
      upgrades(bed, manager, before, next);
      assertThat(bed.objects()).as("an upgrade restarts nothing").isEqualTo(objects);
      uninstalls(bed, manager);
      assertThat(bed.objects()).as("after the uninstall").isEqualTo(objects);
      manager.disown();
      manager.extend("both");
      awaitInstalled(bed, manager, next);
      bed.awaitLeader();
      assertThat(bed.objects()).as("after it was installed again").isEqualTo(objects);
      bed.deleteControlPlane();
    }
  }

  /** The version before, and a control plane of it. */
  private static Map<String, String> installs(OlmBed bed, OlmV1 manager, Release before)
      throws Exception {
    manager.prepare();
    manager.extend("one");
    awaitInstalled(bed, manager, before);
    assertThat(Grants.rules(bed.cluster().client()))
        .as("rights")
        .isEqualTo(Grants.rules(before.manifest()));
    assertThat(bed.cluster().kubectl(OlderApi.QUESTION)).isEmpty();
    bed.awaitLeader();
    bed.createControlPlane();
    bed.awaitControlPlane();
    Map<String, String> objects = bed.objects();
    assertThat(objects).hasSizeGreaterThan(4);
    return objects;
  }

  /** OLM v1 refuses the field that the new version requires, until it is told to go on. */
  private static void upgrades(OlmBed bed, OlmV1 manager, Release before, Release next)
      throws Exception {
    final List<String> pods = bed.pods();
    manager.upgrade("both");
    bed.until(
        "OLM v1 names the API type",
        () -> manager.progress().contains(OlderApi.KIND),
        manager::lastWords);
    assertThat(manager.installed()).as("after a refusal").isEqualTo(before.csv());
    manager.allowChanges();
    awaitInstalled(bed, manager, next);
    assertThat(bed.cluster().kubectl(OlderApi.QUESTION)).isEqualTo(OlderApi.TYPE);
    bed.awaitUpgraded(pods);
  }

  /**
   * OLM v1 lets the garbage collector delete all that it installed, API types too. The operator's
   * policy, which outlives the operator, refuses that.
   */
  private static void uninstalls(OlmBed bed, OlmV1 manager) throws Exception {
    List<String> types = types(bed);
    assertThat(types).hasSize(5);
    manager.remove();
    bed.until(
        "the operator is gone, with its rights",
        () -> bed.pods().isEmpty() && Grants.rules(bed.cluster().client()).isEmpty(),
        bed::pods);
    for (String type : types) {
      bed.until(
          "the garbage collector is refused " + type,
          () ->
              bed.cluster().refusals().contains("CustomResourceDefinition " + type)
                  || !types(bed).equals(types),
          bed.cluster()::refusals);
    }
    assertThat(types(bed)).as("API types after the uninstall").isEqualTo(types);
    assertThat(bed.controlPlane().getMetadata().getDeletionTimestamp()).isNull();
  }

  /** Exaplane's API types that are there; those that are about to go say so. */
  private static List<String> types(OlmBed bed) {
    return bed
        .cluster()
        .client()
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .list()
        .getItems()
        .stream()
        .map(CustomResourceDefinition::getMetadata)
        .filter(type -> type.getName().endsWith(".exaplane.io"))
        .map(type -> type.getName() + (type.getDeletionTimestamp() == null ? "" : " (deleted)"))
        .sorted()
        .toList();
  }

  private static void awaitInstalled(OlmBed bed, OlmV1 manager, Release release) throws Exception {
    bed.until(
        release.csv() + " is installed",
        () -> release.csv().equals(manager.installed()),
        manager::lastWords);
  }

  private void addCatalog(ImageServer images, String tag, Release... releases) throws Exception {
    Path own = Files.createDirectory(folder.resolve("catalog-" + tag));
    images.add(
        "exaplane/catalog:" + tag, Release.catalog(List.of(releases), own), "configs", LABELS);
  }

  /** The image's name without the registry. */
  private static String inRegistry(String image) {
    return image.substring(image.indexOf('/') + 1);
  }
}
