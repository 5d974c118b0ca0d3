// SPDX-License-Identifier: Apache-2.0

/** Pods that are decided about together: all that is needed of them find a node, or none does. */
package io.exaplane.scheduler.engine.gang;
