// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The base of kustomize, which is install.yaml itself, and overlays that show what people change
 * first.
 */
final class Kustomizations {
  /** What an overlay puts in the place of {@code quay.io/exaplane}. */
  static final String REGISTRY = "registry.example.org/exaplane";

  private static final String HEAD =
      """
      # Generated: './exa generate' writes this file. %s
      apiVersion: kustomize.config.k8s.io/v1beta1
      kind: Kustomization
      resources:
      - %s
      """;

  private Kustomizations() {}

  /**
   * The files by their paths.
   *
   * @param images by what they are
   */
  static Map<String, String> files(Map<String, String> images) throws IOException {
    Map<String, String> files = new TreeMap<>();
    files.put(
        "config/install/kustomization.yaml",
        HEAD.formatted("The base: everything that install.yaml has.", "install.yaml"));
    files.put("config/overlays/single-replica/kustomization.yaml", singleReplica());
    files.put("config/overlays/without-crds/kustomization.yaml", withoutCrds());
    files.put("config/overlays/console/kustomization.yaml", console());
    files.put(
        "config/overlays/console/service.yaml",
        "# Generated: './exa generate' writes this file.\n"
            + ConsoleObjects.service(OperatorObjects.NAMESPACE));
    files.put("config/overlays/own-registry/kustomization.yaml", ownRegistry(images));
    return files;
  }

  private static String overlay(String comment) {
    return HEAD.formatted(comment, "../../install");
  }

  private static String singleReplica() {
    return overlay("One operator without a standby, for a small machine.")
        + """
        replicas:
        - name: exaplane-operator
          count: 1
        """;
  }

  private static String console() {
    return overlay("With the console, which is off otherwise.")
        + """
        - service.yaml
        patches:
        - target:
            kind: Deployment
            name: exaplane-operator
          patch: |-
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: exaplane-operator
            spec:
              template:
                spec:
                  containers:
                  - name: exaplane-operator
                    env:
                    - name: EXAPLANE_CONSOLE_ENABLED
                      value: "true"
        """;
  }

  private static String withoutCrds() {
    return overlay("For whom installs the API types in another way.")
        + """
        patches:
        - target:
            kind: CustomResourceDefinition
          patch: |-
            $patch: delete
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata:
              name: all
        """;
  }

  /** The operator's own image is also in a variable: the first container of components runs it. */
  private static String ownRegistry(Map<String, String> images) {
    StringBuilder text =
        new StringBuilder(overlay("Images from your registry. Replace the three names."));
    String operator = moved(images.get("operator"));
    text.append(
        """
        patches:
        - target:
            kind: Deployment
            name: exaplane-operator
          patch: |-
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: exaplane-operator
            spec:
              template:
                spec:
                  containers:
                  - name: exaplane-operator
                    image: %s
                    imagePullPolicy: %s
                    env:
        """
            .formatted(operator, PodTemplate.pullPolicy(operator)));
    images.forEach(
        (name, image) ->
            text.append(
                """
                            - name: EXAPLANE_%s_IMAGE
                              value: %s
                """
                    .formatted(name.toUpperCase(Locale.ROOT), moved(image))));
    return text.toString();
  }

  /** The image with that registry, under its own name and tag. */
  static String moved(String image) {
    return REGISTRY + image.substring(image.lastIndexOf('/'));
  }
}
