// SPDX-License-Identifier: Apache-2.0
/** Conditions of a SchedulerPool's workflow, named for what is true. */
package io.exaplane.operator.schedulerpool.condition;
