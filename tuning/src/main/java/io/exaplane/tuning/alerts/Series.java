// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.alerts;

/**
 * The parts that expressions have in common: the jobs and labels that the scrape configuration of
 * {@code monitors} gives to series. Pure.
 */
public final class Series {
  public static final String OPERATOR = "exaplane-operator";
  public static final String STORE = "exaplane-store";
  public static final String POOL = "exaplane-scheduler";
  public static final String API_SERVER = "exaplane-apiserver";
  public static final String CONTROLLERS = "exaplane-controller-manager";
  public static final String KUBE_SCHEDULER = "exaplane-kube-scheduler";

  /** Tells one control plane from another. */
  static final String PLANE = "namespace, controlplane";

  /** Tells one kind of objects of a control plane from another. */
  static final String RESOURCE = PLANE + ", group, resource";

  /** How a summary names the control plane. */
  static final String WHERE = "{{ $labels.namespace }}/{{ $labels.controlplane }}";

  /** How a summary names objects. */
  static final String WHAT = "{{ $labels.resource }}{{ with $labels.group }}.{{ . }}{{ end }}";

  private Series() {}

  /** The sum of a counter's rates. */
  static String rate(String by, String selector, String range) {
    return "sum by (%s) (rate(%s[%s]))".formatted(by, selector, range);
  }

  /** A quantile of a histogram over all its processes. */
  static String quantile(double quantile, String by, String histogram, String selector) {
    return "histogram_quantile(%s, sum by (%s, le) (rate(%s_bucket%s[5m])))"
        .formatted(quantile, by, histogram, selector);
  }
}
