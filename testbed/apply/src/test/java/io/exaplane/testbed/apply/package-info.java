// SPDX-License-Identifier: Apache-2.0
/** exactl apply on a real kube-apiserver with the store. */
package io.exaplane.testbed.apply;
