// Package cluster brings up the management cluster on the management machine, and joins machines to hosted clusters.
package cluster

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"exaplane.io/testbed/node/internal/layout"
	"exaplane.io/testbed/node/internal/machine"
	"exaplane.io/testbed/node/internal/pki"
	"exaplane.io/testbed/node/internal/progress"
	"exaplane.io/testbed/node/internal/run"
)

// Management is the one-node cluster in which the operator runs.
type Management struct {
	Layout  layout.Layout
	KubeDir string
	EtcdDir string
	Store   []string // the command of our own store, which keeps the cluster's state
	machine machine.Machine
}

// Up brings the cluster up. What runs already is left alone, so that a second call is quick and a call after one that was cut off completes it.
func (c *Management) Up() error {
	var err error
	if c.machine, err = machine.New(c.Layout, layout.ManagementMachine); err != nil {
		return err
	}
	steps := []struct {
		name string
		work func() error
	}{
		{"certificates", c.makePKI},
		{"network: bridge and the management machine's namespace", func() error {
			return errors.Join(machine.MakeBridge(), c.machine.MakeNetwork())
		}},
		{"containerd", c.machine.StartContainerd},
		{"store", c.startStore},
		{"kube-apiserver ready", c.startAPIServer},
		{"kube-controller-manager, kube-scheduler", c.startControllers},
		{"kubelet, kube-proxy", c.startNode},
		{"local PersistentVolumes", c.startProvisioner},
		{"node Ready", c.waitForNode},
		{"all processes run", c.machine.AllAlive},
	}
	for _, s := range steps {
		if err := progress.Step(s.name, s.work); err != nil {
			return err
		}
	}
	return nil
}

func (c *Management) pki() pki.Folder { return pki.Folder(c.Layout.PKI()) }

func (c *Management) server() string { return fmt.Sprintf("https://[%s]:6443", c.machine.Address()) }

func (c *Management) makePKI() error {
	f, node := c.pki(), c.machine.Address()
	if err := errors.Join(f.Authority("ca"), f.Authority("front-proxy-ca"), f.KeyPair("service-account")); err != nil {
		return err
	}
	leaves := []pki.Leaf{
		{Name: "apiserver", CommonName: "kube-apiserver", Addresses: []string{"::1", layout.KubernetesService, node},
			DNSNames: []string{"kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local"}},
		{Name: "apiserver-kubelet-client", CommonName: "kube-apiserver-kubelet-client", Organization: []string{"system:masters"}},
		{Name: "admin", CommonName: "exaplane-testbed-admin", Organization: []string{"system:masters"}},
		{Name: "controller-manager", CommonName: "system:kube-controller-manager"},
		{Name: "scheduler", CommonName: "system:kube-scheduler"},
		{Name: "proxy", CommonName: "system:kube-proxy"},
		{Name: "kubelet", CommonName: "system:node:" + c.machine.Name, Organization: []string{"system:nodes"}},
		{Name: "kubelet-server", CommonName: "system:node:" + c.machine.Name, Addresses: []string{node}},
	}
	for _, leaf := range leaves {
		if err := f.Issue("ca", leaf); err != nil {
			return err
		}
	}
	err := f.Issue("front-proxy-ca", pki.Leaf{Name: "front-proxy-client", CommonName: "front-proxy-client"})
	for _, name := range []string{"admin", "controller-manager", "scheduler", "proxy", "kubelet"} {
		err = errors.Join(err, f.Kubeconfig(name, c.server(), "ca"))
	}
	admin, readErr := os.ReadFile(f.Path("admin.kubeconfig"))
	return errors.Join(err, readErr, os.WriteFile(c.Layout.Kubeconfig(), admin, 0o600))
}

func (c *Management) startStore() error {
	command := append(append([]string{}, c.Store...), "--name=management", "--data-dir="+filepath.Join(c.Layout.State, "management-store"),
		"--listen-client-urls=http://[::1]:2379", "--durability=buffered", "--quota-backend-bytes=1073741824")
	// A store of a run of tests that was cut short may have other options of Java than a user's.
	if err := c.machine.StartAs("store", 10*time.Second, command...); err != nil {
		return err
	}
	return progress.Until(3*time.Minute, "store answering", func() error {
		_, err := run.Command("nsenter", c.machine.Inside(filepath.Join(c.EtcdDir, "etcdctl"), "--endpoints=http://[::1]:2379", "endpoint", "health")[1:]...)
		return errors.Join(c.machine.Alive("store"), err)
	})
}

// auditPolicy keeps one line for each write that was answered: tests read from it who wrote what.
const auditPolicy = `{"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived", "ResponseStarted"], "rules": [
  {"level": "Metadata", "verbs": ["create", "update", "patch", "delete", "deletecollection"]}, {"level": "None"}]}
`

