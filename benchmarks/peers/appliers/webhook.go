package main

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"time"
)

// webhook allows every write, and counts those of the applier: what a cluster with one webhook for all objects pays.
type webhook struct {
	server *httptest.Server
	// Of anybody, and of the applier.
	seen, calls atomic.Int64
}

// review has the fields of an AdmissionReview that are read and written here.
type review struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Request    *struct {
		UID      string `json:"uid"`
		UserInfo struct {
			Username string `json:"username"`
		} `json:"userInfo"`
	} `json:"request,omitempty"`
	Response *verdict `json:"response,omitempty"`
}

type verdict struct {
	UID     string `json:"uid"`
	Allowed bool   `json:"allowed"`
}

// listen starts the webhook and makes the cluster call it.
func (c *cluster) listen() error {
	hook := &webhook{}
	hook.server = httptest.NewTLSServer(http.HandlerFunc(hook.answer))
	c.webhook = hook
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: hook.server.Certificate().Raw})
	_, err := c.send("POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", "application/json", fmt.Sprintf(`{"metadata": {"name": "all"},
 "webhooks": [{"name": "all.example.com", "sideEffects": "None", "admissionReviewVersions": ["v1"], "failurePolicy": "Fail", "timeoutSeconds": 30,
 "clientConfig": {"url": "%s", "caBundle": "%s"}, "rules": [{"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"]}]}]}`,
		hook.server.URL, base64.StdEncoding.EncodeToString(authority)))
	if err != nil {
		return err
	}
	return c.asked()
}

// asked waits until the kube-apiserver calls the webhook.
func (c *cluster) asked() error {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		before := c.webhook.seen.Load()
		if _, err := c.send("POST", "/api/v1/namespaces/default/configmaps?dryRun=All", "application/json", `{"metadata": {"name": "asked"}}`); err != nil {
			return err
		}
		if c.webhook.seen.Load() > before {
			return nil
		}
	}
	return fmt.Errorf("the kube-apiserver does not call the webhook within a minute")
}

func (h *webhook) answer(out http.ResponseWriter, in *http.Request) {
	var one review
	if err := json.NewDecoder(in.Body).Decode(&one); err != nil || one.Request == nil {
		http.Error(out, "no AdmissionReview", http.StatusBadRequest)
		return
	}
	h.seen.Add(1)
	if one.Request.UserInfo.Username == "bench" {
		h.calls.Add(1)
	}
	one.Response = &verdict{UID: one.Request.UID, Allowed: true}
	one.Request = nil
	out.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(out).Encode(one)
}

// words are the calls since the last time; nothing is counted without a webhook.
func (h *webhook) words() string {
	if h == nil {
		return "-"
	}
	return strconv.FormatInt(h.calls.Swap(0), 10)
}

func (h *webhook) close() {
	if h != nil {
		h.server.Close()
	}
}
