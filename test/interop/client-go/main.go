// Exercises a server with Go clients that speak Protobuf: every kind of the facts through create, get, list, watch,
// update, patch and delete, typed informers, metadata clients, discovery and OpenAPI. Prints a line for each, and ends
// with status 1 when one failed.
//
//	client-go KUBECONFIG FACTS/defaults.json
//
// Or runs an informer of config maps, and prints what it is told until its input ends:
//
//	client-go KUBECONFIG follow NAMESPACE LABELS
//
// Or says who it is for each line of its input, knowing its server as a program in a pod does:
//
//	client-go in-cluster
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"sort"
	"strings"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

const (
	protobuf = "application/vnd.kubernetes.protobuf"
	// the namespace that the samples name
	namespace = "probe"
)

var failed bool

// check prints the outcome of one part; panics count as failures.
func check(what string, do func() error) {
	err := func() (err error) {
		defer func() {
			if reason := recover(); reason != nil {
				err = fmt.Errorf("%v", reason)
			}
		}()
		return do()
	}()
	if err != nil {
		failed = true
		fmt.Printf("FAIL %s: %v\n", what, err)
		return
	}
	fmt.Printf("ok %s\n", what)
}

// kind is a kind with what is needed to make an object of it.
type kind struct {
	gvk        schema.GroupVersionKind
	resource   string
	namespaced bool
	sent       map[string]any
}

func (k kind) namespace() string {
	if k.namespaced {
		return namespace
	}
	return ""
}

