// local-provisioner makes folders of this machine into PersistentVolumes, lets them grow with their claims, and removes them when the claims are gone: the test bed's StorageClass.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	"sigs.k8s.io/sig-storage-lib-external-provisioner/v11/controller"
)

const name = "exaplane.io/local"

type folders struct{ root string }

// Provision makes the folder of a claim on the node that its pod was given.
func (f folders) Provision(_ context.Context, options controller.ProvisionOptions) (*v1.PersistentVolume, controller.ProvisioningState, error) {
	if options.SelectedNode == nil {
		return nil, controller.ProvisioningFinished, fmt.Errorf("claim %s: the class binds when a pod is scheduled, and there is no node yet", options.PVC.Name)
	}
	folder := filepath.Join(f.root, options.PVName)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, controller.ProvisioningNoChange, err
	}
	if err := os.Chmod(folder, 0o777); err != nil { // the pods that use it don't run as root
		return nil, controller.ProvisioningNoChange, err
	}
	return &v1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{Name: options.PVName},
		Spec: v1.PersistentVolumeSpec{
			PersistentVolumeReclaimPolicy: *options.StorageClass.ReclaimPolicy,
			AccessModes:                   options.PVC.Spec.AccessModes,
			Capacity:                      v1.ResourceList{v1.ResourceStorage: options.PVC.Spec.Resources.Requests[v1.ResourceStorage]},
			PersistentVolumeSource:        v1.PersistentVolumeSource{Local: &v1.LocalVolumeSource{Path: folder}},
			NodeAffinity: &v1.VolumeNodeAffinity{Required: &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{{
				MatchExpressions: []v1.NodeSelectorRequirement{{Key: v1.LabelHostname, Operator: v1.NodeSelectorOpIn, Values: []string{options.SelectedNode.Name}}},
			}}}},
		},
	}, controller.ProvisioningFinished, nil
}

// Delete removes the folder of a volume that nobody claims any more.
func (f folders) Delete(_ context.Context, volume *v1.PersistentVolume) error {
	if volume.Spec.Local == nil || filepath.Dir(volume.Spec.Local.Path) != filepath.Clean(f.root) {
		return fmt.Errorf("volume %s is no folder of %s", volume.Name, f.root)
	}
	return os.RemoveAll(volume.Spec.Local.Path)
}

// looksAgain is when a claim is looked at that could not grow.
const looksAgain = 5 * time.Second

// growth gives volumes the size that their claims ask for. A folder has the room of its whole disk, so nothing is left to do on the node.
type growth struct {
	ctx    context.Context
	client kubernetes.Interface
}

// start looks at claims until the context ends.
func (g growth) start() error {
	factory := informers.NewSharedInformerFactory(g.client, looksAgain)
	_, err := factory.Core().V1().PersistentVolumeClaims().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    g.look,
		UpdateFunc: func(_, claim any) { g.look(claim) },
	})
	factory.Start(g.ctx.Done())
	return err
}

func (g growth) look(object any) {
	claim, ok := object.(*v1.PersistentVolumeClaim)
	if !ok || claim.Status.Phase != v1.ClaimBound {
		return
	}
	wanted, has := claim.Spec.Resources.Requests[v1.ResourceStorage], claim.Status.Capacity[v1.ResourceStorage]
	if wanted.Cmp(has) <= 0 {
		return
	}
	if err := g.grow(claim.DeepCopy()); err != nil {
		klog.Errorf("claim %s/%s can't grow from %s to %s, which is tried again: %v", claim.Namespace, claim.Name, has.String(), wanted.String(), err)
	}
}

// grow enlarges the volume first, as every resizer does: who sees the claim's size can count on the volume's.
func (g growth) grow(claim *v1.PersistentVolumeClaim) error {
	wanted := claim.Spec.Resources.Requests[v1.ResourceStorage]
	volume, err := g.client.CoreV1().PersistentVolumes().Get(g.ctx, claim.Spec.VolumeName, metav1.GetOptions{})
	if err != nil || volume.Annotations["pv.kubernetes.io/provisioned-by"] != name {
		return err // of another provisioner, which sees to it
	}
	volume.Spec.Capacity[v1.ResourceStorage] = wanted
	if _, err = g.client.CoreV1().PersistentVolumes().Update(g.ctx, volume, metav1.UpdateOptions{}); err != nil {
		return err
	}
	claim.Status.Capacity[v1.ResourceStorage] = wanted
	_, err = g.client.CoreV1().PersistentVolumeClaims(claim.Namespace).UpdateStatus(g.ctx, claim, metav1.UpdateOptions{})
	return err
}

func main() {
	klog.InitFlags(nil)
	kubeconfig := flag.String("kubeconfig", "", "of the cluster")
	root := flag.String("root", "", "folder in which the volumes' folders are made")
	flag.Parse()
	if *kubeconfig == "" || *root == "" {
		fmt.Fprintln(os.Stderr, "error: --kubeconfig and --root are needed")
		os.Exit(2)
	}
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		klog.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	client := kubernetes.NewForConfigOrDie(config)
	if err := (growth{ctx, client}).start(); err != nil {
		klog.Fatal(err)
	}
	controller.NewProvisionController(ctx, client, name, folders{*root},
		controller.LeaderElection(false), controller.MetricsPort(0)).Run(ctx)
}
