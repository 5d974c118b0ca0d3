// SPDX-License-Identifier: Apache-2.0
/** Pure functions from a ControlPlane to the Kubernetes objects that it is made of. */
package io.exaplane.operator.controlplane.render;
