/** What was decided and why, in kube-scheduler's words. */
package io.exaplane.scheduler.explain;
