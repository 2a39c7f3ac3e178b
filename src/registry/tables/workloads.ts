import type { ResourceHooks } from '../hooks.ts';
import { cronJobHooks } from '../cronjob/hooks.ts';
import { daemonSetHooks } from '../daemonset/hooks.ts';
import { deploymentHooks } from '../deployment/hooks.ts';
import { autoscalerHooks } from '../horizontalpodautoscaler/hooks.ts';
import { jobHooks } from '../job/hooks.ts';
import { oldNodeLabels } from '../old-node-labels.ts';
import { gatedFields } from '../pod/gated-fields.ts';
import { bindingHooks, podHooks } from '../pod/hooks.ts';
import { podLog } from '../pod/log.ts';
import { podProxy } from '../pod/proxy.ts';
import { podStreams } from '../pod/streams.ts';
import { withTemplate } from '../pod/template-hooks.ts';
import { podWarnings } from '../pod/warnings/warnings.ts';
import {
  podTemplateHooks,
  replicaSetHooks,
  replicationControllerHooks,
  statefulSetHooks,
} from '../workload/hooks.ts';
import { WORKLOAD_WARNINGS } from '../workload/warnings.ts';
import type { HooksTable, TableParts } from './parts.ts';

/** Pods, and what makes them. */
export function workloadsTable(parts: TableParts): HooksTable {
  const { names, pods, nodeAgents } = parts;
  return {
    'autoscaling.HorizontalPodAutoscaler': autoscalerHooks(names),
    'core.Binding': bindingHooks,
    'core.Pod': {
      ...podHooks(names, pods),
      ...(nodeAgents === undefined
        ? {}
        : {
            texts: { log: podLog(nodeAgents, pods) },
            connects: { proxy: podProxy(nodeAgents.locate) },
            streams: podStreams(nodeAgents, pods),
          }),
    },
    ...withTemplates(
      {
        'apps.DaemonSet': daemonSetHooks,
        'apps.Deployment': deploymentHooks,
        'apps.ReplicaSet': replicaSetHooks,
        'apps.StatefulSet': statefulSetHooks,
        'batch.CronJob': cronJobHooks,
        'batch.Job': jobHooks(names),
        'core.PodTemplate': podTemplateHooks,
        'core.ReplicationController': replicationControllerHooks,
      },
      parts,
    ),
  };
}

const IN_SPEC: readonly string[] = ['spec', 'template'];

/** Where the pod template is, other than in the spec. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  'batch.CronJob': ['spec', 'jobTemplate', ...IN_SPEC],
  'core.PodTemplate': ['template'],
};

function withTemplates(table: HooksTable, { names, pods }: TableParts): HooksTable {
  const parts = { dropGated: gatedFields(pods), warningsOf: podWarnings(names, oldNodeLabels(names)) };
  return Object.fromEntries(
    Object.entries(table).map(([kind, hooks]) => [
      kind,
      withTemplate(withWarnings(hooks, kind), TEMPLATES[kind] ?? IN_SPEC, parts),
    ]),
  );
}

function withWarnings(hooks: ResourceHooks, kind: string): ResourceHooks {
  const warnings = WORKLOAD_WARNINGS[kind];
  return warnings === undefined ? hooks : { ...hooks, warnings };
}
