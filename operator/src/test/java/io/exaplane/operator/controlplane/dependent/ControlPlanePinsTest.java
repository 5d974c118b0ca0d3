// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.RolloutSpec;
import io.exaplane.api.v1alpha1.RotationSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.api.v1alpha1.TaskComponent;
import io.exaplane.operator.bundle.BeforeBundles;
import io.exaplane.operator.bundle.BundleMap;
import io.exaplane.operator.bundle.Pins;
import io.exaplane.operator.bundle.Trees;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.condition.ProgressingCondition;
import io.exaplane.operator.controlplane.fleet.Wish;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.RolloutViews;
import io.exaplane.operator.controlplane.observe.Scheduling;
import io.exaplane.operator.controlplane.render.Inputs;
import io.exaplane.operator.controlplane.render.Inputs.CertificateEpochs;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.order.TaskOrders;
import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.EncryptionKey;
import io.exaplane.operator.pki.PkiResult;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.RotationEpochs;
import io.exaplane.operator.rotation.Stage;
import io.exaplane.operator.status.Verdict;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.FieldsV1;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A control plane under operators of several bundles, with controllers that do what they do. Longer
 * than others: the stories share one small world, and each is read beside the others.
 */
class ControlPlanePinsTest {
  private static final String OLD = "1-a";
  private static final String NEW = "2-b";
  private static final String SPEC =
      "{version: %s, maxNodes: 10, storage: {stores: [{name: default}, {name: events, criticality:"
          + " BestEffort}]}%s}";

  private final Map<String, StoreShard> shards = new LinkedHashMap<>();
  private final Map<String, Deployment> deployments = new TreeMap<>();
  private final List<String> replaced = new ArrayList<>();
  private Optional<ConfigMap> kept = Optional.empty();
  private String bundle;
  private static final ProgressingCondition SETTLED =
      new ProgressingCondition(Verdict.no(Reason.AsExpected, "Settled."), Optional.empty());
  private Update update;
  private Instant now = Instant.parse("2026-11-27T12:00:00Z");
  private boolean waits;
  private boolean replacesPods;
  private String data = "d";
  private RotationEpochs rotation = RotationEpochs.NONE;
  private String rollout = "";
  private Map<String, ControlPlanePins.Rendered> rendered = Map.of();
  private Wish wish;
  private TaskOrders orders = TaskOrders.NONE;
  private List<Inputs.Route> routes = List.of();
  private PkiResult pki = Fixtures.nothingIssued();

  private Inputs rotated(Inputs inputs) {
    return new Inputs(
        inputs.sized(),
        inputs.images(),
        inputs.serviceAddress(),
        inputs.servicePort(),
        inputs.stores(),
        new CertificateEpochs("", "", "", rotation),
        orders,
        routes);
  }

  private static ControlPlane spec(String version, String more) {
    return Fixtures.controlPlane(SPEC.formatted(version, more));
  }

  /** One pass of an operator: what it applies is there afterwards, and not rolled out yet. */
  private void pass(String running, ControlPlane controlPlane) {
    controlPlane.setStatus(status());
    String image = "operator:" + running;
    Inputs inputs = rotated(Fixtures.inputs(controlPlane, data, image));
    Observed observed =
        new Observed(
            inputs.sized(),
            List.copyOf(shards.values()),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            pki,
            Optional.of(inputs),
            List.copyOf(deployments.values()),
            List.of(),
            new Scheduling(Optional.empty(), Optional.empty(), false),
            orders);
    Pins pins = ControlPlanePins.open(controlPlane, running, now, "controlplane", kept);
    ControlPlanePins next =
        new ControlPlanePins(
            pins,
            observed,
            () ->
                pins.formerSpec(ControlPlaneSpec.class)
                    .map(
                        spec -> {
                          ControlPlane before = spec("1.36.3", "");
                          before.setSpec(spec);
                          Inputs former = rotated(Fixtures.inputs(before, data, image));
                          return new ControlPlanePins.Former(
                              former.controlPlane(), Optional.of(former));
                        }),
            _ -> null,
            waits);
    replacesPods = next.replacesPods();
    rendered = next.rendered();
    wish = Wish.of(observed, replacesPods);
    kept = Optional.of(BundleMap.of("demo-bundle", "ns", Map.of(), next.kept()));
    bundle = next.bundle();
    update = next.update();
    next.shards().forEach(this::apply);
    for (String component :
        List.of(
            ControlPlaneNames.API_SERVER,
            ControlPlaneNames.CONTROLLER_MANAGER,
            ControlPlaneNames.SCHEDULER)) {
      apply(
          new DeploymentBuilder(next.deployment(component))
              .editMetadata()
              .addToAnnotations(RolloutViews.TEMPLATE, rendered.get(component).template())
              .endMetadata()
              .build());
    }
  }

