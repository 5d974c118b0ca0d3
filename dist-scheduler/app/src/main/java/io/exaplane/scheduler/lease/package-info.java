/** Which of several processes may write. */
package io.exaplane.scheduler.lease;
