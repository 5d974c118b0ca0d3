// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import io.exaplane.tuning.model.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A built-in resource of Kubernetes by API group and plural name. Immutable.
 *
 * @param group empty for the core group
 */
public record Resource(String group, String resource) {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*");
  private static final Pattern GROUP = Pattern.compile("[a-z][a-z0-9.-]*");

  /** The groups whose resources people name without a group, as deployments. */
  private static final Map<String, String> GROUPS = groups();

  private static Map<String, String> groups() {
    String known =
        """
        admissionregistration.k8s.io mutatingadmissionpolicies mutatingadmissionpolicybindings mutatingwebhookconfigurations validatingadmissionpolicies validatingadmissionpolicybindings validatingwebhookconfigurations
        apps controllerrevisions daemonsets deployments replicasets statefulsets
        autoscaling horizontalpodautoscalers
        batch cronjobs jobs
        certificates.k8s.io certificatesigningrequests clustertrustbundles podcertificaterequests
        coordination.k8s.io leases
        discovery.k8s.io endpointslices
        flowcontrol.apiserver.k8s.io flowschemas prioritylevelconfigurations
        networking.k8s.io ingressclasses ingresses ipaddresses networkpolicies servicecidrs
        node.k8s.io runtimeclasses
        policy poddisruptionbudgets
        rbac.authorization.k8s.io clusterrolebindings clusterroles rolebindings roles
        resource.k8s.io deviceclasses devicetaintrules resourceclaims resourceclaimtemplates resourceslices
        scheduling.k8s.io priorityclasses
        storage.k8s.io csidrivers csinodes csistoragecapacities storageclasses volumeattachments volumeattributesclasses
        storagemigration.k8s.io storageversionmigrations
        """;
    Map<String, String> groups = new TreeMap<>();
    for (String line : known.split("\n")) {
      String[] words = line.split(" ");
      List.of(words).subList(1, words.length).forEach(name -> groups.put(name, words[0]));
    }
    return groups;
  }

  /**
   * A resource as kubectl takes it: pods, leases.coordination.k8s.io. A name without a group is of
   * the group that Kubernetes has it in. The operator's own form is taken, too: apps/deployments.
   *
   * @throws InvalidInputException if the text has no such form
   */
  public static Resource of(String text) {
    String bare = text.strip();
    int slash = bare.indexOf('/');
    int dot = bare.indexOf('.');
    String name = bare.substring(slash + 1);
    String group = slash < 0 ? "" : bare.substring(0, slash);
    if (slash < 0 && dot > 0) {
      name = bare.substring(0, dot);
      group = bare.substring(dot + 1);
    } else if (slash < 0) {
      group = GROUPS.getOrDefault(bare, "");
    }
    if (!NAME.matcher(name).matches() || !group.isEmpty() && !GROUP.matcher(group).matches()) {
      throw new InvalidInputException(
          "resources",
          text,
          "must be a plural name with its API group, in small letters",
          "write pods or leases.coordination.k8s.io, as 'kubectl api-resources' lists them");
    }
    return new Resource(group, name);
  }

  /**
   * Several, separated by commas.
   *
   * @throws InvalidInputException if one has another form or is there twice, or if there is none
   */
  public static List<Resource> all(String text) {
    List<Resource> found = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      Resource one = of(each);
      if (found.contains(one)) {
        throw new InvalidInputException(
            "resources", text, "has " + one + " twice", "write each resource once");
      }
      found.add(one);
    }
    return found;
  }

  @Override
  public String toString() {
    return group.isEmpty() ? resource : resource + "." + group;
  }
}
