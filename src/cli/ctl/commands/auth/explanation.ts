import type { Json } from '../../../../meta/object.ts';
import { goYaml } from '../../print/yaml-writer.ts';

interface Named {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

interface Rule {
  readonly binding: Named;
  readonly subject: Named;
  readonly role: Named;
  readonly rule?: Json;
  readonly misses?: readonly string[];
}

/** What a server says of why something is allowed or not. */
export interface Explanation {
  readonly allowed: boolean;
  readonly authorizers: readonly {
    readonly type: string;
    readonly name: string;
    readonly verdict: string;
    readonly reason?: string;
    readonly problem?: string;
  }[];
  readonly by?: Rule;
  readonly nearest?: readonly Rule[];
  readonly grant?: readonly Json[];
}

const SAID: Readonly<Record<string, string>> = {
  allow: 'allows it',
  deny: 'denies it',
  noOpinion: 'has no opinion',
};

/** The same for people; what would allow it is YAML that can be applied. */
export function explanationText({ allowed, authorizers, by, nearest = [], grant }: Explanation): string {
  const lines = [allowed ? 'allowed' : 'not allowed'];
  for (const { type, name, verdict, reason, problem } of authorizers) {
    const why = [reason, problem].filter((text) => text !== undefined).join('; ');
    lines.push(`  ${type} (${name}) ${SAID[verdict] ?? verdict}${why === '' ? '' : `: ${why}`}`);
  }
  if (by !== undefined) lines.push('by the rule', ...ruleLines(by));
  if (nearest.length > 0) lines.push('nearest:');
  for (const rule of nearest) lines.push(...ruleLines(rule));
  const text = `${lines.join('\n')}\n`;
  if (grant === undefined) return text;
  return `${text}this would allow it:\n${grant.map((object) => `---\n${goYaml(object)}`).join('')}`;
}

function ruleLines({ binding, subject, role, rule, misses = [] }: Rule): string[] {
  return [
    `  ${nameOf(role)}, bound to ${nameOf(subject)} by ${nameOf(binding)}`,
    ...(rule === undefined ? [] : [`    rule: ${JSON.stringify(rule)}`]),
    ...(misses.length === 0 ? [] : [`    misses: ${misses.join(', ')}`]),
  ];
}

function nameOf({ kind, namespace, name }: Named): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
