// SPDX-License-Identifier: Apache-2.0
/** Kubernetes' API as the scheduler uses it. */
package io.exaplane.scheduler.kube;
