// SPDX-License-Identifier: Apache-2.0
/** The objects that a SchedulerPool owns. */
package io.exaplane.operator.schedulerpool.dependent;
