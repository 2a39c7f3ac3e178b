// Package envtest runs controller-runtime's own test environment on the assets of `make envtest-assets`, as a project
// of controllers does that has been told nothing but KUBEBUILDER_ASSETS.
package envtest

import (
	"context"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const patience = 20 * time.Second

// start starts a control plane and stops it with the test.
func start(t *testing.T) (*envtest.Environment, client.Client, *runtime.Scheme) {
	t.Helper()
	environment := &envtest.Environment{}
	config, err := environment.Start()
	if err != nil {
		t.Fatalf("it does not start: %v", err)
	}
	t.Cleanup(func() {
		if err := environment.Stop(); err != nil {
			t.Errorf("it does not stop: %v", err)
		}
	})
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	c, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	return environment, c, scheme
}

func configMap(name, value string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"},
		Data:       map[string]string{"value": value},
	}
}

func TestObjects(t *testing.T) {
	_, c, _ := start(t)
	ctx := context.Background()
	made := configMap("a", "1")
	if err := c.Create(ctx, made); err != nil {
		t.Fatal(err)
	}
	stale := made.DeepCopy()
	made.Data["value"] = "2"
	if err := c.Update(ctx, made); err != nil {
		t.Fatal(err)
	}
	if err := c.Update(ctx, stale); !apierrors.IsConflict(err) {
		t.Errorf("an update of an old version: %v, not a conflict", err)
	}
	var found corev1.ConfigMap
	if err := c.Get(ctx, client.ObjectKeyFromObject(made), &found); err != nil || found.Data["value"] != "2" {
		t.Errorf("found %v, %v", found.Data, err)
	}
	if err := c.Delete(ctx, made); err != nil {
		t.Fatal(err)
	}
	if err := c.Get(ctx, client.ObjectKeyFromObject(made), &found); !apierrors.IsNotFound(err) {
		t.Errorf("a deleted object: %v", err)
	}
}

// TestUsers is about what envtest's certificates for further users may do.
func TestUsers(t *testing.T) {
	environment, _, scheme := start(t)
	user, err := environment.AddUser(envtest.User{Name: "nobody", Groups: []string{"guests"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.New(user.Config(), client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Create(context.Background(), configMap("a", "1")); !apierrors.IsForbidden(err) {
		t.Errorf("a user without roles creates: %v", err)
	}
}

// TestController runs a manager with a controller that keeps a config map for every deployment.
func TestController(t *testing.T) {
	environment, c, scheme := start(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	manager, err := ctrl.NewManager(environment.Config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := ctrl.NewControllerManagedBy(manager).For(&appsv1.Deployment{}).Owns(&corev1.ConfigMap{}).
		Complete(&noteTaker{client: manager.GetClient(), scheme: scheme}); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()

	if err := c.Create(ctx, deployment("web")); err != nil {
		t.Fatal(err)
	}
	note := client.ObjectKey{Namespace: "default", Name: "web-note"}
	var found corev1.ConfigMap
	eventually(t, func() bool { return c.Get(ctx, note, &found) == nil })
	if owner := metav1.GetControllerOf(&found); owner == nil || owner.Name != "web" {
		t.Errorf("the note is owned by %v", owner)
	}
	// A watch tells the controller that what it owns is gone.
	first := found.UID
	if err := c.Delete(ctx, &found); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return c.Get(ctx, note, &found) == nil && found.UID != first })
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("the manager ends with %v", err)
	}
}

type noteTaker struct {
	client client.Client
	scheme *runtime.Scheme
}

func (r *noteTaker) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var owner appsv1.Deployment
	if err := r.client.Get(ctx, request.NamespacedName, &owner); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	note := configMap(owner.Name+"-note", owner.Spec.Template.Spec.Containers[0].Image)
	if err := ctrl.SetControllerReference(&owner, note, r.scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.client.Create(ctx, note); !apierrors.IsAlreadyExists(err) {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

func deployment(name string) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "example/" + name}}},
			},
		},
	}
}

func eventually(t *testing.T, happens func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if happens() {
			return
		}
	}
	t.Fatal("waited in vain")
}
