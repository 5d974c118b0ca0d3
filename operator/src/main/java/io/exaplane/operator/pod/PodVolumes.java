// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pod;

import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;

/** Volumes of pods, and where containers have them. Pure. */
public final class PodVolumes {
  /**
   * An annotation of the pod: the content of its configuration file. Another one is another pod.
   */
  public static final String CONFIGURATION = "exaplane.io/configuration";

  /** The name of the file in the volume of {@link #configuration()}. */
  public static final String CONFIGURATION_FILE = "config.yaml";

  private static final String CONFIGURATION_VOLUME = "configuration";
  private static final int SECRET_MODE = 0440;

  private PodVolumes() {}

  /** The files of a Secret, which the pod's user may read. */
  public static Volume secret(String volume, String secret) {
    return new VolumeBuilder()
        .withName(volume)
        .withNewSecret()
        .withSecretName(secret)
        .withDefaultMode(SECRET_MODE)
        .endSecret()
        .build();
  }

  /** The configuration goes with the pod: none ever reads the next one's. */
  public static Volume configuration() {
    return new VolumeBuilder()
        .withName(CONFIGURATION_VOLUME)
        .withNewDownwardAPI()
        .addNewItem()
        .withPath(CONFIGURATION_FILE)
        .withNewFieldRef()
        .withApiVersion("v1")
        .withFieldPath("metadata.annotations['" + CONFIGURATION + "']")
        .endFieldRef()
        .endItem()
        .endDownwardAPI()
        .build();
  }

  /**
   * Where a container has its configuration.
   *
   * @param folder its path
   */
  public static VolumeMount configurationMount(String folder) {
    return readOnly(CONFIGURATION_VOLUME, folder);
  }

  /**
   * A volume that a container only reads.
   *
   * @param path a folder, with or without a slash at its end
   */
  public static VolumeMount readOnly(String volume, String path) {
    return new VolumeMountBuilder()
        .withName(volume)
        .withMountPath(path.endsWith("/") ? path.substring(0, path.length() - 1) : path)
        .withReadOnly(true)
        .build();
  }

  /** A volume that a container writes. */
  public static VolumeMount writable(String volume, String path) {
    return new VolumeMountBuilder().withName(volume).withMountPath(path).build();
  }
}
