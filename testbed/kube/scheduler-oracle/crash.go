package main

import (
	"context"
	"sync/atomic"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

type crashKey struct{}

// withCrash lets a context know whether the framework panics under it, which ends kube-scheduler.
func withCrash(ctx context.Context) (context.Context, *atomic.Bool) {
	crash := &atomic.Bool{}
	return context.WithValue(ctx, crashKey{}, crash), crash
}

// noteCrashes keeps panics of the framework's own goroutines from ending the program.
func noteCrashes() {
	utilruntime.ReallyCrash = false
	utilruntime.PanicHandlers = append(utilruntime.PanicHandlers, func(ctx context.Context, _ any) {
		if crash, ok := ctx.Value(crashKey{}).(*atomic.Bool); ok {
			crash.Store(true)
		}
	})
}
