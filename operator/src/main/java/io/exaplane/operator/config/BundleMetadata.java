// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.config;

import io.quarkiverse.operatorsdk.annotations.CSVMetadata;
import io.quarkiverse.operatorsdk.annotations.CSVMetadata.Annotations;
import io.quarkiverse.operatorsdk.annotations.CSVMetadata.InstallMode;
import io.quarkiverse.operatorsdk.annotations.CSVMetadata.Maintainer;
import io.quarkiverse.operatorsdk.annotations.CSVMetadata.Provider;
import io.quarkiverse.operatorsdk.annotations.SharedCSVMetadata;

/** What the OLM bundle says of the operator. */
@CSVMetadata(
    bundleName = BundleMetadata.NAME,
    displayName = "Exaplane",
    description =
        """
        Exaplane runs the control planes of very large Kubernetes clusters. A `ControlPlane` of a few
        lines becomes a working Kubernetes API: kube-apiserver, kube-controller-manager and
        kube-scheduler, separate stores for the Kinds that need them, certificates that renew
        themselves, and conditions that name the state, the changes and the next action.
        A `SchedulerPool` places pods as kube-scheduler does, from one process or many. A `NodePool`
        lets hosts join a cluster, and gives their pods IPv6 addresses of prefixes that hosts bring.
        """,
    provider = @Provider(name = "Exaplane"),
    maintainers = @Maintainer(name = "The Exaplane authors", email = "maintainers@exaplane.io"),
    keywords = {"kubernetes", "control plane", "etcd", "ipv6"},
    maturity = "alpha",
    minKubeVersion = "1.33.0",
    installModes = {
      @InstallMode(type = "OwnNamespace", supported = false),
      @InstallMode(type = "SingleNamespace", supported = false),
      @InstallMode(type = "MultiNamespace", supported = false),
      @InstallMode(type = "AllNamespaces", supported = true)
    },
    annotations =
        @Annotations(
            capabilities = "Seamless Upgrades",
            categories = "Integration & Delivery",
            containerImage = "quay.io/exaplane/operator:0.1.0-SNAPSHOT",
            certified = false,
            almExamples =
                """
                [
                  {
                    "apiVersion": "exaplane.io/v1alpha1",
                    "kind": "ControlPlane",
                    "metadata": {"name": "demo"},
                    "spec": {"version": "1.37.2", "maxNodes": 1000}
                  },
                  {
                    "apiVersion": "exaplane.io/v1alpha1",
                    "kind": "ControlPlaneTask",
                    "metadata": {"name": "restart"},
                    "spec": {"controlPlaneRef": {"name": "demo"}, "restart": {"component": "KubeAPIServer"}}
                  },
                  {
                    "apiVersion": "exaplane.io/v1alpha1",
                    "kind": "NodePool",
                    "metadata": {"name": "workers"},
                    "spec": {
                      "controlPlaneRef": {"name": "demo"},
                      "maxNodes": 100,
                      "addresses": {
                        "source": "StaticPrefix",
                        "prefixes": ["2001:db8:1::/48"],
                        "podPrefixLength": 112
                      }
                    }
                  },
                  {
                    "apiVersion": "exaplane.io/v1alpha1",
                    "kind": "SchedulerPool",
                    "metadata": {"name": "demo"},
                    "spec": {"controlPlaneRef": {"name": "demo"}}
                  },
                  {
                    "apiVersion": "exaplane.io/v1alpha1",
                    "kind": "StoreShard",
                    "metadata": {"name": "standalone"},
                    "spec": {"tls": {"secretRef": {"name": "standalone-tls"}}}
                  }
                ]
                """))
public class BundleMetadata implements SharedCSVMetadata {
  public static final String NAME = "exaplane";
}
