package main

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// cluster is a store and a kube-apiserver; user bench is the applier, user admin is this program.
type cluster struct {
	folder, url, kubeconfig, log string
	store, apiserver             *exec.Cmd
	http                         *http.Client
	webhook                      *webhook
	counted                      int64
	since                        time.Time
}

const policy = `{"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived"],
 "rules": [{"level": "Metadata", "users": ["bench"]}, {"level": "None"}]}`

func start(folder string, store []string, apiserver string) (*cluster, error) {
	c := &cluster{folder: folder, log: filepath.Join(folder, "audit.log"), http: &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}}
	etcd, err := freeAddress()
	if err != nil {
		return nil, err
	}
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	c.url = "https://" + address
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	c.kubeconfig = filepath.Join(folder, "kubeconfig")
	files := map[string]string{
		"tokens.csv": "admin,admin,1,system:masters\nbench,bench,2,system:masters\n",
		"audit.yaml": policy,
		"sa.key":     string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})),
		"kubeconfig": fmt.Sprintf(`{"apiVersion": "v1", "kind": "Config", "current-context": "c",
 "clusters": [{"name": "c", "cluster": {"server": "%s", "insecure-skip-tls-verify": true}}],
 "users": [{"name": "c", "user": {"token": "bench"}}], "contexts": [{"name": "c", "context": {"cluster": "c", "user": "c"}}]}`, c.url),
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	c.store, err = run(filepath.Join(folder, "store.log"), append(store, "--name=bench", "--data-dir="+filepath.Join(folder, "store"), "--listen-client-urls=http://"+etcd))
	if err != nil {
		return nil, err
	}
	if err := answers(etcd); err != nil {
		c.stop()
		return nil, err
	}
	in := func(name string) string { return filepath.Join(folder, name) }
	c.apiserver, err = run(in("apiserver.log"), []string{apiserver, "--etcd-servers=http://" + etcd, "--bind-address=127.0.0.1", "--secure-port=" + strings.Split(address, ":")[1],
		"--cert-dir=" + in("certs"), "--endpoint-reconciler-type=none", "--token-auth-file=" + in("tokens.csv"), "--authorization-mode=RBAC",
		"--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file=" + in("sa.key"), "--service-account-signing-key-file=" + in("sa.key"),
		"--service-cluster-ip-range=10.96.0.0/16", "--audit-policy-file=" + in("audit.yaml"), "--audit-log-path=" + c.log})
	if err != nil {
		c.stop()
		return nil, err
	}
	if err := c.ready(); err != nil {
		c.stop()
		return nil, err
	}
	return c, nil
}

// answers waits for the store: a kube-apiserver on a busy machine gives up after 20 s.
func answers(address string) error {
	var err error
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		var connection net.Conn
		if connection, err = net.Dial("tcp", address); err == nil {
			return connection.Close()
		}
	}
	return fmt.Errorf("the store does not listen after 2 minutes: %w", err)
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

func run(log string, words []string) (*exec.Cmd, error) {
	file, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdout, cmd.Stderr = file, file
	return cmd, cmd.Start()
}

func (c *cluster) ready() error {
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if _, err := c.send("GET", "/readyz", "", ""); err == nil {
			// What it does after its start counts for nobody.
			time.Sleep(3 * time.Second)
			return nil
		}
	}
	said, _ := os.ReadFile(filepath.Join(c.folder, "apiserver.log"))
	return fmt.Errorf("kube-apiserver is not ready after 2 minutes: %s", last(said))
}

func (c *cluster) stop() {
	for _, one := range []*exec.Cmd{c.apiserver, c.store} {
		if one != nil && one.Process != nil {
			_ = one.Process.Kill()
			_ = one.Wait()
		}
	}
	c.webhook.close()
}

func (c *cluster) send(method, path, kind, body string) ([]byte, error) {
	request, err := http.NewRequest(method, c.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer admin")
	request.Header.Set("Content-Type", kind)
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, response.Status, said)
	}
	return said, err
}

const first = "/api/v1/namespaces/" + namespace + "/configmaps/o00000"

// drift changes the first ConfigMap as a person would.
func (c *cluster) drift() error {
	c.forget()
	c.since = time.Now()
	_, err := c.send("PATCH", first+"?fieldManager=kubectl-edit", "application/merge-patch+json", `{"data": {"a": "drifted"}}`)
	return err
}

func (c *cluster) value() (string, error) {
	said, err := c.send("GET", first, "", "")
	if err != nil {
		return "", err
	}
	var object struct{ Data map[string]string }
	if err := json.Unmarshal(said, &object); err != nil {
		return "", err
	}
	return object.Data["a"], nil
}

func (c *cluster) awaitRight() error {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if value, err := c.value(); err != nil || value == "as it was" {
			return err
		}
	}
	return fmt.Errorf("the drift is still there after a minute")
}

// check sees that the work was done: all objects are there, and the first one is as its manifest says.
func (c *cluster) check(objects int, work string) error {
	want := "as it was"
	if work == "changed" || work == "restart" {
		want = "changed"
	}
	value, err := c.value()
	if err != nil {
		return err
	}
	if value != want {
		return fmt.Errorf("the first ConfigMap has '%s', and not '%s'", value, want)
	}
	count := 1
	for _, kind := range []string{"api/v1/%s/configmaps", "apis/apps/v1/%s/deployments", "api/v1/%s/services", "api/v1/%s/serviceaccounts",
		"apis/rbac.authorization.k8s.io/v1/%s/roles", "apis/rbac.authorization.k8s.io/v1/%s/rolebindings"} {
		said, err := c.send("GET", "/"+fmt.Sprintf(kind, "namespaces/"+namespace)+"?labelSelector=app%3Dbench", "", "")
		if err != nil {
			return err
		}
		var list struct{ Items []json.RawMessage }
		if err := json.Unmarshal(said, &list); err != nil {
			return err
		}
		count += len(list.Items)
	}
	if count != objects {
		return fmt.Errorf("%d objects are there, and not %d", count, objects)
	}
	return nil
}

// forget begins to count anew.
func (c *cluster) forget() {
	if info, err := os.Stat(c.log); err == nil {
		c.counted = info.Size()
	}
}

// count reads what the applier sent since.
func (c *cluster) count(seen *figures) error {
	said, err := os.ReadFile(c.log)
	if err != nil {
		if os.IsNotExist(err) {
			return nil
		}
		return err
	}
	ids := map[string]bool{}
	for _, line := range bytes.Split(said[c.counted:], []byte{'\n'}) {
		if len(line) == 0 {
			continue
		}
		var event struct{ AuditID, Verb string }
		if err := json.Unmarshal(line, &event); err != nil {
			return fmt.Errorf("a line of the audit log: %w", err)
		}
		if ids[event.AuditID] {
			continue
		}
		ids[event.AuditID] = true
		switch event.Verb {
		case "get", "list", "watch", "head":
			seen.reads++
		default:
			seen.writes++
		}
	}
	return nil
}

// cpu is what a process used of the processors, in user and kernel.
func cpu(pid int) time.Duration {
	said, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(said[bytes.LastIndexByte(said, ')')+2:]))
	user, _ := strconv.Atoi(fields[11])
	kernel, _ := strconv.Atoi(fields[12])
	return time.Duration(user+kernel) * 10 * time.Millisecond
}

// resident is the most memory that a process had at once.
func resident(pid int) int64 {
	said, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(said), "\n") {
		if strings.HasPrefix(line, "VmHWM:") {
			kilobytes, _ := strconv.ParseInt(strings.Fields(line)[1], 10, 64)
			return kilobytes >> 10
		}
	}
	return 0
}
