package main

import (
	"hash/fnv"
	"strconv"
	"sync"
)

// informer is what a reflector fills: it keeps how far it is, and a sum of its objects in place of them. Any goroutine.
type informer struct {
	kind string

	mutex     sync.Mutex
	revision  uint64
	objects   int
	sum       uint64
	fills     int
	backwards int

	// versions are the objects' revisions by namespace/name, and state is a sum over both; nil when nobody asks for states.
	versions map[string]string
	state    uint64
}

// setVersion keeps a revision, or forgets the object if it is "". The caller holds the mutex.
func (i *informer) setVersion(t *thing, version string) {
	if i.versions == nil {
		return
	}
	key := t.namespace + "/" + t.name
	if before, ok := i.versions[key]; ok {
		i.state -= stateOf(key, before)
		delete(i.versions, key)
	}
	if version != "" {
		i.state += stateOf(key, version)
		i.versions[key] = version
	}
}

// stateOf is FNV-1a over an object's name and revision; tests compute the same.
func stateOf(key, version string) uint64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(key + "@" + version))
	return hash.Sum64()
}

func (i *informer) Add(object interface{}) error {
	return i.event(object, func(t *thing) {
		i.objects++
		i.sum += t.hash
		i.setVersion(t, t.version)
	})
}

func (i *informer) Update(object interface{}) error {
	return i.event(object, func(t *thing) { i.setVersion(t, t.version) })
}

func (i *informer) Delete(object interface{}) error {
	return i.event(object, func(t *thing) {
		i.objects--
		i.sum -= t.hash
		i.setVersion(t, "")
	})
}

func (i *informer) event(object interface{}, apply func(*thing)) error {
	t := object.(*thing)
	i.mutex.Lock()
	defer i.mutex.Unlock()
	revision := number(t.version)
	if revision <= i.revision {
		i.backwards++
	}
	i.revision = revision
	apply(t)
	return nil
}

// Replace is what a reflector calls when it has all objects.
func (i *informer) Replace(objects []interface{}, version string) error {
	sum := uint64(0)
	for _, object := range objects {
		sum += object.(*thing).hash
	}
	i.mutex.Lock()
	defer i.mutex.Unlock()
	revision := number(version)
	if revision < i.revision {
		i.backwards++
	}
	i.revision, i.objects, i.sum = revision, len(objects), sum
	if i.versions != nil {
		i.versions, i.state = map[string]string{}, 0
		for _, object := range objects {
			t := object.(*thing)
			i.setVersion(t, t.version)
		}
	}
	i.fills++
	return nil
}

func (i *informer) Resync() error { return nil }

// kindSummary tells of all informers of a Kind.
type kindSummary struct {
	// Informers that were filled at least once.
	Filled int `json:"filled"`
	// Revision of the informer that is furthest behind.
	Revision uint64 `json:"revision"`
	Fewest   int    `json:"fewest"`
	Most     int    `json:"most"`
	// Whether all have the same objects.
	Same bool `json:"same"`
	// Sum over names and revisions, in hexadecimal, where all have the same; else empty.
	State string `json:"state"`
	sum   uint64
	state uint64
}

type line struct {
	Kinds     map[string]*kindSummary `json:"kinds"`
	Informers int                     `json:"informers"`
	Filled    int                     `json:"filled"`
	// Fills of all informers together, the first ones too.
	Fills     int            `json:"fills"`
	Backwards int            `json:"backwards"`
	Requests  map[string]int `json:"requests"`
}

func summary(informers []*informer) line {
	all := line{Kinds: map[string]*kindSummary{}, Informers: len(informers), Requests: requests.counts()}
	for _, i := range informers {
		i.mutex.Lock()
		k := all.Kinds[i.kind]
		if k == nil {
			k = &kindSummary{Revision: i.revision, Fewest: i.objects, Most: i.objects, Same: true, sum: i.sum, state: i.state}
			all.Kinds[i.kind] = k
		}
		if i.fills > 0 {
			k.Filled++
			all.Filled++
		}
		k.Revision = min(k.Revision, i.revision)
		k.Fewest = min(k.Fewest, i.objects)
		k.Most = max(k.Most, i.objects)
		k.Same = k.Same && k.sum == i.sum && k.state == i.state
		all.Fills += i.fills
		all.Backwards += i.backwards
		i.mutex.Unlock()
	}
	for _, k := range all.Kinds {
		if k.Same {
			k.State = strconv.FormatUint(k.state, 16)
		}
	}
	return all
}
