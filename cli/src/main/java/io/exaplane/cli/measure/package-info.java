// SPDX-License-Identifier: Apache-2.0
/** Measurements at a running kube-apiserver, from a client's side and from its metrics. */
package io.exaplane.cli.measure;
