// Package pki issues the management cluster's certificates and kubeconfigs as PEM files.
package pki

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Folder is a directory with NAME.crt and NAME.key files. Every call that makes a file keeps one that is already there.
type Folder string

// Leaf says whose certificate to issue.
type Leaf struct {
	Name, CommonName string
	Organization     []string
	Addresses        []string
	DNSNames         []string
}

func (f Folder) Path(file string) string { return filepath.Join(string(f), file) }

// Authority makes a self-signed CA of ten years.
func (f Folder) Authority(name string) error {
	return f.issue(name, &x509.Certificate{
		Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}, name)
}

// Issue makes a certificate for clients and servers, signed by the named authority.
func (f Folder) Issue(authority string, leaf Leaf) error {
	template := &x509.Certificate{
		Subject:     pkix.Name{CommonName: leaf.CommonName, Organization: leaf.Organization},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		DNSNames:    leaf.DNSNames,
	}
	for _, a := range leaf.Addresses {
		template.IPAddresses = append(template.IPAddresses, net.ParseIP(a))
	}
	return f.issue(leaf.Name, template, authority)
}

// KeyPair makes a key with its public half, for service-account tokens.
func (f Folder) KeyPair(name string) error {
	if _, err := os.Stat(f.Path(name + ".pub")); err == nil {
		return nil
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return err
	}
	return errors.Join(f.writeKey(name, key), write(f.Path(name+".pub"), "PUBLIC KEY", public, 0o644))
}

// Kubeconfig writes NAME.kubeconfig with everything embedded.
func (f Folder) Kubeconfig(name, server, authority string) error {
	files := map[string]string{}
	for _, file := range []string{authority + ".crt", name + ".crt", name + ".key"} {
		content, err := os.ReadFile(f.Path(file))
		if err != nil {
			return err
		}
		files[file] = base64.StdEncoding.EncodeToString(content)
	}
	return os.WriteFile(f.Path(name+".kubeconfig"), fmt.Appendf(nil, `apiVersion: v1
kind: Config
clusters: [{name: management, cluster: {server: "%s", certificate-authority-data: %s}}]
users: [{name: %s, user: {client-certificate-data: %s, client-key-data: %s}}]
contexts: [{name: management, context: {cluster: management, user: %s}}]
current-context: management
`, server, files[authority+".crt"], name, files[name+".crt"], files[name+".key"], name), 0o600)
}

func (f Folder) issue(name string, template *x509.Certificate, authority string) error {
	if _, err := os.Stat(f.Path(name + ".crt")); err == nil {
		return nil
	}
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	signer, parent := key, template
	if authority != name {
		if signer, parent, err = f.read(authority); err != nil {
			return err
		}
	}
	template.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return err
	}
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Minute), time.Now().AddDate(10, 0, 0)
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		return err
	}
	return errors.Join(f.writeKey(name, key), write(f.Path(name+".crt"), "CERTIFICATE", der, 0o644))
}

func (f Folder) read(authority string) (*ecdsa.PrivateKey, *x509.Certificate, error) {
	keyPEM, err := os.ReadFile(f.Path(authority + ".key"))
	if err != nil {
		return nil, nil, err
	}
	certificatePEM, err := os.ReadFile(f.Path(authority + ".crt"))
	if err != nil {
		return nil, nil, err
	}
	keyBlock, _ := pem.Decode(keyPEM)
	certificateBlock, _ := pem.Decode(certificatePEM)
	if keyBlock == nil || certificateBlock == nil {
		return nil, nil, fmt.Errorf("%s holds no PEM key and certificate named %s: run './exa down' and start again", f, authority)
	}
	key, err := x509.ParseECPrivateKey(keyBlock.Bytes)
	if err != nil {
		return nil, nil, err
	}
	certificate, err := x509.ParseCertificate(certificateBlock.Bytes)
	return key, certificate, err
}

func (f Folder) writeKey(name string, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return write(f.Path(name+".key"), "EC PRIVATE KEY", der, 0o600)
}

func write(path, kind string, der []byte, mode os.FileMode) error {
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), mode)
}
