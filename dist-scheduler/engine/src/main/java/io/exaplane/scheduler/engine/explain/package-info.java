/** What was decided and why, in kube-scheduler's words. It decides nothing. */
package io.exaplane.scheduler.engine.explain;
