package main

import (
	"fmt"
	"io"
	"net/http"
	"os"

	core "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientinformers "k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// counting tells of every request for all there is: a list, or a watch that begins with one.
type counting struct {
	next http.RoundTripper
}

func (c counting) RoundTrip(request *http.Request) (*http.Response, error) {
	query := request.URL.Query()
	if query.Get("watch") == "" || query.Get("sendInitialEvents") == "true" {
		fmt.Println("list")
	}
	return c.next.RoundTrip(request)
}

// follow runs an informer of config maps and prints what it is told, a line each, until its input ends.
func follow(config *rest.Config, namespace, labels string) {
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return counting{next} })
	client := kubernetes.NewForConfigOrDie(config)
	factory := clientinformers.NewSharedInformerFactoryWithOptions(client, 0,
		clientinformers.WithNamespace(namespace),
		clientinformers.WithTweakListOptions(func(options *metav1.ListOptions) { options.LabelSelector = labels }))
	tell := func(verb string, object any) {
		if last, gone := object.(cache.DeletedFinalStateUnknown); gone {
			object = last.Obj
		}
		m := object.(*core.ConfigMap)
		fmt.Printf("%s %s=%s\n", verb, m.Name, m.Data["v"])
	}
	_, err := factory.Core().V1().ConfigMaps().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { tell("add", object) },
		UpdateFunc: func(_, object any) { tell("update", object) },
		DeleteFunc: func(object any) { tell("delete", object) },
	})
	if err != nil {
		panic(err)
	}
	stop := make(chan struct{})
	factory.Start(stop)
	_, _ = io.Copy(io.Discard, os.Stdin)
	close(stop)
	factory.Shutdown()
}
