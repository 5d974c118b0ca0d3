// SPDX-License-Identifier: Apache-2.0
/** What a SchedulerPool's status says. */
package io.exaplane.operator.schedulerpool.status;
