//go:build before136

package main

import (
	"context"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/backend/queue"
)

func enqueue(_ context.Context, q queue.SchedulingQueue, pod *v1.Pod) { q.Add(klog.Background(), pod) }

// beforeSync leaves informers the time that they mostly need: older ones are looked at ten times a second only.
func beforeSync() { time.Sleep(5 * time.Millisecond) }
