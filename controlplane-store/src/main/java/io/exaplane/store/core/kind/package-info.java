/**
 * A key's Kind, and which rules its prefix has: durability, quota, history. It knows no record and
 * no request: a key's bytes come in, its class comes out.
 */
package io.exaplane.store.core.kind;
