// SPDX-License-Identifier: Apache-2.0
/** What stored objects take in the memory of a kube-apiserver that has loaded them. */
package io.exaplane.store.core.load;
