// Command kubectl-discovery is kubectl whose discovery can be set, as a client of another version or with another limiter would be:
// DISCOVERY_BURST and DISCOVERY_QPS are those of its limiter, DISCOVERY=unaggregated lets it ask for each group and version by itself.
package main

import (
	"fmt"
	"net/http"
	"os"
	"strconv"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/rest"
	"k8s.io/component-base/cli"
	kubectl "k8s.io/kubectl/pkg/cmd"
)

func main() {
	flags := genericclioptions.NewConfigFlags(true).
		WithDiscoveryBurst(number("DISCOVERY_BURST", 300)).
		WithDiscoveryQPS(float32(number("DISCOVERY_QPS", 50)))
	if os.Getenv("DISCOVERY") == "unaggregated" {
		flags = flags.WithWrapConfigFn(func(config *rest.Config) *rest.Config {
			config.Wrap(func(next http.RoundTripper) http.RoundTripper { return unaggregated{next} })
			return config
		})
	}
	streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
	os.Exit(cli.Run(kubectl.NewKubectlCommand(kubectl.KubectlOptions{ConfigFlags: flags, IOStreams: streams, Arguments: os.Args})))
}

// unaggregated asks for /api and /apis as clients before aggregated discovery did.
type unaggregated struct {
	next http.RoundTripper
}

func (u unaggregated) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Path == "/api" || request.URL.Path == "/apis" {
		request = request.Clone(request.Context())
		request.Header.Set("Accept", "application/json")
	}
	return u.next.RoundTrip(request)
}

func number(variable string, otherwise int) int {
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	value, err := strconv.Atoi(text)
	if err != nil || value < 1 {
		fmt.Fprintf(os.Stderr, "%s=%q must be a whole number from 1\n", variable, text)
		os.Exit(2)
	}
	return value
}
