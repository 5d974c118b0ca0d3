// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.names;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.SchedulerPool;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Names and labels of the objects that make up one pool. Pure. */
public final class PoolNames {
  /** On every object and pod of a pool: the SchedulerPool's name. */
  public static final String POOL_LABEL = "exaplane.io/scheduler-pool";

  public static final String SELECTOR = Names.MANAGED_BY_SELECTOR + "," + POOL_LABEL;
  private static final String COMPONENT_LABEL = "app.kubernetes.io/component";
  private static final String POD_LABEL = "statefulset.kubernetes.io/pod-name";
  private static final String FALLBACK = "fallback";

  private final String name;

  public PoolNames(SchedulerPool pool) {
    name = pool.getMetadata().getName();
  }

  /** The StatefulSet and the PodDisruptionBudget of a tier. */
  public String of(Tier tier) {
    return name + "-" + tier.label();
  }

  /** The Services of a tier, one for each of so many pods, which are named like them. */
  public List<String> members(Tier tier, int replicas) {
    return IntStream.range(0, replicas).mapToObj(number -> of(tier) + "-" + number).toList();
  }

  /** Whether it is one of the roots' pods. */
  public boolean isRoot(String pod) {
    return pod.matches(java.util.regex.Pattern.quote(of(Tier.ROOT)) + "-[0-9]+");
  }

  /** The Deployment of the kube-scheduler that stands in. */
  public String fallback() {
    return name + "-" + FALLBACK;
  }

  /** The CA of the tree. */
  public String treeCa() {
    return name + "-tree-ca";
  }

  /** The certificate of all processes of the tree. */
  public String treeSecret() {
    return name + "-tree-pki";
  }

  /** The ConfigMap with what the pods are made of; {@code demo-bundle} is a control plane's. */
  public String bundle() {
    return name + "-tree-bundle";
  }

  /** Labels of an object of the pool. */
  public Map<String, String> labels() {
    Map<String, String> labels = new TreeMap<>();
    labels.put(Names.MANAGED_BY_LABEL, Names.MANAGED_BY);
    labels.put(POOL_LABEL, name);
    return labels;
  }

  /** Labels of a tier's objects and pods. */
  public Map<String, String> labels(Tier tier) {
    return labels(tier.label());
  }

  /** Labels of the stand-in's objects and pods. */
  public Map<String, String> fallbackLabels() {
    return labels(FALLBACK);
  }

  private Map<String, String> labels(String component) {
    Map<String, String> labels = labels();
    labels.put(COMPONENT_LABEL, component);
    return labels;
  }

  /** The labels by which a tier's pods are selected; they never change. */
  public Map<String, String> selector(Tier tier) {
    return selector(tier.label());
  }

  /** The same of the stand-in's pods. */
  public Map<String, String> fallbackSelector() {
    return selector(FALLBACK);
  }

  private Map<String, String> selector(String component) {
    Map<String, String> labels = new TreeMap<>();
    labels.put(POOL_LABEL, name);
    labels.put(COMPONENT_LABEL, component);
    return labels;
  }

  /** The labels by which one pod of a StatefulSet is selected. */
  public Map<String, String> selectorOf(String pod) {
    Map<String, String> labels = new TreeMap<>();
    labels.put(POOL_LABEL, name);
    labels.put(POD_LABEL, pod);
    return labels;
  }

  /** Whether an object carries the labels of a tier. */
  public static boolean isOf(Tier tier, Map<String, String> labels) {
    return labels != null && tier.label().equals(labels.get(COMPONENT_LABEL));
  }
}
