// SPDX-License-Identifier: Apache-2.0
/** The objects of a SchedulerPool, as pure functions of what was observed. */
package io.exaplane.operator.schedulerpool.render;