func main() {
	for _, add := range []func(*runtime.Scheme) error{apiextensions.AddToScheme, apiregistration.AddToScheme} {
		if err := add(scheme.Scheme); err != nil {
			panic(err)
		}
	}
	if os.Args[1] == "in-cluster" {
		inCluster()
		return
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err != nil {
		panic(err)
	}
	config.QPS, config.Burst = 1000, 1000
	config.ContentType = protobuf
	config.AcceptContentTypes = protobuf
	if os.Args[2] == "follow" {
		follow(config, os.Args[3], os.Args[4])
		return
	}
	run(config, os.Args[2])
	if failed {
		os.Exit(1)
	}
}

func run(config *rest.Config, facts string) {
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	check("namespace", func() error {
		ns := &unnamed{APIVersion: "v1", Kind: "Namespace", Name: namespace}
		return ns.create(ctx, config)
	})
	kinds := kindsOf(config, facts)
	check("discovery and OpenAPI", func() error { return documents(config) })
	check("errors are Status", func() error { return statusErrors(ctx, config) })
	for _, k := range kinds {
		check(k.gvk.String(), func() error { return lifecycle(ctx, config, k) })
	}
	check("informers of all kinds", func() error { return informers(ctx, config, kinds) })
	check("metadata clients", func() error { return metadataOnly(ctx, config) })
	check("subresources and reviews", func() error { return subresources(ctx, config) })
}

// kindsOf reads the samples of the facts: the first of each kind that the server has.
func kindsOf(config *rest.Config, facts string) []kind {
	text, err := os.ReadFile(facts)
	if err != nil {
		panic(err)
	}
	var samples map[string]struct {
		Sent map[string]any `json:"sent"`
	}
	if err := json.Unmarshal(text, &samples); err != nil {
		panic(err)
	}
	groups, err := restmapper.GetAPIGroupResources(discovery.NewDiscoveryClientForConfigOrDie(config))
	if err != nil {
		panic(err)
	}
	mapper := restmapper.NewDiscoveryRESTMapper(groups)
	titles := make([]string, 0, len(samples))
	for title := range samples {
		titles = append(titles, title)
	}
	sort.Strings(titles)
	var kinds []kind
	for _, title := range titles {
		parts := strings.Split(title, "/")
		if strings.Contains(title, " ") || samples[title].Sent == nil {
			continue
		}
		gv, err := schema.ParseGroupVersion(strings.Join(parts[:len(parts)-1], "/"))
		if err != nil {
			panic(err)
		}
		gvk := gv.WithKind(parts[len(parts)-1])
		mapping, err := mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
		if err != nil {
			check(gvk.String(), func() error { return err })
			continue
		}
		if gvk.Kind == "CertificateSigningRequest" {
			samples[title].Sent["spec"].(map[string]any)["request"] = signingRequest()
		}
		kinds = append(kinds, kind{
			gvk:        gvk,
			resource:   mapping.Resource.Resource,
			namespaced: mapping.Scope.Name() == meta.RESTScopeNameNamespace,
			sent:       samples[title].Sent,
		})
	}
	return kinds
}

// signingRequest makes what the samples have no real one of.
func signingRequest() []byte {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.CertificateRequest{Subject: pkix.Name{CommonName: "client-go"}}
	request, err := x509.CreateCertificateRequest(rand.Reader, template, key)
	if err != nil {
		panic(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: request})
}

// clientFor makes what typed clients are made of.
func clientFor(config *rest.Config, gv schema.GroupVersion) *rest.RESTClient {
	copied := rest.CopyConfig(config)
	copied.GroupVersion = &gv
	copied.APIPath = "/apis"
	if gv.Group == "" {
		copied.APIPath = "/api"
	}
	copied.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	client, err := rest.RESTClientFor(copied)
	if err != nil {
		panic(err)
	}
	return client
}

func asJSON(config *rest.Config) *rest.Config {
	copied := rest.CopyConfig(config)
	copied.ContentType = "application/json"
	copied.AcceptContentTypes = "application/json"
	return copied
}

func newObject(gvk schema.GroupVersionKind) runtime.Object {
	object, err := scheme.Scheme.New(gvk)
	if err != nil {
		panic(err)
	}
	return object
}

// lifecycle takes one object of a kind through all verbs, typed.
func lifecycle(ctx context.Context, config *rest.Config, k kind) error {
	client := clientFor(config, k.gvk.GroupVersion())
	name := objectName(k)
	object := newObject(k.gvk)
	sent := withName(k.sent, name)
	text, _ := json.Marshal(sent)
	if err := json.Unmarshal(text, object); err != nil {
		return err
	}
	at := func(r *rest.Request) *rest.Request {
		return r.NamespaceIfScoped(k.namespace(), k.namespaced).Resource(k.resource)
	}

	created := newObject(k.gvk)
	if err := at(client.Post()).Body(object).Do(ctx).Into(created); err != nil {
		return fmt.Errorf("create: %w", err)
	}
	defer func() {
		_ = at(client.Delete()).Name(name).Body(&metav1.DeleteOptions{GracePeriodSeconds: new(int64)}).Do(ctx).Error()
	}()

	got, same := newObject(k.gvk), newObject(k.gvk)
	if err := at(client.Get()).Name(name).Do(ctx).Into(got); err != nil {
		return fmt.Errorf("get: %w", err)
	}
	if err := at(clientFor(asJSON(config), k.gvk.GroupVersion()).Get()).Name(name).Do(ctx).Into(same); err != nil {
		return fmt.Errorf("get as JSON: %w", err)
	}
	// A controller of the server may have changed it in between.
	if versionOf(got) == versionOf(same) {
		if err := equal("as Protobuf and as JSON", got, same); err != nil {
			return err
		}
	}

	var events watch.Interface
	updated := newObject(k.gvk)
	for attempt := 1; ; attempt++ {
		list, err := scheme.Scheme.New(k.gvk.GroupVersion().WithKind(k.gvk.Kind + "List"))
		if err != nil {
			return err
		}
		if err := at(client.Get()).Do(ctx).Into(list); err != nil {
			return fmt.Errorf("list: %w", err)
		}
		events, err = at(client.Get()).VersionedParams(&metav1.ListOptions{
			Watch: true, ResourceVersion: versionOf(list), FieldSelector: "metadata.name=" + name,
		}, scheme.ParameterCodec).Watch(ctx)
		if err != nil {
			return fmt.Errorf("watch: %w", err)
		}
		defer events.Stop()

		wrong := inList(list, got)
		if wrong == nil {
			accessor, _ := meta.Accessor(got)
			accessor.SetAnnotations(map[string]string{"updated": "yes"})
			wrong = at(client.Put()).Name(name).Body(got).Do(ctx).Into(updated)
		}
		if wrong == nil {
			break
		}
		// A controller of the server may have changed it in between, as those of flow control do.
		before := versionOf(got)
		got = newObject(k.gvk)
		if err := at(client.Get()).Name(name).Do(ctx).Into(got); err != nil {
			return fmt.Errorf("get: %w", err)
		}
		if versionOf(got) == before || attempt == 5 {
			return fmt.Errorf("list and update: %w", wrong)
		}
	}
	if err := expect(events, watch.Modified, updated); err != nil {
		return err
	}
	patched := newObject(k.gvk)
	patch := []byte(`{"metadata":{"annotations":{"patched":"yes"}}}`)
	for _, patchType := range []types.PatchType{types.MergePatchType, types.StrategicMergePatchType} {
		if err := at(client.Patch(patchType)).Name(name).Body(patch).Do(ctx).Into(patched); err != nil {
			return fmt.Errorf("%s: %w", patchType, err)
		}
	}
	if err := expect(events, watch.Modified, patched); err != nil {
		return err
	}
	options := &metav1.DeleteOptions{GracePeriodSeconds: new(int64)}
	if err := at(client.Delete()).Name(name).Body(options).Do(ctx).Error(); err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	return nil
}

func versionOf(object runtime.Object) string {
	version, err := meta.NewAccessor().ResourceVersion(object)
	if err != nil {
		panic(err)
	}
	return version
}

// objectName keeps the names that a kind's rules want.
func objectName(k kind) string {
	metadata, _ := k.sent["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	if strings.Contains(name, ".") || name == "" {
		return name
	}
	return name + "-go"
}

func withName(sent map[string]any, name string) map[string]any {
	copied := map[string]any{}
	for key, value := range sent {
		copied[key] = value
	}
	metadata := map[string]any{}
	if old, ok := sent["metadata"].(map[string]any); ok {
		for key, value := range old {
			metadata[key] = value
		}
	}
	metadata["name"] = name
	delete(metadata, "namespace")
	copied["metadata"] = metadata
	return copied
}

func equal(what string, a, b runtime.Object) error {
	if equality.Semantic.DeepEqual(a, b) {
		return nil
	}
	first, _ := json.Marshal(a)
	second, _ := json.Marshal(b)
	return fmt.Errorf("differs %s:\n%s\n%s", what, first, second)
}

func inList(list, object runtime.Object) error {
	wanted, _ := meta.Accessor(object)
	items, err := meta.ExtractList(list)
	if err != nil {
		return err
	}
	for _, item := range items {
		found, _ := meta.Accessor(item)
		if found.GetUID() == wanted.GetUID() {
			if found.GetResourceVersion() != wanted.GetResourceVersion() {
				return nil
			}
			return equal("in the list", item, object)
		}
	}
	return fmt.Errorf("the list of %d lacks it", len(items))
}

func expect(events watch.Interface, wanted watch.EventType, object runtime.Object) error {
	select {
	case event := <-events.ResultChan():
		if event.Type != wanted {
			return fmt.Errorf("watch: %s %v, not %s", event.Type, event.Object, wanted)
		}
		return equal("in the event", event.Object, object)
	case <-time.After(10 * time.Second):
		return fmt.Errorf("watch: no %s", wanted)
	}
}
