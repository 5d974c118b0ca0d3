/** The common subset of kustomize's format: pure, strict, without generators and plugins. */
package io.exaplane.apply.overlay;
