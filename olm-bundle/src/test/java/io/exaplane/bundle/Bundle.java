// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The files of the OLM bundle. */
final class Bundle {
  static final String FOLDER = "olm-bundle/bundle";
  static final String CSV = FOLDER + "/manifests/exaplane.clusterserviceversion.yaml";
  static final String BUDGET = FOLDER + "/manifests/exaplane-operator.pdb.yaml";
  private static final Path BUILT = Deliverables.BUILD.resolve("bundle/exaplane");

  private Bundle() {}

  static Map<String, String> files(JsonNode csv, List<Crd> crds) throws IOException {
    Upgrades upgrades = Upgrades.of(Csv.version(csv), Catalog.released());
    Map<String, String> files = new TreeMap<>();
    files.put(CSV, Deliverables.YAML.writeValueAsString(csv));
    files.put(BUDGET, Deliverables.YAML.writeValueAsString(OperatorObjects.budget()));
    files.put(FOLDER + "/metadata/annotations.yaml", labels("metadata/annotations.yaml", upgrades));
    files.put(FOLDER + "/bundle.Dockerfile", labels("bundle.Dockerfile", upgrades));
    for (Crd crd : crds) {
      files.put(FOLDER + "/manifests/" + crd.file(), crd.text());
    }
    return files;
  }

  /** What the build writes, with the channels of this version. */
  private static String labels(String file, Upgrades upgrades) throws IOException {
    return Files.readString(BUILT.resolve(file))
        .replaceAll("(bundle\\.channels\\.v1(?:=|: )).*", "$1" + channels(upgrades))
        .replaceAll(
            "(bundle\\.channel\\.default\\.v1(?:=|: )).*", "$1" + upgrades.defaultChannel());
  }

  private static String channels(Upgrades upgrades) {
    return String.join(",", upgrades.channels());
  }
}
