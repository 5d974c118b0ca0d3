package main

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"strconv"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

// thing is what an informer keeps of an object: thousands of informers in one process share it.
type thing struct {
	metav1.Object // nil: a reflector asks for nothing else than what is below
	namespace     string
	name          string
	version       string
	annotations   map[string]string
	hash          uint64
}

func (t *thing) GetObjectKind() schema.ObjectKind  { return schema.EmptyObjectKind }
func (t *thing) DeepCopyObject() runtime.Object    { return t }
func (t *thing) GetNamespace() string              { return t.namespace }
func (t *thing) GetName() string                   { return t.name }
func (t *thing) GetResourceVersion() string        { return t.version }
func (t *thing) GetAnnotations() map[string]string { return t.annotations }
func (t *thing) revision() (uint64, error)         { return strconv.ParseUint(t.version, 10, 64) }

// things is a list as a reflector takes it.
type things struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []runtime.Object
}

func (t *things) DeepCopyObject() runtime.Object { return t }

// thin decodes protobuf, and of objects only what identifies them, so that the clients cost the machine little beside the servers.
type thin struct {
	runtime.NegotiatedSerializer
}

func (t thin) SupportedMediaTypes() []runtime.SerializerInfo {
	for _, info := range t.NegotiatedSerializer.SupportedMediaTypes() {
		if info.MediaType == runtime.ContentTypeProtobuf {
			return []runtime.SerializerInfo{info}
		}
	}
	return nil
}

func (t thin) DecoderToVersion(runtime.Decoder, runtime.GroupVersioner) runtime.Decoder {
	return decoder{}
}

type decoder struct{}

var magic = []byte("k8s\x00")

func (decoder) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	if !bytes.HasPrefix(data, magic) {
		return scheme.Codecs.UniversalDeserializer().Decode(data, defaults, into)
	}
	unknown := data[len(magic):]
	kind := string(field(field(unknown, 1), 2))
	switch {
	case kind == "Status":
		return scheme.Codecs.UniversalDeserializer().Decode(data, defaults, into)
	case strings.HasSuffix(kind, "List"):
		list, err := listOf(strings.TrimSuffix(kind, "List"), field(unknown, 2))
		return list, &schema.GroupVersionKind{Version: "v1", Kind: kind}, err
	default:
		object, err := known.of(kind, field(unknown, 2))
		return object, &schema.GroupVersionKind{Version: "v1", Kind: kind}, err
	}
}

func listOf(kind string, raw []byte) (*things, error) {
	list := &things{}
	err := each(raw, func(number uint64, value []byte) error {
		switch number {
		case 1:
			list.ResourceVersion = string(field(value, 2))
			list.Continue = string(field(value, 3))
		case 2:
			item, err := known.of(kind, value)
			if err != nil {
				return err
			}
			list.Items = append(list.Items, item)
		}
		return nil
	})
	return list, err
}

// known are the objects that some informer was told of, by kind and resource version.
var known = &interned{shards: [64]shard{}}

type interned struct {
	seed   maphash.Seed
	once   sync.Once
	shards [64]shard
}

type shard struct {
	sync.RWMutex
	things map[string]*thing
}

func (i *interned) of(kind string, raw []byte) (*thing, error) {
	i.once.Do(func() { i.seed = maphash.MakeSeed() })
	meta := field(raw, 1)
	version := field(meta, 6)
	if len(version) == 0 {
		return nil, fmt.Errorf("a %s without resource version", kind)
	}
	name := field(meta, 1)
	if len(name) == 0 { // a bookmark
		return &thing{version: string(version), annotations: annotations(meta)}, nil
	}
	hash := maphash.Bytes(i.seed, version)
	s := &i.shards[hash%uint64(len(i.shards))]
	s.RLock()
	found := s.things[string(version)]
	s.RUnlock()
	if found != nil && found.name == string(name) {
		return found, nil
	}
	made := &thing{namespace: string(field(meta, 3)), name: string(name), version: string(version)}
	made.hash = maphash.String(i.seed, kind+"/"+made.namespace+"/"+made.name)
	s.Lock()
	defer s.Unlock()
	if s.things == nil {
		s.things = map[string]*thing{}
	}
	s.things[made.version] = made
	return made, nil
}

func annotations(meta []byte) map[string]string {
	found := map[string]string{}
	_ = each(meta, func(number uint64, value []byte) error {
		if number == 12 {
			found[string(field(value, 1))] = string(field(value, 2))
		}
		return nil
	})
	return found
}

// field is the first field of a message with this number that has bytes; nil without one.
func field(message []byte, number uint64) []byte {
	var found []byte
	_ = each(message, func(n uint64, value []byte) error {
		if n == number {
			found = value
			return errFound
		}
		return nil
	})
	return found
}

var errFound = fmt.Errorf("found")

// each calls back for every field of a message that has bytes, until an error.
func each(message []byte, field func(number uint64, value []byte) error) error {
	for len(message) > 0 {
		tag, n := varint(message)
		if n == 0 {
			return fmt.Errorf("a message that ends in a tag")
		}
		message = message[n:]
		value, n := varint(message)
		if n == 0 || (tag&7 != 0 && tag&7 != 2) {
			return fmt.Errorf("a field %d of type %d", tag>>3, tag&7)
		}
		message = message[n:]
		if tag&7 == 0 {
			continue
		}
		if value > uint64(len(message)) {
			return fmt.Errorf("a field %d of %d bytes, of which %d came", tag>>3, value, len(message))
		}
		if err := field(tag>>3, message[:value]); err != nil {
			return err
		}
		message = message[value:]
	}
	return nil
}

func varint(bytes []byte) (uint64, int) {
	var value uint64
	for i, b := range bytes {
		if i == 10 {
			break
		}
		value |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			return value, i + 1
		}
	}
	return 0, 0
}
