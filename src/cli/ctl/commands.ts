import type { CommandSection } from './command.ts';

/** Every command of orchctl. A line here and a file in `commands/` are all that a new one needs. */
export const SECTIONS: readonly CommandSection[] = [
  {
    title: 'Look',
    commands: [
      {
        name: 'get',
        summary: 'Show objects, as tables or otherwise',
        load: async () => (await import('./commands/get.ts')).get,
      },
      {
        name: 'describe',
        summary: 'Describe objects in detail, and what happened to them',
        load: async () => (await import('./commands/describe.ts')).describe,
      },
      {
        name: 'who-owns',
        summary: 'Show who owns the fields of an object',
        load: async () => (await import('./commands/who-owns.ts')).whoOwns,
      },
      {
        name: 'history',
        summary: 'Show what an object was like, and who changed it',
        load: async () => (await import('./commands/history.ts')).history,
      },
      {
        name: 'explain',
        summary: 'Tell what the fields of a type mean',
        load: async () => (await import('./commands/explain.ts')).explain,
      },
      {
        name: 'api-resources',
        summary: 'List the resources that the server has',
        load: async () => (await import('./commands/api-resources.ts')).apiResources,
      },
      {
        name: 'api-versions',
        summary: 'List the versions of the API that the server has',
        load: async () => (await import('./commands/api-versions.ts')).apiVersions,
      },
      {
        name: 'cluster-info',
        summary: 'Show where the control plane is',
        load: async () => (await import('./commands/cluster-info.ts')).clusterInfo,
      },
      {
        name: 'version',
        summary: 'Show the versions of orchctl and of the server',
        load: async () => (await import('./commands/version.ts')).version,
      },
    ],
  },
  {
    title: 'Write manifests',
    commands: [
      {
        name: 'apply',
        summary: 'Bring objects into the state that manifests say',
        load: async () => (await import('./commands/apply.ts')).apply,
      },
      {
        name: 'create',
        summary: 'Create objects of manifests',
        load: async () => (await import('./commands/create.ts')).create,
      },
      {
        name: 'run',
        summary: 'Run an image as a pod',
        load: async () => (await import('./commands/run.ts')).run,
      },
      {
        name: 'expose',
        summary: 'Make a service that leads to the pods of an object',
        load: async () => (await import('./commands/expose.ts')).expose,
      },
      {
        name: 'diff',
        summary: 'Show what apply would change',
        load: async () => (await import('./commands/diff.ts')).diff,
      },
      {
        name: 'replace',
        summary: 'Write objects whole, as manifests have them',
        load: async () => (await import('./commands/replace.ts')).replace,
      },
      {
        name: 'edit',
        summary: 'Change objects in an editor',
        load: async () => (await import('./commands/edit.ts')).edit,
      },
      {
        name: 'undo',
        summary: 'Write an object back as it was',
        load: async () => (await import('./commands/undo.ts')).undo,
      },
    ],
  },
  {
    title: 'Change objects',
    commands: [
      {
        name: 'label',
        summary: 'Set labels of objects',
        load: async () => (await import('./commands/label.ts')).label,
      },
      {
        name: 'annotate',
        summary: 'Set annotations of objects',
        load: async () => (await import('./commands/annotate.ts')).annotate,
      },
      {
        name: 'patch',
        summary: 'Change fields of objects',
        load: async () => (await import('./commands/patch.ts')).patch,
      },
      {
        name: 'scale',
        summary: 'Set how many replicas something has',
        load: async () => (await import('./commands/scale.ts')).scale,
      },
      {
        name: 'rollout',
        summary: 'Follow, hold, restart and take back rollouts',
        load: async () => (await import('./commands/rollout.ts')).rollout,
      },
      {
        name: 'cordon',
        summary: 'Keep new pods away from nodes',
        load: async () => (await import('./commands/cordon.ts')).cordon,
      },
      {
        name: 'uncordon',
        summary: 'Let new pods onto nodes again',
        load: async () => (await import('./commands/cordon.ts')).uncordon,
      },
      {
        name: 'drain',
        summary: 'Send the pods of nodes away',
        load: async () => (await import('./commands/drain.ts')).drain,
      },
      {
        name: 'delete',
        summary: 'Delete objects',
        load: async () => (await import('./commands/delete.ts')).remove,
      },
      {
        name: 'wait',
        summary: 'Wait until objects are as asked',
        load: async () => (await import('./commands/wait.ts')).wait,
      },
    ],
  },
  {
    title: 'Set up',
    commands: [
      {
        name: 'auth',
        summary: 'Ask who one is and what one may do',
        load: async () => (await import('./commands/auth.ts')).auth,
      },
      {
        name: 'certificate',
        summary: 'Decide requests for certificates',
        load: async () => (await import('./commands/certificate.ts')).certificate,
      },
      {
        name: 'token',
        summary: 'Make and show bootstrap tokens',
        load: async () => (await import('./commands/token.ts')).token,
      },
      {
        name: 'config',
        summary: 'Show and change clusters, users and contexts',
        load: async () => (await import('./commands/config.ts')).config,
      },
      {
        name: 'proxy',
        summary: 'Serve the API on a local port, in your name',
        load: async () => (await import('./commands/proxy.ts')).proxy,
      },
      {
        name: 'completion',
        summary: 'Complete words in bash, zsh or fish',
        load: async () => (await import('./commands/completion.ts')).completion,
      },
      {
        name: 'options',
        summary: 'List the flags that all commands take',
        load: async () => (await import('./commands/options.ts')).options,
      },
      {
        name: '__complete',
        hidden: true,
        summary: 'Tell what may come next',
        load: async () => (await import('./commands/complete.ts')).complete,
      },
    ],
  },
];
