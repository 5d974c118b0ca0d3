/**
 * A running component's flags, gates and files beside the advice, and what differs. It starts
 * nothing and asks no server: what a process runs with comes as text.
 */
package io.exaplane.tuning.compare;
