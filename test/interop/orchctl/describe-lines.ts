import { code, columns, exact, type Line } from './lines.ts';

/** Descriptions of every kind that has one of its own, and of some that have none. */
export const DESCRIBE_LINES: readonly Line[] = [
  exact('describe pod rich'),
  exact('describe pod rich --show-events=false'),
  exact('describe pods'),
  exact('describe pods pl'),
  exact('describe pods -l app=web'),
  exact('describe pod/plain deployment/web'),
  exact('describe deployments'),
  exact('describe replicasets,statefulsets,daemonsets,replicationcontrollers'),
  exact('describe jobs,cronjobs'),
  exact('describe services'),
  exact('describe ingresses'),
  exact('describe configmap c'),
  exact('describe secrets'),
  columns('describe nodes'),
  exact('describe namespace default'),
  exact('describe persistentvolumeclaims'),
  exact('describe persistentvolumes'),
  exact('describe controllerrevisions'),
  exact('describe lease lease'),
  exact('describe customresourcedefinitions'),
  code('describe pod gone'),
  code('describe pod/rich pod/gone'),
  code('describe nonsense'),
  code('describe'),
];
