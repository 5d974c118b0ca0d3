// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A small file system in the place of a store's volume, which can be filled. */
final class SmallDisk implements AutoCloseable {
  private static final String SIZE = "192m";

  private final Path folder;

  private SmallDisk(Path folder) {
    this.folder = folder;
  }

  /**
   * Moves a store's data there. The store's process is stopped meanwhile, so that it writes nothing
   * to the volume of before; the pod that follows finds the other one.
   */
  static SmallDisk under(String store, String namespace) {
    Pod pod = StoreProcess.pod(store, namespace);
    String claim =
        pod.getSpec().getVolumes().stream()
            .filter(volume -> volume.getPersistentVolumeClaim() != null)
            .findFirst()
            .orElseThrow()
            .getPersistentVolumeClaim()
            .getClaimName();
    String volume =
        Bed.CLIENT
            .persistentVolumeClaims()
            .inNamespace(namespace)
            .withName(claim)
            .get()
            .getSpec()
            .getVolumeName();
    Path folder =
        Path.of(
            Bed.CLIENT.persistentVolumes().withName(volume).get().getSpec().getLocal().getPath());
    StoreProcess.signal(store, namespace, "STOP");
    Path copy = folder.resolveSibling(folder.getFileName() + ".copy");
    run("cp", "--archive", folder.toString(), copy.toString());
    run("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "tmpfs", folder.toString());
    run("cp", "--archive", copy + "/.", folder.toString());
    run("rm", "--recursive", copy.toString());
    Bed.CLIENT
        .pods()
        .inNamespace(namespace)
        .withName(pod.getMetadata().getName())
        .withGracePeriod(0)
        .delete();
    Bed.await(
        "another pod of " + store,
        Duration.ofMinutes(5),
        () -> {
          Pod now = StoreProcess.pod(store, namespace);
          return now != null && !now.getMetadata().getUid().equals(pod.getMetadata().getUid());
        });
    return new SmallDisk(folder);
  }

  void fill() {
    // Ends with an error, for the want of room.
    Bed.run(List.of("dd", "if=/dev/zero", "of=" + filler(), "bs=1M", "status=none"));
  }

  void free() {
    try {
      Files.deleteIfExists(filler());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Path filler() {
    return folder.resolve("filler");
  }

  private static void run(String... command) {
    Bed.Run run = Bed.run(List.of(command));
    if (run.exit() != 0) {
      throw new AssertionError(List.of(command) + ": " + run.output());
    }
  }

  /** Who uses it goes on; nobody finds it any more. */
  @Override
  public void close() {
    run("umount", "--lazy", folder.toString());
  }
}
