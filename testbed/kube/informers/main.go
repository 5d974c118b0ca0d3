// Command informers runs client-go's reflectors, each with a connection of its own, against several kube-apiservers behind a balancer that knows which are
// ready. It prints how far all of them are as a line of JSON, four times a second, until its input ends.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand"
	"os"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

var (
	servers = flag.String("servers", "", "host:port of the kube-apiservers, with commas")
	count   = flag.Int("informers", 200, "how many; they take turns with Kinds and tokens")
	tokens  = flag.String("tokens", "", "tokens of their accounts, with commas")
	listing = flag.Int("listing-percent", 0, "how many of them list, as programs with client-go before 1.35 do; the others ask for a stream")
	spread  = flag.Duration("spread", 5*time.Second, "time over which they begin")
	names   = flag.String("kinds", "pods,nodes,services", "plurals of Kinds of the version v1, with commas")
	group   = flag.String("group", "", "API group of the Kinds; that of pods by default")
	states  = flag.Bool("states", false, "keep the revision of each object, for a sum over names and revisions")
)

func main() {
	flag.Parse()
	log.SetFlags(0)
	if *servers == "" || *tokens == "" || *count < 1 {
		log.Fatal("usage: informers -servers HOST:PORT,… -tokens TOKEN,… [-informers N]; see -help")
	}
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	balancer := newBalancer(strings.Split(*servers, ","))
	accounts := strings.Split(*tokens, ",")
	kinds := strings.Split(*names, ",")
	informers := make([]*informer, *count)
	for i := range informers {
		// Accounts change with each round of Kinds, so that each account has informers of all of them.
		round := i / len(kinds)
		informers[i] = &informer{kind: kinds[i%len(kinds)]}
		if *states {
			informers[i].versions = map[string]string{}
		}
		client, err := newClient(balancer, accounts[round%len(accounts)])
		if err != nil {
			log.Fatal(err)
		}
		go informers[i].run(client, i*37%100 < *listing)
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	out := json.NewEncoder(os.Stdout)
	for range time.Tick(250 * time.Millisecond) {
		if err := out.Encode(summary(informers)); err != nil {
			os.Exit(0)
		}
	}
}

func newClient(balancer *balancer, token string) (*rest.RESTClient, error) {
	path := "/api"
	if *group != "" {
		path = "/apis"
	}
	config := &rest.Config{
		Host:    "https://balancer",
		APIPath: path,
		QPS:     -1,
		ContentConfig: rest.ContentConfig{
			GroupVersion:         &schema.GroupVersion{Group: *group, Version: "v1"},
			NegotiatedSerializer: thin{scheme.Codecs},
			ContentType:          runtime.ContentTypeProtobuf,
			AcceptContentTypes:   runtime.ContentTypeProtobuf,
		},
	}
	return rest.RESTClientForConfigAndClient(config, balancer.client(token))
}

// source is what a reflector lists and watches.
type source struct {
	client *rest.RESTClient
	kind   string
	lists  bool
}

func (s source) List(options metav1.ListOptions) (runtime.Object, error) {
	return s.client.Get().Resource(s.kind).VersionedParams(&options, scheme.ParameterCodec).Do(context.Background()).Get()
}

func (s source) Watch(options metav1.ListOptions) (watch.Interface, error) {
	options.Watch = true
	return s.client.Get().Resource(s.kind).VersionedParams(&options, scheme.ParameterCodec).Watch(context.Background())
}

// IsWatchListSemanticsUnSupported is how client-go asks a source for what it cannot do.
func (s source) IsWatchListSemanticsUnSupported() bool { return s.lists }

func (i *informer) run(client *rest.RESTClient, lists bool) {
	time.Sleep(time.Duration(rand.Int63n(int64(*spread) + 1)))
	cache.NewReflector(source{client, i.kind, lists}, nil, i, 0).Run(make(chan struct{}))
}

func number(version string) uint64 {
	revision, err := (&thing{version: version}).revision()
	if err != nil {
		log.Fatal(fmt.Errorf("resource version %q: %w", version, err))
	}
	return revision
}
