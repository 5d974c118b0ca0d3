/**
 * What a request came to, as addresses of records and counts. It knows no bytes of an answer: who
 * encodes it reads the records.
 */
package io.exaplane.store.core.result;
