/** The engine beside the real kube-scheduler framework, on made-up clusters. */
package io.exaplane.testbed.engine;
