package main

import (
	"bufio"
	"context"
	"fmt"
	"os"

	authentication "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// inCluster finds its server as a program in a pod does, and prints who it is for each line of its input.
func inCluster() {
	config, err := rest.InClusterConfig()
	if err != nil {
		panic(err)
	}
	client := kubernetes.NewForConfigOrDie(config)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		review := &authentication.SelfSubjectReview{}
		review, err := client.AuthenticationV1().SelfSubjectReviews().Create(context.Background(), review, metav1.CreateOptions{})
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(review.Status.UserInfo.Username)
	}
}
