const template = (name: string, image: string): string => `
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      nodeSelector: {no: node}
      containers:
      - name: main
        image: ${image}
        ports: [{containerPort: 80}]
        env: [{name: A, value: b}]
        volumeMounts: [{name: data, mountPath: /data}]
      volumes: [{name: data, emptyDir: {}}]
`;

/** A deployment, a daemon set and a stateful set without a pod, so that no node is needed for them to roll out. */
export const workloads = (image: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 0${template('web', image)}---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:${template('agent', image)}---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 0
  serviceName: db${template('db', image)}`;
