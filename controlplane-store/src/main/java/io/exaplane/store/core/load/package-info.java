/**
 * What stored objects take in the memory of a kube-apiserver that has loaded them. The room knows
 * no quota and no key: bytes of a value come in, an estimate in bytes comes out.
 */
package io.exaplane.store.core.load;
