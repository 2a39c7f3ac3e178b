import type { PolicyRule } from '../../../../meta/policy-rule.ts';
import { defineDescriber, NO_EVENTS } from '../describer.ts';
import type { Described } from '../objects.ts';
import { writeHead } from '../parts/metadata.ts';
import { compactRules, resourceText } from '../parts/policy-rules.ts';

interface Role extends Described {
  readonly rules?: readonly PolicyRule[] | null;
}

interface RoleBinding extends Described {
  readonly roleRef?: { readonly kind?: string; readonly name?: string };
  readonly subjects?: readonly {
    readonly kind?: string;
    readonly name?: string;
    readonly namespace?: string;
  }[];
}

/** Of a namespace, and of the cluster. */
export const role = defineDescriber<Role>({
  write(page, { metadata, rules }, world) {
    writeHead(page, metadata, world, { namespace: false });
    page.line('PolicyRule:');
    page.line('Resources\tNon-Resource URLs\tResource Names\tVerbs', 1);
    page.line('---------\t-----------------\t--------------\t-----', 1);
    for (const rule of compactRules(rules ?? [])) {
      const { path = '', name = '', verbs } = rule;
      page.line(`${resourceText(rule)}\t[${path}]\t[${name}]\t[${verbs.join(' ')}]`, 1);
    }
  },
  subjects: NO_EVENTS,
});

/** In a namespace, and in the cluster. */
export const roleBinding = defineDescriber<RoleBinding>({
  write(page, { metadata, roleRef = {}, subjects = [] }, world) {
    writeHead(page, metadata, world, { namespace: false });
    page.line('Role:');
    page.row('Kind', roleRef.kind ?? '', 1);
    page.row('Name', roleRef.name ?? '', 1);
    page.line('Subjects:');
    page.line('Kind\tName\tNamespace', 1);
    page.line('----\t----\t---------', 1);
    for (const { kind = '', name = '', namespace = '' } of subjects)
      page.line(`${kind}\t${name}\t${namespace}`, 1);
  },
  subjects: NO_EVENTS,
});
