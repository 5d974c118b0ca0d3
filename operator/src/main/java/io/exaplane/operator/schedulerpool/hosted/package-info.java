// SPDX-License-Identifier: Apache-2.0
/** What is asked of the cluster whose pods a SchedulerPool places, and of its root in charge. */
package io.exaplane.operator.schedulerpool.hosted;
