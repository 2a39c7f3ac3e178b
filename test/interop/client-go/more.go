package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	authorization "k8s.io/api/authorization/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	clientinformers "k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// unnamed is an object that only has a name.
type unnamed struct{ APIVersion, Kind, Name string }

func (u *unnamed) create(ctx context.Context, config *rest.Config) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	ns := &core.Namespace{ObjectMeta: metav1.ObjectMeta{Name: u.Name}}
	_, err = client.CoreV1().Namespaces().Create(ctx, ns, metav1.CreateOptions{})
	return err
}

// documents asks for what kubectl and Helm ask for, the Protobuf form of OpenAPI among it.
func documents(config *rest.Config) error {
	client := discovery.NewDiscoveryClientForConfigOrDie(config)
	groups, lists, err := client.ServerGroupsAndResources()
	if err != nil {
		return err
	}
	if len(groups) < 15 || len(lists) < 15 {
		return fmt.Errorf("%d groups and %d lists", len(groups), len(lists))
	}
	document, err := client.OpenAPISchema()
	if err != nil {
		return err
	}
	if len(document.GetDefinitions().GetAdditionalProperties()) < 300 || len(document.GetPaths().GetPath()) < 100 {
		return fmt.Errorf("a small OpenAPI document")
	}
	for _, definition := range document.GetDefinitions().GetAdditionalProperties() {
		if definition.GetName() == "io.k8s.api.core.v1.Pod" {
			if len(definition.GetValue().GetProperties().GetAdditionalProperties()) != 5 {
				return fmt.Errorf("Pod: %v", definition.GetValue())
			}
			return nil
		}
	}
	return errors.New("OpenAPI lacks Pod")
}

func statusErrors(ctx context.Context, config *rest.Config) error {
	client := kubernetes.NewForConfigOrDie(config)
	_, err := client.CoreV1().ConfigMaps("default").Get(ctx, "none", metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		return err
	}
	bad := &core.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "Not A Name"}}
	_, err = client.CoreV1().ConfigMaps("default").Create(ctx, bad, metav1.CreateOptions{})
	var status apierrors.APIStatus
	if !errors.As(err, &status) || len(status.Status().Details.Causes) != 1 {
		return fmt.Errorf("no causes: %w", err)
	}
	return nil
}

// informers runs a typed informer of every kind and changes something.
func informers(ctx context.Context, config *rest.Config, kinds []kind) error {
	client := kubernetes.NewForConfigOrDie(config)
	factory := clientinformers.NewSharedInformerFactory(client, 0)
	known := 0
	for _, k := range kinds {
		resource := k.gvk.GroupVersion().WithResource(k.resource)
		if informer, err := factory.ForResource(resource); err == nil {
			informer.Informer()
			known++
		}
	}
	if known < 30 {
		return fmt.Errorf("only %d informers", known)
	}
	seen := make(chan string, 16)
	maps := factory.Core().V1().ConfigMaps()
	if _, err := maps.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { seen <- "added " + object.(*core.ConfigMap).Name },
	}); err != nil {
		return err
	}
	stop := make(chan struct{})
	defer close(stop)
	factory.Start(stop)
	synced, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for informer, done := range factory.WaitForCacheSync(synced.Done()) {
		if !done {
			return fmt.Errorf("%v did not sync", informer)
		}
	}
	made := &core.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "informed"}, Data: map[string]string{"k": "ü"}}
	if _, err := client.CoreV1().ConfigMaps(namespace).Create(ctx, made, metav1.CreateOptions{}); err != nil {
		return err
	}
	for {
		select {
		case what := <-seen:
			if what == "added informed" {
				found, err := maps.Lister().ConfigMaps(namespace).Get("informed")
				if err == nil && found.Data["k"] != "ü" {
					return fmt.Errorf("%v", found.Data)
				}
				return err
			}
		case <-synced.Done():
			return errors.New("the informer told nothing")
		}
	}
}

func metadataOnly(ctx context.Context, config *rest.Config) error {
	client := metadata.NewForConfigOrDie(metadata.ConfigFor(config))
	resource := schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	if _, err := client.Resource(resource).Namespace(namespace).Get(ctx, "informed", metav1.GetOptions{}); err != nil {
		return err
	}
	factory := metadatainformer.NewSharedInformerFactory(client, 0)
	informer := factory.ForResource(resource)
	stop := make(chan struct{})
	defer close(stop)
	go informer.Informer().Run(stop)
	if !cache.WaitForCacheSync(stop, informer.Informer().HasSynced) {
		return errors.New("no sync")
	}
	items, err := informer.Lister().ByNamespace(namespace).List(labels.Everything())
	if err == nil && len(items) == 0 {
		return errors.New("the informer has nothing")
	}
	return err
}

// subresources reads and writes scale and status, and posts what isn't stored.
func subresources(ctx context.Context, config *rest.Config) error {
	client := kubernetes.NewForConfigOrDie(config)
	one := int32(1)
	made := newObject(schema.GroupVersionKind{Version: "v1", Kind: "ReplicationController"}).(*core.ReplicationController)
	made.Name = "scaled"
	made.Spec = core.ReplicationControllerSpec{
		Replicas: &one,
		Selector: map[string]string{"a": "b"},
		Template: &core.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": "b"}},
			Spec:       core.PodSpec{Containers: []core.Container{{Name: "c", Image: "i"}}},
		},
	}
	controllers := client.CoreV1().ReplicationControllers(namespace)
	if _, err := controllers.Create(ctx, made, metav1.CreateOptions{}); err != nil {
		return err
	}
	scale, err := controllers.GetScale(ctx, "scaled", metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("scale: %w", err)
	}
	scale.Spec.Replicas = 3
	var after *autoscaling.Scale
	if after, err = controllers.UpdateScale(ctx, "scaled", scale, metav1.UpdateOptions{}); err != nil || after.Spec.Replicas != 3 {
		return fmt.Errorf("scale: %v %w", after, err)
	}
	current, err := controllers.Get(ctx, "scaled", metav1.GetOptions{})
	if err != nil {
		return err
	}
	current.Status.Replicas = 2
	if current, err = controllers.UpdateStatus(ctx, current, metav1.UpdateOptions{}); err != nil || current.Status.Replicas != 2 {
		return fmt.Errorf("status: %w", err)
	}
	if err := controllers.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "a=b"}); err != nil {
		return fmt.Errorf("deletecollection: %w", err)
	}
	return ignoreMissing(
		reviewed(ctx, client),
		client.PolicyV1().Evictions(namespace).Evict(ctx, &policy.Eviction{
			ObjectMeta: metav1.ObjectMeta{Name: "none", Namespace: namespace},
		}),
	)
}

func reviewed(ctx context.Context, client kubernetes.Interface) error {
	review := &authorization.SelfSubjectAccessReview{
		Spec: authorization.SelfSubjectAccessReviewSpec{
			ResourceAttributes: &authorization.ResourceAttributes{Verb: "get", Resource: "pods"},
		},
	}
	_, err := client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	return err
}

// ignoreMissing lets answers pass that say that something isn't there: they came as Status, in Protobuf.
func ignoreMissing(all ...error) error {
	for _, err := range all {
		if err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	return nil
}
