/** Which member has which nodes, and how much of them each gets. */
package io.exaplane.scheduler.membership;
