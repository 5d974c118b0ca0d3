// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.rotation;

import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What each component's pods carry to be replaced when a key that they read only at their start
 * makes a step. Empty for a component whose keys were never rotated. Immutable.
 *
 * @param encryption name of the file by which kube-apiserver encrypts; empty if it has none
 */
public record RotationEpochs(
    String apiServer, String controllerManager, String scheduler, Optional<String> encryption) {
  public static final RotationEpochs NONE = new RotationEpochs("", "", "");

  private static final String CA = "ca-";
  private static final String SERVICE_ACCOUNT = "sa-";

  private static final String ENCRYPTION = "enc-";

  /** Without encryption. */
  public RotationEpochs(String apiServer, String controllerManager, String scheduler) {
    this(apiServer, controllerManager, scheduler, Optional.empty());
  }

  /** The same with the step of the key of encryption, which kube-apiserver alone reads. */
  public RotationEpochs encrypting(int step, Optional<String> file) {
    return new RotationEpochs(
        join(apiServer, part(ENCRYPTION, step)), controllerManager, scheduler, file);
  }

  /** By the steps of the keys. */
  public static RotationEpochs of(RotatedKey ca, RotatedKey serviceAccount) {
    // While clients take certificates of the new CA, nothing changes for the servers.
    int servers = ca.stage() == Stage.ISSUING ? ca.step() - 1 : ca.step();
    // While servers take certificates of the new CA, their clients trust both already.
    int clients = ca.stage() == Stage.SERVING ? ca.step() - 1 : ca.step();
    return new RotationEpochs(
        join(part(CA, servers), part(SERVICE_ACCOUNT, serviceAccount.step())),
        join(part(CA, clients), part(SERVICE_ACCOUNT, signed(serviceAccount))),
        part(CA, clients));
  }

  /** kube-controller-manager signs tokens, and verifies none. */
  private static int signed(RotatedKey serviceAccount) {
    return switch (serviceAccount.stage()) {
      case TRUSTED -> serviceAccount.step() - 2;
      case ISSUING, SERVING -> serviceAccount.step();
      case SINGLE -> serviceAccount.step() - 1;
    };
  }

  /** Whether an epoch is of pods that were made after the CA's first step. */
  public static boolean hasCaSteps(String epoch) {
    return epoch.startsWith(CA);
  }

  private static String part(String name, int step) {
    return step <= 0 ? "" : name + step;
  }

  private static String join(String... parts) {
    return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(","));
  }
}