  private ControlPlaneStatus status() {
    ControlPlane controlPlane =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: ControlPlane
            status: {version: {current: 1.36.3}, %s}
            """
                .formatted(bundle == null ? "" : "bundle: " + bundle + rollout),
            ControlPlane.class);
    return bundle == null ? null : controlPlane.getStatus();
  }

  private void apply(StoreShard wanted) {
    StoreShard there = shards.get(wanted.getMetadata().getName());
    if (there == null) {
      wanted.setStatus(storeStatus(bundle, "True"));
    } else {
      wanted.setStatus(there.getStatus());
      if (!Objects.equals(there.getSpec().rollout(), wanted.getSpec().rollout())) {
        replaced.add(wanted.getMetadata().getName());
        wanted.setStatus(storeStatus(there.getStatus().bundle(), "False"));
      }
    }
    shards.put(wanted.getMetadata().getName(), wanted);
  }

  private static StoreShardStatus storeStatus(String bundle, String ready) {
    return Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            status: {bundle: %s, conditions: [{type: Ready, status: "%s", reason: AsExpected}]}
            """
                .formatted(bundle, ready),
            StoreShard.class)
        .getStatus();
  }

  private void apply(Deployment wanted) {
    String name = wanted.getMetadata().getName();
    Deployment there = deployments.get(name);
    boolean other =
        there == null || !there.getSpec().getTemplate().equals(wanted.getSpec().getTemplate());
    if (there != null && other) {
      replaced.add(name);
    }
    long generation = there == null ? 1 : there.getMetadata().getGeneration() + (other ? 1 : 0);
    deployments.put(
        name,
        new DeploymentBuilder(wanted)
            .editMetadata()
            .withGeneration(generation)
            .endMetadata()
            .withStatus(there == null ? null : there.getStatus())
            .build());
  }

  /** What Kubernetes' controllers and the stores' reconciler do in the meantime. */
  private void settle(String running) {
    deployments.replaceAll(
        (_, made) ->
            new DeploymentBuilder(made)
                .withNewStatus()
                .withObservedGeneration(made.getMetadata().getGeneration())
                .withReplicas(made.getSpec().getReplicas())
                .withUpdatedReplicas(made.getSpec().getReplicas())
                .withReadyReplicas(made.getSpec().getReplicas())
                .withAvailableReplicas(made.getSpec().getReplicas())
                .endStatus()
                .build());
    shards
        .values()
        .forEach(
            shard -> {
              boolean moves = running.equals(RolloutSpec.bundle(shard.getSpec().rollout()));
              shard.setStatus(storeStatus(moves ? running : shard.getStatus().bundle(), "True"));
            });
  }

  private void madeBy(String running) {
    pass(running, spec("1.36.3", ""));
    settle(running);
    pass(running, spec("1.36.3", ""));
    settle(running);
    assertThat(replaced).isEmpty();
    assertThat(bundle).isEqualTo(running);
    assertThat(update.verdict().met()).isFalse();
  }

  private List<String> waitImages() {
    return deployments.values().stream()
        .map(
            made ->
                made.getSpec().getTemplate().getSpec().getInitContainers().getFirst().getImage())
        .distinct()
        .toList();
  }

  /** Each kind of change that replaces pods, and what comes of it when its turn has come. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        ", apiServer: {extraArgs: [{name: audit-log-maxage, value: '7'}]}",
        ", controllerManager: {extraArgs: [{name: concurrent-gc-syncs, value: '40'}]}",
        ", scheduler: {extraArgs: [{name: v, value: '3'}]}",
        ", images: {registry: mirror.example.org}",
        ", rollout: {bundle: 2-b}"
      })
  void aChangeThatWaitsReplacesNothingAndIsNotLost(String change) {
    madeBy(OLD);
    String running = change.contains(NEW) ? NEW : OLD;
    ControlPlane asked = spec("1.36.3", change);
    waits = true;
    for (int i = 0; i < 3; i++) {
      pass(running, asked);
      settle(running);
      assertThat(replacesPods).as("it is still to come").isTrue();
      assertThat(replaced).isEmpty();
      assertThat(bundle).isEqualTo(OLD);
    }
    waits = false;
    for (int i = 0; i < 6; i++) {
      pass(running, asked);
      settle(running);
    }
    assertThat(replaced).isNotEmpty();
    assertThat(bundle).isEqualTo(running);
    pass(running, asked);
    assertThat(replacesPods).as("all is done").isFalse();
  }

  /** An operator of another bundle that finds a change waiting carries out that, and no more. */
  @Test
  void aChangeThatWaitsOutlivesItsOperator() {
    madeBy(OLD);
    ControlPlane asked =
        spec("1.36.3", ", apiServer: {extraArgs: [{name: audit-log-maxage, value: '7'}]}");
    waits = true;
    pass(OLD, asked);
    pass(NEW, asked);
    assertThat(replacesPods).isTrue();
    waits = false;
    pass(NEW, asked);
    assertThat(replaced).containsExactly("demo-apiserver");
    assertThat(waitImages()).containsExactly("operator:" + OLD);
  }

  @Test
  void whatIsUrgentOrReplacesNoPodDoesNotWait() {
    madeBy(OLD);
    waits = true;
    ControlPlane asked =
        spec(
            "1.36.3",
            ", deletionProtection: false, apiServer: {extraArgs: [{name: audit-log-maxage, value:"
                + " '7'}]}");
    pass(OLD, asked);
    assertThat(shards.values())
        .allMatch(shard -> Boolean.FALSE.equals(shard.getSpec().deletionProtection()));
    data = "another";
    pass(OLD, asked);
    assertThat(replaced).as("on the store that there is").contains("demo-apiserver");
    assertThat(
            deployments
                .get("demo-apiserver")
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .toString())
        .doesNotContain("audit-log-maxage");
    waits = false;
    pass(OLD, spec("1.36.3", ", deletionProtection: true"));
    assertThat(replacesPods).as("no pod for that").isFalse();
  }

  /** A store began anew while an update is pending and the turn is awaited: nothing else comes. */
  @Test
  void anUrgentFactIsNoneOfAPendingUpdate() {
    madeBy(OLD);
    pass(NEW, spec("1.36.3", ""));
    String pending = kept.orElseThrow().getData().get("diff");
    waits = true;
    data = "another";
    pass(NEW, spec("1.36.3", ""));
    assertThat(replaced).as("on the store that there is").contains("demo-apiserver");
    assertThat(waitImages()).containsExactly("operator:" + OLD);
    assertThat(kept.orElseThrow().getData().get("diff"))
        .as("the difference is the bundle's, not the fact")
        .isEqualTo(pending)
        .doesNotContain("exaplane.io/store-data");
    assertThat(update.verdict().reason()).isEqualTo(Reason.OperatorUpdatePending);
    replaced.clear();
    ConfigMap settled = kept.orElseThrow();
    waits = false;
    pass(NEW, spec("1.36.3", ""));
    assertThat(replaced).as("it came once").isEmpty();
    pass(OLD, spec("1.36.3", ""));
    assertThat(update.verdict().met())
        .as("the operator of the bundle has nothing to say")
        .isFalse();
    pass(NEW, spec("1.36.3", ""));
    assertThat(kept.orElseThrow().getData().get("diff")).isEqualTo(settled.getData().get("diff"));
    assertThat(replaced).isEmpty();
  }

  @Test
  void anotherOperatorReplacesNothingAndSaysSo() {
    madeBy(OLD);
    pass(NEW, spec("1.36.3", ""));
    ConfigMap pending = kept.orElseThrow();
    pass(NEW, spec("1.36.3", ""));
    assertThat(replaced).isEmpty();
    assertThat(bundle).isEqualTo(OLD);
    assertThat(waitImages()).containsExactly("operator:" + OLD);
    assertThat(kept).as("written once").contains(pending);
    assertThat(update.verdict().reason()).isEqualTo(Reason.OperatorUpdatePending);
    assertThat(pending.getData().get("diff"))
        .contains("-    image: \"operator:1-a\"", "+    image: \"operator:2-b\"");
    pass(OLD, spec("1.36.3", ""));
    assertThat(update.verdict().met()).as("the first one is back").isFalse();
    assertThat(replaced).isEmpty();
  }

  /** Also a change that comes together with the operator. */
  @Test
  void whatTheUserChangesIsCarriedOutOnWhatIsThere() {
    for (String change :
        List.of(
            ", apiServer: {extraArgs: [{name: v, value: '1'}]}",
            ", apiServer: {resources: {requests: {cpu: 2}}}",
            ", apiServer: {replicas: 3}")) {
      ControlPlanePinsTest one = new ControlPlanePinsTest();
      one.madeBy(OLD);
      one.pass(NEW, spec("1.36.3", change));
      assertThat(one.waitImages()).as(change).containsExactly("operator:" + OLD);
      Deployment server = one.deployments.get("demo-apiserver");
      if (change.contains("replicas")) {
        assertThat(server.getSpec().getReplicas()).isEqualTo(3);
      } else {
        assertThat(one.replaced).as(change).containsExactly("demo-apiserver");
      }
    }
  }

  @Test
  void anUpgradeOfKubernetesGoesOnUnderANewOperator() {
    madeBy(OLD);
    pass(OLD, spec("1.37.2", ""));
    assertThat(replaced).containsExactly("demo-apiserver");
    settle(OLD);
    for (int pass = 0; pass < 3; pass++) {
      pass(NEW, spec("1.37.2", ""));
      settle(NEW);
    }
    assertThat(replaced)
        .containsExactly("demo-apiserver", "demo-controller-manager", "demo-scheduler");
    assertThat(waitImages()).containsExactly("operator:" + OLD);
  }

  /**
   * Also a step that comes together with the operator; flags of a rotation as well as its epochs.
   */
  @Test
  void aStepOfARotationPassesThroughAPinOneLayerAfterTheOther() {
    madeBy(OLD);
    rotation = new RotationEpochs("ca-1", "ca-1", "ca-1");
    pass(NEW, spec("1.36.3", ""));
    assertThat(replaced).containsExactly("demo-apiserver");
    pass(NEW, spec("1.36.3", ""));
    assertThat(replaced).as("not complete yet").containsExactly("demo-apiserver");
    settle(NEW);
    pass(NEW, spec("1.36.3", ""));
    assertThat(replaced)
        .containsExactly("demo-apiserver", "demo-controller-manager", "demo-scheduler");
    settle(NEW);
    pass(NEW, spec("1.36.3", ""));
    assertThat(replaced).as("a second pass writes nothing").hasSize(3);
    assertThat(waitImages()).containsExactly("operator:" + OLD);
    assertThat(deployments.values())
        .allSatisfy(made -> assertThat(Rollout.rotationEpoch(made)).isEqualTo("ca-1"));
    var manager = deployments.get("demo-controller-manager").getSpec().getTemplate().getSpec();
    assertThat(manager.getContainers().getFirst().getCommand())
        .contains("--root-ca-file=/etc/kubernetes/pki/trusted-ca.crt")
        .contains("--cluster-signing-cert-file=/etc/kubernetes/pki/ca.crt");
    assertThat(manager.getInitContainers().getFirst().getCommand())
        .contains("/etc/kubernetes/pki/trusted-ca.crt");
    rotation = new RotationEpochs("ca-1", "ca-2", "ca-2");
    pass(OLD, spec("1.36.3", ""));
    assertThat(replaced.subList(3, replaced.size()))
        .as("nothing changes for servers")
        .containsExactly("demo-controller-manager", "demo-scheduler");
  }

  private static TaskOrders restarts(TaskComponent component, String token, boolean cancelled) {
    return new TaskOrders(
        List.of(new TaskOrders.Restart(component, null, token, cancelled)),
        new RotationSpec(null, null),
        Optional.empty());
  }

  private String token(String component) {
    return Rollout.restartedAt(deployments.get("demo-" + component));
  }

  /** Line "Tasks": one component, once, whatever becomes of the task and of the operator. */
  @ParameterizedTest
  @EnumSource(value = TaskComponent.class, names = "Store", mode = EnumSource.Mode.EXCLUDE)
  void aTaskRestartsItsComponentOnce(TaskComponent component) {
    String name =
        Map.of(
                TaskComponent.KubeAPIServer, "apiserver",
                TaskComponent.KubeControllerManager, "controller-manager",
                TaskComponent.KubeScheduler, "scheduler")
            .get(component);
    madeBy(OLD);
    orders = restarts(component, "t1", false);
    waits = true;
    pass(OLD, spec("1.36.3", ""));
    assertThat(replacesPods).as("it waits for its turn").isTrue();
    assertThat(token(name)).isEmpty();
    waits = false;
    pass(OLD, spec("1.36.3", ""));
    assertThat(replaced).containsExactly("demo-" + name);
    pass(NEW, spec("1.36.3", ""));
    settle(NEW);
    orders = TaskOrders.NONE;
    pass(NEW, spec("1.36.3", ""));
    pass(NEW, spec("1.36.3", ", deletionProtection: false"));
    assertThat(replaced).as("the task is gone, and its token stays").hasSize(1);
    assertThat(token(name)).isEqualTo("t1");
    orders = restarts(component, "t2", false);
    pass(NEW, spec("1.36.3", ""));
    assertThat(replaced).containsExactly("demo-" + name, "demo-" + name);
    assertThat(waitImages()).as("the bundle stays").containsExactly("operator:" + OLD);
  }

  /** What was not reached gets its template back; what is done stays done. */
  @Test
  void aTaskThatIsDeletedOnTheWayIsTakenBack() {
    madeBy(OLD);
    orders = restarts(TaskComponent.KubeAPIServer, "t1", false);
    pass(OLD, spec("1.36.3", ""));
    settle(OLD);
    Deployment settled = deployments.get("demo-apiserver");
    orders = restarts(TaskComponent.KubeAPIServer, "t2", false);
    pass(OLD, spec("1.36.3", ""));
    assertThat(token("apiserver")).isEqualTo("t2");
    orders = restarts(TaskComponent.KubeAPIServer, "t2", true);
    pass(OLD, spec("1.36.3", ""));
    pass(OLD, spec("1.36.3", ""));
    assertThat(deployments.get("demo-apiserver").getSpec().getTemplate())
        .isEqualTo(settled.getSpec().getTemplate());
    settle(OLD);
    orders = TaskOrders.NONE;
    pass(OLD, spec("1.36.3", ""));
    assertThat(replaced).as("t1, t2 and back").hasSize(3);
    orders = restarts(TaskComponent.KubeAPIServer, "t3", false);
    pass(OLD, spec("1.36.3", ""));
    settle(OLD);
    orders = restarts(TaskComponent.KubeAPIServer, "t3", true);
    pass(OLD, spec("1.36.3", ""));
    assertThat(token("apiserver")).as("all pods were replaced already").isEqualTo("t3");
  }

  @Test
  void aMoveReplacesStoresFirstThenServersThenTheirFollowers() {
    madeBy(OLD);
    String asks = ", rollout: {bundle: 2-b}";
    for (int pass = 0; pass < 10; pass++) {
      int before = replaced.size();
      pass(NEW, spec("1.36.3", asks));
      pass(NEW, spec("1.36.3", asks));
      assertThat(replaced.subList(before, replaced.size()))
          .as("a store, the servers, or both of their followers")
          .hasSizeLessThanOrEqualTo(2);
      assertThat(SETTLED.until(Optional.of(update)).verdict().met())
          .as("no pod is replaced now, and the move goes on")
          .isEqualTo(!bundle.equals(NEW));
      settle(NEW);
    }
    assertThat(replaced)
        .containsExactly(
            "demo-default",
            "demo-events",
            "demo-apiserver",
            "demo-controller-manager",
            "demo-scheduler");
    assertThat(bundle).isEqualTo(NEW);
    assertThat(update.verdict().met()).isFalse();
    assertThat(waitImages()).containsExactly("operator:" + NEW);
    pass(NEW, spec("1.36.3", ""));
    assertThat(bundle).as("the field may go").isEqualTo(NEW);
    Pins back =
        ControlPlanePins.open(
            spec("1.36.3", ", rollout: {bundle: 1-a}"), NEW, now, "controlplane", kept);
    assertThat(back.update().problem().orElseThrow().message()).contains("spec.rollout.bundle 1-a");
  }

  @Test
  void aMoveEndsWhenBuiltInAddonsHaveMovedToo() {
    madeBy(OLD);
    String asks = ", addons: [{name: dns, builtIn: CoreDNS}]";
    pass(OLD, spec("1.36.3", asks));
    settle(OLD);
    asks += ", rollout: {bundle: 2-b}";
    pass(NEW, spec("1.36.3", asks));
    assertThat(unmoved()).contains("CoreDNS/dns");
    for (int pass = 0; !replaced.contains("demo-scheduler"); pass++) {
      assertThat(unmoved()).contains("CoreDNS/dns");
      settle(NEW);
      pass(NEW, spec("1.36.3", asks));
      assertThat(pass).isLessThan(10);
    }
    assertThat(unmoved()).isEmpty();
    settle(NEW);
    pass(NEW, spec("1.36.3", asks));
    assertThat(bundle).isEqualTo(NEW);
  }

  private List<String> unmoved() {
    return ControlPlanePins.open(spec("1.36.3", ""), NEW, now, "controlplane", kept).unmoved();
  }

  /** What the operator told: a component's rollout exceeded its deadline and was rolled back. */
  private void rolledBack(String component) {
    rollout =
        """
        , rollout: {component: %s, template: %s, step: rolled back, startedAt: '2026-11-27T11:00:00Z',
        progressedAt: '2026-11-27T11:00:00Z', stalledAt: '2026-11-27T11:30:00Z', rolledBackTo: before}\
        """
            .formatted(component, rendered.get(component).template())
            .replace("\n", " ");
  }

  private boolean isBack(String component) {
    return rendered.get(component).isBack();
  }

  @Test
  void aMoveThatWasRolledBackIsUndoneWhenTheFormerBundleIsAskedFor() {
    for (boolean fails : List.of(true, false)) {
      ControlPlanePinsTest one = new ControlPlanePinsTest();
      one.madeBy(OLD);
      for (int pass = 0; !one.replaced.contains("demo-apiserver"); pass++) {
        one.pass(NEW, spec("1.36.3", ", rollout: {bundle: 2-b}"));
        one.settle(NEW);
        assertThat(pass).isLessThan(10);
      }
      if (fails) {
        one.rolledBack("apiserver");
        one.pass(NEW, spec("1.36.3", ", rollout: {bundle: 2-b, onStall: Rollback}"));
        one.settle(NEW);
        assertThat(one.isBack("apiserver")).isTrue();
      }
      assertThat(one.bundle).isEqualTo(OLD);
      String back = ", rollout: {bundle: 1-a, onStall: Rollback}";
      one.pass(NEW, spec("1.36.3", back));
      assertThat(one.update.problem()).isEmpty();
      assertThat(one.isBack("apiserver")).as("it is what is asked for").isFalse();
      assertThat(one.waitImages()).containsExactly("operator:" + OLD);
      one.rollout = "";
      one.settle(NEW);
      one.replaced.clear();
      one.pass(NEW, spec("1.36.3", back));
      assertThat(one.replaced).isEmpty();
      assertThat(one.update.verdict().reason()).isEqualTo(Reason.OperatorUpdatePending);
      one.pass(NEW, spec("1.36.3", back + ", apiServer: {extraArgs: [{name: v, value: '1'}]}"));
      assertThat(one.replaced)
          .as("a change is carried out on it")
          .containsExactly("demo-apiserver");
      assertThat(one.waitImages()).containsExactly("operator:" + OLD);
    }
  }

  /** Half of the pods stay of the one bundle and half of the other, until somebody says more. */
  @ParameterizedTest
  @CsvSource({"true, 3-c", "false, 3-c", "false, 2-b"})
  void aMoveThatIsHalfDoneIsUndoneForNobodyButWhoNamesItsFormerBundle(
      boolean inWindow, String next) {
    madeBy(OLD);
    String moves =
        inWindow ? ", maintenance: {cron: '0 2 * * *', duration: 10m}" : ", rollout: {bundle: 2-b}";
    now = Instant.parse("2026-11-28T02:00:00Z");
    for (int pass = 0; !replaced.contains("demo-apiserver"); pass++) {
      pass(NEW, spec("1.36.3", moves));
      settle(NEW);
      assertThat(pass).isLessThan(10);
    }
    now = Instant.parse("2026-11-28T03:00:00Z");
    replaced.clear();
    if (!inWindow && !next.equals(NEW)) {
      pass(next, spec("1.36.3", moves));
      assertThat(update.problem().orElseThrow().reason()).isEqualTo(Reason.UnsupportedBundle);
      assertThat(update.problem().orElseThrow().message()).contains("remove the field");
    }
    String asksForNothing = inWindow ? moves : "";
    pass(OLD, spec("1.36.3", asksForNothing));
    for (int pass = 0; pass < 3; pass++) {
      pass(next, spec("1.36.3", asksForNothing));
      settle(next);
    }
    assertThat(replaced).as("a new operator alone changes nothing").isEmpty();
    assertThat(bundle).isEqualTo(OLD);
    pass(next, spec("1.36.3", asksForNothing + ", rollout: {bundle: 1-a}"));
    assertThat(replaced).as("a person asks for it").containsExactly("demo-apiserver");
    assertThat(waitImages()).containsExactly("operator:" + OLD);
  }

  /** Asked while the control plane has to wait for its turn, and later. */
  private static Inputs.Route leases(String store, String toldUrl) {
    return new Inputs.Route(
        new ResourceRef("coordination.k8s.io", "leases"), "https://[fd00::7]:2379", store, toldUrl);
  }

  /** The store that the template leads to has left, and refuses the resource for good. */
  @Test
  void aTemplateFromBeforeASwitchIsNoneToGoBackTo() {
    String asks = ", rollout: {onStall: Rollback}";
    madeBy(OLD);
    routes = List.of(leases("default", null));
    pass(OLD, spec("1.36.3", asks));
    assertThat(replaced).containsExactly("demo-apiserver");
    rolledBack("apiserver");
    routes = List.of(leases("default", "https://[fd00::7]:2379"));
    pass(OLD, spec("1.36.3", asks));
    assertThat(isBack("apiserver")).as("before the switch").isTrue();
    routes = List.of(leases("events", "https://[fd00::7]:2379"));
    pass(OLD, spec("1.36.3", asks));
    assertThat(isBack("apiserver")).as("after the switch").isFalse();
    assertThat(overrides()).contains("coordination.k8s.io/leases#https://[fd00::7]:2379");
  }

  private static PkiResult encrypts(Stage stage, EncryptionKey current, EncryptionKey other) {
    RotatedKey key =
        new RotatedKey(
            stage, 1, Instant.EPOCH, Map.of("key", current.text()), Map.of("key", other.text()));
    return new PkiResult(
        Optional.of(
            new Authorities(null, null, "", null, null, "", "", null, null, Optional.of(key))),
        Optional.empty(),
        List.of(),
        Set.of(),
        List.of(),
        Map.of(),
        Optional.empty());
  }

  /** Its kube-apiservers could not read what the others write. */
  @Test
  void aTemplateFromBeforeEncryptionIsNoneToGoBackToOnceSomethingIsEncrypted() {
    String asks = ", rollout: {onStall: Rollback}";
    EncryptionKey key = EncryptionKey.make(List.of("secrets"));
    madeBy(OLD);
    rotation = RotationEpochs.NONE.encrypting(1, Optional.of("encryption-1.yaml"));
    pki = encrypts(Stage.TRUSTED, EncryptionKey.IDENTITY, key);
    pass(OLD, spec("1.36.3", asks));
    assertThat(replaced).containsExactly("demo-apiserver");
    rolledBack("apiserver");
    pass(OLD, spec("1.36.3", asks));
    assertThat(isBack("apiserver")).as("nothing is encrypted yet").isTrue();
    pki = encrypts(Stage.ISSUING, key, EncryptionKey.IDENTITY);
    pass(OLD, spec("1.36.3", asks));
    assertThat(isBack("apiserver")).isFalse();
  }

  /** Another operator rendered last: what it did not know is still to be carried out. */
  @Test
  void aServiceOfAResourceReachesPodsAlsoUnderANewOperator() {
    madeBy(OLD);
    routes = List.of(leases("default", null));
    pass(NEW, spec("1.36.3", ""));
    assertThat(replaced).containsExactly("demo-apiserver");
    assertThat(overrides()).contains("coordination.k8s.io/leases#https://[fd00::7]:2379");
    assertThat(waitImages()).containsExactly("operator:" + OLD);
    routes = List.of(leases("default", "https://[fd00::7]:2379"));
    settle(NEW);
    replaced.clear();
    pass(NEW, spec("1.36.3", ""));
    assertThat(replaced).isEmpty();
  }

  private String overrides() {
    return deployments
        .get("demo-apiserver")
        .getSpec()
        .getTemplate()
        .getSpec()
        .getContainers()
        .getFirst()
        .getCommand()
        .stream()
        .filter(flag -> flag.startsWith("--etcd-servers-overrides="))
        .findFirst()
        .orElse("");
  }

  @Test
  void aMoveIsAlsoUndoneByOneThatWaits() {
    madeBy(OLD);
    for (int pass = 0; !replaced.contains("demo-apiserver"); pass++) {
      pass(NEW, spec("1.36.3", ", rollout: {bundle: 2-b}"));
      settle(NEW);
      assertThat(pass).isLessThan(10);
    }
    replaced.clear();
    waits = true;
    pass(NEW, spec("1.36.3", ", rollout: {bundle: 1-a}"));
    pass(NEW, spec("1.36.3", ", rollout: {bundle: 1-a}"));
    assertThat(replaced).isEmpty();
    assertThat(replacesPods).isTrue();
    waits = false;
    pass(NEW, spec("1.36.3", ", rollout: {bundle: 1-a}"));
    assertThat(replaced).containsExactly("demo-apiserver");
    assertThat(waitImages()).containsExactly("operator:" + OLD);
  }

  @Test
  void aFollowerThatWasRolledBackIsNotTriedAgainWhenAServerIsNotReady() {
    madeBy(OLD);
    String asks = ", rollout: {onStall: Rollback}";
    for (int pass = 0; !replaced.contains("demo-controller-manager"); pass++) {
      settle(OLD);
      pass(OLD, spec("1.37.2", asks));
      assertThat(pass).isLessThan(5);
    }
    rolledBack("controller-manager");
    pass(OLD, spec("1.37.2", asks));
    settle(OLD);
    assertThat(isBack("controller-manager")).isTrue();
    assertThat(Rollout.version(deployments.get("demo-controller-manager"))).isEqualTo("1.36.3");
    String rejected = rendered.get("controller-manager").template();
    replaced.clear();
    for (int ready : List.of(1, 2, 1)) {
      deployments.computeIfPresent(
          "demo-apiserver",
          (_, made) ->
              new DeploymentBuilder(made)
                  .editStatus()
                  .withReadyReplicas(ready)
                  .withAvailableReplicas(ready)
                  .endStatus()
                  .build());
      pass(OLD, spec("1.37.2", asks));
      assertThat(isBack("controller-manager")).as("%d servers are ready", ready).isTrue();
      assertThat(rendered.get("controller-manager").template()).isEqualTo(rejected);
    }
    assertThat(replaced).isEmpty();
  }

  @Test
  void whatAnOverrideStartsAgainWaitsForItsTurnAndCounts() {
    madeBy(OLD);
    String change =
        ", rollout: {onStall: Rollback}, apiServer: {extraArgs: [{name: v, value: '1'}]}";
    pass(OLD, spec("1.36.3", change));
    rolledBack("apiserver");
    assertThat(wish.rolls()).isFalse();
    pass(OLD, spec("1.36.3", change));
    settle(OLD);
    pass(OLD, spec("1.36.3", change));
    assertThat(replacesPods).as("told, and done").isFalse();
    assertThat(wish.stuck()).isTrue();
    replaced.clear();
    ControlPlane opened = spec("1.36.3", change);
    opened.getMetadata().setAnnotations(Map.of(Names.ROLLOUT_OVERRIDE, "ProgressDeadline"));
    waits = true;
    pass(OLD, opened);
    assertThat(replacesPods).isTrue();
    assertThat(wish.resumes()).isTrue();
    assertThat(wish.stuck()).isFalse();
    assertThat(isBack("apiserver")).isTrue();
    assertThat(replaced).isEmpty();
    waits = false;
    pass(OLD, opened);
    assertThat(isBack("apiserver")).isFalse();
    assertThat(replaced).containsExactly("demo-apiserver");
  }

  @Test
  void podsOfAnOlderTemplateAreARolloutWhoeverBeganIt() {
    madeBy(OLD);
    deployments.computeIfPresent(
        "demo-scheduler",
        (_, made) ->
            new DeploymentBuilder(made)
                .editStatus()
                .withReplicas(3)
                .withUpdatedReplicas(1)
                .endStatus()
                .build());
    pass(OLD, spec("1.36.3", ""));
    assertThat(replacesPods).isFalse();
    assertThat(wish.rolls()).isTrue();
    pass(OLD, spec("1.36.3", ", pki: {leafValidity: 10m}"));
    assertThat(wish.rolls()).as("for certificates, all the time").isFalse();
  }

  @Test
  void aMaintenanceWindowMovesAndWhatItBeganGoesOnAfterItsEnd() {
    madeBy(OLD);
    String at2 = ", maintenance: {cron: '0 2 * * *', duration: 10m}";
    for (int pass = 0; pass < 3; pass++) {
      pass(NEW, spec("1.36.3", at2));
    }
    assertThat(replaced).as("the window is closed").isEmpty();
    assertThat(update.verdict().message())
        .contains("in the maintenance window of 2026-11-28T02:00:00Z", "sooner, set spec.rollout");
    assertThat(update.untilWindow(now)).contains(Duration.ofHours(14).plusSeconds(1));

    now = Instant.parse("2026-11-28T02:00:00Z");
    pass(NEW, spec("1.36.3", at2));
    assertThat(replaced).containsExactly("demo-default");
    now = Instant.parse("2026-11-28T02:10:00Z");
    for (int pass = 0; pass < 10; pass++) {
      settle(NEW);
      pass(NEW, spec("1.36.3", at2));
    }
    assertThat(replaced).hasSize(5);
    assertThat(bundle).isEqualTo(NEW);
    assertThat(update.untilWindow(now)).as("nothing is pending").isEmpty();
    settle(NEW);
    pass("3-c", spec("1.36.3", at2));
    assertThat(replaced).as("the next operator waits for the next window").hasSize(5);
  }

  @Test
  void aMoveThatWaitsForOthersHasNotBegunInTheWindow() {
    madeBy(OLD);
    String at2 = ", maintenance: {cron: '0 2 * * *', duration: 10m}";
    now = Instant.parse("2026-11-28T02:00:00Z");
    waits = true;
    pass(NEW, spec("1.36.3", at2));
    pass(NEW, spec("1.36.3", at2));
    waits = false;
    now = Instant.parse("2026-11-28T02:10:00Z");
    for (int pass = 0; pass < 3; pass++) {
      pass(NEW, spec("1.36.3", at2));
      settle(NEW);
    }
    assertThat(replaced).as("the window is over").isEmpty();
  }

  @Test
  void aStoreThatABundleBrokeTakesTheNextOneFirst() {
    madeBy(OLD);
    pass(NEW, spec("1.36.3", ", rollout: {bundle: 2-b}"));
    assertThat(replaced).containsExactly("demo-default");
    String repaired = ", rollout: {bundle: 3-c}";
    for (int pass = 0; pass < 3; pass++) {
      pass("3-c", spec("1.36.3", repaired));
    }
    assertThat(RolloutSpec.bundle(shards.get("demo-default").getSpec().rollout())).isEqualTo("3-c");
    assertThat(replaced).as("one after the other").doesNotContain("demo-events");
  }

  @Test
  void aBundleInTheSpecCountsMoreThanAWindow() {
    madeBy(OLD);
    String always = ", maintenance: {cron: '* * * * *'}, rollout: {bundle: 1-a}";
    pass(NEW, spec("1.36.3", always));
    pass(NEW, spec("1.36.3", always));
    assertThat(replaced).isEmpty();
    assertThat(update.verdict().message()).doesNotContain("maintenance");
    assertThat(update.untilWindow(now)).isEmpty();
  }

  @Test
  void withoutARecordNothingIsReplaced() {
    madeBy(OLD);
    kept = Optional.empty();
    pass(NEW, spec("1.36.3", ""));
    pass(NEW, spec("1.36.3", ""));
    assertThat(replaced).isEmpty();
    assertThat(update.verdict().reason()).isEqualTo(Reason.BundleRecordDamaged);
  }

  /** The server shows a template in its own words; with another identity it would be rolled out. */
  @Test
  void withoutARecordTheTemplatesKeepTheirIdentities() {
    madeBy(OLD);
    pass(OLD, spec("1.36.3", ""));
    Map<String, String> before = identities();
    deployments.replaceAll((_, live) -> inTheServersWords(live));
    kept = Optional.empty();
    pass(OLD, spec("1.36.3", ""));
    assertThat(identities()).isEqualTo(before);
    assertThat(replaced).isEmpty();
  }

  private Map<String, String> identities() {
    Map<String, String> all = new TreeMap<>();
    rendered.forEach((component, made) -> all.put(component, made.template()));
    return all;
  }

  /** It tells which fields the operator applied, in an order of its own. */
  private static Deployment inTheServersWords(Deployment live) {
    FieldsV1 fields = new FieldsV1();
    fields.setAdditionalProperty(
        "f:spec", Map.of("f:template", fields(Trees.of(live.getSpec().getTemplate()))));
    return new DeploymentBuilder(live)
        .editMetadata()
        .addNewManagedField()
        .withManager("controlplane")
        .withOperation("Apply")
        .withFieldsV1(fields)
        .endManagedField()
        .endMetadata()
        .build();
  }

  private static Map<String, Object> fields(JsonNode tree) {
    Map<String, Object> all = new TreeMap<>(Comparator.reverseOrder());
    tree.properties().forEach(field -> all.put("f:" + field.getKey(), fields(field.getValue())));
    return all;
  }

  private static ControlPlane large(int replicas, int perMinute, String more) {
    return Fixtures.controlPlane(
        "{version: 1.36.3, maxNodes: 10, apiServer: {replicas: %d, extraArgs: [{name: v, value: '1'}]}, restart: {releasePerMinute: %d}, storage: {stores: [{name: default}, {name: events, criticality: BestEffort}]}%s}"
            .formatted(replicas, perMinute, more));
  }

  /** Whatever the first operator that knows bundles finds, it applies as it was applied before. */
  @Test
  void aControlPlaneFromBeforeBundlesStaysAsItIsUntilItIsMoved() {
    var servers = BeforeBundles.of("controlplane", Deployment.class);
    servers.forEach((name, one) -> deployments.put(name, one.live()));
    var stores = BeforeBundles.of("controlplane", StoreShard.class);
    stores.forEach(
        (name, one) -> {
          one.live().setStatus(storeStatus("", "True"));
          shards.put(name, one.live());
        });
    settle(NEW);
    for (int pass = 0; pass < 3; pass++) {
      pass(NEW, large(20, 10, ""));
      deployments.forEach(
          (name, made) ->
              assertThat(Trees.of(made.getSpec()))
                  .as(name)
                  .isEqualTo(Trees.of(servers.get(name).sent().getSpec())));
      shards.forEach(
          (name, made) ->
              assertThat(Trees.of(made.getSpec()))
                  .as(name)
                  .isEqualTo(Trees.of(stores.get(name).sent().getSpec())));
      replaced.clear();
      settle(NEW);
    }
    assertThat(bundle).isEqualTo(Pins.UNRECORDED);
    assertThat(update.verdict().reason()).isEqualTo(Reason.OperatorUpdatePending);
    assertThat(kept.orElseThrow().getData().get("diff"))
        .contains("-    - \"10/20\"", "+      value: \"10/20\"");

    pass(NEW, large(30, 10, ""));
    assertThat(replaced).as("scaling alone").isEmpty();
    assertThat(deployments.get("demo-apiserver").getSpec().getReplicas()).isEqualTo(30);
    settle(NEW);
    pass(NEW, large(30, 5, ""));
    assertThat(replaced).as("another pace").containsExactly("demo-apiserver");
    assertThat(first("demo-apiserver").getEnv())
        .singleElement()
        .extracting(EnvVar::getValue)
        .isEqualTo("5/30");
    assertThat(waitImages()).containsExactly("operator:1");
    settle(NEW);

    replaced.clear();
    for (int pass = 0; pass < 10; pass++) {
      pass(NEW, large(30, 5, ", rollout: {bundle: 2-b}"));
      pass(NEW, large(30, 5, ", rollout: {bundle: 2-b}"));
      settle(NEW);
    }
    assertThat(replaced)
        .containsExactly(
            "demo-default",
            "demo-events",
            "demo-apiserver",
            "demo-controller-manager",
            "demo-scheduler");
    assertThat(first("demo-apiserver").getCommand()).doesNotContain("--release");
    assertThat(bundle).isEqualTo(NEW);
  }

  private Container first(String name) {
    return deployments.get(name).getSpec().getTemplate().getSpec().getInitContainers().getFirst();
  }
}
