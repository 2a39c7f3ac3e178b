import type { CommandGroup } from '../command.ts';

export const config: CommandGroup = {
  description:
    'Show and change the configuration: the clusters, users and contexts in the file that --kubeconfig names, in those of KUBECONFIG, or in ~/.kube/config.',
  commands: [
    {
      name: 'current-context',
      summary: 'Show the name of the current context',
      load: async () => (await import('./config/contexts.ts')).currentContext,
    },
    {
      name: 'delete-cluster',
      summary: 'Delete a cluster',
      load: async () => (await import('./config/delete.ts')).deleteCluster,
    },
    {
      name: 'delete-context',
      summary: 'Delete a context',
      load: async () => (await import('./config/delete.ts')).deleteContext,
    },
    {
      name: 'delete-user',
      summary: 'Delete a user',
      load: async () => (await import('./config/delete.ts')).deleteUser,
    },
    {
      name: 'get-clusters',
      summary: 'List the clusters',
      load: async () => (await import('./config/lists.ts')).getClusters,
    },
    {
      name: 'get-contexts',
      summary: 'List the contexts',
      load: async () => (await import('./config/lists.ts')).getContexts,
    },
    {
      name: 'get-users',
      summary: 'List the users',
      load: async () => (await import('./config/lists.ts')).getUsers,
    },
    {
      name: 'rename-context',
      summary: 'Give a context another name',
      load: async () => (await import('./config/contexts.ts')).renameContext,
    },
    {
      name: 'set',
      summary: 'Set one property',
      load: async () => (await import('./config/property.ts')).setProperty,
    },
    {
      name: 'set-cluster',
      summary: 'Make or change a cluster',
      load: async () => (await import('./config/set-cluster.ts')).setCluster,
    },
    {
      name: 'set-context',
      summary: 'Make or change a context',
      load: async () => (await import('./config/contexts.ts')).setContext,
    },
    {
      name: 'set-credentials',
      summary: 'Make or change a user',
      load: async () => (await import('./config/set-credentials.ts')).setCredentials,
    },
    {
      name: 'unset',
      summary: 'Remove one property',
      load: async () => (await import('./config/property.ts')).unsetProperty,
    },
    {
      name: 'use-context',
      aliases: ['use'],
      summary: 'Make a context the current one',
      load: async () => (await import('./config/contexts.ts')).useContext,
    },
    {
      name: 'view',
      summary: 'Show the configuration, without secrets',
      load: async () => (await import('./config/view.ts')).view,
    },
  ],
};
