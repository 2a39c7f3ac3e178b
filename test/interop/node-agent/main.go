// A node agent whose streams are those of the Go kubelet's own packages, around containers that are nothing but
// processes of this machine: what exec names is run here, port-forward leads to ports of 127.0.0.1.
//
//	node-agent ADDRESS CERTIFICATE KEY
//
// It listens on a free port, prints it, and ends with its input.
package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"
	remoteconsts "k8s.io/apimachinery/pkg/util/remotecommand"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/kubelet/pkg/cri/streaming/portforward"
	server "k8s.io/kubelet/pkg/cri/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

const (
	idle     = 4 * time.Hour
	toCreate = 30 * time.Second
)

type containers struct{}

// ExecInContainer runs a program. `sizes N` is not one: it tells the next N sizes of the terminal.
func (containers) ExecInContainer(ctx context.Context, _ string, _ types.UID, _ string, command []string, in io.Reader, out, err io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize, _ time.Duration) error {
	if command[0] == "sizes" {
		count, _ := strconv.Atoi(command[1])
		for range count {
			size := <-resize
			fmt.Fprintf(out, "%dx%d\n", size.Width, size.Height)
		}
		return nil
	}
	program := exec.CommandContext(ctx, command[0], command[1:]...)
	program.Stdout = out
	if err != nil {
		program.Stderr = err
	}
	if in != nil {
		// Not program.Stdin, whose end would be waited for.
		pipe, failed := program.StdinPipe()
		if failed != nil {
			return failed
		}
		go func() {
			_, _ = io.Copy(pipe, in)
			_ = pipe.Close()
		}()
	}
	failed := program.Run()
	var exit *exec.ExitError
	if errors.As(failed, &exit) {
		return utilexec.CodeExitError{Err: failed, Code: exit.ExitCode()}
	}
	return failed
}

// AttachContainer says hello and repeats what it is told.
func (containers) AttachContainer(_ context.Context, _ string, _ types.UID, container string, in io.Reader, out, _ io.WriteCloser, _ bool, _ <-chan remotecommand.TerminalSize) error {
	fmt.Fprintf(out, "attached to %s\n", container)
	if in != nil {
		_, err := io.Copy(out, in)
		return err
	}
	return nil
}

func (containers) PortForward(_ context.Context, _ string, _ types.UID, port int32, stream io.ReadWriteCloser) error {
	conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port))))
	if err != nil {
		return err
	}
	defer conn.Close()
	done := make(chan struct{})
	go func() {
		_, _ = io.Copy(stream, conn)
		close(done)
	}()
	_, _ = io.Copy(conn, stream)
	_ = conn.(*net.TCPConn).CloseWrite()
	<-done
	return nil
}

func serve(w http.ResponseWriter, r *http.Request) {
	if len(r.TLS.PeerCertificates) == 0 {
		http.Error(w, "Unauthorized", http.StatusUnauthorized)
		return
	}
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if parts[0] == "portForward" {
		options, err := portforward.NewV4Options(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		portforward.ServePortForward(w, r, containers{}, parts[2], "", options, idle, toCreate, portforward.SupportedProtocols)
		return
	}
	options, err := server.NewOptions(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	switch parts[0] {
	case "exec":
		command := r.URL.Query()["command"]
		server.ServeExec(w, r, containers{}, parts[2], "", parts[3], command, options, idle, toCreate, remoteconsts.SupportedStreamingProtocols)
	case "attach":
		server.ServeAttach(w, r, containers{}, parts[2], "", parts[3], options, idle, toCreate, remoteconsts.SupportedStreamingProtocols)
	default:
		http.NotFound(w, r)
	}
}

func main() {
	certificate, err := tls.LoadX509KeyPair(os.Args[2], os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	listener, err := tls.Listen("tcp", net.JoinHostPort(os.Args[1], "0"), &tls.Config{
		Certificates: []tls.Certificate{certificate},
		ClientAuth:   tls.RequestClientCert,
		NextProtos:   []string{"http/1.1"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	log.Fatal(http.Serve(listener, http.HandlerFunc(serve)))
}
