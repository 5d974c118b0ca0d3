// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.fabric8.kubernetes.api.model.LoadBalancerIngressBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lines 31 and 34: control planes that lack what the management cluster is to bring: an image, a
 * volume, memory, a load balancer. Units have the words; here kubelet, kube-scheduler and
 * containerd say why. All four are made at once, and none gets far.
 */
@Order(63)
@Tag("long")
class StuckE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(8);

  /** Of volumes as a person makes them: one, of 1 GiB. */
  private static final String VOLUMES = "e2e-small";

  private static final String LOAD_BALANCER = "fd00:10:1b::11";
  private static final String SERVER = "requests: {cpu: 20m, memory: 512Mi}";
  private static final String MEMORY = "64Mi";

  private static Scratch image;
  private static Scratch claim;
  private static Scratch balancer;
  private static Scratch memory;

  @BeforeAll
  static void up() {
    Bed.apply(
        """
        apiVersion: storage.k8s.io/v1
        kind: StorageClass
        metadata: {name: %1$s}
        provisioner: kubernetes.io/no-provisioner
        volumeBindingMode: WaitForFirstConsumer
        ---
        apiVersion: v1
        kind: PersistentVolume
        metadata: {name: %1$s}
        spec:
          capacity: {storage: 1Gi}
          accessModes: [ReadWriteOnce]
          persistentVolumeReclaimPolicy: Retain
          storageClassName: %1$s
          hostPath: {path: /nonexistent}
        """
            .formatted(VOLUMES));
    image = scratch("image", SERVER, "", "  images: {registry: registry.invalid/none}\n");
    claim =
        scratch("claim", SERVER, "storage: {size: 8Ti, storageClassName: " + VOLUMES + "}, ", "");
    balancer =
        scratch(
            "balancer",
            SERVER,
            "",
            "  endpoint: {type: LoadBalancer, loadBalancerClass: exaplane.example/none}\n");
    memory =
        scratch(
            "memory",
            "requests: {cpu: 20m, memory: %1$s}, limits: {memory: %1$s}".formatted(MEMORY),
            "",
            "");
  }

  /** One of each, which asks for little; {@code more} is further spec, a line of YAML. */
  private static Scratch scratch(String name, String server, String volume, String more) {
    return new Scratch(
        "stuck-" + name,
        Bed.VERSION,
        """
          apiServer: {replicas: 1, resources: {%s}}
          controllerManager: {replicas: 1, resources: {requests: {cpu: 10m, memory: 64Mi}}}
          scheduler: {replicas: 1, resources: {requests: {cpu: 10m, memory: 64Mi}}}
          storage: {stores: [{name: default, %sresources: {requests: {cpu: 15m, memory: 256Mi}}}]}
        %s"""
            .formatted(server, volume, more));
  }

  @AfterAll
  static void gone() {
    List.of(image, claim, balancer, memory).forEach(Scratch::close);
    Bed.kubectl("delete", "persistentvolume,storageclass", VOLUMES, "--wait=false");
  }

  /** The registry that nodes pull from answers that there is no such image. */
  @Test
  void anImageThatCannotBePulledIsNamed() {
    String pull = "of container volume-guard cannot be pulled (ErrImagePull, ImagePullBackOff)";
    awaitTold(
        image,
        ConditionType.StoresReady,
        "Starting",
        "Pod stuck-image-default-0: image registry.invalid/none/",
        pull,
        "check the image's name, the registry and the pull secret");
    awaitStarting(image, pull);
  }

  @Test
  void aClaimThatIsLargerThanAnyVolumeIsNamed() {
    String pending = "claim data-stuck-claim-default-0 is Pending, of StorageClass " + VOLUMES;
    awaitTold(
        claim,
        ConditionType.StoresReady,
        "Starting",
        "no node accepts the pod (Unschedulable)",
        "didn't find available persistent volumes to bind",
        pending,
        "see 'kubectl -n e2e-stuck-claim describe pvc data-stuck-claim-default-0'");
    awaitStarting(claim, pending);
  }

  @Test
  void aServerThatIsKilledForItsMemoryIsNamedWithItsLimit() {
    awaitTold(
        memory,
        ConditionType.APIServerAvailable,
        "Starting",
        "was killed for its memory at ",
        "with a limit of " + MEMORY,
        "See SizingValid for what to do");
  }

  /** It comes at last, and the message ends with it. */
  @Test
  void aLoadBalancerThatNeverComesIsNamed() {
    awaitTold(
        balancer,
        ConditionType.EndpointReady,
        "LoadBalancerPending",
        "Service stuck-balancer-apiserver has no IP address in status.loadBalancer yet",
        "load balancer controller",
        "see 'kubectl describe service stuck-balancer-apiserver'");
    Bed.CLIENT
        .services()
        .inNamespace(balancer.namespace)
        .withName("stuck-balancer-apiserver")
        .editStatus(
            service -> {
              service
                  .getStatus()
                  .getLoadBalancer()
                  .setIngress(
                      List.of(
                          new LoadBalancerIngressBuilder()
                              .withIp(LOAD_BALANCER)
                              .withIpMode("VIP")
                              .build()));
              return service;
            });
    Condition told =
        Bed.awaitCondition(
            balancer.name,
            balancer.namespace,
            ConditionType.EndpointReady,
            Condition.TRUE,
            PATIENCE);
    assertThat(told.message()).contains("Clients reach the API at " + LOAD_BALANCER);
  }

  /** Waits until a condition is false for this reason, and says these words. */
  private static void awaitTold(
      Scratch scratch, ConditionType type, String reason, String... words) {
    awaitSays(scratch, type, Condition.FALSE, reason, words);
  }

  /** The whole control plane waits for its store, and says after two minutes why. */
  private static void awaitStarting(Scratch scratch, String why) {
    awaitSays(
        scratch,
        ConditionType.Progressing,
        Condition.TRUE,
        "WaitingForStores",
        "The stores are starting. This has taken more than 2 minutes: ",
        why);
  }

  private static void awaitSays(
      Scratch scratch, ConditionType type, String status, String reason, String... words) {
    Bed.awaitHolds(
        PATIENCE,
        () -> {
          Condition condition =
              Bed.condition(Bed.controlPlane(scratch.name, scratch.namespace), type).orElseThrow();
          assertThat(condition.status()).as("%s", condition).isEqualTo(status);
          assertThat(condition.reason()).as("%s", condition).isEqualTo(reason);
          assertThat(condition.message()).contains(words);
        });
  }
}
