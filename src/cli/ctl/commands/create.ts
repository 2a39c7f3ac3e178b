import { defineCommand, type CommandGroup } from '../command.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import { MANIFEST_FLAGS, WRITE_FLAGS } from '../write/flags.ts';

const fromManifests = defineCommand({
  usage: '-f FILENAME [flags]',
  description: 'Create objects as manifests have them.',
  examples: `
    # What a file says
    orchctl create -f web.yaml
    # From another program
    helm template web | orchctl create -f -`,
  arguments: 'files',
  flags: {
    ...MANIFEST_FLAGS,
    ...WRITE_FLAGS,
    ...OUTPUT_FLAGS,
    'field-manager': { type: 'text', default: 'orchctl-create', help: 'Who is to own the fields.' },
  },
  async run({ context, flags }) {
    const { createManifests } = await import('../write/create-manifests.ts');
    await createManifests(context, flags);
  },
});

/** Each of its commands makes an object of one kind. */
export const create: CommandGroup = {
  description: 'Create objects of manifests, or of flags for the common kinds.',
  own: fromManifests,
  commands: [
    {
      name: 'configmap',
      aliases: ['cm'],
      summary: 'Create a config map of values or files',
      load: async () => (await import('./create/configmap.ts')).configMap,
    },
    {
      name: 'namespace',
      aliases: ['ns'],
      summary: 'Create a namespace',
      load: async () => (await import('./create/namespace.ts')).namespace,
    },
    {
      name: 'secret',
      summary: 'Create a secret',
      load: async () => (await import('./create/secret.ts')).secret,
    },
    {
      name: 'clusterrole',
      summary: 'Create a cluster role',
      load: async () => (await import('./create/cluster-role.ts')).clusterRole,
    },
    {
      name: 'clusterrolebinding',
      summary: 'Give a cluster role to users everywhere',
      load: async () => (await import('./create/role-binding.ts')).clusterRoleBinding,
    },
    {
      name: 'cronjob',
      aliases: ['cj'],
      summary: 'Create a cron job',
      load: async () => (await import('./create/cron-job.ts')).cronJob,
    },
    {
      name: 'deployment',
      aliases: ['deploy'],
      summary: 'Create a deployment',
      load: async () => (await import('./create/deployment.ts')).deployment,
    },
    {
      name: 'ingress',
      aliases: ['ing'],
      summary: 'Create an ingress',
      load: async () => (await import('./create/ingress.ts')).ingress,
    },
    {
      name: 'job',
      summary: 'Create a job, also of a cron job',
      load: async () => (await import('./create/job.ts')).job,
    },
    {
      name: 'poddisruptionbudget',
      aliases: ['pdb'],
      summary: 'Create a budget for disruptions',
      load: async () => (await import('./create/pod-disruption-budget.ts')).podDisruptionBudget,
    },
    {
      name: 'priorityclass',
      aliases: ['pc'],
      summary: 'Create a priority class',
      load: async () => (await import('./create/priority-class.ts')).priorityClass,
    },
    {
      name: 'quota',
      aliases: ['resourcequota'],
      summary: 'Create a quota',
      load: async () => (await import('./create/quota.ts')).quota,
    },
    {
      name: 'role',
      summary: 'Create a role',
      load: async () => (await import('./create/role.ts')).role,
    },
    {
      name: 'rolebinding',
      summary: 'Give a role to users in a namespace',
      load: async () => (await import('./create/role-binding.ts')).roleBinding,
    },
    {
      name: 'service',
      aliases: ['svc'],
      summary: 'Create a service',
      load: async () => (await import('./create/service.ts')).service,
    },
    {
      name: 'serviceaccount',
      aliases: ['sa'],
      summary: 'Create a service account',
      load: async () => (await import('./create/service-account.ts')).serviceAccount,
    },
    {
      name: 'token',
      summary: 'Ask for a token of a service account',
      load: async () => (await import('./create/token.ts')).token,
    },
  ],
};
