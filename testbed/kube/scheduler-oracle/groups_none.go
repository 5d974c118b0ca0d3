//go:build before136

package main

import (
	"context"
	"errors"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

var errNoGroups = errors.New("groups of pods are asked about from 1.36 on")

func enableGroups() error { return errNoGroups }

// groups knows none.
type groups struct{ judge *judge }

func newGroups(_ context.Context, j *judge) *groups { return &groups{judge: j} }

func (g *groups) snapshot() (*cache.Snapshot, error) {
	return cache.NewSnapshot(g.judge.state.placed(), g.judge.state.nodes), nil
}

func (g *groups) mark(*framework.CycleState) {}

func (g *groups) unmark(*framework.CycleState) {}

func (g *groups) assume(context.Context, *v1.Pod, string) (string, error) { return "", errNoGroups }

func (g *groups) revert(context.Context) error { return errNoGroups }

func (g *groups) judged(string, *Answer) {}

func (g *groups) decide(context.Context, Step) (map[string]string, error) { return nil, errNoGroups }

const clearsNominations = true

const rescuesMembers = true
