//go:build before136

package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/backend/queue"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

func optionsOfVersion() []frameworkruntime.Option { return nil }

func enqueue(_ context.Context, q queue.SchedulingQueue, pod *v1.Pod) { q.Add(klog.Background(), pod) }
