// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.exaplane.e2e.LocalRegistry.Name;
import io.exaplane.testbed.machine.ClassConstant;
import io.exaplane.testbed.machine.OtherBuild;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * An operator of another bundle, as another build of the shipped one: kube-apiserver has another
 * flag, and so do stores; the first container of components asks for more memory; and all three
 * images have other names. What they do is the same. Used by one thread.
 */
final class OtherOperator {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String NAME = "exaplane-operator";
  private static final String DEPLOYMENT = "deployment/" + NAME;
  private static final String IN_ITS_NAMESPACE = "--namespace=" + Bed.OPERATOR_NAMESPACE;

  /** A ControlPlane's Deployments, each of which has a first container of the operator's image. */
  private static final int DEPLOYMENTS = 3;

  /**
   * The images that an operator runs and renders.
   *
   * @param own of its own container
   */
  record Images(String own, String operator, String store, String scheduler) {}

  private final Images shipped;
  private final Images other;
  private final OtherImage image;

  private OtherOperator(Images shipped, Images other, OtherImage image) {
    this.shipped = shipped;
    this.other = other;
    this.image = image;
  }

  /**
   * Puts its images beside those of the operator that runs.
   *
   * @param folder an empty one, for files
   */
  static OtherOperator make(Path folder) throws IOException {
    Images shipped =
        new Images(
            container(".image"),
            variable("EXAPLANE_OPERATOR_IMAGE"),
            variable("EXAPLANE_STORE_IMAGE"),
            variable("EXAPLANE_SCHEDULER_IMAGE"));
    Images other =
        new Images(
            named(shipped.operator()),
            named(shipped.operator()),
            named(shipped.store()),
            named(shipped.scheduler()));
    for (String same : List.of(shipped.store(), shipped.scheduler())) {
      LocalRegistry.put(Name.of(named(same)), LocalRegistry.manifest(Name.of(same)));
    }
    return new OtherOperator(
        shipped, other, OtherImage.of(Name.of(shipped.own()), Name.of(other.own()), folder));
  }

  private static String named(String image) {
    return Name.of(image).with("-other").toString();
  }

  private static String variable(String name) {
    return container(".env[?(@.name=='%s')].value".formatted(name));
  }

  private static String container(String field) {
    return Bed.kubectl(
            IN_ITS_NAMESPACE,
            "get",
            DEPLOYMENT,
            "--output=jsonpath={.spec.template.spec.containers[0]%s}".formatted(field))
        .strip();
  }

  Images shipped() {
    return shipped;
  }

  Images other() {
    return other;
  }

  /** Lets it take the place of the shipped one, which takes a while. */
  void install() {
    set(other);
  }

  /** Puts the shipped one back, unless it is there; returns when it leads. */
  void uninstall() {
    set(shipped);
    awaitInstalled();
  }

  /** Waits until the one that was set last is the only one, and leads. */
  static void awaitInstalled() {
    Bed.kubectl(IN_ITS_NAMESPACE, "rollout", "status", DEPLOYMENT, "--timeout=300s");
    Bed.awaitLeader(PATIENCE);
  }

  /** Takes its images out of the registry, when no pod needs them any more. */
  void delete() {
    image.delete();
    LocalRegistry.delete(Name.of(other.store()));
    LocalRegistry.delete(Name.of(other.scheduler()));
  }

  /** In one change: an operator with a part of it would be a third bundle. */
  private static void set(Images images) {
    String patch =
        """
        {"spec":{"template":{"spec":{"containers":[{"name":"%s","image":"%s","env":[
          {"name":"EXAPLANE_OPERATOR_IMAGE","value":"%s"},
          {"name":"EXAPLANE_STORE_IMAGE","value":"%s"},
          {"name":"EXAPLANE_SCHEDULER_IMAGE","value":"%s"}]}]}}}}
        """
            .formatted(NAME, images.own(), images.operator(), images.store(), images.scheduler());
    Bed.kubectl(
        IN_ITS_NAMESPACE, "patch", "deployment", NAME, "--type=strategic", "--patch=" + patch);
  }

  /** What a ControlPlane's ConfigMap shows, as {@link ShownDifferences} has lines. */
  List<String> ofControlPlane() {
    List<String> lines = new ArrayList<>(flag(OtherBuild.FLAG));
    for (int i = 0; i < DEPLOYMENTS; i++) {
      lines.addAll(image(shipped.operator(), other.operator()));
      lines.addAll(
          change("memory: \"%s\"", OtherBuild.REQUEST.before(), OtherBuild.REQUEST.after()));
    }
    return lines.stream().sorted().toList();
  }

  /** The same of a Critical store, in which a container of the operator's guards the volume. */
  List<String> ofCriticalStore() {
    return Stream.concat(
            ofBestEffortStore().stream(), image(shipped.operator(), other.operator()).stream())
        .sorted()
        .toList();
  }

  List<String> ofBestEffortStore() {
    return Stream.concat(
            flag(OtherBuild.STORE_FLAG).stream(), image(shipped.store(), other.store()).stream())
        .sorted()
        .toList();
  }

  /** The same of a SchedulerPool that has roots alone. */
  List<String> ofPool() {
    return image(shipped.scheduler(), other.scheduler()).stream().sorted().toList();
  }

  private static List<String> flag(ClassConstant constant) {
    return change("- \"%s\"", constant.before(), constant.after());
  }

  private static List<String> image(String before, String after) {
    return change("image: \"%s\"", before, after);
  }

  private static List<String> change(String line, String before, String after) {
    return List.of("- " + line.formatted(before), "+ " + line.formatted(after));
  }
}
