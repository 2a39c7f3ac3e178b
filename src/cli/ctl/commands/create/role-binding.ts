import { formatGroupVersion } from '../../../../meta/object.ts';
import { defineCommand } from '../../command.ts';
import { requireFlags, requireName } from '../../create/name.ts';
import { SUBJECT_FLAGS, subjectsOf } from '../../create/subjects.ts';
import { CtlError } from '../../errors.ts';
import { CREATE_FLAGS, createObject } from '../../objects/create-object.ts';

const WHO = '[--user=NAME] [--group=NAME] [--serviceaccount=NAMESPACE:NAME]';

export const roleBinding = defineCommand({
  usage: `NAME (--role=NAME | --clusterrole=NAME) ${WHO}`,
  description: 'Give a role to users, groups and service accounts in a namespace.',
  examples: `
    orchctl create rolebinding readers --clusterrole=view --user=jane --group=support`,
  flags: {
    ...CREATE_FLAGS,
    ...SUBJECT_FLAGS,
    role: { type: 'text', default: '', help: 'The role of this namespace.' },
    clusterrole: { type: 'text', default: '', help: 'The cluster role.' },
  },
  async run({ context, flags, args }) {
    const name = requireName(args);
    const { role, clusterrole } = flags;
    if ((role === '') === (clusterrole === ''))
      throw new CtlError('exactly one of clusterrole or role must be specified');
    const apiGroup = (await context.names()).get('group.rbac');
    await createObject(context, flags, {
      object: {
        apiVersion: formatGroupVersion(apiGroup, 'v1'),
        kind: 'RoleBinding',
        metadata: { name },
        roleRef:
          role === ''
            ? { apiGroup, kind: 'ClusterRole', name: clusterrole }
            : { apiGroup, kind: 'Role', name: role },
        ...subjectsOf(flags, apiGroup),
      },
      inNamespace: true,
    });
  },
});

export const clusterRoleBinding = defineCommand({
  usage: `NAME --clusterrole=NAME ${WHO}`,
  description: 'Give a cluster role to users, groups and service accounts everywhere.',
  examples: `
    orchctl create clusterrolebinding admins --clusterrole=cluster-admin --group=admins`,
  flags: {
    ...CREATE_FLAGS,
    ...SUBJECT_FLAGS,
    clusterrole: { type: 'text', help: 'The cluster role.' },
  },
  async run({ context, flags, args }) {
    const name = requireName(args);
    requireFlags(flags, ['clusterrole']);
    const apiGroup = (await context.names()).get('group.rbac');
    await createObject(context, flags, {
      object: {
        apiVersion: formatGroupVersion(apiGroup, 'v1'),
        kind: 'ClusterRoleBinding',
        metadata: { name },
        roleRef: { apiGroup, kind: 'ClusterRole', name: flags.clusterrole ?? '' },
        ...subjectsOf(flags, apiGroup),
      },
      inNamespace: false,
    });
  },
});
