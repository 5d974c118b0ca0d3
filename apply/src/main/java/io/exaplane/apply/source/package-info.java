/** Where manifests come from: OCI artifacts and Git repositories, with limits and signatures. */
package io.exaplane.apply.source;
