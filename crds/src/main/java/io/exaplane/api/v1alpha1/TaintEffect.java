// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** What a taint does to pods that do not tolerate it. */
public enum TaintEffect {
  NoSchedule,
  PreferNoSchedule,
  NoExecute
}