func (c *Management) startAPIServer() error {
	p, policy := c.pki().Path, filepath.Join(c.Layout.Audit(), "policy.json")
	if err := errors.Join(os.MkdirAll(c.Layout.Audit(), 0o755), os.WriteFile(policy, []byte(auditPolicy), 0o644)); err != nil {
		return err
	}
	err := c.machine.Start("kube-apiserver", filepath.Join(c.KubeDir, "kube-apiserver"),
		"--etcd-servers=http://[::1]:2379", "--advertise-address="+c.machine.Address(), "--bind-address=::", "--secure-port=6443",
		"--service-cluster-ip-range="+layout.ServiceCIDR, "--client-ca-file="+p("ca.crt"),
		"--tls-cert-file="+p("apiserver.crt"), "--tls-private-key-file="+p("apiserver.key"),
		"--service-account-issuer=https://kubernetes.default.svc.cluster.local",
		"--service-account-key-file="+p("service-account.pub"), "--service-account-signing-key-file="+p("service-account.key"),
		"--kubelet-client-certificate="+p("apiserver-kubelet-client.crt"), "--kubelet-client-key="+p("apiserver-kubelet-client.key"),
		"--kubelet-certificate-authority="+p("ca.crt"), "--kubelet-preferred-address-types=InternalIP",
		"--requestheader-client-ca-file="+p("front-proxy-ca.crt"), "--requestheader-allowed-names=front-proxy-client",
		"--requestheader-username-headers=X-Remote-User", "--requestheader-group-headers=X-Remote-Group", "--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--proxy-client-cert-file="+p("front-proxy-client.crt"), "--proxy-client-key-file="+p("front-proxy-client.key"),
		"--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction", "--allow-privileged",
		"--audit-policy-file="+policy, "--audit-log-path="+filepath.Join(c.Layout.Audit(), "audit.log"), "--audit-log-maxsize=200", "--audit-log-maxbackup=2")
	if err != nil {
		return err
	}
	return progress.Until(5*time.Minute, "kube-apiserver ready", func() error {
		_, err := c.kubectl("", "get", "--raw", "/readyz")
		return errors.Join(c.machine.Alive("kube-apiserver"), err)
	})
}

func (c *Management) startControllers() error {
	p := c.pki().Path
	return errors.Join(
		c.machine.Start("kube-controller-manager", filepath.Join(c.KubeDir, "kube-controller-manager"), "--kubeconfig="+p("controller-manager.kubeconfig"),
			"--service-account-private-key-file="+p("service-account.key"), "--root-ca-file="+p("ca.crt"), "--use-service-account-credentials",
			"--cluster-signing-cert-file="+p("ca.crt"), "--cluster-signing-key-file="+p("ca.key"), "--bind-address=::1", "--leader-elect=false",
			"--service-cluster-ip-range="+layout.ServiceCIDR),
		c.machine.Start("kube-scheduler", filepath.Join(c.KubeDir, "kube-scheduler"), "--kubeconfig="+p("scheduler.kubeconfig"), "--bind-address=::1", "--leader-elect=false"))
}

func (c *Management) startNode() error {
	p := c.pki().Path
	return c.machine.StartNode(machine.Node{KubeDir: c.KubeDir, Kubeconfig: p("kubelet.kubeconfig"), ProxyKubeconfig: p("proxy.kubeconfig"),
		ClientCA: p("ca.crt"), ServingCert: p("kubelet-server.crt"), ServingKey: p("kubelet-server.key")})
}

// startProvisioner starts what makes folders of this host into the volumes of claims, and makes its StorageClass the cluster's default.
func (c *Management) startProvisioner() error {
	// Claims and folders go together: a cluster that was made by an older test bed has another class of the name, whose fields can't be changed.
	_, err := c.kubectl(`apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: local, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}
provisioner: exaplane.io/local
reclaimPolicy: Delete
volumeBindingMode: WaitForFirstConsumer
allowVolumeExpansion: true
`, "replace", "--force", "--filename=-")
	return errors.Join(err, os.MkdirAll(c.Layout.Volumes(), 0o755),
		c.machine.Start("local-provisioner", c.Layout.Provisioner(), "--kubeconfig="+c.pki().Path("admin.kubeconfig"), "--root="+c.Layout.Volumes()))
}

func (c *Management) waitForNode() error {
	return progress.Until(5*time.Minute, "node Ready", func() error {
		out, err := c.kubectl("", "get", "node", c.machine.Name, `--output=jsonpath={.status.conditions[?(@.type=="Ready")]['status','message']}`)
		if err == nil && !strings.HasPrefix(out, "True") {
			err = fmt.Errorf("node %s: %s", c.machine.Name, out)
		}
		return errors.Join(c.machine.Alive("kubelet"), err)
	})
}

func (c *Management) kubectl(stdin string, args ...string) (string, error) {
	return run.Input(stdin, filepath.Join(c.KubeDir, "kubectl"), append([]string{"--kubeconfig=" + c.Layout.Kubeconfig()}, args...)...)
}

// Down removes all machines and the state; what was never made is no error.
func Down(l layout.Layout) error {
	var err error
	processes := run.Processes{Pids: l.Pids(), Logs: l.Logs()}
	machines := machine.All(l)
	for i := len(machines) - 1; i >= 0; i-- {
		err = errors.Join(err, machines[i].Remove())
	}
	for _, name := range processes.Names() {
		err = errors.Join(err, processes.Stop(name, 5*time.Second))
	}
	if err = errors.Join(err, machine.RemoveBridge()); err != nil {
		return err
	}
	if err := os.RemoveAll(l.State); err != nil {
		return err
	}
	if left := machine.Leftovers(l.State); len(left) > 0 {
		return fmt.Errorf("left behind: %s; run './exa down' again, and report it if they stay", strings.Join(left, ", "))
	}
	return nil
}
