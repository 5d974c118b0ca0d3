// SPDX-License-Identifier: Apache-2.0
/** The objects of built-in add-ons: what spec.addons[].builtIn stands for. Pure. */
package io.exaplane.operator.controlplane.builtin;
