/** Objects as files describe them: strict reading, canonical form, hash. */
package io.exaplane.apply.manifest;
