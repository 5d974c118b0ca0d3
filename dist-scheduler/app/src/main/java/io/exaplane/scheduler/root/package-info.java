/** The thread that has the cluster: it takes what the API server tells, decides, and commits. */
package io.exaplane.scheduler.root;
