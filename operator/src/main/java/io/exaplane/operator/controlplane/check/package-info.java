// SPDX-License-Identifier: Apache-2.0
/** Rules about a ControlPlane that the schema can't see, before anything is made of it. */
package io.exaplane.operator.controlplane.check;
